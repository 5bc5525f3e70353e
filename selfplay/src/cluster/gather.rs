//! Putting the games of finished tasks together.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rayon::prelude::*;

use super::gathered::{GatheredRecord, GatheredStudy};
use super::lock::{Lock, LockAnswer};
use super::plan::{PlannedPart, TaskPart};
use super::state::with_readers;
use super::task::{OTHER_GAMES, PlannedStudy, TaskRecord, TaskRecordPart};
use crate::store::durable;
use crate::store::{Checksum, Definition, DirectoryKind, StoreError, make_below};
use crate::study::{GamesWriter, Study, StudyDirectory};

/// What was put together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gathered {
    /// The studies, the games from all setups first.
    pub studies: Vec<GatheredStudy>,
    /// The tasks of the rounds that are planned which could not be gathered.
    pub missing: Vec<NotGathered>,
    /// Games that were added.
    pub added: u64,
}

/// A task that could not be gathered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotGathered {
    /// The task.
    pub task: u64,
    /// What is wrong with its files; none where it is not finished.
    pub problem: Option<String>,
}

/// A task and what it says of itself, unless its games were gathered before.
struct FinishedTask<'p> {
    task: u64,
    parts: Vec<TaskPart<'p>>,
    record: Option<TaskRecord>,
    problem: Option<String>,
}

impl FinishedTask<'_> {
    /// What it plays, each with what the task says of it.
    fn parts_with_records(&self) -> impl Iterator<Item = (&TaskPart<'_>, Option<&TaskRecordPart>)> {
        let record = |index: usize| self.record.as_ref().and_then(|record| record.parts.get(index));
        self.parts.iter().enumerate().map(move |(index, part)| (part, record(index)))
    }
}

impl PlannedStudy {
    /// Adds the games of finished tasks to the `games.csv` of each study, in the order of their numbers, up to the first
    /// game that is missing. What is there already is left as it is, so that it can be read meanwhile, and gathered again
    /// later. Memory does not grow with games.
    ///
    /// `progress` is told the numbers of games that are added.
    ///
    /// # Errors
    ///
    /// When another process gathers, a file cannot be read or written, or games that were gathered before are damaged. A task
    /// whose files are damaged, or of another study, is listed instead.
    pub fn gather(
        &self,
        heartbeat: Duration,
        stop: &'static AtomicBool,
        mut progress: impl FnMut(u64),
    ) -> Result<Gathered, StoreError> {
        let tasks = self.tasks_path();
        make_below(&self.path, &tasks).map_err(StoreError::writing(&tasks))?;
        let lock = tasks.join("gather.lock");
        let answer = Lock::take(&lock, heartbeat, 1, stop, || true).map_err(StoreError::writing(&lock))?;
        let LockAnswer::Held(_lock) = answer else { return Err(StoreError::Locked(self.path.clone())) };
        let before = GatheredRecord::read(self, &self.gathered()?);
        let look = |task: u64| {
            let parts = self.plan.task(task)?;
            let (record, problem) = match before.has(&parts) {
                true => (None, None),
                false => self
                    .record_without_games(task)
                    .map_or_else(|error| (None, Some(error.to_string())), |record| (record, None)),
            };
            Some(FinishedTask { task, parts, record, problem })
        };
        let mut tasks: Vec<FinishedTask<'_>> =
            with_readers(|| (1..=self.plan.tasks).into_par_iter().filter_map(look).collect());
        let mut gathered = Gathered::default();
        for parts in self.plan.studies() {
            let study = self.gather_study(&parts, &mut tasks, &mut gathered.added, &mut progress)?;
            gathered.studies.push(study);
        }
        if gathered.added == 0 && gathered.studies.iter().all(|study| study.games == study.of) {
            // There is nothing else to do, and somebody may want to know.
            gathered.studies.par_iter().try_for_each(|study| verify(&StudyDirectory::games(&study.path)))?;
        }
        self.record_gathered(before, &tasks, &gathered.studies)?;
        let missing = tasks
            .into_iter()
            .filter(|task| task.record.is_none() && !self.is_gathered(&task.parts, &gathered.studies));
        gathered.missing =
            missing.map(|FinishedTask { task, problem, .. }| NotGathered { task, problem }).collect();
        self.clean(None, &gathered.studies);
        Ok(gathered)
    }

