//! The directory of a study: `study.toml`, `games.csv`, `failures.log`, and the lock that keeps other runs out.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::changes::Continued;
use super::definition::Study;
use super::error::StudyError;
use super::files::{create_directory, is_there, is_torn, lock, plain_or_compressed, read_toml, write_whole};
use super::games::{GamesReader, GamesWriter, end_of_rows, sha256_of_rows};
use super::inside::open_inside;
use super::played_elsewhere::{RowsPlace, is_unfinished};
use super::scores::ScoresWriter;
use crate::atlas::AtlasDirectory;
use crate::durable;

/// The definition of the study.
const STUDY: &str = "study.toml";

/// What players that failed had last said.
const FAILURES: &str = "failures.log";

/// A study's directory, locked against other runs until this value is dropped.
#[derive(Debug)]
pub struct StudyDirectory {
    path: PathBuf,
    /// The operating system releases it when the process ends, however it ends. `None` if no other run can know the
    /// directory.
    _lock: Option<File>,
    /// The definition that is to be written again when the rows are found to be those of its study, as a crash has damaged
    /// the one that is there.
    torn: Option<Study>,
}

impl StudyDirectory {
    /// Creates a study in a directory that holds none.
    ///
    /// # Errors
    ///
    /// When the directory holds a study, is in use by another run, or cannot be written.
    pub fn create(path: &Path, study: &Study) -> Result<Self, StudyError> {
        let directory = Self::claim(path)?;
        directory.begin(study)?;
        Ok(directory)
    }

