//! The files of tasks: `tasks/17` of a study's directory, and those beside it while the task is played.

use std::io;
use std::path::{Path, PathBuf};

use backrank_rules::Side;
use backrank_rules::files::{MAX_TEXT, read_text};
use serde::{Deserialize, Serialize};

use super::plan::{MOST_PLANNED_GAMES, Plan, TaskPart};
use crate::play::MOST_THREADS;
use crate::store::{Definition, StoreError, check_below, is_there, read_sealed, sealed, write_whole};
use crate::study::{GameRecord, Study, StudyDirectory};

/// The directory of all tasks, below that of their study.
pub const TASKS: &str = "tasks";

/// What a finished task says of itself.
const RECORD: &str = "task.toml";

/// What is wrong with games that were read.
pub(super) const OTHER_GAMES: &str = "is damaged: its SHA-256 is not the one that task.toml has";

/// A study whose games are shared out among tasks.
#[derive(Clone, Debug)]
pub struct PlannedStudy {
    /// Its directory.
    pub path: PathBuf,
    /// The study of the games from all setups.
    pub study: Study,
    /// Who plays what.
    pub plan: Plan,
}

/// What a finished task says of itself, in `task.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskRecord {
    /// The version of the program that played it.
    pub version: String,
    /// The machine that finished it.
    pub host: String,
    /// The number of games at a time.
    pub threads: u64,
    /// The games that were played in the last run; others were found.
    pub played: u64,
    /// The seconds that it took.
    pub seconds: f64,
    /// What it played.
    pub parts: Vec<TaskRecordPart>,
}

/// What a finished task played of one study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskRecordPart {
    /// The study's directory, as in the plan.
    pub path: String,
    /// The number of the first game.
    pub start: u64,
    /// The number after that of the last game.
    pub end: u64,
    /// The size of `games.csv`.
    pub bytes: u64,
    /// Its SHA-256.
    pub sha256: String,
    /// The results of its pairs at odds; nothing without odds.
    pub pairs: PairResults,
}

/// The results of pairs of games at odds, as the side sees them that has what the odds name first: the number of pairs by
/// its result with White, then with Black, each 0 for a loss, 1 for a draw, 2 for a win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PairResults {
    /// The numbers.
    pub counts: [[u64; 3]; 3],
    /// The result of the first game of a pair, in which that side has Black, until the second game comes.
    #[serde(skip)]
    first: Option<usize>,
}

impl PairResults {
    /// Adds a game; games at odds come in order.
    pub fn add(&mut self, record: &GameRecord) {
        if record.odds.is_empty() {
            return;
        }
        let outcome = |side| record.half_points(side);
        if record.game.is_multiple_of(2) {
            self.first = Some(outcome(Side::Black));
        } else if let Some(as_black) = self.first.take() {
            self.counts[outcome(Side::White)][as_black] += 1;
        }
    }

    /// Whether there are no more pairs than so many.
    pub(super) fn are_at_most(&self, pairs: u64) -> bool {
        let sum = self.counts.iter().flatten().try_fold(0_u64, |sum, &count| sum.checked_add(count));
        sum.is_some_and(|sum| sum <= pairs)
    }

    /// Adds other pairs.
    pub fn add_all(&mut self, other: &Self) {
        let counts = self.counts.iter_mut().flatten().zip(other.counts.iter().flatten());
        counts.for_each(|(sum, count)| *sum += count);
    }
}

