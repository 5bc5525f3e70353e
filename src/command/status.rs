use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use backrank_analysis::games::Material;
use backrank_analysis::table::thousands;
use backrank_analysis::values::{Imbalances, ValueRow};
use backrank_experiment::cluster::{LockHolder, TaskResults, TaskState};
use backrank_experiment::pairs::PairResults;
use backrank_experiment::plan::PlannedExperiment;
use backrank_rules::Rules;
use backrank_selfplay::study::Odds;
use clap::Args;
use serde::Serialize;

use crate::command::values::{interval, number};
use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json};
use crate::terminal::ranges::ranges;
use crate::terminal::table::{self, TableColumn};

/// Say how far the tasks of a study are, and what pieces are worth by the games so far
///
/// It only looks: it reads what gathering and finished tasks have written down of their games and the signs of life
/// of workers, and no games.
#[derive(Args)]
#[command(after_help = examples!("backrank status runs/big", "backrank status runs/big --json"))]
pub struct StatusCommand {
    /// The directory of the study
    #[arg(value_name = "DIR")]
    study: PathBuf,

    /// Look again every ten seconds, until all tasks are finished
    #[arg(long, conflicts_with = "json")]
    watch: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The time between two looks.
const BETWEEN: Duration = Duration::from_secs(10);

/// How far a study is, as JSON.
#[derive(Serialize)]
struct Status {
    round: u64,
    rounds: u64,
    tasks: u64,
    finished: u64,
    running: u64,
    /// Begun, and nobody is at them.
    stopped: Vec<u64>,
    /// Their workers have given no sign of life for too long.
    lost: Vec<u64>,
    failed: Vec<FailedTask>,
    /// They were finished, and their files are damaged: `work` plays them again.
    damaged: Vec<FailedTask>,
    /// Nobody has begun them.
    missing: u64,
    /// The imbalances of their rounds are not chosen yet.
    not_planned: u64,
    /// Games of finished tasks, and those that running workers have recorded.
    games: u64,
    games_planned: u64,
    games_gathered: u64,
    /// Games a second of the workers that run now.
    games_per_second: f64,
    /// Games an hour of one processor in tasks that are finished.
    games_per_core_hour: Option<f64>,
    seconds_left: Option<f64>,
    workers: Vec<RunningTask>,
    values: Vec<ValueRow>,
}

#[derive(Serialize)]
struct FailedTask {
    task: u64,
    problem: String,
}

#[derive(Serialize)]
struct RunningTask {
    task: u64,
    host: String,
    process: u32,
    games: u64,
    of: u64,
}

impl StatusCommand {
    pub fn run(self) -> Result<(), Failure> {
        loop {
            let planned = PlannedExperiment::open_with_tasks(&self.study)?;
            let status = Status::of(&planned)?;
            if self.json {
                return print_json(&status);
            }
            let clears = self.watch && std::io::stdout().is_terminal();
            status.print(&planned, clears)?;
            if !self.watch || status.finished == status.tasks {
                return Ok(());
            }
            std::thread::sleep(BETWEEN);
        }
    }
}

impl Status {
    fn of(planned: &PlannedExperiment) -> Result<Self, Failure> {
        let plan = &planned.plan;
        let states = planned.states()?;
        let TaskResults { played, core_seconds, pairs } = planned.results(&states)?;
        let which = |is: &dyn Fn(&TaskState) -> bool| -> Vec<u64> {
            (1..).zip(&states).filter(|(_, state)| is(state)).map(|(task, _)| task).collect()
        };
        let count = |is: &dyn Fn(&TaskState) -> bool| which(is).len() as u64;
        let problems = |problem_of: &dyn Fn(&TaskState) -> Option<&String>| -> Vec<FailedTask> {
            let problem = |(task, state)| Some(FailedTask { task, problem: problem_of(state)?.clone() });
            (1..).zip(&states).filter_map(problem).collect()
        };
        let failed = problems(&|state| match state {
            TaskState::Failed(problem) => Some(problem),
            _ => None,
        });
        let damaged = problems(&|state| match state {
            TaskState::Damaged(problem) => Some(problem),
            _ => None,
        });
        let size = |task: u64| -> u64 {
            plan.task(task)
                .map_or(0, |parts| parts.iter().map(|part| part.games.end - part.games.start).sum())
        };
        let running: Vec<(u64, &LockHolder)> = (1..)
            .zip(&states)
            .filter_map(|(task, state)| match state {
                TaskState::Running(holder) => Some((task, holder)),
                _ => None,
            })
            .collect();
        let games = which(&|state| *state == TaskState::Finished).into_iter().map(size).sum::<u64>()
            + running.iter().map(|&(task, holder)| holder.games.min(size(task))).sum::<u64>();
        let games_per_second: f64 = running.iter().map(|(_, holder)| rate(holder)).sum();
        let left = plan.games.saturating_sub(games) as f64;
        Ok(Self {
            round: plan.planned_rounds(),
            rounds: plan.rounds,
            tasks: plan.tasks,
            finished: count(&|state| *state == TaskState::Finished),
            running: running.len() as u64,
            stopped: which(&|state| *state == TaskState::Stopped),
            lost: which(&|state| matches!(state, TaskState::Lost(_))),
            failed,
            damaged,
            missing: count(&|state| *state == TaskState::Missing),
            not_planned: count(&|state| *state == TaskState::NotPlanned),
            games,
            games_planned: plan.games,
            games_gathered: planned.gathered()?.iter().map(|study| study.games).sum(),
            games_per_second,
            games_per_core_hour: (core_seconds > 0.0).then(|| played as f64 / core_seconds * 3600.0),
            seconds_left: (games_per_second > 0.0).then(|| left / games_per_second),
            workers: running
                .iter()
                .map(|&(task, holder)| RunningTask {
                    task,
                    host: holder.host.clone(),
                    process: holder.process,
                    games: holder.games,
                    of: size(task),
                })
                .collect(),
            values: values(planned, &pairs)?,
        })
    }

