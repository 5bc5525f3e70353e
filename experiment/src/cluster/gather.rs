//! Gathering: adding the games of finished tasks to the studies of the experiment.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use backrank_selfplay::store::{Checksum, Definition, DirectoryKind, StoreError, durable, make_below};
use backrank_selfplay::study::{GamesWriter, Study, StudyDirectory};
use rayon::prelude::*;

use super::gather_record::{GatherRecord, GatheredGames};
use super::lock::{Lock, LockAnswer};
use super::state::with_readers;
use super::task::{OTHER_GAMES, TaskRecord, TaskRecordPart};
use crate::error::ExperimentError;
use crate::plan::{PlannedExperiment, PlannedPart, TaskPart};

/// What was gathered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GatherOutcome {
    /// The studies, the games from all setups first.
    pub studies: Vec<GatheredGames>,
    /// The tasks of planned rounds that could not be gathered.
    pub missing: Vec<UngatheredTask>,
    /// The number of games that were added.
    pub added: u64,
}

/// A task that could not be gathered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UngatheredTask {
    /// The task.
    pub task: u64,
    /// What is wrong with its files; `None` if it is not finished.
    pub problem: Option<String>,
}

/// A task of a planned round, and its record if it is finished and its games were not gathered before.
struct GatherTask<'p> {
    task: u64,
    parts: Vec<TaskPart<'p>>,
    record: Option<TaskRecord>,
    problem: Option<String>,
}

impl GatherTask<'_> {
    /// What it plays of each study, with the task's record of it.
    fn parts_with_records(&self) -> impl Iterator<Item = (&TaskPart<'_>, Option<&TaskRecordPart>)> {
        let record = |index: usize| self.record.as_ref().and_then(|record| record.parts.get(index));
        self.parts.iter().enumerate().map(move |(index, part)| (part, record(index)))
    }
}

impl PlannedExperiment {
    /// Adds the games of finished tasks to the `games.csv` of each study, in the order of their numbers, up to the first
    /// game that is missing. Games that are there already are left as they are, so a study can be read meanwhile, and
    /// gathering can be repeated. Memory does not grow with the number of games.
    ///
    /// `progress` is called with the number of games whenever some are added.
    ///
    /// # Errors
    ///
    /// When another process gathers, a file cannot be read or written, or games that were gathered before are damaged. It is
    /// no error if the files of a task are damaged or belong to another study: the task is listed in the outcome.
    pub fn gather(
        &self,
        heartbeat: Duration,
        stop: &'static AtomicBool,
        mut progress: impl FnMut(u64),
    ) -> Result<GatherOutcome, ExperimentError> {
        let tasks = self.make_tasks_path()?;
        let lock = tasks.join("gather.lock");
        let answer = Lock::take(&lock, heartbeat, 1, stop, || true).map_err(StoreError::writing(&lock))?;
        let LockAnswer::Held(_lock) = answer else {
            return Err(StoreError::Locked(self.path.clone()).into());
        };
        let before = GatherRecord::read(self, &self.gathered()?);
        let read = |task: u64| {
            let parts = self.plan.task(task)?;
            let (record, problem) = match before.has(&parts) {
                true => (None, None),
                false => self
                    .record_without_games(task)
                    .map_or_else(|error| (None, Some(error.to_string())), |record| (record, None)),
            };
            Some(GatherTask { task, parts, record, problem })
        };
        let mut tasks: Vec<GatherTask<'_>> =
            with_readers(|| (1..=self.plan.tasks).into_par_iter().filter_map(read).collect());
        let mut gathered = GatherOutcome::default();
        for parts in self.plan.studies() {
            let study = self.gather_study(&parts, &mut tasks, &mut gathered.added, &mut progress)?;
            gathered.studies.push(study);
        }
        if gathered.added == 0 && gathered.studies.iter().all(|study| study.games == study.of) {
            // Nothing was left to gather: the command is then run to check what is there.
            gathered.studies.par_iter().try_for_each(|study| verify(&StudyDirectory::games(&study.path)))?;
        }
        self.record_gathered(before, &tasks, &gathered.studies)?;
        let missing = tasks
            .into_iter()
            .filter(|task| task.record.is_none() && !self.is_gathered(&task.parts, &gathered.studies));
        gathered.missing =
            missing.map(|GatherTask { task, problem, .. }| UngatheredTask { task, problem }).collect();
        self.clean(None, &gathered.studies);
        Ok(gathered)
    }

    /// Whether all games of a task are among those that are gathered.
    pub(super) fn is_gathered(&self, parts: &[TaskPart<'_>], studies: &[GatheredGames]) -> bool {
        parts.iter().all(|part| {
            let path = part.part.below(&self.path);
            studies.iter().any(|study| study.path == path && study.games >= part.games.end)
        })
    }

    /// Writes `gathered.toml`.
    fn record_gathered(
        &self,
        before: GatherRecord,
        tasks: &[GatherTask<'_>],
        studies: &[GatheredGames],
    ) -> Result<(), ExperimentError> {
        let mut now = before.clone();
        for (parts, study) in self.plan.studies().into_iter().zip(studies) {
            let is_gathered =
                |part: &TaskPart<'_>| part.part.path == parts[0].path && part.games.end <= study.games;
            let of_tasks = tasks.iter().flat_map(GatherTask::parts_with_records);
            now.add_study(self, &parts, of_tasks.filter(|(part, _)| is_gathered(part)))?;
        }
        for GatherTask { parts, record, .. } in tasks {
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
        tasks: &mut [GatherTask<'_>],
        added: &mut u64,
        progress: &mut impl FnMut(u64),
    ) -> Result<GatheredGames, ExperimentError> {
        let Some(last) = parts.last() else { unreachable!("every study in a plan has a part") };
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
                }
                .into());
            }
            Some(_) => StudyDirectory::end_of_games(&games)?,
        };
        // Opened when the first game is added.
        let mut open: Option<(StudyDirectory, GamesWriter)> = None;
        'tasks: for task in tasks {
            let GatherTask { task: number, parts, record, problem } = task;
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
                    *problem = Some(format!("{damage}; the next worker plays the task again"));
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
            // An earlier run may have been killed after it added the last game and before it wrote the checksum.
            match next == last.end && !Checksum::path(&games).exists() {
                true => open = Some(self.open_study(&path, &study, end)?),
                false => durable::sync(&games).map_err(StoreError::writing(&games))?,
            }
        }
        if let Some((_, writer)) = &mut open {
            // On the disk before `gathered.toml` counts these games. Only a complete file gets a checksum, because any
            // other soon changes.
            if next == last.end { writer.finish()? } else { writer.sync()? }
        }
        Ok(GatheredGames { path, games: next, of: last.end })
    }

    /// Opens a study to append games after its first `end` bytes, or creates it.
    fn open_study(
        &self,
        path: &Path,
        study: &Study,
        end: u64,
    ) -> Result<(StudyDirectory, GamesWriter), ExperimentError> {
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
                }
                .into());
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

/// Compares the games that were gathered before with their checksum, if they have one.
fn verify(games: &Path) -> Result<(), ExperimentError> {
    let Some(expected) = Checksum::read(games)? else { return Ok(()) };
    let (Some(bytes), true) = (expected.bytes, games.exists()) else { return Ok(()) };
    match StudyDirectory::sha256_of_games(games, bytes)? == expected.sha256 {
        true => Ok(()),
        false => Err(StoreError::Damaged(games.to_path_buf()).into()),
    }
}
