mod summary;

use std::path::{Path, PathBuf};

use backrank_engine::available_mebibytes;
use backrank_rules::Rules;
use backrank_selfplay::atlas::{
    Atlas, AtlasDirectory, AtlasProgress, AtlasRecorder, AtlasRun, JudgingEngine,
};
use backrank_selfplay::player::{BUILTIN, PlayerError, UciOption};
use backrank_selfplay::store::Definition;
use backrank_selfplay::study::{LARGEST_HASH, Shard};
use clap::Args;

use crate::args::studies::Bar;
use crate::args::trust::TrustArg;
use crate::args::{check_played, find_variant};
use crate::command::play::players::read_option;
use crate::command::play::setups::SetupArgs;
use crate::command::play::threads;
use crate::terminal::failure::Failure;
use crate::terminal::processors::read_threads;
use crate::terminal::reproduce::word;

/// Judge every setup of a game by search: White's score, the best moves, and the complexity of the play
///
/// The directory gets atlas.toml, which holds everything that determines the rows, and atlas.csv, with a row for each
/// setup in the order of ids. The same atlas.toml gives the same rows on every machine, with any number of threads.
/// Give the directory instead of the variant to continue an atlas that was interrupted, or to see its summary again.
///
/// The start is searched with all the nodes, and each of the other 19 positions of the line of best play with a tenth
/// of them; a move that the position after it shows to lose is searched again with all of them. If the Bishop Adjustment is
/// possible, the start is searched once more without it. A setup therefore takes three to five times the nodes.
///
/// Another engine may judge, such as Stockfish: on one thread, with a table of fixed size, and told before each setup to forget
/// the others. If it then searches the same at the same number of nodes, as Stockfish does, its rows are the same on every machine,
/// too. It evaluates by its own net, if it has one.
///
/// The summary says how much of each measure another search would find again: by mirror images, where they are the same game, or by
/// another atlas of the same setups, or some of them, in the folder `repeat` inside the directory. A measure of which another search
/// would find less than a fifth ranks no setups.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank atlas pmrc -o runs/sample --setups random:5 --nodes 1000",
    "backrank atlas chess960 -o runs/by-fairy --setups 518..520 --nodes 1000 --engine fairy-stockfish",
    "backrank atlas chess960 -o runs/corner --where fixed=B....... --setups 0..4 --nodes 1000",
    "backrank atlas runs/atlas",
    "backrank atlas pmrc -o runs/atlas/repeat --setups 0..9 --nodes 500 --best-moves 3",
))]
pub struct AtlasCommand {
    /// A key that `backrank variants` lists, the path of a variant file, or the directory of an atlas
    #[arg(value_name = "VARIANT|DIR")]
    subject: String,

    /// The directory of the atlas; if it already holds the same atlas, that is continued
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,

    #[command(flatten)]
    options: AtlasOptions,

    #[command(flatten)]
    trust: TrustArg,

    /// The number of setups that are judged at a time [default: the number of processors]
    #[arg(long, value_parser = read_threads)]
    threads: Option<u16>,

    /// The number of setups in each list of the summary
    #[arg(long, value_name = "SETUPS", default_value_t = 5)]
    top: usize,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// The options that determine the rows. They have no defaults here, so that only the options given are compared with
/// those of an existing atlas.
#[derive(Args)]
struct AtlasOptions {
    #[command(flatten)]
    setups: SetupArgs,

    /// The number of nodes for the search of each setup [default: 200000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
    nodes: Option<u64>,

    /// The seed by which random setups are drawn [default: 0]
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,

    /// Who judges: `builtin`, or the command line of a UCI engine [default: builtin]
    #[arg(long, value_name = "PLAYER")]
    engine: Option<String>,

    /// A UCI option for the engine (can be repeated)
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = read_option, requires = "engine")]
    options: Vec<UciOption>,

    /// The size of the transposition table in MiB [default: 16]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(LARGEST_HASH)))]
    hash: Option<u32>,

    /// The number of best first moves that are searched for; with fewer of them, the score is searched deeper [default: 4]
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u16).range(2..=1000))]
    best_moves: Option<u16>,

    /// Evaluate positions by the net that comes with the engine, if it has one for the game, and not by its weights alone
    ///
    /// Nets play better, but the weights agree more with a far stronger engine on the setups of chess960.
    #[arg(long, conflicts_with = "engine")]
    net: bool,

    /// Judge only one of several equal parts, such as 3/8; `backrank merge` combines them
    #[arg(long, value_name = "N/OF")]
    shard: Option<Shard>,
}

/// The default number of nodes.
const NODES: u64 = 200_000;

impl AtlasOptions {
    /// Applies the options to an atlas.
    fn change(&self, atlas: &mut Atlas) -> Result<(), Failure> {
        atlas.nodes = self.nodes.unwrap_or(atlas.nodes);
        atlas.seed = self.seed.unwrap_or(atlas.seed);
        atlas.hash = self.hash.unwrap_or(atlas.hash);
        atlas.best_moves = self.best_moves.map_or(atlas.best_moves, usize::from);
        atlas.shard = self.shard.clone().or(atlas.shard.take());
        if let Some(setups) = self.setups.choice() {
            atlas.choose_setups(setups);
        }
        if self.net {
            atlas.net = true;
            atlas.set_to_this_program()?;
        }
        if let Some(command) = &self.engine {
            let command = command.trim();
            let begun = atlas.engine.take().filter(|begun| begun.command == command);
            let mut engine = begun.unwrap_or(JudgingEngine {
                command: command.to_string(),
                options: Vec::new(),
                reported: None,
            });
            if !self.options.is_empty() {
                engine.options.clone_from(&self.options);
            }
            atlas.judge_by((command != BUILTIN).then_some(engine))?;
        }
        self.setups.change_space(&atlas.variant()?, &mut atlas.constraints, &mut atlas.numbering)
    }
}

