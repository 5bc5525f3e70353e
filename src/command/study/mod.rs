pub mod interrupt;
pub mod plan;
mod progress;
mod summary;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use backrank_analysis::setups::write_setups;
use backrank_analysis::table::thousands;
use backrank_analysis::values::{ImbalanceValues, ValueRow, write_values};
use backrank_enumerate::Space;
use backrank_experiment::design::Design;
use backrank_experiment::options::{ExperimentOptions, USUAL_NODES};
use backrank_experiment::plan::{MOST_PLANNED_GAMES, MOST_ROUNDS, MOST_TASKS, Plan, PlanSize};
use backrank_experiment::play::{self, Experiment, PlaySettings};
use backrank_experiment::studies::find_studies;
use backrank_rules::{Rules, Variant};
use backrank_selfplay::study::{Study, StudyDirectory, VariantText};
use clap::Args;
use serde::Serialize;

use crate::args::{ExperimentArgs, Narrowing, SkipChecks, check_played, find_variant};
use crate::command::findings;
use crate::command::play::{check_memory, note_written_again};
use crate::command::values::{DENSITY, RegressionArgs, UnitArg};
use crate::command::verify::{Finding, check, find_all, print_findings};
use crate::terminal::failure::Failure;
use crate::terminal::notes::note;
use crate::terminal::output::{Output, print_json};
use crate::terminal::reproduce::{public_word, word};
use interrupt::Interrupt;
use progress::StudyBar;

/// Count a game's setups, play from them, estimate piece values, and write a report
///
/// The directory gets games.csv with games from all setups, a directory below odds/ for each imbalance, and one below
/// fixed/ for each imbalance of the confirmatory sample, which is set before the last third of the time. It also gets the
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

    #[command(flatten)]
    experiment: ExperimentArgs,

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
    /// earlier rounds, and those of the last round are the confirmatory sample [default: 3]
    #[arg(long, requires = "games", value_parser = clap::value_parser!(u64).range(1..=MOST_ROUNDS))]
    rounds: Option<u64>,

    /// Play nothing, but divide the games into this many tasks for `backrank cluster` or `backrank work`
    #[arg(long, requires = "games", value_parser = clap::value_parser!(u64).range(1..=MOST_TASKS))]
    tasks: Option<u64>,
}

impl PlanArgs {
    /// The size of the plan that is asked for.
    fn size(&self) -> Option<PlanSize> {
        let (rounds, tasks) = (self.rounds.unwrap_or(ROUNDS), self.tasks.unwrap_or(0));
        self.games.map(|games| PlanSize { games, rounds, tasks })
    }
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
    /// The values by the confirmatory sample.
    fixed: Vec<ValueRow>,
    /// The directories of the games.
    studies: Vec<String>,
    report: String,
}

/// What was played just now.
pub struct Run {
    /// The nodes of a search.
    pub nodes: u64,
    /// The number of games.
    pub games: u64,
    /// How long it took.
    pub time: Duration,
    /// Whether the number of games was given, and not a time.
    pub is_planned: bool,
}

/// The default number of rounds.
pub const ROUNDS: u64 = 3;

/// The number of arrangements that brute force may go through for each second of the study's time. It actually manages
/// ten times as many.
const ARRANGEMENTS_A_SECOND: u128 = 5_000_000;

pub fn read_time(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    if play::TIMES.contains(&time) {
        return Ok(time);
    }
    Err("the time must be from 1s to 366days".to_string())
}

/// Opens an experiment, and says what is there already.
pub fn open<'a>(
    path: &Path,
    design: Design,
    settings: &'a PlaySettings<'a>,
) -> Result<Experiment<'a>, Failure> {
    let experiment = Experiment::open(path, design, settings)?;
    experiment.rewritten().iter().for_each(|path| note_written_again(path));
    if experiment.games() > 0 {
        let before = thousands(experiment.games());
        note(format_args!("{} holds {before} games; more will be added", path.display()));
    }
    Ok(experiment)
}

/// Until when an experiment is played.
pub enum Until<'p> {
    /// Until its plan is played.
    Planned(&'p Plan),
    /// So that everything since the start takes about this time.
    Time {
        /// The start.
        start: Instant,
        /// The time.
        time: Duration,
    },
}

/// Plays an experiment, shows how far it is, and puts its games on the disk even if playing fails.
pub fn play_experiment(
    experiment: &mut Experiment<'_>,
    interrupt: &Interrupt,
    until: Until<'_>,
) -> Result<(), Failure> {
    check_memory(&experiment.first_run(interrupt.stop))?;
    experiment.begin()?;
    let played = interrupt.while_playing(|| {
        let (bar, played);
        match until {
            Until::Planned(plan) => {
                bar = StudyBar::of_plan(plan);
                played = experiment.play_plan(interrupt.stop, &mut |progress| bar.show(progress));
            }
            Until::Time { start, time } => {
                let end = play::end_of_playing(start, time);
                bar = StudyBar::of_time(end.saturating_duration_since(Instant::now()));
                played = experiment.play_until(end, interrupt.stop, &mut |progress| bar.show(progress));
            }
        }
        bar.finish();
        Ok(played?)
    });
    let finished = experiment.finish();
    played?;
    Ok(finished?)
}

