//! What is known of the games of a study without reading them: of those that are gathered from `gathered.toml`, and of others
//! from the records of their tasks.

use std::path::PathBuf;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::plan::{MOST_PLANNED_GAMES, PlannedPart, TaskPart};
use super::state::{TaskState, with_readers};
use super::task::{PairResults, PlannedStudy, TaskRecord, TaskRecordPart};
use crate::store::{DirectoryKind, StoreError, read_sealed, sealed, write_whole};
use crate::study::{Odds, StudyDirectory};

/// The name of the file, in the directory of the study.
const GATHERED: &str = "gathered.toml";

/// How much of a study is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatheredStudy {
    /// Its directory.
    pub path: PathBuf,
    /// Games that are there, without a gap from the first.
    pub games: u64,
    /// Games that are planned.
    pub of: u64,
}

/// What is known of the games of finished tasks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskResults {
    /// Games that the last run of each task has played.
    pub played: u64,
    /// The seconds that these runs took, times the number of games that each played at a time.
    pub core_seconds: f64,
    /// The results of pairs at odds, in the order of the plan's studies.
    pub pairs: Vec<(Odds, PairResults)>,
}

/// What is gathered, as in `gathered.toml`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct GatheredRecord {
    /// As in [`TaskResults`], of tasks whose games are all gathered.
    played: u64,
    core_seconds: f64,
    /// The studies in the order of the plan.
    studies: Vec<RecordedStudy>,
}

/// What is gathered of one study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct RecordedStudy {
    /// Its directory, as in the plan.
    path: String,
    /// The number of games, all of whole tasks.
    games: u64,
    /// The results of its pairs at odds; nothing without odds.
    pairs: PairResults,
}

impl GatheredRecord {
    /// Reads what `gathered.toml` says of the studies of a plan. Of a study whose `games.csv` is shorter than that, nothing is
    /// known, nor of one of which it has games that are not planned, because the plan was lost and made again; nor of any,
    /// where there is no such file.
    pub fn read(planned: &PlannedStudy, found: &[GatheredStudy]) -> Self {
        let path = planned.path.join(GATHERED);
        let wrong =
            |problem| StoreError::Definition { what: DirectoryKind::Study, path: path.clone(), problem };
        // Gathering writes it anew.
        let Self { played, core_seconds, studies } = read_sealed(&path, wrong, wrong).unwrap_or_default();
        let is_possible = played <= MOST_PLANNED_GAMES && (0.0..1e15).contains(&core_seconds);
        let (played, core_seconds) = if is_possible { (played, core_seconds) } else { (0, 0.0) };
        let study = |(parts, found): (Vec<&PlannedPart>, &GatheredStudy)| {
            let is_there = |study: &&RecordedStudy| {
                study.path == parts[0].path
                    && study.games <= found.games.min(found.of)
                    && study.pairs.are_at_most(study.games / 2)
            };
            studies.iter().find(is_there).cloned().unwrap_or_else(|| RecordedStudy {
                path: parts[0].path.to_string(),
                games: 0,
                pairs: PairResults::default(),
            })
        };
        Self {
            played,
            core_seconds,
            studies: planned.plan.studies().into_iter().zip(found).map(study).collect(),
        }
    }

    /// Writes it.
    pub fn write(&self, planned: &PlannedStudy) -> Result<(), StoreError> {
        let text = toml::to_string(self).expect("a record has nothing that TOML cannot hold");
        write_whole(&planned.path.join(GATHERED), &sealed(&text))
    }

