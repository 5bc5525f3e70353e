mod interrupted;
mod parts;
mod playing;
mod summary;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use backrank_analysis::{REGRESSION_PART, thousands};
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
use crate::values::{DENSITY, RegressionArgs};
use crate::verify::verify;
use crate::{setups, values};
use interrupted::Interrupted;
use parts::{Common, Part};
use playing::Playing;

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

    /// About how long it may take in all: 90s, 2m, 30m, 1h
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
        let interrupted = Interrupted::listen()?;
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
            let before = thousands(before);
            note(format_args!("{} holds {before} games; more are added", path.display()));
        }
        self.verify(&variant, &space)?;
        parts[REGRESSION_PART].begin()?;

        let end = start + self.time.mul_f64(1.0 - KEPT);
        interrupted.while_playing(end, || Playing::new(&mut parts, &common, end)?.play())?;
        if parts[REGRESSION_PART].games() == 0 {
            let time = humantime::format_duration(self.time);
            return Err(Failure::Other(format!(
                "no game came to its end within {time}; give it more --time"
            )));
        }
        let played: Vec<PathBuf> =
            parts.iter().filter(|part| part.games() > 0).map(|part| part.path.clone()).collect();
        self.evaluate(&path, &played)
    }

    /// Counts the space both ways, as long as brute force leaves time to play.
    fn verify(&self, variant: &Variant, space: &Space) -> Result<(), Failure> {
        let arrangements = space.army().arrangements();
        if arrangements <= self.time.as_secs() as u128 * ARRANGEMENTS_A_SECOND {
            return verify(std::slice::from_ref(variant), None, false);
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

    /// Writes and prints what the games say.
    fn evaluate(&self, path: &Path, played: &[PathBuf]) -> Result<(), Failure> {
        let findings = Findings::of(played, &RegressionArgs::default())?;
        values::write_csv(&path.join("values.csv"), &findings.rows(DENSITY))?;
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
