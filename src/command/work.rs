use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::time::Duration;

use backrank_analysis::table::thousands;
use backrank_engine::Weights;
use backrank_enumerate::Space;
use backrank_experiment::ExperimentError;
use backrank_experiment::cluster::{TaskRecord, TaskState, USUAL_HEARTBEAT, WorkOutcome, Worker};
use backrank_experiment::plan::PlannedExperiment;
use backrank_rules::Rules;
use backrank_selfplay::play::Run;
use backrank_selfplay::player::fingerprint;
use backrank_selfplay::store::Definition;
use backrank_selfplay::study::StudyStarts;
use clap::Args;

use crate::args::trust::TrustArg;
use crate::command::play::threads_that_fit;
use crate::terminal::failure::Failure;
use crate::terminal::notes::note;
use crate::terminal::processors::read_threads;
use crate::terminal::reproduce::word;
use crate::terminal::signals;

/// Play a task of a study that was planned with `study … --tasks`
///
/// Run the same command again to continue a task that was interrupted; one that is finished returns at once. Two workers on
/// one task do no harm: the second one waits until it knows whether the first is alive, and takes the task over if it is not.
/// Exit codes: 0 when the task is finished, 75 when it was stopped or another worker plays it, so that it must be run again,
/// 1 for a failure such as a full disk, 2 for a study that this program cannot play.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank work runs/big --task 1",
    "backrank work runs/big",
))]
pub struct WorkCommand {
    /// The directory of the study
    #[arg(value_name = "DIR")]
    study: PathBuf,

    /// The number of the task, from 1 [default: one after the other, all that nobody else plays]
    #[arg(long, value_name = "NUMBER")]
    task: Option<u64>,

    /// The number of games that are played at a time [default: SLURM_CPUS_PER_TASK, or the number of processors that this
    /// process may use; fewer where their tables do not fit into its memory]
    #[arg(long, value_parser = read_threads)]
    threads: Option<u16>,

    /// Wait while another worker plays the task, until it is finished or must be taken over
    #[arg(long, requires = "task")]
    wait: bool,

    #[command(flatten)]
    heartbeat: HeartbeatArg,

    #[command(flatten)]
    trust: TrustArg,
}

/// How often a worker gives a sign of life.
#[derive(Args)]
pub struct HeartbeatArg {
    /// The time between signs of life, such as 10s; a worker that gives none for six times as long is taken for dead
    #[arg(long, value_name = "TIME", default_value_t = USUAL_HEARTBEAT.into(), value_parser = read_heartbeat)]
    heartbeat: humantime::Duration,
}

fn read_heartbeat(text: &str) -> Result<humantime::Duration, String> {
    let time: humantime::Duration =
        text.parse().map_err(|error: humantime::DurationError| error.to_string())?;
    match (Duration::from_millis(100)..=Duration::from_secs(600)).contains(&time) {
        true => Ok(time),
        false => Err("a heartbeat comes every 100ms to every 10m".to_string()),
    }
}

impl HeartbeatArg {
    pub fn time(&self) -> Duration {
        *self.heartbeat
    }
}

impl WorkCommand {
    pub fn run(self) -> Result<(), Failure> {
        let planned = PlannedExperiment::open_with_tasks(&self.study)?;
        if let Some(task) = self.task {
            match planned.record_of(task) {
                Ok(None) => (),
                Ok(Some(_)) => {
                    planned.clean(self.task, &[]);
                    note(format_args!("task {task} is finished"));
                    return Ok(());
                }
                Err(error @ ExperimentError::DamagedTask { .. }) => {
                    note(format_args!("task {task}: {error}"));
                }
                Err(error) => return Err(error.into()),
            }
        }
        self.trust.check(
            &self.study,
            &planned.study,
            false,
            "a worker plays with the embedded engine alone; if you trust whoever wrote that file, add --trust-engines",
        )?;
        let rules = Rules::new(&planned.study.variant()?);
        check_build(&planned, &rules)?;
        let stop = signals::interrupted_or_terminated()?;
        let (tables, starts) = (OnceLock::new(), StudyStarts::of(&planned.study, &rules)?);
        let run = Run {
            study: &planned.study,
            rules: &rules,
            starts: &starts,
            tables: &tables,
            threads: 1,
            timeout: Duration::MAX,
            stop,
        };
        let threads = threads_that_fit(run, self.threads)?;
        let heartbeat = self.heartbeat.time();
        let worker = Worker { planned: &planned, rules: &rules, tables: &tables, threads, heartbeat, stop };
        match self.task {
            Some(task) => {
                let games = if threads == 1 { "game" } else { "games" };
                note(format_args!("task {task}: {threads} {games} at a time"));
                let mut result = worker.work(task);
                while self.wait && matches!(result, Ok(WorkOutcome::Busy(_))) && !stop.load(Ordering::Relaxed)
                {
                    result = worker.work(task);
                }
                self.finished(task, result)
            }
            None => self.work_on_all(&worker),
        }
    }