    /// Whether all games of a task are among those that are gathered.
    pub(super) fn is_gathered(&self, parts: &[TaskPart<'_>], studies: &[GatheredStudy]) -> bool {
        parts.iter().all(|part| {
            let path = part.part.below(&self.path);
            studies.iter().any(|study| study.path == path && study.games >= part.games.end)
        })
    }

    /// Writes down what is gathered now.
    fn record_gathered(
        &self,
        before: GatheredRecord,
        tasks: &[FinishedTask<'_>],
        studies: &[GatheredStudy],
    ) -> Result<(), StoreError> {
        let mut now = before.clone();
        for (parts, study) in self.plan.studies().into_iter().zip(studies) {
            let is_gathered =
                |part: &TaskPart<'_>| part.part.path == parts[0].path && part.games.end <= study.games;
            let of_tasks = tasks.iter().flat_map(FinishedTask::parts_with_records);
            now.add_study(self, &parts, of_tasks.filter(|(part, _)| is_gathered(part)))?;
        }
        for FinishedTask { parts, record, .. } in tasks {
            if let Some(record) = record
                && now.has(parts)
            {
                now.add_time(record);
            }
        }
        if now == before { Ok(()) } else { now.write(self) }
    }

    fn gather_study(
        &self,
        parts: &[&PlannedPart],
        tasks: &mut [FinishedTask<'_>],
        added: &mut u64,
        progress: &mut impl FnMut(u64),
    ) -> Result<GatheredStudy, StoreError> {
        let Some(last) = parts.last() else { unreachable!("a study is planned by its parts") };
        let study = last.study(&self.study);
        let path = last.below(&self.path);
        let games = StudyDirectory::games(&path);
        let (mut next, end) = match StudyDirectory::recorded(&path)? {
            None => (0, 0),
            Some(file) if file != games => {
                return Err(StoreError::Compressed {
                    what: DirectoryKind::Study,
                    path: file,
                    next: 0,
                    all: study.all_games(),
                });
            }
            Some(_) => StudyDirectory::end_of_games(&games)?,
        };
        // The directory and its writer, once there is something to add.
        let mut open: Option<(StudyDirectory, GamesWriter)> = None;
        'tasks: for task in tasks {
            let FinishedTask { task: number, parts, record, problem } = task;
            for (index, part) in parts.iter().enumerate() {
                if part.part.path != last.path || part.games.end <= next {
                    continue;
                }
                let Some(of_part) = record.as_ref().and_then(|record| record.parts.get(index)) else {
                    break 'tasks;
                };
                let (_, writer) = match &mut open {
                    Some(open) => open,
                    none => none.insert(self.open_study(&path, &study, end)?),
                };
                let from = StudyDirectory::games(&last.below(&self.finished(*number)));
                let before = writer.end();
                let sha256 = writer.append(&from, of_part.bytes, next.saturating_sub(part.games.start))?;
                if sha256 != of_part.sha256 {
                    writer.cut(before)?;
                    let damage = format!("{} {OTHER_GAMES}", from.display());
                    self.mark_as_damaged(*number, &damage)?;
                    *problem = Some(format!("{damage}; `backrank work` plays the task again"));
                    *record = None;
                    break 'tasks;
                }
                let games = part.games.end - next.max(part.games.start);
                *added += games;
                next = part.games.end;
                progress(games);
            }
        }
        if open.is_none() && games.exists() {
            // An earlier run may have been killed after it added the last of them.
            match next == last.end && !Checksum::path(&games).exists() {
                true => open = Some(self.open_study(&path, &study, end)?),
                false => durable::sync(&games).map_err(StoreError::writing(&games))?,
            }
        }
        if let Some((_, writer)) = &mut open {
            // Before anything says that these games are gathered. A checksum of part of them would soon be another's.
            if next == last.end { writer.finish()? } else { writer.sync()? }
        }
        Ok(GatheredStudy { path, games: next, of: last.end })
    }

    /// Goes on with a study after so many bytes, or begins it.
    fn open_study(
        &self,
        path: &std::path::Path,
        study: &Study,
        end: u64,
    ) -> Result<(StudyDirectory, GamesWriter), StoreError> {
        let directory = if StudyDirectory::holds(path)? {
            let (directory, begun) = StudyDirectory::open(path)?;
            if let Some([name, theirs, ours]) = begun.differences(study).first() {
                let problem = format!(
                    "it is not the study of the plan: {name} is {theirs} there and {ours} in the plan"
                );
                return Err(StoreError::Definition {
                    what: DirectoryKind::Study,
                    path: path.join("study.toml"),
                    problem,
                });
            }
            directory
        } else {
            make_below(&self.path, path).map_err(StoreError::writing(path))?;
            StudyDirectory::create(path, study)?
        };
        let games = StudyDirectory::games(path);
        verify(&games)?;
        let writer = GamesWriter::resume(&games, end, study)?;
        Ok((directory, writer))
    }
}

/// Holds the games that were gathered before against their checksum, if they have one.
fn verify(games: &std::path::Path) -> Result<(), StoreError> {
    let Some(expected) = Checksum::read(games)? else { return Ok(()) };
    let (Some(bytes), true) = (expected.bytes, games.exists()) else { return Ok(()) };
    match StudyDirectory::sha256_of_games(games, bytes)? == expected.sha256 {
        true => Ok(()),
        false => Err(StoreError::Damaged(games.to_path_buf())),
    }
}
