//! The files of tasks: the directory `tasks/17` of a finished task, and the files beside it while it is played.

use std::io;
use std::path::{Path, PathBuf};

use backrank_rules::files::{MAX_TEXT, read_text};
use backrank_selfplay::play::MOST_THREADS;
use backrank_selfplay::store::{Definition, StoreError, is_there, read_sealed, sealed, write_whole};
use backrank_selfplay::study::StudyDirectory;
use serde::{Deserialize, Serialize};

use crate::error::ExperimentError;
use crate::pairs::PairResults;
use crate::plan::{MOST_PLANNED_GAMES, Plan, PlannedExperiment, TaskPart};

/// The name of the directory of all tasks, in that of the experiment.
pub const TASKS: &str = "tasks";

/// The file with the record of a finished task.
const RECORD: &str = "task.toml";

/// What is wrong with games that differ from their checksum.
pub(super) const OTHER_GAMES: &str = "is damaged: its SHA-256 is not the one that task.toml has";

/// The record of a finished task, in `task.toml`: who played it, and how its games can be checked without reading them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskRecord {
    /// The version of the program that played it.
    pub version: String,
    /// The name of the machine that finished it.
    pub host: String,
    /// The number of games that were played at a time.
    pub threads: u64,
    /// The number of games that the last worker played. The others were there when it began.
    pub played: u64,
    /// The time of the last worker, in seconds.
    pub seconds: f64,
    /// The games, by study.
    pub parts: Vec<TaskRecordPart>,
}

/// The games of a finished task that belong to one study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskRecordPart {
    /// The study's directory, as in the plan.
    pub path: String,
    /// The number of the first game.
    pub start: u64,
    /// The number after that of the last game.
    pub end: u64,
    /// The size of `games.csv` in bytes.
    pub bytes: u64,
    /// Its SHA-256.
    pub sha256: String,
    /// The results of its pairs; all zero without odds.
    pub pairs: PairResults,
}

