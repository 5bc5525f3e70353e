//! The directory of an atlas: `atlas.toml`, `atlas.csv`, and the lock that keeps other runs out.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::definition::Atlas;
use super::reader::AtlasReader;
use super::row::AtlasWriter;
use crate::durable;
use crate::study::{
    Continued, RowsPlace, StudyDirectory, StudyError, create_directory, is_there, is_torn, is_unfinished,
    lock, plain_or_compressed, read_toml, write_whole,
};

/// The definition of the atlas.
const ATLAS: &str = "atlas.toml";

/// The rows of the atlas.
const ROWS: &str = "atlas.csv";

/// An atlas's directory, locked against other runs until this value is dropped.
#[derive(Debug)]
pub struct AtlasDirectory {
    path: PathBuf,
    /// `None` on file systems without locks.
    _lock: Option<File>,
    /// The definition that is to be written again when the rows are found to be its own, as a crash has damaged the one that
    /// is there.
    torn: Option<Atlas>,
}

impl AtlasDirectory {
    /// Creates an atlas in a directory that holds none.
    ///
    /// # Errors
    ///
    /// When the directory holds an atlas or a study, is in use by another run, or cannot be written.
    pub fn create(path: &Path, atlas: &Atlas) -> Result<Self, StudyError> {
        let directory = Self::claim(path)?;
        directory.begin(atlas)?;
        Ok(directory)
    }

    /// Creates an atlas, or opens it if the directory holds the same atlas already. If a crash has damaged the definition
    /// that is there, it is replaced.
    ///
    /// # Errors
    ///
    /// When the directory holds a different atlas, is in use by another run, or cannot be written.
    pub fn create_or_open(path: &Path, atlas: &Atlas) -> Result<Self, StudyError> {
        if !Self::is_atlas(path) {
            return Self::create(path, atlas);
        }
        if Self::is_torn_in(path) {
            let (path, lock) = (path.to_path_buf(), lock(path)?);
            return Ok(Self { path, _lock: lock, torn: Some(atlas.clone()) });
        }
        let (directory, begun) = Self::open(path)?;
        begun.check_unchanged(path, atlas)?;
        Ok(directory)
    }

    /// Creates an atlas that was made elsewhere; `write` writes its rows. If anything fails, the directory holds no
    /// atlas that was not there before and the call can be repeated; so it can when the process was killed at any moment.
    /// If the same atlas is there, the rows are written again and held against those that are there.
    ///
    /// # Errors
    ///
    /// When the directory holds another atlas, is in use by another run, or cannot be written.
    pub fn create_whole(
        path: &Path,
        atlas: &Atlas,
        write: impl FnOnce(&mut AtlasWriter) -> Result<(), StudyError>,
    ) -> Result<(), StudyError> {
        create_directory(path)?;
        let directory = Self { path: path.to_path_buf(), _lock: lock(path)?, torn: None };
        let (csv, toml) = (Self::rows(path), path.join(ATLAS));
        let is_there = Self::is_atlas(path) && !is_unfinished(&csv) && !Self::is_torn_in(path);
        let is_packed = Self::recorded(path)?.is_some_and(|file| file != csv);
        if is_there && (is_packed || Self::read(path)? != *atlas) {
            return Err(StudyError::AtlasExists(path.to_path_buf()));
        }
        if !Self::is_atlas(path) {
            Self::check_vacant(path)?;
        }
        let rows = RowsPlace::of(&csv);
        let result = AtlasWriter::resume(&rows.unfinished, 0, atlas).and_then(|mut writer| {
            write(&mut writer)?;
            let sum = writer.sum()?;
            if !rows.is_free_for(&sum)? {
                return Err(StudyError::AtlasExists(path.to_path_buf()));
            }
            directory.begin(atlas)?;
            // Until atlas.csv has its name, which comes last, the next call does all of this again.
            rows.publish(&sum)
        });
        if result.is_err() {
            let _ = rows.remove();
            if !is_there && !csv.exists() {
                // The file may never have been created.
                let _ = durable::remove(&toml);
            }
        }
        result
    }

    /// Creates the directory if need be, and locks it if it holds neither an atlas nor a study.
    fn claim(path: &Path) -> Result<Self, StudyError> {
        create_directory(path)?;
        let directory = Self { path: path.to_path_buf(), _lock: lock(path)?, torn: None };
        Self::check_vacant(path)?;
        Ok(directory)
    }

