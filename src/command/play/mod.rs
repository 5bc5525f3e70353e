pub mod options;
pub mod players;
mod progress;
pub mod setups;
mod starts;
mod summary;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use backrank_engine::available_mebibytes;
use backrank_enumerate::Space;
use backrank_rules::Rules;
use backrank_selfplay::play::{RecordError, Recorder, Run};
use backrank_selfplay::player::{Player, PlayerError, fingerprint};
use backrank_selfplay::store::{DirectoryKind, check_unchanged};
use backrank_selfplay::study::{Study, StudyDirectory, StudyStarts};
use clap::Args;

use crate::args::trust::{self, TrustArg};
use crate::args::{check_played, find_variant};
use crate::terminal::failure::Failure;
use crate::terminal::notes::note;
use crate::terminal::output::print_json;
use crate::terminal::processors::{processors, read_threads};
use crate::terminal::reproduce::word;
use options::StudyOptions;
use progress::GamesProgress;
use summary::Summary;

/// Play games from setups, and record them in a directory
///
/// The directory gets study.toml, which holds everything that determines the games, and games.csv, with a row for each
/// game. The same study gives the same games on every machine, with any number of threads. `backrank play DIR`
/// continues a study that was interrupted.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank play pmrc -o runs/all --games 2 --nodes 1000",
    "backrank play pmrc -o runs/pawn --odds P:- --games 2000",
    "backrank play chess8400 -o runs/match --black fairy-stockfish --pairs",
    "backrank play chess -o runs/book --black stockfish --pairs --openings book.epd",
    "backrank play --from runs/all --at-plies 20,60,100 --odds N:- -o runs/knight",
    "backrank play runs/all",
))]
pub struct PlayCommand {
    /// A key that `backrank variants` lists, the path of a variant file, or the directory of a study to continue
    ///
    /// It can be left out with --from, since the variant is that of the recorded games.
    #[arg(value_name = "VARIANT|DIR", required_unless_present = "from")]
    subject: Option<String>,

    /// The directory of the study; if it already holds the same study, that is continued
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,

    #[command(flatten)]
    options: StudyOptions,

    /// The number of games that are played at a time [default: the number of processors]
    #[arg(long, value_parser = read_threads)]
    threads: Option<u16>,

    /// The seconds that an engine may take to answer, in addition to its time for a move
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=LONGEST_TIMEOUT))]
    timeout: u64,

    #[command(flatten)]
    trust: TrustArg,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// The longest time that an engine may take to answer, in seconds: 30 days.
const LONGEST_TIMEOUT: u64 = 30 * 24 * 60 * 60;

impl PlayCommand {
    pub fn run(self) -> Result<(), Failure> {
        let (path, mut study) = self.study()?;
        let rules = Rules::new(&study.variant()?);
        let starts = StudyStarts::of(&study, &rules)?;
        let timeout = Duration::from_secs(self.timeout);
        let stop = crate::terminal::signals::interrupted_or_terminated()?;
        // Players are started once before anything is written, so that a player that cannot play leaves no study
        // behind.
        study.set_reported(|player| {
            let started = Player::start(player, &rules, timeout, stop)
                .map_err(|error| not_started(&player.name, error))?;
            Ok::<_, Failure>(started.reported().map(str::to_string))
        })?;

        let threads = threads(self.threads);
        let space = Space::new(rules.variant())?;
        study.set_fingerprints(|player| {
            Ok::<_, PlayerError>(fingerprint(&rules, &space, &player.weights(&rules)?))
        })?;
        let (tables, is_new) = (OnceLock::new(), !StudyDirectory::is_in(&path));
        let run =
            Run { study: &study, rules: &rules, starts: &starts, tables: &tables, threads, timeout, stop };
        if is_new {
            check_memory(&run)?;
        }
        let directory = StudyDirectory::create_or_open(&path, &study)?;
        trust::remember(&path, &study);
        let is_torn = directory.is_torn();
        let mut recorder = Recorder::resume(directory, &run)?;
        if is_torn {
            note_written_again(&path);
        }
        let games = study.range();
        let rest = if recorder.is_complete() {
            note(match recorder.next() == games.end {
                true => format!("nothing is left to play: all games of {} have been played", path.display()),
                false => format!("nothing is left to play: the test of {} is decided", path.display()),
            });
            0..0
        } else {
            if !is_new {
                check_memory(&run)?;
            }
            recorder.next()..games.end
        };
        let mut progress = GamesProgress::new(&study, recorder.next());
        let result = run.play(rest, |played| {
            let next = recorder.add(&played)?;
            progress.show(&played, recorder.tally());
            Ok::<_, RecordError>(next)
        });
        progress.finish();
        let finished = recorder.check_files().and_then(|()| recorder.finish());
        result.map_err(|error| Failure::Other(error.to_string()))?;
        finished?;
        if !recorder.is_complete() {
            let (done, all) = (recorder.next() - games.start, games.end - games.start);
            let go_on = format!("`backrank play {}` continues it", word(&path));
            return Err(Failure::Other(format!("stopped after {done} of {all} games; {go_on}")));
        }
        let summary = Summary::new(&study, &recorder);
        if self.json { print_json(&summary) } else { summary.print() }
    }

