//! Playing a task.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use backrank_endgames::EndgameTables;
use backrank_rules::Rules;
use backrank_selfplay::play::{RecordError, Recorder, Run};
use backrank_selfplay::store::{StoreError, durable, make_below, write_inside};
use backrank_selfplay::study::{Study, StudyDirectory, StudyStarts};

use super::lock::{Lock, LockAnswer, LockHolder};
use super::task::{TaskRecord, TaskRecordPart};
use crate::error::ExperimentError;
use crate::pairs::{PairReader, PairResults};
use crate::plan::{PlannedExperiment, PlannedPart, TaskPart};

/// Plays tasks of an experiment.
#[derive(Debug)]
pub struct Worker<'a> {
    /// The experiment.
    pub planned: &'a PlannedExperiment,
    /// The rules of its variant.
    pub rules: &'a Rules,
    /// Endgame tables of the rules. They are built when the first game needs them.
    pub tables: &'a OnceLock<Arc<EndgameTables>>,
    /// The number of games at a time.
    pub threads: usize,
    /// The time between heartbeats.
    pub heartbeat: Duration,
    /// Set it to end early. Games that are not finished then are given up.
    pub stop: &'static AtomicBool,
}

/// How long an external engine may take to answer, not counting its time for a move.
const TIMEOUT: Duration = Duration::from_secs(30);

/// What became of a task.
#[derive(Debug)]
pub enum WorkOutcome {
    /// All its games are there now.
    Finished(TaskRecord),
    /// All its games were there before.
    WasFinished,
    /// Another worker plays it.
    Busy(Box<LockHolder>),
    /// Another worker has taken it over, because this one had missed too many heartbeats.
    TakenOver,
    /// This worker was told to stop.
    Stopped {
        /// The number of recorded games.
        games: u64,
        /// The number of games of the task.
        of: u64,
    },
}

