pub mod options;
mod players;
mod progress;
pub mod setups;
mod summary;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use backrank_enumerate::Space;
use backrank_rules::{Rules, Variant};
use backrank_selfplay::{Player, PlayerError, RecordError, Recorder, Run, Study, StudyDirectory};
use clap::Args;

use crate::args::check_played;
use crate::failure::Failure;
use options::StudyOptions;
use progress::GamesProgress;
use setups::StudySetups;

/// Games from setups, recorded in a directory
///
/// The directory gets study.toml, which holds everything that decides the games, and games.csv, a row a game. The same
/// study gives the same games on every machine, with any number of threads; a run that was interrupted goes on with
/// `backrank play DIR`.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank play pmrc -o runs/all --games 2 --nodes 1000",
    "backrank play pmrc -o runs/pawn --odds P:- --games 2000",
    "backrank play chess8400 -o runs/match --black fairy-stockfish --pairs",
    "backrank play runs/all",
))]
pub struct Play {
    /// A key that `backrank variants` lists, a path to a variant file, or the directory of a study to go on with
    #[arg(value_name = "VARIANT|DIR")]
    subject: String,

    /// The directory that a new study is written to; one that holds the same study is gone on with
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,

    #[command(flatten)]
    options: StudyOptions,

    /// How many games are played at a time [default: as many as there are processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// How many seconds an engine may take to answer, beyond the time it is given for a move
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
}

impl Play {
    pub fn run(self) -> Result<(), Failure> {
        let (path, mut study) = self.study()?;
        let variant = study.variant().map_err(|error| Failure::Input(error.to_string()))?;
        let rules = Rules::new(&variant);
        let space = Space::new(&variant)?;
        let setups = StudySetups::of(&study, &space)?;
        let timeout = Duration::from_secs(self.timeout);
        // Started once before anything is written: a player that cannot play leaves no study behind.
        for player in [&mut study.white, &mut study.black] {
            let started =
                Player::start(player, &rules, timeout).map_err(|error| not_started(&player.name, error))?;
            player.reported = started.reported().map(str::to_string);
        }

        let directory = begin(&path, &study)?;
        let stop: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
        crate::signals::on_interrupt(move || stop.store(true, Ordering::Relaxed))
            .map_err(|error| Failure::Other(format!("cannot listen for Ctrl-C: {error}")))?;
        let run = Run {
            study: &study,
            rules: &rules,
            setup: &|index| setups.get(index),
            threads: threads(self.threads),
            timeout,
            stop,
        };
        let mut recorder = Recorder::resume(directory, &run)?;
        let games = study.range();
        if recorder.next() == games.end {
            eprintln!("nothing is left to play: all games of {} are there", path.display());
        }
        let mut progress = GamesProgress::new(&games, recorder.next());
        let result = run.play(recorder.next()..games.end, |played| {
            recorder.add(&played)?;
            progress.show(&played, recorder.tally());
            Ok::<(), RecordError>(())
        });
        progress.finish();
        let go_on = format!("`backrank play {}` goes on from here", path.display());
        match result {
            Ok(()) if recorder.next() < games.end => {
                let (done, all) = (recorder.next() - games.start, games.end - games.start);
                Err(Failure::Other(format!("stopped after {done} of {all} games; {go_on}")))
            }
            Ok(()) => summary::print(&study, &recorder),
            Err(error) => Err(Failure::Other(error.to_string())),
        }
    }

    /// Where the study is, and what it asks.
    fn study(&self) -> Result<(PathBuf, Study), Failure> {
        let subject = Path::new(&self.subject);
        if self.output.is_none() && StudyDirectory::is_study(subject) {
            let begun = StudyDirectory::read(subject)?;
            let mut study = begun.clone();
            self.options.change(&mut study)?;
            refuse_changes(subject, &begun, &study)?;
            return Ok((subject.to_path_buf(), study));
        }
        let Some(output) = &self.output else {
            return Err(if subject.is_dir() {
                Failure::Input(format!("{} holds no study to go on with", subject.display()))
            } else {
                Failure::Input("where to? a new study needs -o DIR".to_string())
            });
        };
        let variant = Variant::find(&self.subject)?;
        check_played(&variant)?;
        Ok((output.clone(), self.options.new_study(&variant)?))
    }
}

/// The number of games at a time.
pub fn threads(asked: Option<u16>) -> usize {
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or_else(processors, usize::from)
}

/// The directory of a study: begun, or gone on with where it holds the same one.
pub fn begin(path: &Path, study: &Study) -> Result<StudyDirectory, Failure> {
    if !StudyDirectory::is_study(path) {
        return Ok(StudyDirectory::create(path, study)?);
    }
    let (directory, begun) = StudyDirectory::open(path)?;
    refuse_changes(path, &begun, study)?;
    Ok(directory)
}

/// Why a player cannot play; what is wrong with its answers does not say whose they are.
fn not_started(name: &str, error: PlayerError) -> Failure {
    match error {
        PlayerError::Ended { .. } | PlayerError::Silent { .. } => Failure::Input(format!("{name}: {error}")),
        error => error.into(),
    }
}

/// A study keeps what it was begun with: what differs is named.
fn refuse_changes(path: &Path, begun: &Study, now: &Study) -> Result<(), Failure> {
    let differences = begun.differences(now);
    if differences.is_empty() {
        return Ok(());
    }
    let short =
        |value: &str| if value.contains('\n') { "another text".to_string() } else { value.to_string() };
    let lines: Vec<String> = differences
        .iter()
        .map(|[name, begun, now]| format!("\n  {name}: begun with {}, now {}", short(begun), short(now)))
        .collect();
    Err(Failure::Input(format!(
        "{} holds a study that was begun with other options; a study keeps them to its end{}",
        path.display(),
        lines.concat()
    )))
}
