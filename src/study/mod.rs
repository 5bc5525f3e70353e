mod parts;
mod plan;
mod summary;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use backrank_analysis::{Clustering, Game, Model, RegressionOptions, Replayer, Sample, Sampling};
use backrank_enumerate::Space;
use backrank_rules::{Rules, Variant};
use backrank_selfplay::StudyDirectory;
use clap::Args;

use crate::args::check_played;
use crate::failure::Failure;
use crate::findings::Findings;
use crate::notes::note;
use crate::output::Output;
use crate::play::threads;
use crate::studies::{self, Bar};
use crate::table::thousands;
use crate::values::{DENSITY, RegressionArgs};
use crate::verify::verify;
use crate::{setups, values};
use parts::{Common, Part};
use plan::{Known, REGRESSION};

/// From nothing to a report: counts a game's setups, plays from them, estimates what the pieces are worth
///
/// The directory gets games.csv, with games from all setups, a directory for each match at odds below odds/, and
/// values.csv, setups.csv and report.html, which tell what was found. What is played next is what makes intervals shrink
/// fastest. Given the same directory again, it goes on and adds to what is there.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank study pmrc",
    "backrank study pmrc --time 30m --nodes 1000 -o runs/long",
    "backrank study my-game.toml --time 10m",
))]
pub struct Study {
    /// A key that `backrank variants` lists, a path to a variant file, or the directory of a study to go on with
    #[arg(value_name = "VARIANT|DIR")]
    subject: String,

    /// The directory to write to [default: study-KEY]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,

    /// How long it may take in all: 90s, 2m, 30m, 1h
    #[arg(long, default_value = "2m", value_parser = read_time)]
    time: Duration,

    /// Nodes for each move: fewer make more games, more make better ones [default: 100]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
    nodes: Option<u64>,

    /// What chance depends on: the same seed gives the same games on every machine [default: 0]
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,

    /// How many games are played at a time [default: as many as there are processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

const NODES: u64 = 100;

/// The share of the time that is kept for reading the games and estimating.
const KEPT: f64 = 0.08;

/// Brute force may go through so many arrangements for each second of the time: a tenth of what it does in a second.
const ARRANGEMENTS_A_SECOND: u128 = 5_000_000;

/// Each part gets so many games before parts are compared; with more threads two for each.
const FIRST: u64 = 32;

/// After that the time is handed out in so many slices, each of half a second at least.
const SLICES: u32 = 50;
const SHORTEST_SLICE: Duration = Duration::from_millis(500);

fn read_time(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    let most = Duration::from_secs(366 * 24 * 60 * 60);
    if (Duration::from_secs(1)..=most).contains(&time) {
        return Ok(time);
    }
    Err("a study takes from 1s to 366days".to_string())
}

impl Study {
    pub fn run(self) -> Result<(), Failure> {
        let start = Instant::now();
        let (path, variant) = self.subject()?;
        check_played(&variant)?;
        let (rules, space) = (Rules::new(&variant), Space::new(&variant)?);
        let interrupted = Interrupted::listen(self.go_on(&path))?;
        let stop = &interrupted.stop;
        let common =
            Common { variant: &variant, rules: &rules, space: &space, threads: threads(self.threads), stop };
        let (nodes, seed) = self.asked(&path)?;
        let mut parts = parts::all(&path, nodes, seed, &common)?;
        for part in &mut parts {
            if StudyDirectory::is_study(&part.path) {
                part.begin()?;
            }
        }
        let before: u64 = parts.iter().map(Part::games).sum();
        if before > 0 {
            let before = thousands(before.into());
            note(format_args!("{} holds {before} games; more are added", path.display()));
        }
        self.verify(&variant, &space)?;
        parts[REGRESSION].begin()?;

        let end = start + self.time.mul_f64(1.0 - KEPT);
        interrupted.while_playing(end, || Playing::new(&mut parts, &common, end)?.play())?;
        if parts[REGRESSION].games() == 0 {
            let time = humantime::format_duration(self.time);
            return Err(Failure::Other(format!(
                "no game came to its end within {time}; give it more --time"
            )));
        }
        let played: Vec<PathBuf> =
            parts.iter().filter(|part| part.games() > 0).map(|part| part.path.clone()).collect();
        drop(parts);
        self.evaluate(&path, &played)
    }

