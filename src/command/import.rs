use std::io::Write;
use std::path::PathBuf;

use backrank_analysis::table::thousands;
use backrank_selfplay::import::{ImportCounts, ImportOptions, Importer, RejectedGames};
use clap::Args;
use serde::Serialize;

use crate::args::studies::Bar;
use crate::args::{NumberingArg, ThreadsArg, check_played, find_variant};
use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json};
use crate::terminal::table::{self, TableColumn};

/// Import games in PGN as a study, for values, setups and report
///
/// Archives can be compressed by gzip or zstd. Games that cannot be imported are counted by reason.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank import lichess.pgn.zst -o runs/lichess --variant chess960",
    "backrank import lichess.pgn.zst -o runs/strong --variant chess960 --min-elo 2000 --limit 100000",
))]
pub struct ImportCommand {
    /// The archives
    #[arg(required = true, value_name = "FILE")]
    archives: Vec<PathBuf>,

    /// The directory of the new study
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// The variant of the games: a key that `backrank variants` lists, or the path of a variant file
    #[arg(long)]
    variant: String,

    #[command(flatten)]
    numbering: NumberingArg,

    /// Import only games in which both players have at least this rating
    #[arg(long, value_name = "ELO")]
    min_elo: Option<u16>,

    /// Stop after this many imported games
    #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,

    #[command(flatten)]
    threads: ThreadsArg,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is printed as JSON.
#[derive(Serialize)]
struct ImportSummary<'a> {
    games: u64,
    read: u64,
    below_min_elo: u64,
    left_out: Vec<RejectedRow<'a>>,
    left_over_bytes: u64,
}

#[derive(Serialize)]
struct RejectedRow<'a> {
    reason: String,
    games: u64,
    file: String,
    line: u64,
    problem: &'a str,
}

impl ImportCommand {
    pub fn run(self) -> Result<(), Failure> {
        let variant = find_variant(&self.variant)?;
        check_played(&variant)?;
        self.threads.start()?;
        let options = ImportOptions {
            min_elo: self.min_elo,
            limit: self.limit,
            numbering: self.numbering.name().map(str::to_string),
        };
        let importer = Importer::new(&variant, options)?;
        let stop = crate::terminal::signals::interrupted()?;
        let size = |path: &PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
        let bar = Bar::new("importing", self.archives.iter().map(size).sum());
        let imported = importer.import(&self.archives, &self.output, stop, |bytes, imported| {
            bar.tell(bytes, format!("{} games", thousands(imported.games)));
        });
        bar.finish();
        let imported = imported?;
        if self.json { print_json(&ImportSummary::of(&imported)) } else { self.print(&imported) }
    }

    fn print(&self, imported: &ImportCounts) -> Result<(), Failure> {
        let mut out = Output::stdout();
        let [games, read] = [imported.games, imported.read].map(thousands);
        writeln!(out, "{games} of {read} games imported into {}", self.output.display())?;
        if imported.below_min_elo > 0 {
            let games = thousands(imported.below_min_elo);
            writeln!(out, "{games} games left out because a rating is too low or unknown")?;
        }
        let summary = ImportSummary::of(imported);
        if !summary.left_out.is_empty() {
            writeln!(out)?;
            let columns = [
                TableColumn::Text("left out"),
                TableColumn::Number("games"),
                TableColumn::Text("first at line"),
                TableColumn::Text("text"),
            ];
            let row = |row: RejectedRow<'_>| {
                let place = match self.archives.len() {
                    1 => thousands(row.line),
                    _ => format!("{} of {}", thousands(row.line), row.file),
                };
                vec![row.reason, thousands(row.games), place, row.problem.to_string()]
            };
            table::print(&mut out, &columns, summary.left_out.into_iter().map(row))?;
        }
        if imported.left_over_bytes > 0 {
            let bytes = thousands(imported.left_over_bytes);
            writeln!(
                out,
                "\n{bytes} bytes after the end of what is compressed were left out: they are not gzip"
            )?;
        }
        out.finish()
    }
}

impl<'a> ImportSummary<'a> {
    fn of(imported: &'a ImportCounts) -> Self {
        let row =
            |(reason, left_out): (&backrank_selfplay::import::Rejection, &'a RejectedGames)| RejectedRow {
                reason: reason.to_string(),
                games: left_out.games,
                file: left_out.path.display().to_string(),
                line: left_out.line,
                problem: &left_out.problem,
            };
        let left_out = imported.left_out.iter().map(row).collect();
        let ImportCounts { games, read, below_min_elo, left_over_bytes, .. } = *imported;
        Self { games, read, below_min_elo, left_out, left_over_bytes }
    }
}
