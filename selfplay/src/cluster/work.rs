//! Playing a task.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use backrank_endgames::EndgameTables;
use backrank_rules::Rules;
use thiserror::Error;

use super::lock::{Lock, LockAnswer, LockHolder};
use super::plan::{PlannedPart, TaskPart};
use super::task::{PairResults, PlannedStudy, TaskRecord, TaskRecordPart};
use crate::play::{RecordError, Recorder, Run, RunError};
use crate::store::durable;
use crate::store::{StoreError, make_below, write_inside};
use crate::study::{StartsError, Study, StudyDirectory, StudyStarts};

/// One who plays tasks of a study.
#[derive(Debug)]
pub struct Worker<'a> {
    /// The study.
    pub planned: &'a PlannedStudy,
    /// The rules of its variant.
    pub rules: &'a Rules,
    /// Endgame tables of the rules. They are built when the first game needs them.
    pub tables: &'a OnceLock<Arc<EndgameTables>>,
    /// The number of games at a time.
    pub threads: usize,
    /// The time between heartbeats.
    pub heartbeat: Duration,
    /// Set to end early: games that are not finished are given up.
    pub stop: &'static AtomicBool,
}

/// How long an engine that is not the embedded one may take to answer beyond its time for a move.
const TIMEOUT: Duration = Duration::from_secs(30);

/// What became of a task.
#[derive(Debug)]
pub enum Worked {
    /// All its games are there now.
    Finished(TaskRecord),
    /// All its games were there before.
    WasFinished,
    /// Another worker is at it.
    Busy(Box<LockHolder>),
    /// Another worker has taken it over, as this one gave no sign of life.
    TakenOver,
    /// This worker was told to stop. So many games of the task are recorded.
    Stopped {
        /// Games that are recorded.
        games: u64,
        /// Games of the task.
        of: u64,
    },
}