    /// Counts the space both ways, as long as brute force leaves time to play.
    fn verify(&self, variant: &Variant, space: &Space) -> Result<(), Failure> {
        let arrangements = space.army().arrangements();
        if arrangements <= self.time.as_secs() as u128 * ARRANGEMENTS_A_SECOND {
            return verify(std::slice::from_ref(variant), false);
        }
        let mut out = Output::stdout();
        let (setups, arrangements) = (thousands(space.len()), thousands(arrangements));
        let why = format!("brute force through {arrangements} arrangements takes too long for --time");
        writeln!(out, "{}: {setups} setups, counted by the space alone: {why}", variant.key)?;
        out.finish()
    }

    /// Where the study is, and of which game.
    fn subject(&self) -> Result<(PathBuf, Variant), Failure> {
        let subject = Path::new(&self.subject);
        if self.output.is_none() && StudyDirectory::is_study(subject) {
            let variant = StudyDirectory::read(subject)?.variant();
            let variant = variant.map_err(|error| Failure::Input(error.to_string()))?;
            return Ok((subject.to_path_buf(), variant));
        }
        let variant = Variant::find(&self.subject)?;
        let path = self.output.clone().unwrap_or_else(|| format!("study-{}", variant.key).into());
        Ok((path, variant))
    }

    /// Nodes and seed: as asked, or else as the study was begun.
    fn asked(&self, path: &Path) -> Result<(u64, u64), Failure> {
        let begun = StudyDirectory::is_study(path).then(|| StudyDirectory::read(path)).transpose()?;
        let nodes = begun.as_ref().and_then(|begun| begun.limits.nodes).unwrap_or(NODES);
        let seed = begun.as_ref().map_or(0, |begun| begun.seed);
        Ok((self.nodes.unwrap_or(nodes), self.seed.unwrap_or(seed)))
    }

    /// How to go on with it.
    fn go_on(&self, path: &Path) -> String {
        format!("`backrank study {}` goes on from here", path.display())
    }

    /// Writes and prints what the games say.
    fn evaluate(&self, path: &Path, played: &[PathBuf]) -> Result<(), Failure> {
        let findings = Findings::of(played, &RegressionArgs::default())?;
        values::write_csv(&path.join("values.csv"), &findings.rows())?;
        if let Some(found) = &findings.setups {
            setups::write_csv(&path.join("setups.csv"), found)?;
        }
        summary::print(&findings)?;
        let report = path.join("report.html");
        let studies: Vec<String> = played.iter().map(|path| path.display().to_string()).collect();
        let command = format!("backrank report {} -o {}", studies.join(" "), report.display());
        findings.write_report(&report, DENSITY, command)?;
        summary::print_path(&report)
    }
}

/// Ctrl-C: while games are played it ends the run after what is recorded, otherwise at once.
struct Interrupted {
    /// Set to stop playing, for this or another reason.
    stop: &'static AtomicBool,
    playing: &'static AtomicBool,
    by_hand: &'static AtomicBool,
    go_on: String,
}

impl Interrupted {
    fn listen(go_on: String) -> Result<Self, Failure> {
        let [stop, playing, by_hand] =
            [(); 3].map(|()| -> &'static AtomicBool { Box::leak(Box::new(AtomicBool::new(false))) });
        let says = go_on.clone();
        ctrlc::set_handler(move || {
            let again = by_hand.swap(true, Ordering::Relaxed);
            if again || !playing.load(Ordering::Relaxed) {
                eprintln!("error: stopped; {says}");
                exit(1);
            }
            stop.store(true, Ordering::Relaxed);
        })
        .map_err(|error| Failure::Other(format!("cannot listen for Ctrl-C: {error}")))?;
        Ok(Self { stop, playing, by_hand, go_on })
    }

    /// Plays until an end, or until it is stopped by hand, which is a failure.
    fn while_playing(
        &self,
        end: Instant,
        play: impl FnOnce() -> Result<u64, Failure>,
    ) -> Result<(), Failure> {
        self.playing.store(true, Ordering::Relaxed);
        let (over, is_over) = channel::<()>();
        let stop = self.stop;
        let clock = std::thread::spawn(move || {
            let left = end.saturating_duration_since(Instant::now());
            if is_over.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                stop.store(true, Ordering::Relaxed);
            }
        });
        let games = play();
        drop(over);
        let _ = clock.join();
        self.playing.store(false, Ordering::Relaxed);
        let games = games?;
        if self.by_hand.load(Ordering::Relaxed) {
            let games = thousands(games.into());
            return Err(Failure::Other(format!("stopped after {games} more games; {}", self.go_on)));
        }
        Ok(())
    }
}

/// The games of a run, part after part.
struct Playing<'p, 'a> {
    parts: &'p mut [Part<'a>],
    common: &'p Common<'a>,
    /// What regression goes by so far.
    sample: Sample,
    start: Instant,
    end: Instant,
    games: u64,
}

