//! The directory of a study or an atlas: its definition, its rows, and the lock that keeps other runs out.

use std::fs::File;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::checksum::Sum;
use super::differences::check_unchanged;
use super::durable;
use super::error::StoreError;
use super::files::{create_directory, is_there, is_torn, lock, plain_or_compressed, read_toml, write_whole};
use super::kind::DirectoryKind;
use super::publication::{Publication, is_unfinished};

/// What a directory holds: everything that determines its rows.
pub trait Definition: Clone + PartialEq {
    /// What it is, and so how its files are called.
    const KIND: DirectoryKind;

    /// What its TOML file holds.
    type File: DeserializeOwned;

    /// Whether a file of this name is one of its further files, which no other output may overwrite.
    fn is_own_file(name: &str) -> bool;

    /// Makes a definition of what its file in a directory holds.
    ///
    /// # Errors
    ///
    /// When something is wrong. The text names the key, and says what would be right.
    fn from_file(file: Self::File, directory: &Path) -> Result<Self, String>;

    /// The text of its TOML file in a directory, where it may name files instead of repeating them.
    fn toml_in(&self, directory: &Path) -> String;

    /// The settings that differ from those of another: the name of each in the TOML file, its value here and its value there.
    /// Of values with several lines only the first line that differs is given.
    fn differences(&self, other: &Self) -> Vec<[String; 3]>;

    /// Refuses to continue this definition, begun in a directory, with anything else than it was begun with.
    ///
    /// # Errors
    ///
    /// When the two differ. The error names what does.
    fn check_unchanged(&self, path: &Path, now: &Self) -> Result<(), StoreError> {
        check_unchanged(Self::KIND, path, &self.differences(now))
    }
}

/// A directory with a definition and its rows, locked against other runs until this value is dropped.
#[derive(Debug)]
pub struct Directory<D> {
    path: PathBuf,
    /// The operating system releases it when the process ends, however it ends. `None` if no other run can know the
    /// directory, and on file systems without locks.
    _lock: Option<File>,
    /// The definition that is to be written again when the rows are found to be its own, as a crash has damaged the one that
    /// is there.
    torn: Option<D>,
}

/// Rows that were written in one go, to be published with their definition.
pub struct WholeRows<D> {
    /// The definition to be written.
    pub definition: D,
    /// The checksum of each file of rows; none where the file is not kept.
    pub sums: Vec<Option<Sum>>,
}

impl<D: Definition> Directory<D> {
    /// Creates what is defined, in a directory that holds nothing yet.
    ///
    /// # Errors
    ///
    /// When the directory holds a study or an atlas, is in use by another run, or cannot be written.
    pub fn create(path: &Path, definition: &D) -> Result<Self, StoreError> {
        Self::create_after(path, definition, || Ok(()))
    }

    /// The same, after `before` has written other files to the locked directory.
    ///
    /// # Errors
    ///
    /// As of [`Self::create`], and when `before` fails.
    pub fn create_after(
        path: &Path,
        definition: &D,
        before: impl FnOnce() -> Result<(), StoreError>,
    ) -> Result<Self, StoreError> {
        create_directory(path)?;
        let directory = Self::lock(path)?;
        Self::check_vacant(path)?;
        before()?;
        directory.begin(definition)?;
        Ok(directory)
    }

