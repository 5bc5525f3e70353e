//! How far the tasks of a study are.

use backrank_rules::files::{MAX_TEXT, read_text};
use rayon::prelude::*;

use super::gathered::GatheredRecord;
use super::lock::LockHolder;
use super::task::PlannedStudy;
use crate::store::StoreError;

/// The files of so many tasks are read at a time: on a disk of a cluster each takes a millisecond, and the processor has
/// hardly anything to do with it.
const READERS: usize = 32;

/// How far a task is.
#[derive(Clone, Debug, PartialEq)]
pub enum TaskState {
    /// The imbalances of its round are not chosen yet.
    NotPlanned,
    /// Nobody has begun it.
    Missing,
    /// It was begun, and nobody is at it.
    Stopped,
    /// A worker is at it.
    Running(LockHolder),
    /// A worker was at it and has given no sign of life for too long.
    Lost(LockHolder),
    /// It failed when it was last tried.
    Failed(String),
    /// It was finished, and its files are damaged, or those of another study.
    Damaged(String),
    /// It is finished.
    Finished,
}

impl PlannedStudy {
    /// The state of every task, the first task's first. Nothing is written. The directory of the tasks is listed once; files are
    /// opened only of tasks that are running, have failed, or are finished and not gathered.
    ///
    /// # Errors
    ///
    /// When files cannot be read.
    pub fn states(&self) -> Result<Vec<TaskState>, StoreError> {
        // What follows a task's number in the names of its files.
        let mut names: Vec<(u64, Vec<String>)> =
            (1..=self.plan.tasks).map(|task| (task, Vec::new())).collect();
        for (task, rest) in self.names()? {
            if let Some((_, names)) = task.checked_sub(1).and_then(|index| names.get_mut(index as usize)) {
                names.push(rest);
            }
        }
        let gathered = GatheredRecord::read(self, &self.gathered()?);
        let planned = *self.plan.tasks_of_round(self.plan.planned_rounds().max(1)).end();
        let state = |(task, mut names): (u64, Vec<String>)| {
            names.sort_by_key(|rest| weight(rest));
            let unknown = if task <= planned { TaskState::Missing } else { TaskState::NotPlanned };
            names.iter().find_map(|rest| self.state_by(task, rest, &gathered)).unwrap_or(unknown)
        };
        let mut states: Vec<TaskState> = with_readers(|| names.into_par_iter().map(state).collect());
        if states.contains(&TaskState::Missing) {
            // Of what is gathered the tasks may have been removed.
            let gathered = self.gathered()?;
            for (task, state) in (1..).zip(&mut states).filter(|(_, state)| **state == TaskState::Missing) {
                if self.plan.task(task).is_some_and(|parts| self.is_gathered(&parts, &gathered)) {
                    *state = TaskState::Finished;
                }
            }
        }
        Ok(states)
    }

    /// What a file says of a task by what follows its number in the file's name; none where that is nothing, or the file is gone.
    fn state_by(&self, task: u64, rest: &str, gathered: &GatheredRecord) -> Option<TaskState> {
        match rest {
            "" if self.plan.task(task).is_none_or(|parts| gathered.has(&parts)) => Some(TaskState::Finished),
            "" => match self.record_of(task) {
                Ok(record) => record.map(|_| TaskState::Finished),
                // Somebody may be playing it again.
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

/// What says more of a task comes first.
fn weight(rest: &str) -> u8 {
    match rest {
        "" => 0,
        "lock" => 1,
        "failed" => 2,
        _ => 3,
    }
}

/// Reads files by many threads.
pub(super) fn with_readers<T: Send>(read: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().num_threads(READERS).build() {
        Ok(pool) => pool.install(read),
        // Where there cannot be so many, those that there are do it.
        Err(_) => read(),
    }
}
