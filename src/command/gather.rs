use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use backrank_analysis::table::thousands;
use backrank_experiment::cluster::UngatheredTask;
use backrank_experiment::plan::PlannedExperiment;
use clap::Args;
use serde::Serialize;

use crate::args::studies::Bar;
use crate::command::study::plan;
use crate::command::work::HeartbeatArg;
use crate::terminal::failure::Failure;
use crate::terminal::notes::note;
use crate::terminal::output::{Output, print_json};
use crate::terminal::ranges::ranges;
use crate::terminal::reproduce::word;

/// Put the finished tasks of a study together, with the same bytes as on one machine, and plan its next round
///
/// It can be run at any time, and again: it adds the games that are finished, in the order of their numbers, up to the first
/// that is missing, and lists what is missing. When nothing is missing and there is another round, it plans that. Exit codes:
/// 0 when all planned tasks are gathered, 75 when some are not finished, 1 when one is damaged.
#[derive(Args)]
#[command(after_help = examples!("backrank gather runs/big"))]
pub struct GatherCommand {
    /// The directory of the study
    #[arg(value_name = "DIR")]
    study: PathBuf,

    #[command(flatten)]
    heartbeat: HeartbeatArg,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A signal ends this at once: what is gathered stays, and the next run goes on after it.
static NEVER_STOPS: AtomicBool = AtomicBool::new(false);

/// What was gathered, as JSON.
#[derive(Serialize)]
struct GatherSummary {
    added: u64,
    games: u64,
    games_planned: u64,
    /// The directories of studies in which there are games.
    studies: Vec<String>,
    /// Tasks that are not finished.
    missing: Vec<u64>,
    damaged: Vec<DamagedTask>,
    /// The last round that is planned.
    round: u64,
    rounds: u64,
}

/// A task whose files are damaged or of another study.
#[derive(Serialize)]
struct DamagedTask {
    task: u64,
    problem: String,
}

impl GatherCommand {
    pub fn run(self) -> Result<(), Failure> {
        let mut planned = PlannedExperiment::open_with_tasks(&self.study)?;
        let before: u64 = planned.gathered()?.iter().map(|study| study.games).sum();
        let bar = Bar::new("gathering", planned.plan.games - before.min(planned.plan.games));
        let gathered = planned.gather(self.heartbeat.time(), &NEVER_STOPS, |more| bar.add(more));
        bar.finish();
        let gathered = gathered?;
        let (mut missing, mut damaged) = (Vec::new(), Vec::new());
        for UngatheredTask { task, problem } in gathered.missing {
            match problem {
                None => missing.push(task),
                Some(problem) => damaged.push(DamagedTask { task, problem }),
            }
        }
        let is_next = missing.is_empty() && damaged.is_empty() && planned.plan_next_round()?;
        let begun = gathered.studies.iter().filter(|study| study.games > 0);
        let summary = GatherSummary {
            added: gathered.added,
            games: gathered.studies.iter().map(|study| study.games).sum(),
            games_planned: planned.plan.games,
            studies: begun.map(|study| study.path.display().to_string()).collect(),
            missing,
            damaged,
            round: planned.plan.planned_rounds(),
            rounds: planned.plan.rounds,
        };
        match self.json {
            true => print_json(&summary)?,
            false => self.print(&summary, &planned, is_next)?,
        }
        summary
            .damaged
            .iter()
            .for_each(|DamagedTask { task, problem }| note(format_args!("task {task}: {problem}")));
        let missing = format!("not finished: tasks {}", ranges(&summary.missing));
        match (summary.damaged.len(), summary.missing.len()) {
            (0, 0) => Ok(()),
            (0, _) => Err(Failure::Again(missing)),
            (damaged, missed) => {
                let path = word(&self.study);
                let missing = if missed == 0 { String::new() } else { format!("; {missing}") };
                Err(Failure::Other(format!(
                    "damaged: {damaged} tasks, which `backrank work {path}` plays again{missing}"
                )))
            }
        }
    }

    fn print(
        &self,
        summary: &GatherSummary,
        planned: &PlannedExperiment,
        is_next: bool,
    ) -> Result<(), Failure> {
        let mut out = Output::stdout();
        let path = word(&self.study);
        let [games, all, added] = [summary.games, summary.games_planned, summary.added].map(thousands);
        writeln!(out, "{path}: {games} of {all} games are gathered, {added} of them now")?;
        if is_next {
            writeln!(out, "{}", plan::describe(&self.study, &planned.plan))?;
        } else if summary.missing.is_empty() && summary.damaged.is_empty() {
            writeln!(out, "`backrank report {path} -o {path}/report.html` says what they tell")?;
        }
        out.finish()
    }
}