/// Why a task could not be played.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WorkError {
    /// The files give trouble.
    #[error(transparent)]
    Study(#[from] StoreError),
    /// The study has no such starts.
    #[error(transparent)]
    Starts(#[from] StartsError),
    /// Games could not be played or recorded.
    #[error(transparent)]
    Run(#[from] RunError<RecordError>),
}

impl Worker<'_> {
    /// Plays a task, or goes on with it. Its result appears in one piece when all its games are played. One that is finished
    /// and damaged is played again.
    ///
    /// No two workers write to the same file: each copies what others have left behind into a directory of its own. Its lock
    /// only keeps them from doing the same work twice.
    ///
    /// # Errors
    ///
    /// When there is no such task, the finished one is of another study, or a file cannot be written.
    pub fn work(&self, task: u64) -> Result<Worked, WorkError> {
        let planned = self.planned;
        let parts = planned.parts_of(task)?;
        match planned.record_of(task) {
            Ok(None) | Err(StoreError::DamagedTask { .. }) => (),
            Err(error) => return Err(error.into()),
            Ok(Some(_)) => {
                planned.clean(Some(task), &[]);
                return Ok(Worked::WasFinished);
            }
        }
        let tasks = planned.tasks_path();
        make_below(&planned.path, &tasks).map_err(StoreError::writing(&tasks))?;
        let lock = planned.lock(task);
        let is_needed = || !planned.is_sound(task);
        let lock = match Lock::take(&lock, self.heartbeat, self.threads, self.stop, is_needed) {
            Ok(LockAnswer::Held(lock)) => lock,
            Ok(LockAnswer::Busy(holder)) => return Ok(Worked::Busy(holder)),
            Ok(LockAnswer::NotNeeded) => return Ok(Worked::WasFinished),
            Err(error) => return Err(StoreError::writing(&lock)(error).into()),
        };
        let failure = planned.failure(task);
        let _ = std::fs::remove_file(&failure);
        let result = self.play(task, &parts, &lock);
        planned.clean(Some(task), &[]);
        match &result {
            // Whatever made it fail, the lock is lost, and with it the directory.
            Err(_) if lock.progress().lost.load(Ordering::Relaxed) => return Ok(Worked::TakenOver),
            // On a full disk even this may not be written.
            Err(error) => drop(write_inside(&failure, &format!("{error}\n"))),
            Ok(_) => (),
        }
        result
    }

    fn play(&self, task: u64, parts: &[TaskPart<'_>], lock: &Lock) -> Result<Worked, WorkError> {
        let begin = Instant::now();
        let planned = self.planned;
        if self.is_finished_after_all(task, lock)? {
            return Ok(Worked::WasFinished);
        }
        let own = planned.attempt(task, lock.worker());
        let left = self.left_behind(task)?;
        let all = parts.iter().map(|part| part.games.end - part.games.start).sum();
        // Those of all parts first: who takes over from this worker finds them in one place.
        for part in parts {
            copy_largest(&left, &own, part.part).inspect_err(|_| drop(std::fs::remove_dir_all(&own)))?;
        }
        left.iter().for_each(|path| drop(std::fs::remove_dir_all(path)));
        let (mut record_parts, mut found) = (Vec::new(), 0);
        for part in parts {
            let study = part.study(&planned.study);
            let path = part.part.below(&own);
            let starts = StudyStarts::of(&study, self.rules)?;
            let run = self.run(&study, &starts);
            let before = lock.progress().games.load(Ordering::Relaxed);
            let mut recorder = begin_part(&path, &study, &run)?;
            found += recorder.next() - part.games.start;
            lock.progress().found.store(found, Ordering::Relaxed);
            let recorded = |next: u64| {
                lock.progress().games.store(before + next - part.games.start, Ordering::Relaxed);
            };
            recorded(recorder.next());
            run.play(recorder.next()..part.games.end, |played| {
                let next = recorder.add(&played)?;
                recorded(recorder.next());
                Ok::<_, RecordError>(next)
            })?;
            if !recorder.is_complete() {
                let games = lock.progress().games.load(Ordering::Relaxed);
                return Ok(match lock.progress().lost.load(Ordering::Relaxed) {
                    true => Worked::TakenOver,
                    false => Worked::Stopped { games, of: all },
                });
            }
            drop(recorder);
            record_parts.push(record_part(part, &path, &run)?);
        }
        let record = TaskRecord {
            version: env!("CARGO_PKG_VERSION").to_string(),
            host: lock.host().to_string(),
            threads: self.threads as u64,
            played: all - found,
            seconds: begin.elapsed().as_secs_f64(),
            parts: record_parts,
        };
        record.write(&own)?;
        self.finish(task, &own, record)
    }

    fn run<'x>(&'x self, study: &'x Study, starts: &'x StudyStarts) -> Run<'x, 'x> {
        let Worker { rules, tables, threads, stop, .. } = *self;
        Run { study, rules, starts, tables, threads, timeout: TIMEOUT, stop }
    }

    /// Whether a task is finished and its games are those that it was finished with. One that is damaged is removed.
    fn is_finished_after_all(&self, task: u64, lock: &Lock) -> Result<bool, StoreError> {
        let (planned, finished) = (self.planned, self.planned.finished(task));
        let damage = planned.damage(task);
        match planned.verified_record_of(task) {
            Ok(Some(_)) => {
                durable::remove(&damage).map_err(StoreError::writing(&damage))?;
                return Ok(true);
            }
            Err(StoreError::DamagedTask { .. }) => {
                // Away in one piece: it must not look like a finished one while it is removed.
                let aside = planned.set_aside(task, lock.worker());
                std::fs::rename(&finished, &aside).map_err(StoreError::writing(&finished))?;
                std::fs::remove_dir_all(&aside).map_err(StoreError::writing(&aside))?;
            }
            result => drop(result?),
        }
        durable::remove(&damage).map_err(StoreError::writing(&damage))?;
        Ok(false)
    }

    /// What other workers have left behind.
    fn left_behind(&self, task: u64) -> Result<Vec<PathBuf>, StoreError> {
        let names = self.planned.names()?.into_iter();
        let left = names.filter(|(of, rest)| *of == task && rest.ends_with(".playing"));
        Ok(left.map(|(task, rest)| self.planned.finished(task).with_added_extension(rest)).collect())
    }

    /// Gives what was played its name, unless another worker was faster.
    fn finish(&self, task: u64, own: &Path, record: TaskRecord) -> Result<Worked, WorkError> {
        let finished = self.planned.finished(task);
        match durable::publish_folder(own, &finished) {
            Ok(()) => (),
            Err(_) if self.planned.is_sound(task) => {
                let _ = std::fs::remove_dir_all(own);
                return Ok(Worked::WasFinished);
            }
            Err(error) => return Err(StoreError::writing(&finished)(error).into()),
        }
        // What others who were at it have left; a lost machine that comes back finds the task finished.
        self.left_behind(task)?.iter().for_each(|path| drop(std::fs::remove_dir_all(path)));
        Ok(Worked::Finished(record))
    }
}

/// Copies the games of a study that another worker has recorded most of.
fn copy_largest(left: &[PathBuf], own: &Path, part: &PlannedPart) -> Result<(), StoreError> {
    let directory = part.below(own);
    make_below(own, &directory).map_err(StoreError::writing(&directory))?;
    let files = left.iter().map(|left| StudyDirectory::games(&part.below(left)));
    let sizes = files.filter_map(|file| {
        Some((std::fs::symlink_metadata(&file).ok().filter(Metadata::is_file)?.len(), file))
    });
    let Some((_, largest)) = sizes.max() else { return Ok(()) };
    let games = StudyDirectory::games(&directory);
    // On the disk before the other one is removed.
    std::fs::copy(&largest, &games).and_then(|_| durable::sync(&games)).map_err(StoreError::writing(&games))
}

/// Gets ready to record games after those that are there. What a crash has damaged is played again from the first game.
fn begin_part(path: &Path, study: &Study, run: &Run<'_, '_>) -> Result<Recorder, StoreError> {
    let begin = || Recorder::resume(StudyDirectory::create_own(path, study)?, run);
    match begin() {
        Err(StoreError::Row { .. }) => {
            let games = StudyDirectory::games(path);
            std::fs::remove_file(&games).map_err(StoreError::writing(&games))?;
            begin()
        }
        result => result,
    }
}

/// Reads the games of a part again as they are on the disk, plays them by the rules, and says what they are.
fn record_part(part: &TaskPart<'_>, path: &Path, run: &Run<'_, '_>) -> Result<TaskRecordPart, StoreError> {
    let games = StudyDirectory::games(path);
    durable::sync(&games).map_err(StoreError::writing(&games))?;
    let mut pairs = PairResults::default();
    let recorded = run.read(StudyDirectory::read_games(path, run.study)?, |record| pairs.add(record))?;
    if recorded.next != part.games.end {
        let problem =
            format!("it ends before game {}, and games up to {} were written", recorded.next, part.games.end);
        return Err(StoreError::Task { path: games, problem });
    }
    Ok(TaskRecordPart {
        path: part.part.path.to_string(),
        start: part.games.start,
        end: part.games.end,
        bytes: recorded.end,
        sha256: StudyDirectory::sha256_of_games(&games, recorded.end)?,
        pairs,
    })
}
