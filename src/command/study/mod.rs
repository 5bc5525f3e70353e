mod interrupted;
mod parts;
pub mod plan;
mod planned;
mod playing;
mod summary;

use std::convert::Infallible;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use backrank_analysis::{ImbalanceValues, Unit, ValueRow, thousands, write_setups, write_values};
use backrank_engine::Weights;
use backrank_enumerate::Space;
use backrank_rules::{Rules, Variant};
use backrank_selfplay::cluster::{MOST_PLANNED_GAMES, MOST_ROUNDS, MOST_TASKS, Plan};
use backrank_selfplay::player::fingerprint;
use backrank_selfplay::store::Definition;
use backrank_selfplay::study::{Study, StudyDirectory};
use clap::Args;
use serde::Serialize;

use crate::args::{Narrowing, SkipChecks, check_played, find_variant};
use crate::command::findings;
use crate::command::play::options::StudyOptions;
use crate::command::play::threads;
use crate::command::values::{DENSITY, RegressionArgs, UnitArg};
use crate::command::verify::{Finding, check, find_all, print_findings};
use crate::terminal::failure::Failure;
use crate::terminal::notes::note;
use crate::terminal::output::{Output, print_json};
use crate::terminal::processors::read_threads;
use crate::terminal::reproduce::word;
use interrupted::Interrupted;
use parts::{Common, Part, Parts};
use plan::AskedOfPlan;
use playing::Playing;

/// Count a game's setups, play from them, estimate piece values, and write a report
///
/// The directory gets games.csv with games from all setups, a directory below odds/ for each imbalance, and one below
/// fixed/ for each imbalance of the fixed sample, which is set before the last third of the time. It also gets the
/// findings: values.csv, setups.csv and report.html. Imbalances are chosen to narrow the intervals of the values as
/// fast as possible. Run the command again with the same directory to add games.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank study pmrc",
    "backrank study pmrc --time 30m --nodes 1000 -o runs/long",
    "backrank study my-game.toml --time 10m",
    "backrank study pmrc -o runs/many --games 200000",
    "backrank study pmrc -o runs/big --games 2000000 --nodes 10000 --tasks 500",
))]
pub struct StudyCommand {
    /// A key that `backrank variants` lists, the path of a variant file, or the directory of a study to continue
    #[arg(value_name = "VARIANT|DIR")]
    subject: String,

    /// The directory to write to [default: study-KEY]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,

    /// About how long everything may take, such as 90s, 2m, 30m or 1h
    #[arg(long, conflicts_with = "games", default_value = "2m", value_parser = read_time)]
    time: Duration,

    #[command(flatten)]
    plan: PlanArgs,

    #[command(flatten)]
    narrowing: Narrowing,

    #[command(flatten)]
    checks: SkipChecks,

    /// The number of nodes for each search: fewer give more games, more give better ones [default: 1000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
    nodes: Option<u64>,

    /// The seed of the random numbers: the same seed gives the same games on every machine [default: 0]
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,

    /// The number of games that are played at a time [default: the number of processors]
    #[arg(long, value_parser = read_threads)]
    threads: Option<u16>,

    #[command(flatten)]
    unit: UnitArg,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// The options for a given number of games instead of a given time.
#[derive(Args)]
pub struct PlanArgs {
    /// The number of games, instead of a time; every machine then plays the same games
    #[arg(long, value_parser = clap::value_parser!(u64).range(2..=MOST_PLANNED_GAMES))]
    games: Option<u64>,

    /// The number of rounds in which the games are played. The imbalances of each round are chosen by the results of
    /// earlier rounds, and those of the last round are the fixed sample [default: 3]
    #[arg(long, requires = "games", value_parser = clap::value_parser!(u64).range(1..=MOST_ROUNDS))]
    rounds: Option<u64>,

