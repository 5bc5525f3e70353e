//! Publishing rows that were written in one go, so that whoever is killed or loses power on the way can do it again.

use std::path::{Path, PathBuf};

use super::checksum::{Checksum, Sum};
use super::durable;
use super::error::StoreError;
use super::rows_writer::sum_of_rows;

/// Where a file of rows is written, and what it is called when all of it is there.
pub(super) struct Publication<'p> {
    path: &'p Path,
    /// Its name until then.
    pub unfinished: PathBuf,
}

/// Whether rows were to be published here, and were not.
pub(super) fn is_unfinished(path: &Path) -> bool {
    !path.exists() && durable::unfinished(path).exists()
}

impl<'p> Publication<'p> {
    pub fn of(path: &'p Path) -> Self {
        Self { path, unfinished: durable::unfinished(path) }
    }

    /// Whether the name is free for these rows: nothing has it, or the same rows.
    pub fn is_free_for(&self, sum: &Sum) -> Result<bool, StoreError> {
        if !self.path.exists() {
            return Ok(true);
        }
        let there = sum_of_rows(self.path, u64::MAX)?;
        Ok(there.bytes == sum.bytes && there.sha256() == sum.sha256())
    }

    /// Gives the rows, which are on the disk, their name, and a checksum.
    pub fn publish(&self, sum: &Sum) -> Result<(), StoreError> {
        durable::publish(&self.unfinished, self.path).map_err(StoreError::writing(self.path))?;
        Checksum::write(sum, self.path)
    }

    /// Removes what is not published.
    pub fn remove(&self) -> Result<(), StoreError> {
        durable::remove(&self.unfinished).map_err(StoreError::writing(&self.unfinished))
    }
}
