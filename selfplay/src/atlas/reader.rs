//! Reading an `atlas.csv`, compressed or not.

use std::ops::Range;
use std::path::Path;

use super::definition::Atlas;
use super::row::{AtlasRow, COLUMNS};
use crate::study::{StudyError, StudySetups, WholeLines, same};

/// The rows of an `atlas.csv`, up to a last line that a crash may have torn; or of an `atlas.csv.gz`. Each must be that of
/// the next setup of its atlas.
#[derive(Debug)]
pub struct AtlasReader {
    lines: WholeLines,
    setups: StudySetups,
    /// The places of the setups whose rows are not read yet.
    due: Range<u64>,
}

impl AtlasReader {
    /// Opens a file of an atlas and reads its heading. A file without even a whole heading has no rows.
    ///
    /// # Errors
    ///
    /// When it cannot be read, its columns are others, or the atlas makes no sense.
    pub fn open(path: &Path, atlas: &Atlas) -> Result<Self, StudyError> {
        let setups = atlas.setups().map_err(|error| StudyError::Atlas {
            path: path.with_file_name("atlas.toml"),
            problem: error.to_string(),
        })?;
        let lines = WholeLines::open(path, "atlas.csv", COLUMNS.to_vec())?;
        Ok(Self { lines, due: atlas.range(setups.len()), setups })
    }

    /// The number of bytes in whole lines, so far; of a compressed file, those of what was compressed.
    pub fn end(&self) -> u64 {
        self.lines.end()
    }

    /// The file that is read.
    pub fn path(&self) -> &Path {
        self.lines.path()
    }

    /// The number of setups of the whole atlas, whatever part of it is in the file.
    pub fn all_setups(&self) -> u64 {
        self.setups.len()
    }

    /// The place of the next row's setup among those of the whole atlas.
    pub fn next_place(&self) -> u64 {
        self.due.start
    }

    fn next_row(&mut self) -> Result<Option<AtlasRow>, StudyError> {
        let Some(row) = self.lines.next_row::<AtlasRow>()? else { return Ok(None) };
        let Some(place) = self.due.next() else {
            return Err(self
                .lines
                .wrong(format!("setup {} comes after the last one of the atlas", row.setup)));
        };
        let (id, setup) = self.setups.get(place);
        let check = same("setup", &row.setup.to_string(), &id.to_string())
            .and_then(|()| same("white_rank", &row.white_rank, &setup.white.to_string()))
            .and_then(|()| same("black_rank", &row.black_rank, &setup.black.to_string()));
        check.map_err(|problem| self.lines.wrong(problem))?;
        Ok(Some(row))
    }
}

impl Iterator for AtlasReader {
    type Item = Result<AtlasRow, StudyError>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.next_row();
        if row.is_err() {
            self.lines.stop();
        }
        row.transpose()
    }
}