    /// Play nothing, but divide the games into this many tasks for `backrank cluster` or `backrank work`
    #[arg(long, requires = "games", value_parser = clap::value_parser!(u64).range(1..=MOST_TASKS))]
    tasks: Option<u64>,
}

/// The summary of a study, as JSON.
#[derive(Serialize)]
struct StudySummary {
    /// The counts of the variant's setups; empty if brute force would take too long.
    counts: Vec<Finding>,
    games: u64,
    /// The number of different games.
    different: u64,
    values: Vec<ValueRow>,
    /// The values by the fixed sample.
    fixed: Vec<ValueRow>,
    /// The directories of the games.
    studies: Vec<String>,
    report: String,
}

/// The number of nodes that gives the most precise values in a given time, as analysis/METHODS.md explains.
const NODES: u64 = 1000;

/// Each part is defined with this many random setups, each for a game or a pair: more than will be played, so that
/// games can always be added. A study of more games is defined with as many as it needs.
const SETUPS: u64 = 1_000_000;

/// The default number of rounds.
const ROUNDS: u64 = 3;

/// The share of the time that is reserved for reading the games and estimating.
const RESERVED: f64 = 0.08;

/// The number of arrangements that brute force may go through for each second of the study's time. It actually manages
/// ten times as many.
const ARRANGEMENTS_A_SECOND: u128 = 5_000_000;

fn read_time(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    let longest = Duration::from_secs(366 * 24 * 60 * 60);
    if (Duration::from_secs(1)..=longest).contains(&time) {
        return Ok(time);
    }
    Err("the time must be from 1s to 366days".to_string())
}

impl StudyCommand {
    pub fn run(self) -> Result<(), Failure> {
        let start = Instant::now();
        let (path, variant) = self.subject()?;
        check_played(&variant)?;
        let rules = Rules::new(&variant);
        if StudyDirectory::is_torn_in(&path) {
            self.write_again(&path, &rules)?;
        }
        let begun = StudyDirectory::holds(&path)?.then(|| StudyDirectory::read(&path)).transpose()?;
        let first = self.first_study(&rules, begun.as_ref())?;
        let unit = self.unit.of(&variant)?;
        let plan = self.plan(&path, &first, begun.as_ref(), unit)?;
        if let Some(plan) = plan.as_ref().filter(|plan| plan.tasks > 0) {
            return self.print_plan(&path, plan);
        }
        let interrupted = Interrupted::listen()?;
        let tables = OnceLock::new();
        let threads = threads(self.threads);
        let common = Common { rules: &rules, tables, threads, stop: interrupted.stop };
        let nodes = first.limits.nodes.unwrap_or(NODES);
        let narrowing = Narrowing::read(&first.constraints)?;
        let mut parts = Parts::open(&path, first, &common)?;
        let before: u64 = parts.all().map(Part::games).sum();
        if before > 0 {
            let before = thousands(before);
            note(format_args!("{} holds {before} games; more will be added", path.display()));
        }
        let counts = self.count(&variant, &narrowing)?;
        check(&counts)?;
        parts.games.check_memory()?;
        parts.games.begin()?;

        let played = match plan {
            Some(_) => interrupted.while_playing(None, || planned::play(&mut parts, &common)),
            None => {
                let end = start + self.time.mul_f64(1.0 - RESERVED);
                let play = || Playing::new(&mut parts, &common, unit, end)?.play();
                interrupted.while_playing(Some(end), play)
            }
        };
        let finished = parts.all_mut().try_for_each(Part::finish);
        played?;
        finished?;
        if parts.games.games() == 0 {
            let time = humantime::format_duration(self.time);
            return Err(Failure::Other(format!(
                "no game was finished within {time}, because a game of {} with {nodes} nodes a move takes longer than \
                     that; give it more --time or fewer --nodes",
                variant.key
            )));
        }
        let played: Vec<PathBuf> =
            parts.all().filter(|part| part.games() > 0).map(|part| part.path.clone()).collect();
        self.evaluate(&path, &played, nodes, counts)
    }

    /// Writes the definition again that a crash has damaged. A plan has its first round then; those after it follow from the
    /// games that are there.
    fn write_again(&self, path: &Path, rules: &Rules) -> Result<(), Failure> {
        let first = self.first_study(rules, None)?;
        let mut whole = first.clone();
        if let Some(asked) = self.asked_of_plan(self.unit.of(rules.variant())?) {
            let mut plan = asked.plan()?;
            plan::add_round(&mut plan, &first, &[])?;
            whole = first.changed(|spec| spec.plan = Some(plan))?;
        }
        let (tables, stop, threads) = (OnceLock::new(), AtomicBool::new(false), threads(self.threads));
        let common = Common { rules, tables, threads, stop: &stop };
        Part::new(path, path.to_path_buf(), first, &common)?.write_again(&whole)
    }

    fn asked_of_plan(&self, unit: Unit) -> Option<AskedOfPlan> {
        self.plan.games.map(|games| AskedOfPlan {
            games,
            rounds: self.plan.rounds.unwrap_or(ROUNDS),
            tasks: self.plan.tasks.unwrap_or(0),
            unit,
        })
    }

