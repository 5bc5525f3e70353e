//! What is known about games without reading them: `gathered.toml` has the results of gathered games, and the record of each
//! finished task those of its games.

use std::path::PathBuf;

use backrank_selfplay::store::{read_sealed, sealed, write_whole};
use backrank_selfplay::study::{Odds, StudyDirectory};
use serde::{Deserialize, Serialize};

use super::task::{TaskRecord, TaskRecordPart};
use crate::error::ExperimentError;
use crate::pairs::{PairReader, PairResults};
use crate::plan::{MOST_PLANNED_GAMES, PlannedExperiment, PlannedPart, TaskPart};

/// The name of the file, in the directory of the experiment.
const GATHERED: &str = "gathered.toml";

/// How many games of a study are gathered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatheredGames {
    /// Its directory.
    pub path: PathBuf,
    /// The number of games that are there, from the first without a gap.
    pub games: u64,
    /// The number of games that are planned.
    pub of: u64,
}

/// The results and the time of finished tasks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskResults {
    /// The number of games that the last run of each task has played.
    pub played: u64,
    /// The seconds that these runs took, times the number of games that each played at a time.
    pub core_seconds: f64,
    /// The results of pairs at odds, in the order of the plan's studies.
    pub pairs: Vec<(Odds, PairResults)>,
}

/// The contents of `gathered.toml`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct GatherRecord {
    /// As in [`TaskResults`], of tasks whose games are all gathered.
    played: u64,
    core_seconds: f64,
    /// The studies in the order of the plan.
    studies: Vec<GatherRecordStudy>,
}

/// The gathered games of one study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct GatherRecordStudy {
    /// Its directory, as in the plan.
    path: String,
    /// The number of games, all of whole tasks.
    games: u64,
    /// The results of its pairs; all zero without odds.
    pairs: PairResults,
}

impl GatherRecord {
    /// Reads `gathered.toml`. A study counts as unknown if its `games.csv` is shorter than the file says, or if it has games
    /// that are not planned, because the plan was lost and made again. Without the file all studies are unknown.
    ///
    /// `found` has the games of each study in the order of the plan.
    pub fn read(planned: &PlannedExperiment, found: &[GatheredGames]) -> Self {
        let path = planned.path.join(GATHERED);
        let wrong = |problem| ExperimentError::Task { path: path.clone(), problem };
        // If it is damaged, the next gathering writes it anew.
        let Self { played, core_seconds, studies } = read_sealed(&path, wrong, wrong).unwrap_or_default();
        let is_possible = played <= MOST_PLANNED_GAMES && (0.0..1e15).contains(&core_seconds);
        let (played, core_seconds) = if is_possible { (played, core_seconds) } else { (0, 0.0) };
        let study = |(parts, found): (Vec<&PlannedPart>, &GatheredGames)| {
            let is_there = |study: &&GatherRecordStudy| {
                study.path == parts[0].path
                    && study.games <= found.games.min(found.of)
                    && study.pairs.are_at_most(study.games / 2)
            };
            studies.iter().find(is_there).cloned().unwrap_or_else(|| GatherRecordStudy {
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
    pub fn write(&self, planned: &PlannedExperiment) -> Result<(), ExperimentError> {
        let text = toml::to_string(self).expect("a record has nothing that TOML cannot hold");
        Ok(write_whole(&planned.path.join(GATHERED), &sealed(&text))?)
    }

    /// Whether it has all games of a task.
    pub fn has(&self, parts: &[TaskPart<'_>]) -> bool {
        parts.iter().all(|TaskPart { part, games }| self.games(&part.path) >= games.end)
    }

    /// The games that it has of a study.
    fn games(&self, path: &str) -> u64 {
        self.studies.iter().find(|study| study.path == path).map_or(0, |study| study.games)
    }

    /// Adds the results and the time of a finished task that is not gathered.
    pub fn add_task(&mut self, record: &TaskRecord) {
        self.add_time(record);
        for part in &record.parts {
            let is_new = |study: &&mut GatherRecordStudy| study.path == part.path && part.end > study.games;
            if let Some(study) = self.studies.iter_mut().find(is_new) {
                study.pairs.add_all(&part.pairs);
            }
        }
    }

    /// Its results.
    pub fn results(self, planned: &PlannedExperiment) -> TaskResults {
        let odds = planned.plan.studies().into_iter().map(|parts| parts[0].odds.clone());
        let pairs = odds.zip(self.studies).filter_map(|(odds, study)| Some((odds?, study.pairs))).collect();
        TaskResults { played: self.played, core_seconds: self.core_seconds, pairs }
    }

    /// Adds the time of a task.
    pub fn add_time(&mut self, record: &TaskRecord) {
        self.played += record.played;
        self.core_seconds += record.seconds * record.threads as f64;
    }

    /// Adds the gathered games of a study. `tasks` are what tasks play of it, as far as that is gathered, in the order of
    /// games, each with its record. If a record is missing because the task's files were removed, the games are read.
    pub fn add_study<'t>(
        &mut self,
        planned: &PlannedExperiment,
        parts: &[&PlannedPart],
        tasks: impl Iterator<Item = (&'t TaskPart<'t>, Option<&'t TaskRecordPart>)>,
    ) -> Result<(), ExperimentError> {
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

impl PlannedExperiment {
    /// How much of each study is gathered, the games from all setups first. Only the ends of files are read.
    ///
    /// # Errors
    ///
    /// When files cannot be read.
    pub fn gathered(&self) -> Result<Vec<GatheredGames>, ExperimentError> {
        let study = |parts: Vec<&PlannedPart>| {
            let path = parts[0].below(&self.path);
            let file = StudyDirectory::games(&path);
            let games = if file.exists() { StudyDirectory::end_of_games(&file)?.0 } else { 0 };
            Ok(GatheredGames { path, games, of: parts[parts.len() - 1].end })
        };
        self.plan.studies().into_iter().map(study).collect()
    }

    /// The results of pairs at odds in the first games of a study.
    fn read_pairs(&self, parts: &[&PlannedPart], games: u64) -> Result<PairResults, ExperimentError> {
        let (path, study) = (parts[0].below(&self.path), parts[0].study(&self.study));
        let (mut results, mut pairs) = (PairResults::default(), PairReader::default());
        if study.odds.is_some() {
            for record in StudyDirectory::read_games(&path, &study)? {
                let record = record?;
                if record.game >= games {
                    break;
                }
                if let Some(pair) = pairs.add(&record) {
                    results.count(pair);
                }
            }
        }
        Ok(results)
    }
}
