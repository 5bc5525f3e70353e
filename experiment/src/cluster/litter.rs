//! Removing what workers that were killed have left behind.

use std::fs::remove_file;

use backrank_selfplay::store::durable::{remove_litter, remove_unused};

use super::gather_record::GatheredGames;
use super::lock::LockHolder;
use crate::plan::PlannedExperiment;

impl PlannedExperiment {
    /// Removes what killed workers have left of the task `only`, or of all tasks: the files from which locks are made, damaged
    /// tasks, and of finished tasks also locks, attempts and failures. `gathered` says which games are gathered. Files that
    /// cannot be removed stay.
    pub fn clean(&self, only: Option<u64>, gathered: &[GatheredGames]) {
        for (task, rest) in self.names().unwrap_or_default() {
            if rest.is_empty() || only.is_some_and(|only| only != task) {
                continue;
            }
            let path = self.finished(task).with_added_extension(&rest);
            let is_finished = || {
                self.plan.task(task).is_some_and(|parts| self.is_gathered(&parts, gathered))
                    || self.is_sound(task)
            };
            match rest.as_str() {
                "lock" => {
                    let is_dead =
                        matches!(LockHolder::read(&path), Ok(Some(holder)) if holder.is_surely_dead());
                    if is_dead && is_finished() {
                        remove_unused(&path);
                    }
                }
                "damaged" | "failed" if is_finished() => drop(remove_file(&path)),
                rest if rest.starts_with("lock.") => remove_unused(&path),
                rest if rest.ends_with(".damaged") => drop(std::fs::remove_dir_all(&path)),
                rest if rest.ends_with(".playing") && is_finished() => drop(std::fs::remove_dir_all(&path)),
                _ => (),
            }
        }
        [&self.path, &self.tasks_path()].into_iter().for_each(|folder| remove_litter(folder));
        let entries = std::fs::read_dir(self.tasks_path()).into_iter().flatten().flatten();
        for entry in entries.filter(|_| only.is_none()) {
            if entry.file_name().to_str().is_some_and(|name| name.starts_with("gather.lock.")) {
                remove_unused(&entry.path());
            }
        }
    }
}