    fn print(&self, planned: &PlannedExperiment, clears: bool) -> Result<(), Failure> {
        let mut out = Output::stdout();
        if clears {
            // To the upper left corner, and nothing below it.
            Output::data().write_all(b"\x1b[H\x1b[2J")?;
        }
        let [games, all, gathered] = [self.games, self.games_planned, self.games_gathered].map(thousands);
        writeln!(
            out,
            "{}: round {} of {}, {games} of {all} games, {gathered} of them gathered",
            planned.path.display(),
            self.round,
            self.rounds
        )?;
        let Self { tasks, finished, running, missing, not_planned, .. } = self;
        writeln!(
            out,
            "{tasks} tasks: {finished} finished, {running} running, {missing} missing, {not_planned} not planned yet"
        )?;
        for (what, tasks) in [("stopped", &self.stopped), ("without a sign of life", &self.lost)] {
            if !tasks.is_empty() {
                writeln!(out, "{what}: tasks {}", ranges(tasks))?;
            }
        }
        for FailedTask { task, problem } in &self.failed {
            writeln!(out, "task {task} failed: {problem}")?;
        }
        for FailedTask { task, problem } in &self.damaged {
            writeln!(out, "task {task} is damaged: {problem}")?;
        }
        if let Some(left) = self.seconds_left {
            let left =
                humantime::format_duration(Duration::from_secs((left.min(1e12) as u64) / 60 * 60 + 60));
            writeln!(out, "{:.1} games a second, about {left} left at this rate", self.games_per_second)?;
        }
        if let Some(games) = self.games_per_core_hour {
            writeln!(out, "{} games an hour and processor in finished tasks", thousands(games as u64))?;
        }
        if !self.values.is_empty() {
            writeln!(out, "\nwhat pieces are worth so far, with {}\n", planned.plan.unit)?;
            let columns = [
                TableColumn::Text("piece"),
                TableColumn::Number("by imbalances"),
                TableColumn::Number("95 %"),
                TableColumn::Number("games"),
            ];
            let line = |row: &ValueRow| {
                let value = row.value;
                vec![
                    row.piece.to_string(),
                    number(value, 2),
                    interval(value.map(|value| value.interval), 2),
                    thousands(row.games),
                ]
            };
            table::print(&mut out, &columns, self.values.iter().map(line))?;
        }
        out.finish()
    }
}

/// Games a second of a worker since it began.
fn rate(holder: &LockHolder) -> f64 {
    let time = holder.now - holder.since;
    if time > 0.0 { holder.games.saturating_sub(holder.found) as f64 / time } else { 0.0 }
}

/// What pieces are worth by the games at odds of finished tasks.
fn values(planned: &PlannedExperiment, pairs: &[(Odds, PairResults)]) -> Result<Vec<ValueRow>, Failure> {
    let rules = Rules::new(&planned.study.variant()?);
    let mut imbalances = Imbalances::new(&Material::of(&rules));
    pairs.iter().for_each(|(odds, pairs)| imbalances.add_pairs(odds, pairs.counts));
    if imbalances.is_empty() {
        return Ok(Vec::new());
    }
    let unit = planned.plan.unit().map_err(Failure::Input)?;
    Ok(imbalances.values(unit).rows())
}
