//! The directory of a study: `study.toml`, `games.csv`, `failures.log`, and the lock that keeps other runs out.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::definition::Study;
use super::error::StudyError;
use super::files::{is_there, lock, plain_or_compressed, read_toml, write_whole};
use super::games::{GamesReader, GamesWriter, end_of_rows, sha256_of_rows};
use super::inside::open_inside;
use super::scores::ScoresWriter;
use crate::atlas::AtlasDirectory;

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
        let directory = Self { path: path.to_path_buf(), _lock: None };
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

    /// Creates a study, or opens it if the directory holds the same study already.
    ///
    /// # Errors
    ///
    /// When the directory holds a different study, is in use by another run, or cannot be written.
    pub fn create_or_open(path: &Path, study: &Study) -> Result<Self, StudyError> {
        if !Self::is_study(path) {
            return Self::create(path, study);
        }
        let (directory, begun) = Self::open(path)?;
        begun.check_unchanged(path, study)?;
        Ok(directory)
    }

    /// Creates a study whose games were played elsewhere. `write` writes its rows, and those of `scores.csv` if the
    /// study records scores. It returns the study that `study.toml` is to hold: its columns must be the same, and if it
    /// no longer records scores, no `scores.csv` is kept. If anything fails, the directory holds no study and the call
    /// can be repeated.
    ///
    /// # Errors
    ///
    /// When the directory holds a study, is in use by another run, or cannot be written, and when `write` fails.
    pub fn create_played<E: From<StudyError>>(
        path: &Path,
        study: &Study,
        failures: &str,
        write: impl FnOnce(&mut GamesWriter, Option<&mut ScoresWriter>) -> Result<Study, E>,
    ) -> Result<(), E> {
        let directory = Self::claim(path)?;
        // A fixed name, so that the next attempt overwrites what a crash left behind.
        let unfinished = path.join(".unfinished-games.csv");
        let write_all = || {
            let mut writer = GamesWriter::resume(&unfinished, 0, study)?;
            let mut scores =
                study.scores.then(|| ScoresWriter::resume(&Self::scores(path), 0, study)).transpose()?;
            let whole = write(&mut writer, scores.as_mut())?;
            if study.scores && !whole.scores {
                let scores = Self::scores(path);
                std::fs::remove_file(&scores).map_err(StudyError::writing(&scores))?;
            }
            if !failures.is_empty() {
                directory.log_failure(failures)?;
            }
            directory.begin(&whole)?;
            let games = Self::games(path);
            std::fs::rename(&unfinished, &games).map_err(StudyError::writing(&games))?;
            Ok(())
        };
        let result = write_all();
        if result.is_err() {
            for name in [&unfinished, &Self::scores(path), &path.join(FAILURES), &path.join(STUDY)] {
                // The file may never have been created.
                let _ = std::fs::remove_file(name);
            }
        }
        result
    }

    /// Creates the directory if need be, and locks it if it holds neither a study nor an atlas.
    fn claim(path: &Path) -> Result<Self, StudyError> {
        std::fs::create_dir_all(path).map_err(StudyError::writing(path))?;
        let directory = Self::lock(path)?;
        if Self::holds_study(path)? {
            return Err(StudyError::Exists(path.to_path_buf()));
        }
        if AtlasDirectory::holds_atlas(path)? {
            return Err(StudyError::AtlasExists(path.to_path_buf()));
        }
        if Self::recorded(path)?.is_some() {
            return Err(StudyError::GamesWithoutStudy(path.to_path_buf()));
        }
        Ok(directory)
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
        let study: Study = read_toml(&file, wrong)?;
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
        const OWN: [&str; 8] = [
            STUDY,
            "games.csv",
            "games.csv.gz",
            "scores.csv",
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
        let file = Self::recorded(path)?.ok_or_else(|| match study.plan {
            Some(_) => StudyError::NotGathered(path.to_path_buf()),
            None => StudyError::NoGames(path.to_path_buf()),
        })?;
        GamesReader::open(&file, study)
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
        Ok(Self { path: path.to_path_buf(), _lock: lock(path)? })
    }
}
