mod counts;
mod lone;
mod probe;

use std::time::Duration;

use backrank_endgames::{Endgame, EndgameError, EndgameTables, TablesError};
use backrank_rules::Rules;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::{ThreadsArg, check_played, find_variant};
use crate::terminal::failure::Failure;
use crate::terminal::notes::show_bars;

/// Solve an endgame: who wins, how long it takes, and the value of each move
///
/// This builds a table of all positions with these pieces, and of all positions that captures and promotions lead to.
/// Three pieces take a second, four without pawns a minute or less. Distances are to the end of the game and ignore the
/// fifty-move rule; the output says whether the longest win exceeds it.
#[derive(Args)]
#[command(
    after_help = examples!(
        "backrank endgame pmrc KMvK",
        "backrank endgame chess KRvK --longest",
        "backrank endgame pmrc --all",
        "backrank endgame pmrc KMvK --probe '8K/9/9/9/9/9/9/9/k3M4 w - - 0 1'",
        "backrank endgame pmrc --lone",
    )
)]
pub struct EndgameCommand {
    /// A key that `backrank variants` lists, or a path to a variant file
    variant: String,

    /// White's pieces, `v`, and Black's pieces, including the kings, such as `KMvKR`
    #[arg(required_unless_present_any = ["all", "lone"], conflicts_with_all = ["all", "lone"])]
    pieces: Option<String>,

    /// Show every piece of the game, and the pawn, against the bare king
    #[arg(long, conflicts_with = "lone")]
    all: bool,

    /// Show which pieces can checkmate a bare king alone, with only the piece and that king on the board
    #[arg(long)]
    lone: bool,

    /// Also show positions from which the win takes longest [default: 3 of them]
    #[arg(
        long,
        value_name = "HOW MANY",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "3",
        conflicts_with_all = ["all", "lone", "probe"],
    )]
    longest: Option<usize>,

    /// Show the value and the distance of every legal move in a position with these pieces or fewer of them
    #[arg(long, value_name = "FEN", conflicts_with_all = ["all", "lone"])]
    probe: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// The largest amount of memory for the tables, in mebibytes
    #[arg(long, value_name = "MEBIBYTES", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    memory: u64,

    #[command(flatten)]
    threads: ThreadsArg,
}

impl EndgameCommand {
    pub fn run(self) -> Result<(), Failure> {
        let variant = find_variant(&self.variant)?;
        check_played(&variant)?;
        let rules = Rules::new(&variant);
        self.threads.start()?;
        if self.lone {
            return lone::print(&rules, self.json);
        }
        if self.all {
            let all = Endgame::all_of_three(&rules);
            return counts::print_all(&rules, &all, &self.tables(&rules, &all)?, self.json);
        }
        let pieces = Endgame::parse(self.pieces.as_deref().unwrap_or_default(), &rules)?;
        let tables = || self.tables(&rules, std::slice::from_ref(&pieces));
        match &self.probe {
            Some(fen) => {
                let position = probe::read(&rules, fen)?;
                probe::print(&position, &pieces, &tables()?, self.json)
            }
            None => counts::print(&rules, &pieces, &tables()?, self.longest, self.json),
        }
    }

    fn tables(&self, rules: &Rules, endgames: &[Endgame]) -> Result<EndgameTables, Failure> {
        let bar = if show_bars() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}").expect("a valid template");
        let bar = bar.with_style(style);
        bar.enable_steady_tick(Duration::from_millis(100));
        let tables = EndgameTables::build(rules, endgames, self.memory << 20, |progress| {
            bar.set_message(format!("{}: {} plies", progress.endgame, progress.plies));
        });
        bar.finish_and_clear();
        Ok(tables?)
    }
}

impl From<EndgameError> for Failure {
    fn from(error: EndgameError) -> Self {
        Self::Input(error.to_string())
    }
}

impl From<TablesError> for Failure {
    fn from(error: TablesError) -> Self {
        match error {
            TablesError::Memory { .. } => Self::Input(format!("{error}; --memory allows more")),
            _ => Self::Other(error.to_string()),
        }
    }
}
