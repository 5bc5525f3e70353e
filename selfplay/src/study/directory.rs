//! The directory of a study: `study.toml`, `games.csv`, `scores.csv` and `failures.log`; in that of an experiment also the file of
//! the variant.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::definition::Study;
use super::file::StudyFile;
use super::games::{GamesReader, GamesWriter, end_of_rows};
use super::scores::ScoresWriter;
use super::spec::VariantText;
use super::variant_file;
use crate::store::{
    Definition, Directory, DirectoryKind, StoreError, WholeRows, open_inside, read_toml, sum_of_rows,
};

/// What players that failed had last said.
const FAILURES: &str = "failures.log";

/// The scores of the moves, beside the games.
const SCORES: &str = "scores.csv";

/// A study's directory, locked against other runs until this value is dropped.
pub type StudyDirectory = Directory<Study>;

impl Definition for Study {
    const KIND: DirectoryKind = DirectoryKind::Study;

    type File = StudyFile;

    fn from_file(file: StudyFile, directory: &Path) -> Result<Self, String> {
        Self::new(file.spec(directory)?).map_err(|problem| problem.to_string())
    }

    fn toml_in(&self, directory: &Path) -> String {
        let mut file = StudyFile::from(&**self);
        file.variant = file.variant.naming_file(directory);
        file.to_toml()
    }

    fn is_own_file(name: &str) -> bool {
        [SCORES, "scores.csv.sha256", FAILURES, "simulation.toml", "plan.toml", "gathered.toml"]
            .contains(&name)
            || variant_file::is_name(name)
    }

    fn differences(&self, other: &Self) -> Vec<[String; 3]> {
        self.differences_from(other)
    }
}

impl StudyDirectory {
    /// Creates the first study of an experiment, after `before` has written other files to the locked directory. Before
    /// those it writes the variant's file, which this study and those below it name from then on instead of repeating the text.
    ///
    /// # Errors
    ///
    /// As of [`Directory::create_after`], and when another file has the name of the variant's.
    pub fn create_sharing_variant(
        path: &Path,
        study: &Study,
        before: impl FnOnce() -> Result<(), StoreError>,
    ) -> Result<Self, StoreError> {
        Self::create_after(path, study, || {
            study.variant.share(path)?;
            before()
        })
    }

    /// Writes the variant's file again if the study in a directory names it and it is not there.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or another file has its name.
    pub fn restore_variant(path: &Path, variant: &VariantText) -> Result<(), StoreError> {
        // Whatever else is wrong with the study is for its reader to say.
        let wrong = |problem| StoreError::Definition { what: Study::KIND, path: path.to_path_buf(), problem };
        match read_toml::<StudyFile, _>(&path.join(Study::KIND.definition()), wrong) {
            Ok(study) if study.variant.names_file_of(variant) => variant.share(path),
            _ => Ok(()),
        }
    }

    /// Creates a study whose games were played elsewhere. `write` writes its rows, and those of `scores.csv` if the
    /// study records scores. It returns the study that `study.toml` is to hold: its columns must be the same, and if it
    /// no longer records scores, no `scores.csv` is kept.
    ///
    /// # Errors
    ///
    /// As of [`Directory::create_whole`].
    pub fn create_played<E: From<StoreError>>(
        path: &Path,
        study: &Study,
        is_same: impl FnOnce(&Study) -> bool,
        failures: &str,
        write: impl FnOnce(&mut GamesWriter, Option<&mut ScoresWriter>) -> Result<Study, E>,
    ) -> Result<(), E> {
        let texts: &[(&str, &str)] = if failures.is_empty() { &[] } else { &[(FAILURES, failures)] };
        Self::create_whole(path, &[Self::scores(path)], texts, is_same, |files| {
            let mut games = GamesWriter::resume(&files[0], 0, study)?;
            let mut scores = study.scores.then(|| ScoresWriter::resume(&files[1], 0, study)).transpose()?;
            let definition = write(&mut games, scores.as_mut())?;
            let scores = scores.filter(|_| definition.scores);
            let sums = vec![Some(games.sum()?), scores.map(|mut scores| scores.sum()).transpose()?];
            Ok(WholeRows { definition, sums })
        })
    }

    /// The path to which the study's games are written.
    pub fn games(path: &Path) -> PathBuf {
        Self::rows(path)
    }

    /// The path of `scores.csv`, which exists if the study records scores.
    pub fn scores(path: &Path) -> PathBuf {
        path.join(SCORES)
    }

    /// One past the number of the last game in a `games.csv`, and the length in bytes of the complete rows. The file
    /// must begin with game 0.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or its last row has no number.
    pub fn end_of_games(file: &Path) -> Result<(u64, u64), StoreError> {
        end_of_rows(file)
    }

    /// The SHA-256 of the first `end` bytes of a `games.csv`.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn sha256_of_games(file: &Path, end: u64) -> Result<String, StoreError> {
        Ok(sum_of_rows(file, end)?.sha256())
    }

    /// A reader of the games of the study in a directory.
    ///
    /// # Errors
    ///
    /// When there are no games, or they cannot be read.
    pub fn read_games(path: &Path, study: &Study) -> Result<GamesReader, StoreError> {
        GamesReader::open(&Self::recorded_rows(path)?, study)
    }

    /// The same, if the file may end before the game with which it was finished.
    pub(super) fn read_games_so_far(path: &Path, study: &Study) -> Result<GamesReader, StoreError> {
        GamesReader::open_to_continue(&Self::recorded_rows(path)?, study)
    }

    /// Appends to the log of failures of players.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn log_failure(&self, text: &str) -> Result<(), StoreError> {
        let file = self.path().join(FAILURES);
        let write =
            || open_inside(&file, OpenOptions::new().append(true).create(true))?.write_all(text.as_bytes());
        write().map_err(StoreError::writing(&file))
    }
}
