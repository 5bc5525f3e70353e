//! The directory of a study: `study.toml`, `games.csv`, `failures.log`, and the lock that keeps a second run out.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::definition::Study;
use super::error::StudyError;
use super::files::{lock, plain_or_compressed, read_toml, write_whole};
use super::games::{GamesReader, GamesWriter, end_of_rows, sha256_of_rows};
use super::scores::ScoresWriter;

/// What is asked.
const STUDY: &str = "study.toml";

/// What is known of failures of players.
const FAILURES: &str = "failures.log";

/// A study's directory, kept from other runs for as long as this lives.
#[derive(Debug)]
pub struct StudyDirectory {
    path: PathBuf,
    /// The system lets go of it when the process ends, however it ends. None where nobody else knows the directory.
    _lock: Option<File>,
}

impl StudyDirectory {
    /// Begins a study in a directory that holds none.
    ///
    /// # Errors
    ///
    /// When there is one, another run is at it, or it cannot be written.
    pub fn create(path: &Path, study: &Study) -> Result<Self, StudyError> {
        let directory = Self::claim(path)?;
        directory.begin(study)?;
        Ok(directory)
    }

    /// Begins a study in a directory of which nobody else knows, or goes on with it.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub(crate) fn create_own(path: &Path, study: &Study) -> Result<Self, StudyError> {
        let directory = Self { path: path.to_path_buf(), _lock: None };
        directory.begin(study)?;
        Ok(directory)
    }

    /// Writes down a study anew that is in a directory already: the same one, but for its plan. Whoever calls this keeps other
    /// runs out.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    ///
    /// # Panics
    ///
    /// When it is another study.
    pub fn change_plan(path: &Path, study: &Study) -> Result<(), StudyError> {
        assert!(Self::read(path)?.differences(study).is_empty(), "the plan alone may change");
        Self::create_own(path, study).map(|_| ())
    }

    /// Begins a study, or goes on with it where the directory holds the same study already.
    ///
    /// # Errors
    ///
    /// When the directory holds another study, another run is at it, or it cannot be written.
    pub fn create_or_open(path: &Path, study: &Study) -> Result<Self, StudyError> {
        if !Self::is_study(path) {
            return Self::create(path, study);
        }
        let (directory, begun) = Self::open(path)?;
        begun.check_unchanged(path, study)?;
        Ok(directory)
    }

    /// Writes down a study that was played elsewhere: its rows are written by `write`, and those of `scores.csv` where it
    /// asks for scores. The study that `write` returns is that of `study.toml`; its columns must be the same, and if it
    /// no longer asks for scores, there is no `scores.csv`. Where anything fails, the directory holds no study, and the
    /// same can be tried again.
    ///
    /// # Errors
    ///
    /// When it holds a study, another run is at it, it cannot be written, or `write` fails.
    pub fn create_played<E: From<StudyError>>(
        path: &Path,
        study: &Study,
        failures: &str,
        write: impl FnOnce(&mut GamesWriter, Option<&mut ScoresWriter>) -> Result<Study, E>,
    ) -> Result<(), E> {
        let directory = Self::claim(path)?;
        // Of this name, so that what a crash leaves behind is written over.
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
                // What is not there need not be removed.
                let _ = std::fs::remove_file(name);
            }
        }
        result
    }

    /// Makes a directory that holds no study, or takes one.
    fn claim(path: &Path) -> Result<Self, StudyError> {
        std::fs::create_dir_all(path).map_err(StudyError::writing(path))?;
        let directory = Self::lock(path)?;
        if Self::is_study(path) {
            return Err(StudyError::Exists(path.to_path_buf()));
        }
        if Self::recorded(path)?.is_some() {
            return Err(StudyError::NoQuestion(path.to_path_buf()));
        }
        Ok(directory)
    }

    /// Writes what is asked.
    fn begin(&self, study: &Study) -> Result<(), StudyError> {
        write_whole(&self.path.join(STUDY), &study.to_toml())
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
        let file = path.join(STUDY);
        let wrong = |problem| StudyError::Study { path: file.clone(), problem };
        let study: Study = read_toml(&file, wrong)?;
        if !study.variant.is_whole() {
            return Err(wrong("the variant's text is not the one its sha256 was made of".to_string()));
        }
        if study.games == 0 || (study.pairs && study.games % 2 == 1) {
            return Err(wrong(format!("games = {} from each setup makes no sense", study.games)));
        }
        study.check_shard().map_err(wrong)?;
        if study.book.as_ref().is_some_and(|book| book.openings == 0 || study.odds.is_some()) {
            return Err(wrong("a book has openings, and games from it are not at odds".to_string()));
        }
        if study.from.is_some() && (study.book.is_some() || study.odds.is_none() || !study.pairs) {
            return Err(wrong("games from recorded positions are played in pairs, at odds".to_string()));
        }
        if let Some(test) = &study.sprt {
            test.validate().map_err(|problem| wrong(format!("sprt: {problem}")))?;
            if !study.pairs || study.shard.is_some() {
                return Err(wrong(
                    "a sequential test needs pairs, and a study that is not divided".to_string(),
                ));
            }
        }
        Ok(study)
    }

    /// Whether a directory holds a study.
    pub fn is_study(path: &Path) -> bool {
        path.join(STUDY).is_file()
    }

    /// The directory of the study to which a file belongs that nothing else may replace: what was asked, what was
    /// played, what went wrong, or the truth of a simulation. None for any other file, such as a table or a report.
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

    /// Where its games are written.
    pub fn games(path: &Path) -> PathBuf {
        path.join("games.csv")
    }

    /// The number after that of the last game in a `games.csv` that begins with game 0, and the bytes up to its end.
    pub(crate) fn end_of_games(file: &Path) -> Result<(u64, u64), StudyError> {
        end_of_rows(file)
    }

    /// The SHA-256 of so many bytes of a `games.csv`.
    pub(crate) fn sha256_of_games(file: &Path, end: u64) -> Result<String, StudyError> {
        sha256_of_rows(file, end)
    }

    /// Where what the players thought of their moves is written, if the study asks for it.
    pub fn scores(path: &Path) -> PathBuf {
        path.join("scores.csv")
    }

    /// Where its games are read from: `games.csv`, or `games.csv.gz` in its place; none where there is neither.
    ///
    /// # Errors
    ///
    /// When there are both.
    pub fn recorded(path: &Path) -> Result<Option<PathBuf>, StudyError> {
        plain_or_compressed(Self::games(path))
    }

    /// The games of the study in a directory, from the first on.
    ///
    /// # Errors
    ///
    /// When there are none, or they cannot be read.
    pub fn read_games(path: &Path, study: &Study) -> Result<GamesReader, StudyError> {
        let file = Self::recorded(path)?.ok_or_else(|| match study.plan {
            Some(_) => StudyError::NotGathered(path.to_path_buf()),
            None => StudyError::NoGames(path.to_path_buf()),
        })?;
        GamesReader::open(&file, study)
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
        let file = self.path.join(FAILURES);
        let write = || OpenOptions::new().append(true).create(true).open(&file)?.write_all(text.as_bytes());
        write().map_err(StudyError::writing(&file))
    }

    fn lock(path: &Path) -> Result<Self, StudyError> {
        Ok(Self { path: path.to_path_buf(), _lock: lock(path)? })
    }
}
