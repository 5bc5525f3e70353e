//! The states of tasks: which are finished, running, stopped or lost; and the results of those that are finished.

use backrank_rules::files::{MAX_TEXT, read_text};
use rayon::prelude::*;

use super::gather_record::{GatherRecord, TaskResults};
use super::lock::LockHolder;
use super::task::TaskRecord;
use crate::error::ExperimentError;
use crate::plan::PlannedExperiment;

/// The number of threads that read the files of tasks. On a cluster's file system each file takes a millisecond, and hardly
/// any of that on the processor.
const READERS: usize = 32;

/// The state of a task.
#[derive(Clone, Debug, PartialEq)]
pub enum TaskState {
    /// The imbalances of its round are not chosen yet.
    NotPlanned,
    /// No worker has begun it.
    Missing,
    /// It was begun, and no worker is playing it.
    Stopped,
    /// A worker is playing it.
    Running(LockHolder),
    /// The worker that was playing it has missed too many heartbeats.
    Lost(LockHolder),
    /// Its last worker failed, for this reason.
    Failed(String),
    /// It was finished, but its files are damaged, or belong to another study.
    Damaged(String),
    /// It is finished.
    Finished,
}

impl PlannedExperiment {
    /// The state of every task, in the order of their numbers. Nothing is written. The directory of the tasks is listed once, and
    /// files are opened only of tasks that are running, failed, or finished but not gathered.
    ///
    /// # Errors
    ///
    /// When files cannot be read.
    pub fn states(&self) -> Result<Vec<TaskState>, ExperimentError> {
        // The ends of the names of each task's files, after its number.
        let mut names: Vec<(u64, Vec<String>)> =
            (1..=self.plan.tasks).map(|task| (task, Vec::new())).collect();
        for (task, rest) in self.names()? {
            if let Some((_, names)) = task.checked_sub(1).and_then(|index| names.get_mut(index as usize)) {
                names.push(rest);
            }
        }
        let gathered = GatherRecord::read(self, &self.gathered()?);
        let planned = *self.plan.tasks_of_round(self.plan.planned_rounds().max(1)).end();
        let state = |(task, mut names): (u64, Vec<String>)| {
            names.sort_by_key(|rest| weight(rest));
            let unknown = if task <= planned { TaskState::Missing } else { TaskState::NotPlanned };
            names.iter().find_map(|rest| self.state_by(task, rest, &gathered)).unwrap_or(unknown)
        };
        let mut states: Vec<TaskState> = with_readers(|| names.into_par_iter().map(state).collect());
        if states.contains(&TaskState::Missing) {
            // The files of a task may have been removed after its games were gathered.
            let gathered = self.gathered()?;
            for (task, state) in (1..).zip(&mut states).filter(|(_, state)| **state == TaskState::Missing) {
                if self.plan.task(task).is_some_and(|parts| self.is_gathered(&parts, &gathered)) {
                    *state = TaskState::Finished;
                }
            }
        }
        Ok(states)
    }

    /// The results of finished tasks, gathered or not. No games are read, and only records of tasks that are not gathered, since
    /// the files of others may have been removed. A task whose record cannot be read is left out.
    ///
    /// # Errors
    ///
    /// When `games.csv` of a study cannot be read.
    pub fn results(&self, states: &[TaskState]) -> Result<TaskResults, ExperimentError> {
        let mut all = GatherRecord::read(self, &self.gathered()?);
        let finished = (1..).zip(states).filter(|(_, state)| **state == TaskState::Finished);
        let is_open = |task: &u64| self.plan.task(*task).is_some_and(|parts| !all.has(&parts));
        let open: Vec<u64> = finished.map(|(task, _)| task).filter(is_open).collect();
        let read = |task: u64| TaskRecord::read(&self.finished(task)).ok().flatten();
        let records: Vec<TaskRecord> = with_readers(|| open.into_par_iter().filter_map(read).collect());
        records.iter().for_each(|record| all.add_task(record));
        Ok(all.results(self))
    }

    /// The state that a file of a task shows, given the end of its name after the task's number; `None` if it shows nothing, or the
    /// file is gone.
    fn state_by(&self, task: u64, rest: &str, gathered: &GatherRecord) -> Option<TaskState> {
        match rest {
            "" if self.plan.task(task).is_none_or(|parts| gathered.has(&parts)) => Some(TaskState::Finished),
            "" => match self.record_of(task) {
                Ok(record) => record.map(|_| TaskState::Finished),
                // A worker may be playing it again.
                Err(error) => {
                    let by_lock = self.state_by(task, "lock", gathered);
                    Some(by_lock.unwrap_or_else(|| TaskState::Damaged(error.to_string())))
                }
            },
            "lock" => match LockHolder::read(&self.lock(task)) {
                Ok(Some(holder)) if holder.seems_stale() => Some(TaskState::Lost(holder)),
                Ok(Some(holder)) => Some(TaskState::Running(holder)),
                _ => None,
            },
            "failed" => {
                let text = read_text(&self.failure(task), MAX_TEXT).ok()?;
                Some(TaskState::Failed(text.trim_end().to_string()))
            }
            rest if rest.ends_with(".playing") => Some(TaskState::Stopped),
            _ => None,
        }
    }
}

/// The order in which files are looked at: the first that shows a state decides.
fn weight(rest: &str) -> u8 {
    match rest {
        "" => 0,
        "lock" => 1,
        "failed" => 2,
        _ => 3,
    }
}

/// Runs a function in a pool of many threads, to read files.
pub(super) fn with_readers<T: Send>(read: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().num_threads(READERS).build() {
        Ok(pool) => pool.install(read),
        // If so many threads cannot be started, the present ones read the files.
        Err(_) => read(),
    }
}