impl PlannedStudy {
    /// The plan of the study in a directory.
    ///
    /// # Errors
    ///
    /// When there is no study, or it has no plan.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let study = StudyDirectory::read(path)?;
        let plan = study.plan.clone().ok_or_else(|| StoreError::NoPlan(path.to_path_buf()))?;
        let study = study
            .changed(|spec| spec.plan = None)
            .map_err(|error| StoreError::Task { path: path.to_path_buf(), problem: error.to_string() })?;
        let planned = Self { path: path.to_path_buf(), study, plan };
        let parts = planned.plan.parts.iter().map(|part| part.below(path));
        for directory in parts.chain([planned.tasks_path()]) {
            check_below(path, &directory).map_err(StoreError::writing(&directory))?;
        }
        Ok(planned)
    }

    /// The same, if its games are shared out among tasks.
    ///
    /// # Errors
    ///
    /// When there is no study, it has no plan, or one without tasks.
    pub fn in_tasks(path: &Path) -> Result<Self, StoreError> {
        let planned = Self::open(path)?;
        if planned.plan.tasks == 0 { Err(StoreError::NoPlan(path.to_path_buf())) } else { Ok(planned) }
    }

    /// What a task plays.
    ///
    /// # Errors
    ///
    /// When there is no such task, or its round is not planned yet.
    pub fn parts_of(&self, task: u64) -> Result<Vec<TaskPart<'_>>, StoreError> {
        let Plan { tasks, .. } = self.plan;
        let path = || self.path.clone();
        if !(1..=tasks).contains(&task) {
            return Err(StoreError::NoTask { path: path(), task, tasks });
        }
        let round = self.plan.round_of(task);
        self.plan.task(task).ok_or_else(|| StoreError::NotPlanned { path: path(), task, round })
    }

    /// The directory that holds the tasks.
    pub fn tasks_path(&self) -> PathBuf {
        self.path.join(TASKS)
    }

    /// The directory of a finished task; there is none before.
    pub fn finished(&self, task: u64) -> PathBuf {
        self.tasks_path().join(task.to_string())
    }

    /// Whether a task is finished, and as far as can be told without reading its games, nothing is wrong with it.
    pub(super) fn is_sound(&self, task: u64) -> bool {
        matches!(self.record_of(task), Ok(Some(_)))
    }

    /// The lock of a task.
    pub(super) fn lock(&self, task: u64) -> PathBuf {
        self.finished(task).with_added_extension("lock")
    }

    /// Why a task failed, where it did when it was last tried.
    pub(super) fn failure(&self, task: u64) -> PathBuf {
        self.finished(task).with_added_extension("failed")
    }

    /// What was found to be wrong with the games of a finished task when they were read.
    pub(super) fn damage(&self, task: u64) -> PathBuf {
        self.finished(task).with_added_extension("damaged")
    }

    /// Where a worker puts a finished task that is damaged, to remove it.
    pub(super) fn set_aside(&self, task: u64, worker: &str) -> PathBuf {
        self.finished(task).with_added_extension(format!("{worker}.damaged"))
    }

    /// Where a worker plays a task.
    pub(super) fn attempt(&self, task: u64, worker: &str) -> PathBuf {
        self.finished(task).with_added_extension(format!("{worker}.playing"))
    }

    /// Every name in the directory of the tasks, with the task it is of and what comes after that number.
    pub(super) fn names(&self) -> Result<Vec<(u64, String)>, StoreError> {
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

    /// What a finished task says, held against the plan and against its files, whose games are not read; none where it is not
    /// finished. Workers, `status`, `gather` and the scripts for schedulers all go by this.
    ///
    /// # Errors
    ///
    /// When it is damaged, of another study, or of another plan of this one.
    pub fn record_of(&self, task: u64) -> Result<Option<TaskRecord>, StoreError> {
        let damage = self.damage(task);
        match read_text(&damage, MAX_TEXT) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.record_without_games(task),
            // It may be a task that another worker has played since.
            _ if !self.finished(task).exists() => Ok(None),
            Ok(problem) => Err(StoreError::DamagedTask {
                path: self.finished(task),
                problem: problem.trim_end().to_string(),
            }),
            Err(error) => Err(StoreError::reading(&damage)(error)),
        }
    }

    /// The same after reading the games. What was found to be wrong with them before does not count.
    pub(super) fn verified_record_of(&self, task: u64) -> Result<Option<TaskRecord>, StoreError> {
        let Some(record) = self.record_without_games(task)? else { return Ok(None) };
        for (part, of_part) in self.parts_of(task)?.iter().zip(&record.parts) {
            let games = StudyDirectory::games(&part.part.below(&self.finished(task)));
            if StudyDirectory::sha256_of_games(&games, of_part.bytes)? != of_part.sha256 {
                return Err(StoreError::DamagedTask { problem: format!("it {OTHER_GAMES}"), path: games });
            }
        }
        Ok(Some(record))
    }

    /// Writes down what is wrong with the games of a finished task, so that it is played again.
    pub(super) fn mark_as_damaged(&self, task: u64, problem: &str) -> Result<(), StoreError> {
        write_whole(&self.damage(task), &format!("{problem}\n"))
    }

    /// What a finished task says, whatever was found to be wrong with its games before.
    pub(super) fn record_without_games(&self, task: u64) -> Result<Option<TaskRecord>, StoreError> {
        let parts = self.parts_of(task)?;
        let path = self.finished(task);
        let damaged = |path: PathBuf, problem: String| StoreError::DamagedTask { path, problem };
        let record = match TaskRecord::read(&path)? {
            Some(record) => record,
            None if path.exists() => {
                return Err(damaged(path, format!("it has no {RECORD}, which comes with its games")));
            }
            None => return Ok(None),
        };
        let wrong = |problem: String| StoreError::Task {
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
                // Of another plan it may have other parts, which is said below.
                Err(StoreError::None { .. }) if !is_same => continue,
                Err(StoreError::Torn { path, problem, .. }) => return Err(damaged(path, problem)),
                Err(StoreError::None { .. }) => {
                    return Err(damaged(directory, "there is no study.toml".to_string()));
                }
                Err(error) => return Err(error),
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
                Err(error) => return Err(StoreError::reading(&games)(error)),
            }
        }
        Ok(Some(record))
    }
}

impl TaskRecord {
    /// Reads the record of a finished task; none where there is none.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, StoreError> {
        let file = path.join(RECORD);
        if !is_there(&file)? {
            return Ok(None);
        }
        let damaged = |problem| StoreError::DamagedTask { path: file.clone(), problem };
        let wrong = |problem| StoreError::Task {
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
    pub(super) fn write(&self, path: &Path) -> Result<(), StoreError> {
        let text = toml::to_string(self).expect("a record has nothing that TOML cannot hold");
        write_whole(&path.join(RECORD), &sealed(&text))
    }
}
