//! The directory of an atlas: `atlas.toml` and `atlas.csv`.

use std::path::Path;

use super::definition::Atlas;
use super::reader::AtlasReader;
use super::row::AtlasWriter;
use crate::store::{Definition, Directory, DirectoryKind, StoreError, WholeRows, differences};

/// An atlas's directory, locked against other runs until this value is dropped.
pub type AtlasDirectory = Directory<Atlas>;

impl Definition for Atlas {
    const KIND: DirectoryKind = DirectoryKind::Atlas;

    type File = Self;

    fn is_own_file(_: &str) -> bool {
        false
    }

    fn from_file(atlas: Self, _: &Path) -> Result<Self, String> {
        atlas.check().map(|()| atlas)
    }

    fn toml_in(&self, _: &Path) -> String {
        toml::to_string(self).expect("an atlas has nothing that TOML cannot hold")
    }

    fn differences(&self, other: &Self) -> Vec<[String; 3]> {
        // The hash repeats the text.
        differences(self, other, &["variant.sha256"])
    }
}

impl AtlasDirectory {
    /// Creates an atlas that was made elsewhere; `write` writes its rows.
    ///
    /// # Errors
    ///
    /// As of [`Directory::create_whole`].
    pub fn create_made(
        path: &Path,
        atlas: &Atlas,
        write: impl FnOnce(&mut AtlasWriter) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        Self::create_whole(
            path,
            &[],
            &[],
            |begun| begun == atlas,
            |files| {
                let mut rows = AtlasWriter::resume(&files[0], 0, atlas)?;
                write(&mut rows)?;
                Ok(WholeRows { definition: atlas.clone(), sums: vec![Some(rows.sum()?)] })
            },
        )
    }

    /// A reader of the rows of the atlas in a directory.
    ///
    /// # Errors
    ///
    /// When there are no rows, or they cannot be read.
    pub fn read_rows(path: &Path, atlas: &Atlas) -> Result<AtlasReader, StoreError> {
        AtlasReader::open(&Self::recorded_rows(path)?, atlas)
    }
}
