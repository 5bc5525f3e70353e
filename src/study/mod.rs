mod interrupted;
mod parts;
mod playing;
mod summary;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use backrank_analysis::{ImbalanceValues, ValueRow, thousands};
use backrank_enumerate::Space;
use backrank_rules::{Rules, Variant};
use backrank_selfplay::{StudyDirectory, Weights, fingerprint};
use clap::Args;
use serde::Serialize;

use crate::args::{Narrowing, check_played};
use crate::failure::Failure;
use crate::findings::Findings;
use crate::notes::note;
use crate::output::{Output, print_json};
use crate::play::threads;
use crate::values::{DENSITY, RegressionArgs, UnitArg};
use crate::verify::{Finding, check, find_all, print_findings};
use crate::{setups, values};
use interrupted::Interrupted;
use parts::{Common, Part, Parts};
use playing::Playing;

/// Count a game's setups, play from them, estimate what the pieces are worth, and write a report
///
/// The directory gets games.csv with games from all setups, a directory below odds/ for each imbalance that is played, one
/// below fixed/ for each of the last third of the time, which are fixed before, and what was found: values.csv, setups.csv
/// and report.html. The imbalances that are played next are those that shorten the intervals of the values fastest. Run the
/// command again with the same directory to add games.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank study pmrc",
    "backrank study pmrc --time 30m --nodes 1000 -o runs/long",
    "backrank study my-game.toml --time 10m",
))]
pub struct StudyCommand {
    /// A key that `backrank variants` lists, the path of a variant file, or the directory of a study to continue
    #[arg(value_name = "VARIANT|DIR")]
    subject: String,

    /// The directory to write to [default: study-KEY]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,

    /// About how long everything may take: 90s, 2m, 30m, 1h
    #[arg(long, default_value = "2m", value_parser = read_time)]
    time: Duration,

    #[command(flatten)]
    narrowing: Narrowing,

    /// The nodes of each search: fewer give more games, more give better ones [default: 1000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
    nodes: Option<u64>,

    /// The seed of the random numbers: the same seed gives the same games on every machine [default: 0]
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,

    /// The number of games that are played at a time [default: the number of processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    #[command(flatten)]
    unit: UnitArg,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// What a study says in the end, as JSON.
#[derive(Serialize)]
struct StudySummary {
    /// The variant's setups; nothing where brute force would take too long.
    counts: Vec<Finding>,
    games: u64,
    /// Games that are not the same as another.
    different: u64,
    values: Vec<ValueRow>,
    /// The values by imbalances that were fixed before they were played.
    fixed: Vec<ValueRow>,
    /// The directories of the games.
    studies: Vec<String>,
    report: String,
}

/// What tells most in a second, as analysis/METHODS.md explains.
const NODES: u64 = 1000;

/// The share of the time that is reserved for reading the games and estimating.
const RESERVED: f64 = 0.08;

/// The number of arrangements that brute force may go through for each second of the time. It does ten times as many in
/// a second.
const ARRANGEMENTS_A_SECOND: u128 = 5_000_000;

fn read_time(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    let longest = Duration::from_secs(366 * 24 * 60 * 60);
    if (Duration::from_secs(1)..=longest).contains(&time) {
        return Ok(time);
    }
    Err("a study takes from 1s to 366days".to_string())
}

impl StudyCommand {
    pub fn run(self) -> Result<(), Failure> {
        let start = Instant::now();
        let (path, variant) = self.subject()?;
        check_played(&variant)?;
        let rules = Rules::new(&variant);
        let interrupted = Interrupted::listen()?;
        let stop = &interrupted.stop;
        let (nodes, seed, narrowing) = self.options(&path)?;
        let threads = threads(self.threads);
        let tables = OnceLock::new();
        let common = Common {
            variant: &variant,
            rules: &rules,
            fingerprint: fingerprint(&rules, &Space::new(&variant)?, &Weights::new(&rules)),
            tables,
            narrowing: &narrowing,
            threads,
            stop,
        };
        let unit = self.unit.of(&variant)?;
        let mut parts = Parts::open(&path, nodes, seed, &common)?;
        let before: u64 = parts.all().map(Part::games).sum();
        if before > 0 {
            let before = thousands(before);
            note(format_args!("{} holds {before} games; more are added", path.display()));
        }
        let counts = self.count(&variant, &narrowing)?;
        check(&counts)?;
        parts.games.check_memory()?;
        parts.games.begin()?;

        let end = start + self.time.mul_f64(1.0 - RESERVED);
        interrupted.while_playing(end, || Playing::new(&mut parts, &common, unit, end)?.play())?;
        if parts.games.games() == 0 {
            let time = humantime::format_duration(self.time);
            return Err(Failure::Other(format!(
                "no game came to its end within {time}, for a game of {} with {nodes} nodes a move takes longer than \
                 that; give it more --time or fewer --nodes",
                variant.key
            )));
        }
        let played: Vec<PathBuf> =
            parts.all().filter(|part| part.games() > 0).map(|part| part.path.clone()).collect();
        self.evaluate(&path, &played, nodes, counts)
    }

