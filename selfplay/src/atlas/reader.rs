//! Reading an `atlas.csv`, compressed or not.

use std::ops::Range;
use std::path::Path;

use super::definition::Atlas;
use super::row::{AtlasRow, COLUMNS};
use crate::store::{DirectoryKind, StoreError, WholeLines};
use crate::study::{StudySetups, same};

/// Reads the rows of an `atlas.csv` or `atlas.csv.gz`, and checks that each is that of the atlas's next setup. A last
/// line that a crash left incomplete is not read.
#[derive(Debug)]
pub struct AtlasReader {
    lines: WholeLines,
    setups: StudySetups,
    /// The indices of the setups whose rows have not been read yet.
    due: Range<u64>,
}

impl AtlasReader {
    /// Opens a file of rows and reads its heading. A file without a complete heading has no rows.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, has other columns, or the atlas is not valid. If there is a checksum, whoever reads to
    /// the end gets an error there where the file is not what it was when it was finished.
    pub fn open(path: &Path, atlas: &Atlas) -> Result<Self, StoreError> {
        Self::open_as(path, atlas, false)
    }

    /// The same; if the file is to be continued, it is no error that its end is missing.
    pub(super) fn open_as(path: &Path, atlas: &Atlas, is_continued: bool) -> Result<Self, StoreError> {
        let setups = atlas.setups().map_err(|error| StoreError::Definition {
            what: DirectoryKind::Atlas,
            path: path.with_file_name("atlas.toml"),
            problem: error.to_string(),
        })?;
        let lines = WholeLines::open_as(path, "atlas.csv", COLUMNS.to_vec(), is_continued)?;
        Ok(Self { lines, due: atlas.range(setups.len()), setups })
    }

    /// The length in bytes of the complete lines read so far; for a compressed file, after decompression.
    pub fn end(&self) -> u64 {
        self.lines.end()
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        self.lines.path()
    }

    /// The number of setups of the whole atlas, not only of the part in the file.
    pub fn all_setups(&self) -> u64 {
        self.setups.len()
    }

    /// The index of the next row's setup in the whole atlas.
    pub fn next_index(&self) -> u64 {
        self.due.start
    }

    fn next_row(&mut self) -> Result<Option<AtlasRow>, StoreError> {
        let Some(row) = self.lines.next_row::<AtlasRow>()? else { return Ok(None) };
        let Some(index) = self.due.next() else {
            return Err(self
                .lines
                .wrong(format!("setup {} comes after the last one of the atlas", row.setup)));
        };
        let (id, setup) = self.setups.get(index);
        let check = same("setup", &row.setup.to_string(), &id.to_string())
            .and_then(|()| same("white_rank", &row.white_rank, &setup.white.to_string()))
            .and_then(|()| same("black_rank", &row.black_rank, &setup.black.to_string()));
        check.map_err(|problem| self.lines.wrong(problem))?;
        Ok(Some(row))
    }
}

impl Iterator for AtlasReader {
    type Item = Result<AtlasRow, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.next_row();
        if row.is_err() {
            self.lines.stop();
        }
        row.transpose()
    }
}