impl StudyCommand {
    pub fn run(self) -> Result<(), Failure> {
        let start = Instant::now();
        let (path, variant) = self.subject()?;
        StudyDirectory::restore_variant(&path, &VariantText::new(&variant))?;
        check_played(&variant)?;
        let rules = Rules::new(&variant);
        let unit = self.unit.of(&variant)?;
        let settings = self.experiment.settings(&rules);
        let design = |begun| Ok::<_, Failure>(Design::new(&rules, self.first_study(&rules, begun)?, unit));
        if StudyDirectory::is_torn_in(&path) {
            Experiment::write_again(&path, &design(None)?, self.plan.size(), &settings)?;
            note_written_again(&path);
        }
        let begun = StudyDirectory::holds(&path)?.then(|| StudyDirectory::read(&path)).transpose()?;
        let design = design(begun.as_ref())?;
        let plan = play::plan_of(&path, &design, begun.as_ref(), self.plan.size())?;
        if let Some(plan) = plan.as_ref().filter(|plan| plan.tasks > 0) {
            return self.print_plan(&path, plan);
        }
        let interrupt = Interrupt::listen()?;
        let nodes = design.first().limits.nodes.unwrap_or(USUAL_NODES);
        let narrowing = Narrowing::read(&design.first().constraints)?;
        let mut experiment = open(&path, design, &settings)?;
        let before = experiment.games();
        let counts = self.count(&variant, &narrowing)?;
        check(&counts)?;
        let until = plan.as_ref().map_or(Until::Time { start, time: self.time }, Until::Planned);
        play_experiment(&mut experiment, &interrupt, until)?;
        if experiment.games_from_all_setups() == 0 {
            let time = humantime::format_duration(self.time);
            return Err(Failure::Other(format!(
                "no game was finished within {time}: some of that is for counting the setups and for the report, and the rest was too \
                 short for a game of {} with {nodes} nodes a move on this machine as it is; give it more --time, such as 1m, or fewer \
                 --nodes",
                variant.key
            )));
        }
        let games = experiment.games().saturating_sub(before);
        let run = Run { nodes, games, time: start.elapsed(), is_planned: plan.is_some() };
        self.evaluate(&path, &experiment.studies(), &run, counts)
    }

    /// The study of the games from all setups: the one that was begun, or a new one.
    fn first_study(&self, rules: &Rules, begun: Option<&Study>) -> Result<Study, Failure> {
        let mut constraints = match begun {
            Some(begun) if self.narrowing.is_empty() => begun.constraints.clone(),
            _ => self.narrowing.texts(),
        };
        self.checks.add_to(&mut constraints, rules.variant())?;
        let games = self.plan.games;
        let options =
            ExperimentOptions { constraints: Some(constraints), games, ..self.experiment.options() };
        Ok(options.first_study(rules, begun)?)
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
        run: &Run,
        counts: Vec<Finding>,
    ) -> Result<(), Failure> {
        let report = path.join("report.html");
        let (played, command) = self.reproduced(path, played, &report);
        let findings = findings::of(&played, &RegressionArgs::default(), &self.unit)?;
        let values = findings.rows(DENSITY);
        Output::write_own(&path.join("values.csv"), |out| write_values(&values, out))?;
        if let Some(found) = &findings.setups {
            Output::write_own(&path.join("setups.csv"), |out| write_setups(found, out))?;
        }
        if !self.json {
            summary::print(&findings, run)?;
        }
        let fixed = findings.confirmatory.as_ref().map_or(Vec::new(), ImbalanceValues::rows);
        let (games, different) = (findings.read.games, findings.read.different);
        let studies: Vec<String> = played.iter().map(|path| path.display().to_string()).collect();
        let page = findings::report(&findings, DENSITY, command).to_html();
        Output::write_own(&report, |out| out.write_all(page.as_bytes()))?;
        if self.json {
            let report = report.display().to_string();
            return print_json(&StudySummary { counts, games, different, values, fixed, studies, report });
        }
        note(format_args!("to see all of it, open {} in a browser", report.display()));
        summary::print_path(&report)
    }

    /// The studies in the order in which `backrank report` reads them, and the command that makes the report again.
    fn reproduced(&self, path: &Path, played: &[PathBuf], report: &Path) -> (Vec<PathBuf>, String) {
        let found = find_studies(std::slice::from_ref(&path.to_path_buf()));
        let sorted = |paths: &[PathBuf]| {
            let mut sorted = paths.to_vec();
            sorted.sort();
            sorted
        };
        // Somebody may have put other studies into the directory.
        let (studies, named) = match sorted(&found) == sorted(played) {
            true => (found, vec![path.to_path_buf()]),
            false => (played.to_vec(), played.to_vec()),
        };
        let words: Vec<String> = named.iter().map(|path| public_word(path)).collect();
        let (unit, report) = (self.unit.text(), public_word(report));
        // Where the directory is somewhere else, the page is still in it.
        let report = if path.is_absolute() { format!("{}/{report}", words[0]) } else { report };
        (studies, format!("backrank report {}{unit} -o {report}", words.join(" ")))
    }
}