    /// Creates or opens a study in a directory that no other run can know, without locking it.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub(crate) fn create_own(path: &Path, study: &Study) -> Result<Self, StudyError> {
        let directory = Self { path: path.to_path_buf(), _lock: None, torn: None };
        directory.begin(study)?;
        Ok(directory)
    }

    /// Rewrites `study.toml` with a study that differs from the one there only in its plan. The caller must hold a lock
    /// against other runs.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    ///
    /// # Panics
    ///
    /// When the study differs in anything else.
    pub fn change_plan(path: &Path, study: &Study) -> Result<(), StudyError> {
        assert!(Self::read(path)?.differences(study).is_empty(), "the plan alone may change");
        Self::create_own(path, study).map(|_| ())
    }

    /// Creates a study, or opens it if the directory holds the same study already. If a crash has damaged the definition
    /// that is there, [`Self::write_again`] replaces it.
    ///
    /// # Errors
    ///
    /// When the directory holds a different study, is in use by another run, or cannot be written.
    pub fn create_or_open(path: &Path, study: &Study) -> Result<Self, StudyError> {
        if !Self::is_study(path) {
            return Self::create(path, study);
        }
        if Self::is_torn_in(path) {
            let mut directory = Self::lock(path)?;
            directory.torn = Some(study.clone());
            return Ok(directory);
        }
        let (directory, begun) = Self::open(path)?;
        begun.check_unchanged(path, study)?;
        Ok(directory)
    }

    /// Creates a study whose games were played elsewhere. `write` writes its rows, and those of `scores.csv` if the
    /// study records scores. It returns the study that `study.toml` is to hold: its columns must be the same, and if it
    /// no longer records scores, no `scores.csv` is kept.
    ///
    /// If anything fails, the directory holds no study that was not there before, and the call can be repeated; so it can
    /// when the process was killed at any moment, also after the last. `is_same` says whether a study that is there may be
    /// the one that an earlier call has begun; if so, the rows are written again and held against those that are there.
    ///
    /// # Errors
    ///
    /// When the directory holds another study, is in use by another run, or cannot be written, and when `write` fails.
    pub fn create_played<E: From<StudyError>>(
        path: &Path,
        study: &Study,
        is_same: impl FnOnce(&Study) -> bool,
        failures: &str,
        write: impl FnOnce(&mut GamesWriter, Option<&mut ScoresWriter>) -> Result<Study, E>,
    ) -> Result<(), E> {
        create_directory(path)?;
        let (_lock, games, scores) = (lock(path)?, Self::games(path), Self::scores(path));
        let (toml, log) = (path.join(STUDY), path.join(FAILURES));
        let is_there = Self::is_study(path) && !is_unfinished(&games) && !Self::is_torn_in(path);
        let is_packed = Self::recorded(path)?.is_some_and(|file| file != games);
        if is_there && (is_packed || !is_same(&Self::read(path)?)) {
            return Err(StudyError::Exists(path.to_path_buf()).into());
        }
        if !Self::is_study(path) {
            Self::check_vacant(path)?;
        }
        let (rows, of_scores) = (RowsPlace::of(&games), RowsPlace::of(&scores));
        let write_all = || {
            let mut writer = GamesWriter::resume(&rows.unfinished, 0, study)?;
            let mut writer_of_scores =
                study.scores.then(|| ScoresWriter::resume(&of_scores.unfinished, 0, study)).transpose()?;
            let whole = write(&mut writer, writer_of_scores.as_mut())?;
            let sums = (writer.sum()?, writer_of_scores.filter(|_| whole.scores));
            let sum_of_scores = sums.1.map(|mut scores| scores.sum()).transpose()?;
            // Nothing that is there is touched unless it is the same.
            let is_other = !rows.is_free_for(&sums.0)?
                || sum_of_scores.as_ref().is_some_and(|sum| !of_scores.is_free_for(sum).unwrap_or(false))
                || (is_there && Self::read(path)? != whole);
            if is_other {
                return Err(StudyError::Exists(path.to_path_buf()).into());
            }
            if !failures.is_empty() {
                write_whole(&log, failures)?;
            }
            write_whole(&toml, &whole.to_toml())?;
            // Until games.csv has its name, which comes last, the next call does all of this again.
            match &sum_of_scores {
                Some(sum) => of_scores.publish(sum)?,
                None => of_scores.remove()?,
            }
            rows.publish(&sums.0)?;
            Ok(())
        };
        let result = write_all();
        if result.is_err() {
            let _ = rows.remove().and(of_scores.remove());
            if !is_there && !games.exists() {
                for name in [&scores, &log, &toml] {
                    // The file may never have been created.
                    let _ = durable::remove(name);
                }
            }
        }
        result
    }

    /// Creates the directory if need be, and locks it if it holds neither a study nor an atlas.
    fn claim(path: &Path) -> Result<Self, StudyError> {
        create_directory(path)?;
        let directory = Self::lock(path)?;
        Self::check_vacant(path)?;
        Ok(directory)
    }

    fn check_vacant(path: &Path) -> Result<(), StudyError> {
        if Self::holds_study(path)? {
            return Err(StudyError::Exists(path.to_path_buf()));
        }
        if AtlasDirectory::holds_atlas(path)? {
            return Err(StudyError::AtlasExists(path.to_path_buf()));
        }
        if Self::recorded(path)?.is_some() {
            return Err(StudyError::GamesWithoutStudy(path.to_path_buf()));
        }
        Ok(())
    }

    /// Whether a crash has damaged the definition of the study in a directory.
    pub fn is_torn_in(path: &Path) -> bool {
        is_torn::<Study>(&path.join(STUDY))
    }

    /// Whether a crash has damaged the definition, so that [`Self::write_again`] writes it.
    pub fn is_torn(&self) -> bool {
        self.torn.is_some()
    }

    /// Writes the definition again if a crash has damaged it. The caller must have seen that the rows are those of its
    /// study.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn write_again(&mut self) -> Result<(), StudyError> {
        match self.torn.take() {
            Some(study) => self.begin(&study),
            None => Ok(()),
        }
    }

    /// Puts the names of the files in the directory on the disk.
    pub(crate) fn sync(&self) -> Result<(), StudyError> {
        durable::sync_folder(&self.path).map_err(StudyError::writing(&self.path))
    }

    /// Writes `study.toml`.
    fn begin(&self, study: &Study) -> Result<(), StudyError> {
        write_whole(&self.path.join(STUDY), &study.to_toml())
    }

    /// Opens and locks the study in a directory, to continue it.
    ///
    /// # Errors
    ///
    /// When there is no study, or another run is using it.
    pub fn open(path: &Path) -> Result<(Self, Study), StudyError> {
        let study = Self::read(path)?;
        Ok((Self::lock(path)?, study))
    }

    /// Reads the study in a directory without locking it.
    ///
    /// # Errors
    ///
    /// When there is no study, or `study.toml` is not valid.
    pub fn read(path: &Path) -> Result<Study, StudyError> {
        if !Self::holds_study(path)? {
            return Err(StudyError::None(path.to_path_buf()));
        }
        let file = path.join(STUDY);
        let wrong = |problem| StudyError::Study { path: file.clone(), problem };
        let study: Study = read_toml(&file, wrong).map_err(|error| match error {
            StudyError::Study { path: file, problem } if is_torn::<Study>(&file) => {
                StudyError::Torn { what: Continued::Study, path: file, problem }
            }
            error => error,
        })?;
        study.check().map_err(wrong)?;
        Ok(study)
    }

    /// Whether a directory holds a study that can be read.
    pub fn is_study(path: &Path) -> bool {
        Self::holds_study(path).is_ok_and(|holds| holds)
    }

    /// Whether a directory holds a study.
    ///
    /// # Errors
    ///
    /// When that cannot be known, as it must not be read, or `study.toml` is no file.
    pub fn holds_study(path: &Path) -> Result<bool, StudyError> {
        is_there(&path.join(STUDY))
    }

    /// The directory of the study to which a file belongs if no other output may overwrite the file: the study's
    /// definition, its games and scores, its log of failures, the true parameters of a simulation, its lock. `None` for
    /// any other file, such as a table or a report.
    pub fn of_file(file: &Path) -> Option<&Path> {
        const OWN: [&str; 10] = [
            STUDY,
            "games.csv",
            "games.csv.gz",
            "games.csv.sha256",
            "scores.csv",
            "scores.csv.sha256",
            "gathered.toml",
            FAILURES,
            "simulation.toml",
            ".lock",
        ];
        let directory = file.parent()?;
        let holds_study = Self::is_study(directory) || !matches!(Self::recorded(directory), Ok(None));
        let is_own = OWN.iter().any(|&own| file.file_name().is_some_and(|name| name == own));
        (is_own && holds_study).then_some(directory)
    }

    /// The path to which the study's games are written.
    pub fn games(path: &Path) -> PathBuf {
        path.join("games.csv")
    }

    /// One past the number of the last game in a `games.csv`, and the length in bytes of the complete rows. The file
    /// must begin with game 0.
    pub(crate) fn end_of_games(file: &Path) -> Result<(u64, u64), StudyError> {
        end_of_rows(file)
    }

    /// The SHA-256 of the first `end` bytes of a `games.csv`.
    pub(crate) fn sha256_of_games(file: &Path, end: u64) -> Result<String, StudyError> {
        sha256_of_rows(file, end)
    }

    /// The path of `scores.csv`, which exists if the study records scores.
    pub fn scores(path: &Path) -> PathBuf {
        path.join("scores.csv")
    }

    /// The path from which the study's games are read: `games.csv` or `games.csv.gz`; `None` if there is neither.
    ///
    /// # Errors
    ///
    /// When both exist.
    pub fn recorded(path: &Path) -> Result<Option<PathBuf>, StudyError> {
        plain_or_compressed(Self::games(path))
    }

    /// A reader of the games of the study in a directory.
    ///
    /// # Errors
    ///
    /// When there are no games, or they cannot be read.
    pub fn read_games(path: &Path, study: &Study) -> Result<GamesReader, StudyError> {
        GamesReader::open(&Self::recorded_games(path, study)?, study)
    }

    /// The same, if the file may end before the game with which it was finished.
    pub(super) fn read_games_so_far(path: &Path, study: &Study) -> Result<GamesReader, StudyError> {
        GamesReader::open_to_continue(&Self::recorded_games(path, study)?, study)
    }

    /// The file of the games; an error where there is none.
    fn recorded_games(path: &Path, study: &Study) -> Result<PathBuf, StudyError> {
        Self::recorded(path)?.ok_or_else(|| match study.plan {
            Some(_) => StudyError::NotGathered(path.to_path_buf()),
            None => StudyError::NoGames(path.to_path_buf()),
        })
    }

    /// The directory's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends to the log of failures of players.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn log_failure(&self, text: &str) -> Result<(), StudyError> {
        let file = self.path.join(FAILURES);
        let write =
            || open_inside(&file, OpenOptions::new().append(true).create(true))?.write_all(text.as_bytes());
        write().map_err(StudyError::writing(&file))
    }

    fn lock(path: &Path) -> Result<Self, StudyError> {
        Ok(Self { path: path.to_path_buf(), _lock: lock(path)?, torn: None })
    }
}