    /// Whether it has all games of a task.
    pub fn has(&self, parts: &[TaskPart<'_>]) -> bool {
        parts.iter().all(|TaskPart { part, games }| self.games(&part.path) >= games.end)
    }

    /// The games that it has of a study.
    fn games(&self, path: &str) -> u64 {
        self.studies.iter().find(|study| study.path == path).map_or(0, |study| study.games)
    }

    /// Adds the time of a task.
    pub fn add_time(&mut self, record: &TaskRecord) {
        self.played += record.played;
        self.core_seconds += record.seconds * record.threads as f64;
    }

    /// Adds what was gathered of a study by what tasks say. Where that does not reach up to the end of the last of them, as the
    /// records of some are gone, the games are read.
    ///
    /// `tasks` are the parts that tasks play of it whose games are all gathered, in the order of the games, with what their
    /// tasks say of them.
    pub fn add_study<'t>(
        &mut self,
        planned: &PlannedStudy,
        parts: &[&PlannedPart],
        tasks: impl Iterator<Item = (&'t TaskPart<'t>, Option<&'t TaskRecordPart>)>,
    ) -> Result<(), StoreError> {
        let studies = &mut self.studies;
        let Some(study) = studies.iter_mut().find(|study| study.path == parts[0].path) else { return Ok(()) };
        let mut end = study.games;
        for (TaskPart { games, .. }, record) in tasks {
            end = end.max(games.end);
            if let Some(record) = record
                && games.start == study.games
            {
                study.games = games.end;
                study.pairs.add_all(&record.pairs);
            }
        }
        if end > study.games {
            study.games = end;
            study.pairs = planned.read_pairs(parts, end)?;
        }
        Ok(())
    }
}

impl PlannedStudy {
    /// How much of each study is gathered, the games from all setups first. Only the ends of files are read.
    ///
    /// # Errors
    ///
    /// When files cannot be read.
    pub fn gathered(&self) -> Result<Vec<GatheredStudy>, StoreError> {
        let study = |parts: Vec<&PlannedPart>| {
            let path = parts[0].below(&self.path);
            let file = StudyDirectory::games(&path);
            let games = if file.exists() { StudyDirectory::end_of_games(&file)?.0 } else { 0 };
            Ok(GatheredStudy { path, games, of: parts[parts.len() - 1].end })
        };
        self.plan.studies().into_iter().map(study).collect()
    }

    /// What is known of the games of finished tasks, gathered or not. Games are not read, nor what tasks say whose games are all
    /// gathered, so that these may be removed; of others whose records cannot be read nothing is known.
    ///
    /// # Errors
    ///
    /// When `games.csv` of a study cannot be read.
    pub fn results(&self, states: &[TaskState]) -> Result<TaskResults, StoreError> {
        let gathered = GatheredRecord::read(self, &self.gathered()?);
        let finished = (1..).zip(states).filter(|(_, state)| **state == TaskState::Finished);
        let is_open = |task: &u64| self.plan.task(*task).is_some_and(|parts| !gathered.has(&parts));
        let open: Vec<u64> = finished.map(|(task, _)| task).filter(is_open).collect();
        let read = |task: u64| TaskRecord::read(&self.finished(task)).ok().flatten();
        let records: Vec<TaskRecord> = with_readers(|| open.into_par_iter().filter_map(read).collect());
        let mut all = gathered.clone();
        for record in &records {
            all.add_time(record);
            for part in record.parts.iter().filter(|part| part.end > gathered.games(&part.path)) {
                if let Some(study) = all.studies.iter_mut().find(|study| study.path == part.path) {
                    study.pairs.add_all(&part.pairs);
                }
            }
        }
        let odds = self.plan.studies().into_iter().map(|parts| parts[0].odds.clone());
        let pairs = odds.zip(all.studies).filter_map(|(odds, study)| Some((odds?, study.pairs))).collect();
        Ok(TaskResults { played: all.played, core_seconds: all.core_seconds, pairs })
    }

    /// The results of pairs at odds in the games that are there, in the order of the plan's studies.
    ///
    /// # Errors
    ///
    /// When files cannot be read, or hold a row that is not of their study.
    pub fn pairs_of_games(&self) -> Result<Vec<(Odds, PairResults)>, StoreError> {
        let mut pairs = Vec::new();
        for parts in self.plan.studies() {
            if let (Some(odds), Some(_)) =
                (&parts[0].odds, StudyDirectory::recorded(&parts[0].below(&self.path))?)
            {
                // There may be more, of a round whose plan was lost and is made again by the same results.
                let planned = parts[parts.len() - 1].end;
                pairs.push((odds.clone(), self.read_pairs(&parts, planned)?));
            }
        }
        Ok(pairs)
    }

    /// The results of pairs at odds in the first games of a study.
    fn read_pairs(&self, parts: &[&PlannedPart], games: u64) -> Result<PairResults, StoreError> {
        let (path, study) = (parts[0].below(&self.path), parts[0].study(&self.study));
        let mut results = PairResults::default();
        if study.odds.is_some() {
            for record in StudyDirectory::read_games(&path, &study)? {
                let record = record?;
                if record.game >= games {
                    break;
                }
                results.add(&record);
            }
        }
        Ok(results)
    }
}
