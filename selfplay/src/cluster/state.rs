//! How far the tasks of a study are.

use rayon::prelude::*;

use super::gather::GatheredStudy;
use super::lock::LockHolder;
use super::plan::PlannedPart;
use super::task::{PairResults, PlannedStudy, TaskRecord};
use crate::study::{Odds, StudyDirectory, StudyError};

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
    /// It is finished.
    Finished,
}

impl PlannedStudy {
    /// The state of every task, the first task's first. Nothing is written.
    ///
    /// # Errors
    ///
    /// When files cannot be read.
    pub fn states(&self) -> Result<Vec<TaskState>, StudyError> {
        let planned = *self.plan.tasks_of_round(self.plan.planned_rounds().max(1)).end();
        let mut states: Vec<TaskState> = (1..=self.plan.tasks)
            .map(|task| if task <= planned { TaskState::Missing } else { TaskState::NotPlanned })
            .collect();
        let mut names = self.names()?;
        // What says more of a task comes later.
        let weight = |rest: &str| match rest {
            "" => 3,
            "lock" => 2,
            "failed" => 1,
            _ => 0,
        };
        names.retain(|(task, _)| (1..=self.plan.tasks).contains(task));
        names.sort_by_key(|(task, rest)| (*task, weight(rest)));
        for (task, rest) in names {
            let state = match rest.as_str() {
                "" => TaskState::Finished,
                "lock" => match LockHolder::read(&self.lock(task)) {
                    Ok(Some(holder)) if holder.seems_stale() => TaskState::Lost(holder),
                    Ok(Some(holder)) => TaskState::Running(holder),
                    _ => continue,
                },
                "failed" => match std::fs::read_to_string(self.failure(task)) {
                    Ok(text) => TaskState::Failed(text.trim_end().to_string()),
                    Err(_) => continue,
                },
                rest if rest.ends_with(".playing") => TaskState::Stopped,
                _ => continue,
            };
            states[task as usize - 1] = state;
        }
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

    /// How much of each study is gathered, the games from all setups first. Only the ends of files are read.
    ///
    /// # Errors
    ///
    /// When files cannot be read.
    pub fn gathered(&self) -> Result<Vec<GatheredStudy>, StudyError> {
        let study = |parts: Vec<&PlannedPart>| {
            let path = parts[0].below(&self.path);
            let file = StudyDirectory::games(&path);
            let games = if file.exists() { StudyDirectory::end_of_games(&file)?.0 } else { 0 };
            Ok(GatheredStudy { path, games, of: parts[parts.len() - 1].end })
        };
        self.plan.studies().into_iter().map(study).collect()
    }

    /// The results of pairs at odds that are gathered, in the order of the plan's studies.
    ///
    /// # Errors
    ///
    /// When files cannot be read, or hold a row that is not of their study.
    pub fn pairs_of_games(&self) -> Result<Vec<(Odds, PairResults)>, StudyError> {
        let mut pairs = Vec::new();
        for parts in self.plan.studies() {
            let (path, study) = (parts[0].below(&self.path), parts[0].study(&self.study));
            if let (Some(odds), Some(_)) = (&study.odds, StudyDirectory::recorded(&path)?) {
                let mut results = PairResults::default();
                for record in StudyDirectory::read_games(&path, &study)? {
                    results.add(&record?);
                }
                pairs.push((odds.clone(), results));
            }
        }
        Ok(pairs)
    }

    /// What finished tasks say of themselves; those of which nothing can be read are left out.
    pub fn records(&self, states: &[TaskState]) -> Vec<TaskRecord> {
        let finished = states.par_iter().enumerate().filter(|(_, state)| **state == TaskState::Finished);
        finished
            .filter_map(|(index, _)| TaskRecord::read(&self.finished(index as u64 + 1)).ok().flatten())
            .collect()
    }

    /// The results of pairs at odds in some tasks, in the order of the plan's studies.
    pub fn pairs(&self, records: &[TaskRecord]) -> Vec<(Odds, PairResults)> {
        let mut pairs: Vec<(&str, Odds, PairResults)> = self
            .plan
            .studies()
            .into_iter()
            .filter_map(|parts| {
                Some((parts[0].path.as_str(), parts[0].odds.clone()?, PairResults::default()))
            })
            .collect();
        let places: std::collections::HashMap<&str, usize> =
            pairs.iter().enumerate().map(|(place, (path, ..))| (*path, place)).collect();
        for part in records.iter().flat_map(|record| &record.parts) {
            if let Some(&place) = places.get(part.path.as_str()) {
                pairs[place].2.add_all(&part.pairs);
            }
        }
        pairs.into_iter().map(|(_, odds, results)| (odds, results)).collect()
    }
}