    /// Counts the variant's space both ways, as long as brute force leaves time to play, and the narrowed one.
    fn count(&self, variant: &Variant, narrowing: &Narrowing) -> Result<Vec<Finding>, Failure> {
        let space = Space::new(variant)?;
        let arrangements = space.army().arrangements();
        let takes_too_long = arrangements > self.time.as_secs() as u128 * ARRANGEMENTS_A_SECOND;
        let counts = if takes_too_long { Vec::new() } else { find_all(std::slice::from_ref(variant))? };
        if self.json {
            return Ok(counts);
        }
        let mut out = Output::stdout();
        if takes_too_long {
            let (setups, arrangements) = (thousands(space.len()), thousands(arrangements));
            let why = format!("brute force through {arrangements} arrangements takes too long for --time");
            writeln!(out, "{}: {setups} setups, counted by the space alone: {why}", variant.key)?;
        } else {
            print_findings(&counts)?;
        }
        if !narrowing.is_empty() {
            let setups = thousands(narrowing.space(variant)?.len());
            writeln!(out, "{setups} of them meet {}", narrowing.texts().join(" and "))?;
        }
        out.finish()?;
        Ok(counts)
    }

    /// Where the study is, and of which game.
    fn subject(&self) -> Result<(PathBuf, Variant), Failure> {
        let subject = Path::new(&self.subject);
        if self.output.is_none() && StudyDirectory::is_study(subject) {
            return Ok((subject.to_path_buf(), StudyDirectory::read(subject)?.variant()?));
        }
        let variant = Variant::find(&self.subject)?;
        let path = self.output.clone().unwrap_or_else(|| format!("study-{}", variant.key).into());
        Ok((path, variant))
    }

    /// Nodes, seed and constraints: as asked, or else as the study was begun.
    fn options(&self, path: &Path) -> Result<(u64, u64, Narrowing), Failure> {
        let begun = StudyDirectory::is_study(path).then(|| StudyDirectory::read(path)).transpose()?;
        let nodes = begun.as_ref().and_then(|begun| begun.limits.nodes).unwrap_or(NODES);
        let seed = begun.as_ref().map_or(0, |begun| begun.seed);
        let narrowing = match &begun {
            Some(begun) if self.narrowing.is_empty() => Narrowing::read(&begun.constraints)?,
            _ => self.narrowing.clone(),
        };
        Ok((self.nodes.unwrap_or(nodes), self.seed.unwrap_or(seed), narrowing))
    }

    /// Writes and prints what the games say.
    fn evaluate(
        &self,
        path: &Path,
        played: &[PathBuf],
        nodes: u64,
        counts: Vec<Finding>,
    ) -> Result<(), Failure> {
        let findings = Findings::of(played, &RegressionArgs::default(), &self.unit)?;
        let values = findings.rows(DENSITY);
        values::write_csv(&path.join("values.csv"), &values)?;
        if let Some(found) = &findings.setups {
            setups::write_csv(&path.join("setups.csv"), found)?;
        }
        if !self.json {
            summary::print(&findings, nodes, self.time)?;
        }
        let fixed = findings.confirmed.as_ref().map_or(Vec::new(), ImbalanceValues::rows);
        let report = path.join("report.html");
        let (games, different) = (findings.read.games, findings.read.different);
        let studies: Vec<String> = played.iter().map(|path| path.display().to_string()).collect();
        let unit = self.unit.text();
        let command = format!("backrank report {}{unit} -o {}", studies.join(" "), report.display());
        findings.write_report(&report, DENSITY, command)?;
        if self.json {
            let report = report.display().to_string();
            return print_json(&StudySummary { counts, games, different, values, fixed, studies, report });
        }
        summary::print_path(&report)
    }
}