impl Worker<'_> {
    /// Plays a task, or continues it. Its directory gets its name when all its games are played. A finished task whose files
    /// are damaged is played again.
    ///
    /// No two workers write to the same file: each copies the games that others have left behind into a directory of its own.
    /// The lock only keeps two workers from doing the same work.
    ///
    /// # Errors
    ///
    /// When there is no such task, its files are those of another study, or a file cannot be written.
    pub fn work(&self, task: u64) -> Result<WorkOutcome, ExperimentError> {
        let planned = self.planned;
        let parts = planned.parts_of(task)?;
        match planned.record_of(task) {
            Ok(None) | Err(ExperimentError::DamagedTask { .. }) => (),
            Err(error) => return Err(error),
            Ok(Some(_)) => {
                planned.clean(Some(task), &[]);
                return Ok(WorkOutcome::WasFinished);
            }
        }
        planned.make_tasks_path()?;
        let lock = planned.lock(task);
        let is_needed = || !planned.is_sound(task);
        let lock = match Lock::take(&lock, self.heartbeat, self.threads, self.stop, is_needed) {
            Ok(LockAnswer::Held(lock)) => lock,
            Ok(LockAnswer::Busy(holder)) => return Ok(WorkOutcome::Busy(holder)),
            Ok(LockAnswer::NotNeeded) => return Ok(WorkOutcome::WasFinished),
            Err(error) => return Err(StoreError::writing(&lock)(error).into()),
        };
        let failure = planned.failure(task);
        let _ = std::fs::remove_file(&failure);
        let result = self.play(task, &parts, &lock);
        planned.clean(Some(task), &[]);
        match &result {
            // The worker that took the lock over has removed this one's directory, so any error may follow from that.
            Err(_) if lock.progress().lost.load(Ordering::Relaxed) => return Ok(WorkOutcome::TakenOver),
            // Even this may fail, such as on a full disk.
            Err(error) => drop(write_inside(&failure, &format!("{error}\n"))),
            Ok(_) => (),
        }
        result
    }

    fn play(&self, task: u64, parts: &[TaskPart<'_>], lock: &Lock) -> Result<WorkOutcome, ExperimentError> {
        let begin = Instant::now();
        let planned = self.planned;
        if self.is_finished_after_all(task, lock)? {
            return Ok(WorkOutcome::WasFinished);
        }
        let own = planned.attempt(task, lock.worker());
        let left = self.left_behind(task)?;
        let all = parts.iter().map(|part| part.games.end - part.games.start).sum();
        // The games of all parts are copied before any is played, so that the next worker finds them in one place.
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
                    true => WorkOutcome::TakenOver,
                    false => WorkOutcome::Stopped { games, of: all },
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

    /// Whether a task is finished and its games have the checksums of its record. A damaged one is removed.
    fn is_finished_after_all(&self, task: u64, lock: &Lock) -> Result<bool, ExperimentError> {
        let (planned, finished) = (self.planned, self.planned.finished(task));
        let damage = planned.damage(task);
        match planned.verified_record_of(task) {
            Ok(Some(_)) => {
                durable::remove(&damage).map_err(StoreError::writing(&damage))?;
                return Ok(true);
            }
            Err(ExperimentError::DamagedTask { .. }) => {
                // Renamed first, because a half-removed directory must not look like a finished task.
                let aside = planned.set_aside(task, lock.worker());
                std::fs::rename(&finished, &aside).map_err(StoreError::writing(&finished))?;
                std::fs::remove_dir_all(&aside).map_err(StoreError::writing(&aside))?;
            }
            result => drop(result?),
        }
        durable::remove(&damage).map_err(StoreError::writing(&damage))?;
        Ok(false)
    }

    /// The directories in which other workers have played a task.
    fn left_behind(&self, task: u64) -> Result<Vec<PathBuf>, ExperimentError> {
        let names = self.planned.names()?.into_iter();
        let left = names.filter(|(of, rest)| *of == task && rest.ends_with(".playing"));
        Ok(left.map(|(task, rest)| self.planned.finished(task).with_added_extension(rest)).collect())
    }

    /// Gives the directory of this worker the task's name, unless another worker was faster.
    fn finish(&self, task: u64, own: &Path, record: TaskRecord) -> Result<WorkOutcome, ExperimentError> {
        let finished = self.planned.finished(task);
        match durable::publish_folder(own, &finished) {
            Ok(()) => (),
            Err(_) if self.planned.is_sound(task) => {
                let _ = std::fs::remove_dir_all(own);
                return Ok(WorkOutcome::WasFinished);
            }
            Err(error) => return Err(StoreError::writing(&finished)(error).into()),
        }
        // A worker that was taken for dead and comes back finds the task finished.
        self.left_behind(task)?.iter().for_each(|path| drop(std::fs::remove_dir_all(path)));
        Ok(WorkOutcome::Finished(record))
    }
}

/// Copies the largest `games.csv` of a part that another worker has left behind.
fn copy_largest(left: &[PathBuf], own: &Path, part: &PlannedPart) -> Result<(), ExperimentError> {
    let directory = part.below(own);
    make_below(own, &directory).map_err(StoreError::writing(&directory))?;
    let files = left.iter().map(|left| StudyDirectory::games(&part.below(left)));
    let sizes = files.filter_map(|file| {
        Some((std::fs::symlink_metadata(&file).ok().filter(Metadata::is_file)?.len(), file))
    });
    let Some((_, largest)) = sizes.max() else { return Ok(()) };
    let games = StudyDirectory::games(&directory);
    // On the disk before the other one is removed.
    std::fs::copy(&largest, &games)
        .and_then(|_| durable::sync(&games))
        .map_err(StoreError::writing(&games))?;
    Ok(())
}

/// Opens a part to record its games after those that are there. If a crash has damaged these, all are played again.
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

/// The record of a part, from its games as they are on the disk. Each is replayed by the rules.
fn record_part(
    part: &TaskPart<'_>,
    path: &Path,
    run: &Run<'_, '_>,
) -> Result<TaskRecordPart, ExperimentError> {
    let games = StudyDirectory::games(path);
    durable::sync(&games).map_err(StoreError::writing(&games))?;
    let (mut pairs, mut reader) = (PairResults::default(), PairReader::default());
    let recorded = run.read(StudyDirectory::read_games(path, run.study)?, |record| {
        if let Some(pair) = reader.add(record) {
            pairs.count(pair);
        }
    })?;
    if recorded.next != part.games.end {
        let problem =
            format!("it ends before game {}, and games up to {} were written", recorded.next, part.games.end);
        return Err(ExperimentError::Task { path: games, problem });
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
