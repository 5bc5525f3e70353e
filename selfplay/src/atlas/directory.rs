//! The directory of an atlas: `atlas.toml`, `atlas.csv`, and the lock that keeps a second run out.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::definition::Atlas;
use super::reader::AtlasReader;
use super::row::AtlasWriter;
use crate::study::{StudyError, lock, plain_or_compressed, read_toml, write_whole};

/// What is asked.
const ATLAS: &str = "atlas.toml";

/// What was found.
const ROWS: &str = "atlas.csv";

/// An atlas's directory, kept from other runs for as long as this lives.
#[derive(Debug)]
pub struct AtlasDirectory {
    path: PathBuf,
    /// None on file systems that have no locks.
    _lock: Option<File>,
}

impl AtlasDirectory {
    /// Begins an atlas in a directory that holds none.
    ///
    /// # Errors
    ///
    /// When there is one, another run is at it, or it cannot be written.
    pub fn create(path: &Path, atlas: &Atlas) -> Result<Self, StudyError> {
        let directory = Self::claim(path)?;
        directory.begin(atlas)?;
        Ok(directory)
    }

    /// Begins an atlas, or goes on with it where the directory holds the same atlas already.
    ///
    /// # Errors
    ///
    /// When the directory holds another atlas, another run is at it, or it cannot be written.
    pub fn create_or_open(path: &Path, atlas: &Atlas) -> Result<Self, StudyError> {
        if !Self::is_atlas(path) {
            return Self::create(path, atlas);
        }
        let (directory, begun) = Self::open(path)?;
        begun.check_unchanged(path, atlas)?;
        Ok(directory)
    }

    /// Writes down an atlas that was made elsewhere: its rows are written by `write`. Where anything fails, the directory
    /// holds no atlas, and the same can be tried again.
    ///
    /// # Errors
    ///
    /// When it holds an atlas, another run is at it, or it cannot be written.
    pub fn create_whole(
        path: &Path,
        atlas: &Atlas,
        write: impl FnOnce(&mut AtlasWriter) -> Result<(), StudyError>,
    ) -> Result<(), StudyError> {
        let directory = Self::claim(path)?;
        // Of this name, so that what a crash leaves behind is written over.
        let unfinished = path.join(".merged-atlas.csv");
        let result = AtlasWriter::resume(&unfinished, 0, atlas).and_then(|mut writer| {
            write(&mut writer)?;
            directory.begin(atlas)?;
            let rows = Self::rows(path);
            std::fs::rename(&unfinished, &rows).map_err(StudyError::writing(&rows))
        });
        if result.is_err() {
            for name in [unfinished, path.join(ATLAS)] {
                // What is not there need not be removed.
                let _ = std::fs::remove_file(name);
            }
        }
        result
    }

    /// Makes a directory that holds no atlas, or takes one.
    fn claim(path: &Path) -> Result<Self, StudyError> {
        std::fs::create_dir_all(path).map_err(StudyError::writing(path))?;
        let directory = Self { path: path.to_path_buf(), _lock: lock(path)? };
        if Self::is_atlas(path) {
            return Err(StudyError::AtlasExists(path.to_path_buf()));
        }
        if Self::recorded(path)?.is_some() {
            return Err(StudyError::NoAtlasQuestion(path.to_path_buf()));
        }
        Ok(directory)
    }

    fn begin(&self, atlas: &Atlas) -> Result<(), StudyError> {
        let text = toml::to_string(atlas).expect("an atlas has nothing that TOML cannot hold");
        write_whole(&self.path.join(ATLAS), &text)
    }

    /// Goes on with the atlas in a directory.
    ///
    /// # Errors
    ///
    /// When there is none, or another run is at it.
    pub fn open(path: &Path) -> Result<(Self, Atlas), StudyError> {
        let atlas = Self::read(path)?;
        Ok((Self { path: path.to_path_buf(), _lock: lock(path)? }, atlas))
    }

    /// The atlas in a directory, to look at it only.
    ///
    /// # Errors
    ///
    /// When there is none, or `atlas.toml` is not an atlas.
    pub fn read(path: &Path) -> Result<Atlas, StudyError> {
        if !Self::is_atlas(path) {
            return Err(StudyError::NoAtlas(path.to_path_buf()));
        }
        let file = path.join(ATLAS);
        let wrong = |problem| StudyError::Atlas { path: file.clone(), problem };
        let atlas: Atlas = read_toml(&file, wrong)?;
        if !atlas.variant.is_whole() {
            return Err(wrong("the variant's text is not the one its sha256 was made of".to_string()));
        }
        if atlas.nodes == 0 || atlas.best_moves < 2 {
            return Err(wrong("a search needs nodes, and at least 2 moves to compare".to_string()));
        }
        Ok(atlas)
    }

    /// Whether a directory holds an atlas.
    pub fn is_atlas(path: &Path) -> bool {
        path.join(ATLAS).is_file()
    }

    /// The directory of the atlas to which a file belongs that nothing else may replace; none for any other file.
    pub fn of_file(file: &Path) -> Option<&Path> {
        let directory = file.parent()?;
        let name = file.file_name()?.to_str()?;
        (Self::is_atlas(directory) && [ATLAS, ROWS, "atlas.csv.gz", ".lock"].contains(&name))
            .then_some(directory)
    }

    /// Where its rows are written.
    pub fn rows(path: &Path) -> PathBuf {
        path.join(ROWS)
    }

    /// Where its rows are read from: `atlas.csv`, or `atlas.csv.gz` in its place; none where there is neither.
    ///
    /// # Errors
    ///
    /// When there are both.
    pub fn recorded(path: &Path) -> Result<Option<PathBuf>, StudyError> {
        plain_or_compressed(Self::rows(path))
    }

    /// The rows of the atlas in a directory, from the first on.
    ///
    /// # Errors
    ///
    /// When there are none, or they cannot be read.
    pub fn read_rows(path: &Path, atlas: &Atlas) -> Result<AtlasReader, StudyError> {
        let file = Self::recorded(path)?.ok_or_else(|| StudyError::NoRows(path.to_path_buf()))?;
        AtlasReader::open(&file, atlas)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