/// The atlas that is asked for, and its directory.
struct Asked {
    path: PathBuf,
    atlas: Atlas,
    /// As this program makes it: where that is something else, the atlas can be read, but no rows can be added.
    of_this_program: Atlas,
}

impl AtlasCommand {
    pub fn run(self) -> Result<(), Failure> {
        let mut asked = self.asked()?;
        let run = AtlasRun::new(asked.atlas)?;
        let path = asked.path;
        if !AtlasDirectory::is_in(&path)
            || AtlasDirectory::is_torn_in(&path)
            || AtlasProgress::read(&path, run.atlas())?.next < run.range().end
        {
            self.check_engine(&path, run.atlas())?;
            ask(&mut asked.of_this_program, run.rules())?;
            run.atlas().check_unchanged(&path, &asked.of_this_program)?;
            make(&path, &run, threads(self.threads))?;
        } else if AtlasDirectory::rows(&path).exists()
            && !AtlasDirectory::rows(&path).with_added_extension("sha256").exists()
            && asked.of_this_program == *run.atlas()
        {
            // An earlier run was killed after the last row. Whoever may only read the atlas does without a checksum.
            let _ = AtlasRecorder::resume(&path, &run).and_then(|mut recorder| recorder.finish());
        }
        summary::print(&path, &run, self.top, self.json)
    }

    /// Refuses to start an engine that only a file names.
    fn check_engine(&self, path: &Path, atlas: &Atlas) -> Result<(), Failure> {
        match &atlas.engine {
            Some(engine) if self.options.engine.is_none() && !self.trust.trust_engines => {
                Err(Failure::Input(format!(
                    "{} names a program that would be run on this machine, and you have not named it here:\n  {}\nname it yourself \
                     with --engine, or, if you trust whoever wrote that file, add --trust-engines",
                    path.join("atlas.toml").display(),
                    engine.command
                )))
            }
            _ => Ok(()),
        }
    }

    fn asked(&self) -> Result<Asked, Failure> {
        let subject = Path::new(&self.subject);
        if self.output.is_none() && AtlasDirectory::holds(subject)? {
            let begun = AtlasDirectory::read(subject)?;
            let mut atlas = begun.clone();
            self.options.change(&mut atlas)?;
            begun.check_unchanged(subject, &atlas)?;
            atlas.set_to_this_program()?;
            return Ok(Asked { path: subject.to_path_buf(), atlas: begun, of_this_program: atlas });
        }
        let Some(output) = &self.output else {
            return Err(Failure::Input(match subject.is_dir() {
                true => format!("{} holds no atlas to continue", subject.display()),
                false => "a new atlas needs a directory: -o DIR".to_string(),
            }));
        };
        let variant = find_variant(&self.subject)?;
        check_played(&variant)?;
        let mut atlas = Atlas::new(&variant, NODES)?;
        self.options.change(&mut atlas)?;
        // An engine that cannot play leaves no atlas behind.
        ask(&mut atlas, &Rules::new(&variant))?;
        if AtlasDirectory::is_in(output) && !AtlasDirectory::is_torn_in(output) {
            AtlasDirectory::read(output)?.check_unchanged(output, &atlas)?;
        }
        Ok(Asked { path: output.clone(), of_this_program: atlas.clone(), atlas })
    }
}

/// Asks the engine of an atlas for the name that it gives itself, if it is not the embedded one.
fn ask(atlas: &mut Atlas, rules: &Rules) -> Result<(), Failure> {
    let Some(command) = atlas.engine.as_ref().map(|engine| engine.command.clone()) else { return Ok(()) };
    let stop = crate::terminal::signals::interrupted()?;
    atlas.ask_engine(rules, stop).map_err(|error| match error {
        PlayerError::Stopped => Failure::Other("stopped before a setup was judged".to_string()),
        PlayerError::Ended { .. } | PlayerError::Silent { .. } => {
            Failure::Input(format!("{command}: {error}"))
        }
        error => error.into(),
    })
}

/// Judges the remaining setups.
fn make(path: &Path, run: &AtlasRun, threads: usize) -> Result<(), Failure> {
    if !AtlasDirectory::is_in(path) {
        check_memory(run.atlas(), threads)?;
    }
    let stop = crate::terminal::signals::interrupted()?;
    let mut recorder = AtlasRecorder::resume(path, run)?;
    let [done, all] = recorder.done();
    let bar = Bar::new("judging", all);
    bar.set(done);
    let result = run.judge(recorder.rest(), threads, stop, |row| {
        let next = recorder.add(&row);
        bar.tell(recorder.done()[0], format!("{} {:+.2}", row.white_rank, 0.01 * f64::from(row.score_cp)));
        next
    });
    bar.finish();
    let finished = recorder.finish();
    result.map_err(|error| Failure::Other(error.to_string()))?;
    recorder.check_files()?;
    finished?;
    let [done, all] = recorder.done();
    if done < all {
        let path = word(path);
        return Err(Failure::Other(format!(
            "stopped after {done} of {all} setups; `backrank atlas {path}` continues it"
        )));
    }
    Ok(())
}

/// Checks that the transposition tables of all threads fit into memory.
fn check_memory(atlas: &Atlas, threads: usize) -> Result<(), Failure> {
    let engines = if atlas.variant()?.adjustment.is_some() { 2 } else { 1 };
    let needed = u64::from(atlas.hash) * engines * threads as u64;
    match available_mebibytes().filter(|&available| available < needed) {
        None => Ok(()),
        Some(available) => Err(Failure::Other(format!(
            "the transposition tables take {needed} MiB on {threads} threads, but only {available} MiB of memory are available; \
             choose fewer --threads"
        ))),
    }
}
