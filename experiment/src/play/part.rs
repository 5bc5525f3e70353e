//! A part of an experiment while it is played: a study of its own.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use backrank_selfplay::play::{RecordError, Recorder, Run};
use backrank_selfplay::store::{StoreError, make_below};
use backrank_selfplay::study::{Study, StudyDirectory, StudyStarts};

use super::PlaySettings;
use crate::error::ExperimentError;
use crate::pairs::{PairLog, PairResults};

/// For runs that only read games.
static NEVER_STOPS: AtomicBool = AtomicBool::new(false);

/// A part, and its games so far.
pub(super) struct Part<'a> {
    /// Its directory.
    pub path: PathBuf,
    /// The directory of the experiment.
    root: PathBuf,
    study: Study,
    starts: StudyStarts,
    settings: &'a PlaySettings<'a>,
    /// `None` until its first game is to be played.
    recorder: Option<Recorder>,
    /// The results of its games at odds.
    log: PairLog,
}

impl<'a> Part<'a> {
    pub fn new(
        root: &Path,
        path: PathBuf,
        study: Study,
        settings: &'a PlaySettings<'a>,
    ) -> Result<Self, ExperimentError> {
        let starts = StudyStarts::of(&study, settings.rules)?;
        let (root, log) = (root.to_path_buf(), PairLog::default());
        Ok(Self { path, root, study, starts, settings, recorder: None, log })
    }

    /// The number of games so far, in all runs.
    pub fn games(&self) -> u64 {
        self.recorder.as_ref().map_or(0, Recorder::next)
    }

    /// The results of the pairs in its first `games` games.
    pub fn results(&self, games: u64) -> PairResults {
        self.log.of_first(games)
    }

    /// What plays its games until `stop` is set.
    pub fn run<'x>(&'x self, stop: &'x AtomicBool) -> Run<'x, 'a> {
        run(&self.study, &self.starts, self.settings, stop)
    }

    /// Creates the study, or reads and checks its games so far. Returns whether `study.toml` was damaged and had to be written
    /// again.
    pub fn begin(&mut self) -> Result<bool, ExperimentError> {
        if self.recorder.is_some() {
            return Ok(false);
        }
        make_below(&self.root, &self.path).map_err(StoreError::writing(&self.path))?;
        let directory = match self.path == self.root && !StudyDirectory::is_in(&self.path) {
            true => StudyDirectory::create_sharing_variant(&self.path, &self.study, || Ok(()))?,
            false => StudyDirectory::create_or_open(&self.path, &self.study)?,
        };
        self.resume(directory)
    }

    /// Writes `study.toml` again after a crash has damaged it, if the games that are there are those of this study.
    pub fn write_again(&mut self) -> Result<(), ExperimentError> {
        let mut directory = StudyDirectory::create_or_open(&self.path, &self.study)?;
        match StudyDirectory::recorded(&self.path)? {
            Some(_) => self.resume(directory).map(|_| ()),
            None => Ok(directory.write_again()?),
        }
    }

    fn resume(&mut self, directory: StudyDirectory) -> Result<bool, ExperimentError> {
        let was_torn = directory.is_torn();
        let run = run(&self.study, &self.starts, self.settings, &NEVER_STOPS);
        let mut log = PairLog::default();
        self.recorder = Some(Recorder::resume_reading(directory, &run, |record| log.add(record))?);
        self.log = log;
        Ok(was_torn)
    }

    /// Puts the games so far on the disk.
    pub fn sync(&mut self) -> Result<(), ExperimentError> {
        Ok(self.recorder.as_mut().map_or(Ok(()), Recorder::sync)?)
    }

    /// Puts the games on the disk at the end of this run, with their checksum.
    pub fn finish(&mut self) -> Result<(), ExperimentError> {
        Ok(self.recorder.as_mut().map_or(Ok(()), Recorder::finish)?)
    }

    /// Plays this many more games, or fewer if `stop` is set. `each` is called after each recorded game.
    pub fn play(
        &mut self,
        games: u64,
        stop: &AtomicBool,
        mut each: impl FnMut(),
    ) -> Result<(), ExperimentError> {
        self.begin()?;
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        let next = recorder.next();
        let end = next.saturating_add(games).min(self.study.all_games());
        let log = &mut self.log;
        run(&self.study, &self.starts, self.settings, stop).play(next..end, |played| {
            let next = recorder.add(&played)?;
            log.add(&played.record);
            each();
            Ok::<_, RecordError>(next)
        })?;
        Ok(recorder.check_files()?)
    }
}

fn run<'x, 'a>(
    study: &'x Study,
    starts: &'x StudyStarts,
    settings: &'a PlaySettings<'a>,
    stop: &'x AtomicBool,
) -> Run<'x, 'a>
where
    'a: 'x,
{
    let PlaySettings { rules, ref tables, threads } = *settings;
    // The embedded engine always answers, so there is no timeout.
    Run { study, rules, starts, tables, threads, timeout: Duration::MAX, stop }
}