    /// Plays all tasks that nobody else plays, of the rounds that are planned.
    fn work_on_all(&self, worker: &Worker<'_>) -> Result<(), Failure> {
        let planned = worker.planned;
        planned.clean(None, &[]);
        let mut busy = 0;
        for (task, state) in (1..).zip(planned.states()?) {
            if let TaskState::Damaged(problem) = &state {
                note(format_args!("task {task}: {problem}"));
            }
            match state {
                TaskState::Finished | TaskState::NotPlanned => continue,
                TaskState::Running(_) => busy += 1,
                _ => match worker.work(task) {
                    Ok(WorkOutcome::Busy(_) | WorkOutcome::TakenOver) => busy += 1,
                    result => self.finished(task, result)?,
                },
            }
        }
        let path = word(&self.study);
        if busy > 0 {
            return Err(Failure::Again(format!(
                "{busy} tasks of {path} are played by other workers; see `backrank status {path}`"
            )));
        }
        note(format_args!(
            "all tasks of {path} that are planned are finished; `backrank gather {path}` puts them together"
        ));
        Ok(())
    }

    /// Says what became of a task.
    fn finished(&self, task: u64, result: Result<WorkOutcome, ExperimentError>) -> Result<(), Failure> {
        let go_on = format!("`backrank work {} --task {task}` continues it", word(&self.study));
        match result {
            Ok(WorkOutcome::Finished(TaskRecord { played, seconds, .. })) => {
                let (played, seconds) = (thousands(played), thousands(seconds as u64));
                note(format_args!("task {task} is finished: {played} games played in {seconds} s"));
                Ok(())
            }
            Ok(WorkOutcome::WasFinished) => {
                note(format_args!("task {task} is finished"));
                Ok(())
            }
            Ok(WorkOutcome::Busy(holder)) => Err(Failure::Again(format!(
                "task {task} is played by process {} on {}, which is alive",
                holder.process, holder.host
            ))),
            Ok(WorkOutcome::TakenOver) => Err(Failure::Again(format!(
                "task {task} was taken over by another worker, as this one gave no sign of life"
            ))),
            Ok(WorkOutcome::Stopped { games, of }) => {
                let [games, of] = [games, of].map(thousands);
                Err(Failure::Again(format!("task {task} was stopped after {games} of {of} games; {go_on}")))
            }
            Err(error) => {
                let problem = format!("task {task}: {error}");
                Err(match Failure::from(error) {
                    Failure::Input(_) => Failure::Input(problem),
                    _ => Failure::Other(format!("{problem}; {go_on}")),
                })
            }
        }
    }
}

/// Refuses a study that another version or another engine has begun.
fn check_build(planned: &PlannedExperiment, rules: &Rules) -> Result<(), Failure> {
    let own = fingerprint(rules, &Space::new(rules.variant())?, &Weights::new(rules));
    let mut now = planned.study.changed(|spec| spec.version = env!("CARGO_PKG_VERSION").to_string())?;
    let Ok(()) = now.set_fingerprints(|_| Ok::<_, std::convert::Infallible>(own.clone()));
    Ok(planned.study.check_unchanged(Path::new(&planned.path), &now)?)
}