    /// The same, or opens it, in a directory that no other run can know, without locking it.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn create_own(path: &Path, definition: &D) -> Result<Self, StoreError> {
        let directory = Self { path: path.to_path_buf(), _lock: None, torn: None };
        directory.begin(definition)?;
        Ok(directory)
    }

    /// Creates what is defined, or opens it if the directory holds the same already. If a crash has damaged the definition
    /// that is there, [`Self::write_again`] replaces it.
    ///
    /// # Errors
    ///
    /// When the directory holds something else, is in use by another run, or cannot be written.
    pub fn create_or_open(path: &Path, definition: &D) -> Result<Self, StoreError> {
        if !Self::is_in(path) {
            return Self::create(path, definition);
        }
        if Self::is_torn_in(path) {
            let mut directory = Self::lock(path)?;
            directory.torn = Some(definition.clone());
            return Ok(directory);
        }
        let (directory, begun) = Self::open(path)?;
        begun.check_unchanged(path, definition)?;
        Ok(directory)
    }

    /// Creates something whose rows were made elsewhere. `write` writes its rows to the files that it is given: first that of
    /// the rows themselves, then one for each of the files `beside` them. `texts` are files that are written with the
    /// definition.
    ///
    /// If anything fails, the directory holds nothing that was not there before, and the call can be repeated; so it can
    /// when the process was killed at any moment, also after the last. `is_same` says whether what is there may be what an
    /// earlier call has begun; if so, the rows are written again and held against those that are there.
    ///
    /// # Errors
    ///
    /// When the directory holds something else, is in use by another run, or cannot be written, and when `write` fails.
    pub fn create_whole<E: From<StoreError>>(
        path: &Path,
        beside: &[PathBuf],
        texts: &[(&str, &str)],
        is_same: impl FnOnce(&D) -> bool,
        write: impl FnOnce(&[PathBuf]) -> Result<WholeRows<D>, E>,
    ) -> Result<(), E> {
        create_directory(path)?;
        let (directory, rows) = (Self::lock(path)?, Self::rows(path));
        let exists = || StoreError::Exists { what: D::KIND, path: path.to_path_buf() };
        let is_there = Self::is_in(path) && !is_unfinished(&rows) && !Self::is_torn_in(path);
        let is_packed = Self::recorded(path)?.is_some_and(|file| file != rows);
        if is_there && (is_packed || !is_same(&Self::read(path)?)) {
            return Err(exists().into());
        }
        if !Self::is_in(path) {
            Self::check_vacant(path)?;
        }
        let files: Vec<Publication<'_>> =
            std::iter::once(&rows).chain(beside).map(|path| Publication::of(path)).collect();
        let unfinished: Vec<PathBuf> = files.iter().map(|file| file.unfinished.clone()).collect();
        let write_all = || {
            let WholeRows { definition, sums } = write(&unfinished)?;
            // Nothing that is there is touched unless it is the same.
            for (file, sum) in files.iter().zip(&sums) {
                if let Some(sum) = sum
                    && !file.is_free_for(sum)?
                {
                    return Err(exists().into());
                }
            }
            if is_there && Self::read(path)? != definition {
                return Err(exists().into());
            }
            for &(name, text) in texts {
                write_whole(&path.join(name), text)?;
            }
            directory.begin(&definition)?;
            // Until the rows have their name, which comes last, the next call does all of this again.
            for (file, sum) in files.iter().zip(&sums).rev() {
                match sum {
                    Some(sum) => file.publish(sum)?,
                    None => file.remove()?,
                }
            }
            Ok(())
        };
        let result = write_all();
        if result.is_err() {
            for file in &files {
                let _ = file.remove();
            }
            if !is_there && !rows.exists() {
                let definition = path.join(D::KIND.definition());
                let texts = texts.iter().map(|(name, _)| path.join(name));
                for file in beside.iter().cloned().chain(texts).chain([definition]) {
                    // The file may never have been created.
                    let _ = durable::remove(&file);
                }
            }
        }
        result
    }

    fn check_vacant(path: &Path) -> Result<(), StoreError> {
        let kinds = DirectoryKind::ALL.into_iter().filter(|&kind| kind != D::KIND);
        for what in [D::KIND].into_iter().chain(kinds) {
            if is_there(&path.join(what.definition()))? {
                return Err(StoreError::Exists { what, path: path.to_path_buf() });
            }
        }
        match Self::recorded(path)? {
            Some(_) => Err(StoreError::OnlyRows { what: D::KIND, path: path.to_path_buf() }),
            None => Ok(()),
        }
    }

    /// Whether a crash has damaged the definition in a directory.
    pub fn is_torn_in(path: &Path) -> bool {
        is_torn::<D::File>(&path.join(D::KIND.definition()))
    }

    /// Whether a crash has damaged the definition, so that [`Self::write_again`] writes it.
    pub fn is_torn(&self) -> bool {
        self.torn.is_some()
    }

    /// Writes the definition again if a crash has damaged it. The caller must have seen that the rows are its own.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn write_again(&mut self) -> Result<(), StoreError> {
        match self.torn.take() {
            Some(definition) => self.begin(&definition),
            None => Ok(()),
        }
    }

    /// Puts the names of the files in the directory on the disk.
    pub(crate) fn sync(&self) -> Result<(), StoreError> {
        durable::sync_folder(&self.path).map_err(StoreError::writing(&self.path))
    }

    /// Writes the definition.
    fn begin(&self, definition: &D) -> Result<(), StoreError> {
        write_whole(&self.path.join(D::KIND.definition()), &definition.toml_in(&self.path))
    }

    /// Opens and locks what a directory holds, to continue it.
    ///
    /// # Errors
    ///
    /// When there is nothing of this kind, or another run is using it.
    pub fn open(path: &Path) -> Result<(Self, D), StoreError> {
        let definition = Self::read(path)?;
        Ok((Self::lock(path)?, definition))
    }

    /// Reads the definition in a directory without locking it.
    ///
    /// # Errors
    ///
    /// When there is none, or it is not valid.
    pub fn read(path: &Path) -> Result<D, StoreError> {
        if !Self::holds(path)? {
            return Err(StoreError::None { what: D::KIND, path: path.to_path_buf() });
        }
        let file = path.join(D::KIND.definition());
        let wrong = |problem| StoreError::Definition { what: D::KIND, path: file.clone(), problem };
        let read: D::File = read_toml(&file, wrong).map_err(|error| match error {
            StoreError::Definition { what, path: file, problem } if is_torn::<D::File>(&file) => {
                StoreError::Torn { what, path: file, problem }
            }
            error => error,
        })?;
        D::from_file(read, path).map_err(wrong)
    }

    /// Whether a directory holds a definition of this kind that can be read.
    pub fn is_in(path: &Path) -> bool {
        Self::holds(path).is_ok_and(|holds| holds)
    }

    /// Whether a directory holds a definition of this kind.
    ///
    /// # Errors
    ///
    /// When that cannot be known, as it must not be read, or what has its name is no file.
    pub fn holds(path: &Path) -> Result<bool, StoreError> {
        is_there(&path.join(D::KIND.definition()))
    }

    /// The directory to which a file belongs if no other output may overwrite the file: the definition, the rows and their
    /// checksum, the lock, and its [further files](Definition::is_own_file). `None` for any other file, such as a table or a report.
    pub fn of_file(file: &Path) -> Option<&Path> {
        let directory = file.parent()?;
        let name = file.file_name()?.to_str()?;
        let rows = D::KIND.rows();
        let is_row_file = name.strip_prefix(rows).is_some_and(|rest| ["", ".gz", ".sha256"].contains(&rest));
        let is_own = is_row_file || [D::KIND.definition(), ".lock"].contains(&name) || D::is_own_file(name);
        let is_used = || Self::is_in(directory) || !matches!(Self::recorded(directory), Ok(None));
        (is_own && is_used()).then_some(directory)
    }

    /// The path to which rows are written.
    pub fn rows(path: &Path) -> PathBuf {
        path.join(D::KIND.rows())
    }

    /// The path from which rows are read, compressed or not; `None` if there are none.
    ///
    /// # Errors
    ///
    /// When there are both.
    pub fn recorded(path: &Path) -> Result<Option<PathBuf>, StoreError> {
        plain_or_compressed(Self::rows(path))
    }

    /// The same; an error where there are none.
    ///
    /// # Errors
    ///
    /// When there are none, or both.
    pub fn recorded_rows(path: &Path) -> Result<PathBuf, StoreError> {
        Self::recorded(path)?.ok_or_else(|| StoreError::NoRows { what: D::KIND, path: path.to_path_buf() })
    }

    /// The directory's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn lock(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { path: path.to_path_buf(), _lock: lock(path)?, torn: None })
    }
}