    /// The directory and the definition of the study.
    fn study(&self) -> Result<(PathBuf, Study), Failure> {
        let subject = self.subject.as_ref().map(Path::new);
        if let (Some(subject), None) = (subject, &self.output)
            && StudyDirectory::holds(subject)?
        {
            let begun = StudyDirectory::read(subject)?;
            let mut study = begun.clone().into_spec();
            self.options.change(&mut study)?;
            // What differs is said before what is wrong with it.
            check_unchanged(DirectoryKind::Study, subject, &begun.differences_from(&study))?;
            let study = Study::new(study)?;
            let is_known = self.options.names_engines(&study) || study.knows_engines(subject);
            self.trust.check(
                subject,
                &study,
                is_known,
                "name them yourself with --white or --black and --option, or, if you trust whoever wrote that file, add \
                 --trust-engines",
            )?;
            return Ok((subject.to_path_buf(), study));
        }
        let Some(output) = &self.output else {
            return Err(match subject.filter(|subject| subject.is_dir()) {
                Some(subject) => Failure::Input(format!("{} holds no study to continue", subject.display())),
                None => Failure::Input("a new study needs a directory: -o DIR".to_string()),
            });
        };
        let variant = match (&self.subject, self.options.recorded()) {
            (None, Some(recorded)) => StudyDirectory::read(recorded)?.variant()?,
            (subject, _) => find_variant(subject.as_deref().unwrap_or_default())?,
        };
        check_played(&variant)?;
        let variant = self.options.with_pieces(variant)?;
        Ok((output.clone(), self.options.new_study(&variant)?))
    }
}

/// Says that the definition of a study was lost and is there again.
pub fn note_written_again(path: &Path) {
    note(format_args!(
        "{} was damaged and is written again by this command",
        path.join("study.toml").display()
    ));
}

/// The number of games at a time: the number given, or that of the processors this process may use.
pub fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(processors, usize::from)
}

/// The number of games at a time: the number given, if there is enough memory for it, or as many as there are
/// processors and memory for.
pub fn threads_that_fit(run: Run<'_, '_>, asked: Option<u16>) -> Result<usize, Failure> {
    run.make_tables();
    let each = run.study.tables_mebibytes(1);
    let fit = available_mebibytes().map_or(usize::MAX, |available| (available / each.max(1)) as usize);
    let threads = asked.map_or_else(|| processors().min(fit).max(1), usize::from);
    check_memory(&Run { threads, ..run })?;
    Ok(threads)
}

/// Checks that the transposition tables of all games that are played at a time fit into memory, after the endgame
/// tables are built.
pub fn check_memory(run: &Run<'_, '_>) -> Result<(), Failure> {
    run.make_tables();
    let threads = run.threads;
    let needed = run.study.tables_mebibytes(threads);
    let Some(available) = available_mebibytes().filter(|&available| available < needed) else {
        return Ok(());
    };
    Err(Failure::Other(format!(
        "the players' transposition tables take {needed} MiB with {threads} games at a time, but only {available} MiB \
         of memory are available; choose a smaller --hash or fewer --threads"
    )))
}

/// Why a player cannot play. Errors about its answers do not name it, so its name is added.
fn not_started(name: &str, error: PlayerError) -> Failure {
    match error {
        PlayerError::Stopped => Failure::Other("stopped before a game was played".to_string()),
        PlayerError::Ended { .. } | PlayerError::Silent { .. } => Failure::Input(format!("{name}: {error}")),
        error => error.into(),
    }
}