    fn check_vacant(path: &Path) -> Result<(), StudyError> {
        if Self::holds_atlas(path)? {
            return Err(StudyError::AtlasExists(path.to_path_buf()));
        }
        if StudyDirectory::holds_study(path)? {
            return Err(StudyError::Exists(path.to_path_buf()));
        }
        if Self::recorded(path)?.is_some() {
            return Err(StudyError::RowsWithoutAtlas(path.to_path_buf()));
        }
        Ok(())
    }

    /// Whether a crash has damaged the definition of the atlas in a directory.
    pub fn is_torn_in(path: &Path) -> bool {
        is_torn::<Atlas>(&path.join(ATLAS))
    }

    /// Whether a crash has damaged the definition, so that [`Self::write_again`] writes it.
    pub(super) fn is_torn(&self) -> bool {
        self.torn.is_some()
    }

    /// Writes the definition again if a crash has damaged it. The caller must have seen that the rows are its own.
    pub(super) fn write_again(&mut self) -> Result<(), StudyError> {
        match self.torn.take() {
            Some(atlas) => self.begin(&atlas),
            None => Ok(()),
        }
    }

    fn begin(&self, atlas: &Atlas) -> Result<(), StudyError> {
        let text = toml::to_string(atlas).expect("an atlas has nothing that TOML cannot hold");
        write_whole(&self.path.join(ATLAS), &text)
    }

    /// Opens and locks the atlas in a directory, to continue it.
    ///
    /// # Errors
    ///
    /// When there is no atlas, or another run is using it.
    pub fn open(path: &Path) -> Result<(Self, Atlas), StudyError> {
        let atlas = Self::read(path)?;
        Ok((Self { path: path.to_path_buf(), _lock: lock(path)?, torn: None }, atlas))
    }

    /// Reads the atlas in a directory without locking it.
    ///
    /// # Errors
    ///
    /// When there is no atlas, or `atlas.toml` is not valid.
    pub fn read(path: &Path) -> Result<Atlas, StudyError> {
        if !Self::holds_atlas(path)? {
            return Err(StudyError::NoAtlas(path.to_path_buf()));
        }
        let file = path.join(ATLAS);
        let wrong = |problem| StudyError::Atlas { path: file.clone(), problem };
        let atlas: Atlas = read_toml(&file, wrong).map_err(|error| match error {
            StudyError::Atlas { path: file, problem } if is_torn::<Atlas>(&file) => {
                StudyError::Torn { what: Continued::Atlas, path: file, problem }
            }
            error => error,
        })?;
        atlas.check().map_err(wrong)?;
        Ok(atlas)
    }

    /// Whether a directory holds an atlas that can be read.
    pub fn is_atlas(path: &Path) -> bool {
        Self::holds_atlas(path).is_ok_and(|holds| holds)
    }

    /// Whether a directory holds an atlas.
    ///
    /// # Errors
    ///
    /// When that cannot be known, as it must not be read, or `atlas.toml` is no file.
    pub fn holds_atlas(path: &Path) -> Result<bool, StudyError> {
        is_there(&path.join(ATLAS))
    }

    /// The directory of the atlas to which a file belongs if no other output may overwrite the file; `None` for any
    /// other file.
    pub fn of_file(file: &Path) -> Option<&Path> {
        let directory = file.parent()?;
        let name = file.file_name()?.to_str()?;
        (Self::is_atlas(directory)
            && [ATLAS, ROWS, "atlas.csv.gz", "atlas.csv.sha256", ".lock"].contains(&name))
        .then_some(directory)
    }

    /// The path to which the atlas's rows are written.
    pub fn rows(path: &Path) -> PathBuf {
        path.join(ROWS)
    }

    /// The path from which the atlas's rows are read: `atlas.csv` or `atlas.csv.gz`; `None` if there is neither.
    ///
    /// # Errors
    ///
    /// When both exist.
    pub fn recorded(path: &Path) -> Result<Option<PathBuf>, StudyError> {
        plain_or_compressed(Self::rows(path))
    }

    /// A reader of the rows of the atlas in a directory.
    ///
    /// # Errors
    ///
    /// When there are no rows, or they cannot be read.
    pub fn read_rows(path: &Path, atlas: &Atlas) -> Result<AtlasReader, StudyError> {
        let file = Self::recorded(path)?.ok_or_else(|| StudyError::NoRows(path.to_path_buf()))?;
        AtlasReader::open(&file, atlas)
    }

    /// The directory's path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
