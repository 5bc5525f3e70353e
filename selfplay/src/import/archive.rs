//! An archive from which games are imported.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::ImportError;
use crate::pgn::{NotGames, PgnBatch, PgnStream};

/// An archive that is being read.
pub(super) struct Archive {
    pub path: PathBuf,
    pub stream: PgnStream,
    /// The batch that was taken from it last.
    pub next: Option<PgnBatch>,
    /// The number of its games that were read.
    pub games: u64,
    bytes: Arc<AtomicU64>,
}

impl Archive {
    pub fn open(path: &Path) -> Result<Self, ImportError> {
        let file = File::open(path).map_err(|error| unreadable(path, 0, error))?;
        Self::of(path, file)
    }

    pub fn of(path: &Path, source: impl Read + Send + 'static) -> Result<Self, ImportError> {
        let stream = PgnStream::of(source).map_err(|error| unreadable(path, 0, error))?;
        let bytes = stream.bytes_read();
        let mut archive = Self { path: path.to_path_buf(), stream, next: None, games: 0, bytes };
        archive.next = archive.stream.next_batch().map_err(|error| unreadable(path, 0, error))?;
        Ok(archive)
    }

    /// The number of bytes of the file that were read.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}

/// The error for an archive that cannot be read further after this many games: one of the operating system, or damaged
/// data.
pub(super) fn unreadable(path: &Path, games: u64, error: io::Error) -> ImportError {
    let path = path.to_path_buf();
    if let Some(problem) = error.get_ref().and_then(|inner| inner.downcast_ref::<NotGames>()) {
        return ImportError::NotPgn { path, problem: problem.to_string() };
    }
    match error.raw_os_error() {
        Some(_) => ImportError::Read { path, error },
        None => ImportError::Damaged { path, games, error },
    }
}
