//! The directory of a study: `study.toml`, `games.csv`, `failures.log`, and the lock that keeps a second run out.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::definition::Study;
use super::error::StudyError;
use super::games::GamesReader;

/// A study's directory, kept from other runs for as long as this lives.
#[derive(Debug)]
pub struct StudyDirectory {
    path: PathBuf,
    /// The system lets go of it when the process ends, however it ends.
    _lock: File,
}

impl StudyDirectory {
    /// Begins a study in a directory that holds none.
    ///
    /// # Errors
    ///
    /// When there is one, another run is at it, or it cannot be written.
    pub fn create(path: &Path, study: &Study) -> Result<Self, StudyError> {
        std::fs::create_dir_all(path).map_err(StudyError::writing(path))?;
        let directory = Self::lock(path)?;
        if Self::is_study(path) {
            return Err(StudyError::Exists(path.to_path_buf()));
        }
        if Self::recorded(path)?.is_some() {
            return Err(StudyError::NoQuestion(path.to_path_buf()));
        }
        let file = path.join("study.toml");
        // It gets its name when it is whole.
        let write = || {
            let mut whole = tempfile::Builder::new().prefix(".study-").tempfile_in(path)?;
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                whole.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
            }
            whole.write_all(study.to_toml().as_bytes())?;
            whole.persist(&file).map_err(|error| error.error)
        };
        write().map_err(StudyError::writing(&file))?;
        Ok(directory)
    }

    /// Goes on with the study in a directory.
    ///
    /// # Errors
    ///
    /// When there is none, or another run is at it.
    pub fn open(path: &Path) -> Result<(Self, Study), StudyError> {
        let study = Self::read(path)?;
        Ok((Self::lock(path)?, study))
    }

    /// The study in a directory, to look at it only.
    ///
    /// # Errors
    ///
    /// When there is none, or `study.toml` is not a study.
    pub fn read(path: &Path) -> Result<Study, StudyError> {
        if !Self::is_study(path) {
            return Err(StudyError::None(path.to_path_buf()));
        }
        let file = path.join("study.toml");
        let text = std::fs::read_to_string(&file).map_err(StudyError::reading(&file))?;
        let wrong = |problem| StudyError::Study { path: file.clone(), problem };
        let study: Study = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        if !study.variant.is_whole() {
            return Err(wrong("the variant's text is not the one its sha256 was made of".to_string()));
        }
        if study.games == 0 || (study.pairs && study.games % 2 == 1) {
            return Err(wrong(format!("games = {} from each setup makes no sense", study.games)));
        }
        Ok(study)
    }

    /// Whether a directory holds a study.
    pub fn is_study(path: &Path) -> bool {
        path.join("study.toml").is_file()
    }

    /// Where its games are written.
    pub fn games(path: &Path) -> PathBuf {
        path.join("games.csv")
    }

    /// Where its games are read from: `games.csv`, or `games.csv.gz` in its place; none where there is neither.
    ///
    /// # Errors
    ///
    /// When there are both.
    pub fn recorded(path: &Path) -> Result<Option<PathBuf>, StudyError> {
        let [plain, compressed] = [Self::games(path), path.join("games.csv.gz")];
        match (plain.exists(), compressed.exists()) {
            (true, true) => Err(StudyError::TwoRecords(path.to_path_buf())),
            (true, false) => Ok(Some(plain)),
            (false, true) => Ok(Some(compressed)),
            (false, false) => Ok(None),
        }
    }

    /// Its games, from the first on.
    ///
    /// # Errors
    ///
    /// When there are none, or they cannot be read.
    pub fn read_games(path: &Path) -> Result<GamesReader, StudyError> {
        let file = Self::recorded(path)?.ok_or_else(|| StudyError::NoGames(path.to_path_buf()))?;
        GamesReader::open(&file)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds to what is known of failures of players.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn log_failure(&self, text: &str) -> Result<(), StudyError> {
        let file = self.path.join("failures.log");
        let write = || OpenOptions::new().append(true).create(true).open(&file)?.write_all(text.as_bytes());
        write().map_err(StudyError::writing(&file))
    }

    fn lock(path: &Path) -> Result<Self, StudyError> {
        let file = path.join(".lock");
        let lock = OpenOptions::new().write(true).create(true).truncate(false).open(&file);
        let lock = lock.map_err(StudyError::writing(&file))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_path_buf(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(StudyError::Locked(path.to_path_buf())),
            Err(TryLockError::Error(error)) => Err(StudyError::writing(&file)(error)),
        }
    }
}