    /// The study of the games from all setups: the one that was begun, or a new one.
    fn first_study(&self, rules: &Rules, begun: Option<&Study>) -> Result<Study, Failure> {
        let nodes = self.nodes.or(begun.and_then(|begun| begun.limits.nodes)).unwrap_or(NODES);
        let seed = self.seed.or(begun.map(|begun| begun.seed)).unwrap_or(0);
        let narrowing = match begun {
            Some(begun) if self.narrowing.is_empty() => Narrowing::read(&begun.constraints)?,
            _ => self.narrowing.clone(),
        };
        let mut constraints = narrowing.texts();
        self.checks.add_to(&mut constraints, rules.variant())?;
        let narrowing = Narrowing::read(&constraints)?;
        let setups = begun.map_or(SETUPS.max(self.plan.games.unwrap_or(0)), |begun| begun.number_of_setups);
        let mut study =
            StudyOptions::drawn(setups, None, nodes, seed, narrowing).new_study(rules.variant())?;
        let own = fingerprint(rules, &Space::new(rules.variant())?, &Weights::new(rules));
        let Ok(()) = study.set_fingerprints(|_| Ok::<_, Infallible>(own.clone()));
        Ok(study)
    }

    /// The plan, if the number of games is given: the one with which the study was begun, or a new one.
    fn plan(
        &self,
        path: &Path,
        first: &Study,
        begun: Option<&Study>,
        unit: Unit,
    ) -> Result<Option<Plan>, Failure> {
        let asked = self.asked_of_plan(unit);
        let Some(begun) = begun else {
            let Some(asked) = asked else { return Ok(None) };
            let mut plan = asked.plan()?;
            plan::add_round(&mut plan, first, &[])?;
            StudyDirectory::create(path, &first.changed(|spec| spec.plan = Some(plan.clone()))?)?;
            return Ok(Some(plan));
        };
        begun.check_unchanged(path, first)?;
        match (asked, &begun.plan) {
            (None, None) => Ok(None),
            (None, Some(plan)) => planned::rest(path, plan),
            (Some(_), None) => Err(Failure::Input(format!(
                "{} holds a study without a plan, but --games asks for one; choose another directory with -o",
                path.display()
            ))),
            (Some(asked), Some(plan)) => {
                let is_same = (plan.games, plan.rounds, plan.tasks, &plan.unit)
                    == (asked.games, asked.rounds, asked.tasks, &asked.unit.to_string());
                if is_same {
                    return Ok(Some(plan.clone()));
                }
                Err(Failure::Input(format!(
                    "{} holds a study that was planned with --games {} --rounds {} --tasks {} --unit {}, and a study keeps \
                     its plan; choose another directory with -o",
                    path.display(),
                    plan.games,
                    plan.rounds,
                    plan.tasks,
                    plan.unit
                )))
            }
        }
    }

    fn print_plan(&self, path: &Path, plan: &Plan) -> Result<(), Failure> {
        if self.json {
            return print_json(plan);
        }
        let mut out = Output::stdout();
        writeln!(out, "{}", plan::describe(path, plan))?;
        writeln!(out, "`backrank cluster {}` writes the job script that plays them", word(path))?;
        out.finish()
    }

    /// Counts the variant's setups in both ways, if brute force leaves enough time to play, and those of the narrowed
    /// space.
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
            writeln!(out, "{}: {setups} setups, not counted by brute force: {why}", variant.key)?;
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

    /// The directory of the study, and its game.
    fn subject(&self) -> Result<(PathBuf, Variant), Failure> {
        let subject = Path::new(&self.subject);
        if self.output.is_none() && StudyDirectory::holds(subject)? {
            return Ok((subject.to_path_buf(), StudyDirectory::read(subject)?.variant()?));
        }
        let variant = find_variant(&self.subject)?;
        let path = self.output.clone().unwrap_or_else(|| format!("study-{}", variant.key).into());
        Ok((path, variant))
    }

    /// Writes and prints the findings.
    fn evaluate(
        &self,
        path: &Path,
        played: &[PathBuf],
        nodes: u64,
        counts: Vec<Finding>,
    ) -> Result<(), Failure> {
        let findings = findings::of(played, &RegressionArgs::default(), &self.unit)?;
        let values = findings.rows(DENSITY);
        Output::write_own(&path.join("values.csv"), |out| write_values(&values, out))?;
        if let Some(found) = &findings.setups {
            Output::write_own(&path.join("setups.csv"), |out| write_setups(found, out))?;
        }
        if !self.json {
            summary::print(&findings, nodes)?;
        }
        let fixed = findings.confirmed.as_ref().map_or(Vec::new(), ImbalanceValues::rows);
        let report = path.join("report.html");
        let (games, different) = (findings.read.games, findings.read.different);
        let studies: Vec<String> = played.iter().map(|path| path.display().to_string()).collect();
        let unit = self.unit.text();
        let words: Vec<String> = played.iter().map(|path| word(path)).collect();
        let command = format!("backrank report {}{unit} -o {}", words.join(" "), word(&report));
        let page = findings::report(&findings, DENSITY, command).to_html();
        Output::write_own(&report, |out| out.write_all(page.as_bytes()))?;
        if self.json {
            let report = report.display().to_string();
            return print_json(&StudySummary { counts, games, different, values, fixed, studies, report });
        }
        summary::print_path(&report)
    }
}