impl PlannedExperiment {
    /// The games of a task, by study.
    ///
    /// # Errors
    ///
    /// When there is no such task, or its round is not planned yet.
    pub fn parts_of(&self, task: u64) -> Result<Vec<TaskPart<'_>>, ExperimentError> {
        let Plan { tasks, .. } = self.plan;
        let path = || self.path.clone();
        if !(1..=tasks).contains(&task) {
            return Err(ExperimentError::NoTask { path: path(), task, tasks });
        }
        let round = self.plan.round_of(task);
        self.plan.task(task).ok_or_else(|| ExperimentError::NotPlanned { path: path(), task, round })
    }

    /// The directory of a finished task. It does not exist before the task is finished.
    pub fn finished(&self, task: u64) -> PathBuf {
        self.tasks_path().join(task.to_string())
    }

    /// Whether a task is finished and not damaged, as far as can be told without reading its games.
    pub(super) fn is_sound(&self, task: u64) -> bool {
        matches!(self.record_of(task), Ok(Some(_)))
    }

    /// The lock of a task.
    pub(super) fn lock(&self, task: u64) -> PathBuf {
        self.finished(task).with_added_extension("lock")
    }

    /// The file that says why the last worker of a task failed.
    pub(super) fn failure(&self, task: u64) -> PathBuf {
        self.finished(task).with_added_extension("failed")
    }

    /// The file that says what gathering found wrong with the games of a finished task.
    pub(super) fn damage(&self, task: u64) -> PathBuf {
        self.finished(task).with_added_extension("damaged")
    }

    /// The name to which a worker renames a damaged task before it removes it.
    pub(super) fn set_aside(&self, task: u64, worker: &str) -> PathBuf {
        self.finished(task).with_added_extension(format!("{worker}.damaged"))
    }

    /// The directory in which a worker plays a task.
    pub(super) fn attempt(&self, task: u64, worker: &str) -> PathBuf {
        self.finished(task).with_added_extension(format!("{worker}.playing"))
    }

    /// The names of all files of tasks, each as the number of its task and the end of the name after it.
    pub(super) fn names(&self) -> Result<Vec<(u64, String)>, ExperimentError> {
        let path = self.tasks_path();
        let entries = match std::fs::read_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(StoreError::reading(&path))?,
        };
        let mut names = Vec::new();
        for entry in entries {
            let name = entry.map_err(StoreError::reading(&path))?.file_name();
            let Some(name) = name.to_str() else { continue };
            let (number, rest) = name.split_once('.').unwrap_or((name, ""));
            if let Ok(task) = number.parse() {
                names.push((task, rest.to_string()));
            }
        }
        Ok(names)
    }

    /// The record of a task, compared with the plan and with the sizes of its files; `None` if the task is not finished. Games are
    /// not read. Workers, gathering, the states of tasks and scripts for schedulers all decide by this whether a task is finished.
    ///
    /// # Errors
    ///
    /// When the task is damaged, or belongs to another study or another plan.
    pub fn record_of(&self, task: u64) -> Result<Option<TaskRecord>, ExperimentError> {
        let damage = self.damage(task);
        match read_text(&damage, MAX_TEXT) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.record_without_games(task),
            // It was removed, and another worker may be playing the task again.
            _ if !self.finished(task).exists() => Ok(None),
            Ok(problem) => Err(ExperimentError::DamagedTask {
                path: self.finished(task),
                problem: problem.trim_end().to_string(),
            }),
            Err(error) => Err(StoreError::reading(&damage)(error).into()),
        }
    }

    /// The same, with the checksums of its games compared as well. What gathering found wrong with them does not count.
    pub(super) fn verified_record_of(&self, task: u64) -> Result<Option<TaskRecord>, ExperimentError> {
        let Some(record) = self.record_without_games(task)? else { return Ok(None) };
        for (part, of_part) in self.parts_of(task)?.iter().zip(&record.parts) {
            let games = StudyDirectory::games(&part.part.below(&self.finished(task)));
            if StudyDirectory::sha256_of_games(&games, of_part.bytes)? != of_part.sha256 {
                return Err(ExperimentError::DamagedTask {
                    problem: format!("it {OTHER_GAMES}"),
                    path: games,
                });
            }
        }
        Ok(Some(record))
    }

    /// Writes what is wrong with the games of a finished task, so that a worker plays it again.
    pub(super) fn mark_as_damaged(&self, task: u64, problem: &str) -> Result<(), ExperimentError> {
        Ok(write_whole(&self.damage(task), &format!("{problem}\n"))?)
    }

    /// As [`Self::record_of`], but what gathering found wrong with the games does not count.
    pub(super) fn record_without_games(&self, task: u64) -> Result<Option<TaskRecord>, ExperimentError> {
        let parts = self.parts_of(task)?;
        let path = self.finished(task);
        let damaged = |path: PathBuf, problem: String| ExperimentError::DamagedTask { path, problem };
        let record = match TaskRecord::read(&path)? {
            Some(record) => record,
            None if path.exists() => {
                return Err(damaged(path, format!("it has no {RECORD}, which comes with its games")));
            }
            None => return Ok(None),
        };
        let wrong = |problem: String| ExperimentError::Task {
            path: path.clone(),
            problem: format!("{problem}; remove it to play the task again"),
        };
        let is_same = record
            .parts
            .iter()
            .zip(&parts)
            .all(|(is, should)| is.path == should.part.path && (is.start..is.end) == should.games);
        for part in &parts {
            let directory = part.part.below(&path);
            let study = match StudyDirectory::read(&directory) {
                Ok(study) => study,
                // A task of another plan may have other parts; the error below says so.
                Err(StoreError::None { .. }) if !is_same => continue,
                Err(StoreError::Torn { path, problem, .. }) => return Err(damaged(path, problem)),
                Err(StoreError::None { .. }) => {
                    return Err(damaged(directory, "there is no study.toml".to_string()));
                }
                Err(error) => return Err(error.into()),
            };
            if let Some([name, theirs, ours]) = study.differences(&part.study(&self.study)).first() {
                return Err(wrong(format!(
                    "it is of another study: {name} is {theirs} there and {ours} here"
                )));
            }
        }
        if !is_same || record.parts.len() != parts.len() {
            return Err(wrong("it is of another plan, whose tasks have other games".to_string()));
        }
        for (part, of_part) in parts.iter().zip(&record.parts) {
            let games = StudyDirectory::games(&part.part.below(&path));
            match std::fs::metadata(&games) {
                Ok(data) if data.len() == of_part.bytes => (),
                Ok(data) => {
                    let (is, should) = (data.len(), of_part.bytes);
                    return Err(damaged(games, format!("it has {is} bytes, and {should} by {RECORD}")));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Err(damaged(games, "it is not there".to_string()));
                }
                Err(error) => return Err(StoreError::reading(&games)(error).into()),
            }
        }
        Ok(Some(record))
    }
}

impl TaskRecord {
    /// Reads the record in the directory of a task; `None` if there is none.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, ExperimentError> {
        let file = path.join(RECORD);
        if !is_there(&file)? {
            return Ok(None);
        }
        let damaged = |problem| ExperimentError::DamagedTask { path: file.clone(), problem };
        let wrong = |problem| ExperimentError::Task {
            problem: format!("{problem}\nremove {} to play the task again", path.display()),
            path: file.clone(),
        };
        let record: Self = read_sealed(&file, damaged, wrong)?;
        record.check().map_err(wrong)?;
        Ok(Some(record))
    }

    /// Checks that its numbers fit together, whoever wrote it.
    fn check(&self) -> Result<(), String> {
        let mut games: u64 = 0;
        for part in &self.parts {
            let of_part = part.end.checked_sub(part.start).filter(|&games| games <= MOST_PLANNED_GAMES);
            let Some(of_part) = of_part else {
                return Err(format!("start = {} and end = {} are no games", part.start, part.end));
            };
            if !part.pairs.are_at_most(of_part / 2) {
                return Err(format!("there are more pairs than {of_part} games have"));
            }
            games = games.saturating_add(of_part);
        }
        if self.played > games {
            return Err(format!("played = {}, but it has {games} games", self.played));
        }
        let is_time = (0.0..1e12).contains(&self.seconds);
        if !is_time || self.threads > MOST_THREADS as u64 {
            return Err(format!(
                "seconds = {} and threads = {} are not possible",
                self.seconds, self.threads
            ));
        }
        Ok(())
    }

    /// Writes it into the directory of a task.
    pub(super) fn write(&self, path: &Path) -> Result<(), ExperimentError> {
        let text = toml::to_string(self).expect("a record has nothing that TOML cannot hold");
        Ok(write_whole(&path.join(RECORD), &sealed(&text))?)
    }
}