impl<'p, 'a> Playing<'p, 'a> {
    fn new(parts: &'p mut [Part<'a>], common: &'p Common<'a>, end: Instant) -> Result<Self, Failure> {
        let games = &parts[REGRESSION];
        let studies = studies::open(std::slice::from_ref(&games.path))?;
        let mut sample = Sample::new(&studies.material, Clustering::Game);
        studies::read(&studies, Sampling::default(), |game| sample.add(&game))?;
        Ok(Self { parts, common, sample, start: Instant::now(), end, games: 0 })
    }

    /// Plays until the end, and tells how many games.
    fn play(mut self) -> Result<u64, Failure> {
        let time = self.end.saturating_duration_since(self.start);
        let slice = (time / SLICES).max(SHORTEST_SLICE);
        let bar = Bar::new("playing", time.as_millis() as u64);
        while !self.common.stop.load(Ordering::Relaxed)
            && let Some(part) = self.next()
        {
            let left = self.end.saturating_duration_since(Instant::now());
            let games = self.slice(part, slice.min(left));
            if games == 0 {
                break;
            }
            self.play_slice(part, games, &bar)?;
        }
        bar.finish();
        Ok(self.games)
    }

    /// A part with hardly a game, or else the one that the planner chooses.
    fn next(&self) -> Option<usize> {
        if let Some(part) = self.parts.iter().position(|part| part.games() < self.first()) {
            return Some(part);
        }
        let options = RegressionOptions { model: Model::Ordered, replicates: 0, seed: 0 };
        let known = Known {
            regression: self.sample.values(options, &|_| ()).pieces,
            matches: self.parts.iter().filter_map(Part::found).collect(),
        };
        let costs: Vec<_> = self.parts.iter().map(Part::cost).collect();
        plan::choose(&costs, |twice| known.doubt(twice))
    }

    fn first(&self) -> u64 {
        FIRST.max(2 * self.common.threads as u64)
    }

    /// How many games of a part fit in a slice of time, in pairs.
    fn slice(&self, part: usize, time: Duration) -> u64 {
        let missing = self.first().saturating_sub(self.parts[part].games());
        match self.parts[part].cost().seconds_a_game {
            _ if missing > 0 => missing.next_multiple_of(2),
            Some(seconds) => (time.as_secs_f64() / seconds / 2.0) as u64 * 2,
            None => self.first(),
        }
    }

    fn play_slice(&mut self, part: usize, games: u64, bar: &Bar) -> Result<(), Failure> {
        let material = backrank_analysis::Material::of(self.common.rules);
        let mut replayer = Replayer::new(self.common.rules, &material, Sampling::default());
        let name = self.parts[part].name();
        let (sample, start, all) = (&mut self.sample, self.start, &mut self.games);
        self.parts[part].play(games, |played| {
            if part == REGRESSION
                && let Ok(replayed) = replayer.replay(&played.record)
            {
                sample.add(&Game::new(REGRESSION, &played.record, replayed));
            }
            *all += 1;
            let time = start.elapsed();
            let a_second = *all as f64 / time.as_secs_f64();
            let state = format!("{} games, {a_second:.0} a second, now {name}", thousands((*all).into()));
            bar.tell(time.as_millis() as u64, state);
        })
    }
}
