//! What the directories of studies and of atlases share: the lock, and files that are written completely or not at all.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use backrank_rules::files::{MAX_TEXT, check_regular, read_file, read_text};
use serde::de::DeserializeOwned;

use super::durable;
use super::error::StoreError;
use super::inside::open_inside;

/// Locks a directory against other runs until the file is closed. The operating system closes it when the process ends,
/// however it ends. `None` on shared file systems without locks.
pub fn lock(directory: &Path) -> Result<Option<File>, StoreError> {
    let path = directory.join(".lock");
    let lock = open_inside(&path, OpenOptions::new().write(true).create(true).truncate(false));
    let lock = lock.map_err(StoreError::writing(&path))?;
    match lock.try_lock() {
        Ok(()) => {
            durable::remove_litter(directory);
            Ok(Some(lock))
        }
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(None),
        Err(TryLockError::WouldBlock) => Err(StoreError::Locked(directory.to_path_buf())),
        Err(TryLockError::Error(error)) => Err(StoreError::writing(&path)(error)),
    }
}

/// Writes a file that gets its name only when it is complete and on the disk.
pub fn write_whole(path: &Path, text: &str) -> Result<(), StoreError> {
    durable::write_whole(path, text).map_err(StoreError::writing(path))
}

/// Creates a directory, and those around it that are missing.
pub fn create_directory(path: &Path) -> Result<(), StoreError> {
    durable::create_folder(path).map_err(StoreError::writing(path))
}

/// Whether a TOML file is there that a crash has damaged: it is empty, cut short or full of something else. A file of another
/// version, with fields that this one does not know, is not damaged.
pub fn is_torn<T: DeserializeOwned>(path: &Path) -> bool {
    let Ok(bytes) = read_file(path, MAX_TEXT) else { return false };
    let Ok(text) = String::from_utf8(bytes) else { return true };
    match toml::from_str::<T>(&text) {
        Ok(_) => false,
        Err(error) => {
            toml::from_str::<toml::Table>(&text).is_err() || error.message().starts_with("missing field")
        }
    }
}

/// Reads a TOML file. `wrong` makes an error of what is wrong with its text.
pub fn read_toml<T: DeserializeOwned, E: From<StoreError>>(
    path: &Path,
    wrong: impl Fn(String) -> E,
) -> Result<T, E> {
    let text = read_text(path, MAX_TEXT).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => wrong(error.to_string()),
        _ => StoreError::reading(path)(error).into(),
    })?;
    parse_toml(&text).map_err(wrong)
}

/// Reads the text of a TOML file. Its numbers are those that TOML can hold, so that it can be written again.
pub fn parse_toml<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    // A `u64` alone would take larger ones.
    toml::from_str::<toml::Table>(text).map_err(|error| error.to_string())?;
    toml::from_str(text).map_err(|error| error.to_string())
}

/// Whether there is a file. Anything else there, such as a pipe, is an error, and so is a directory that must not be read.
pub fn is_there(path: &Path) -> Result<bool, StoreError> {
    match path.metadata() {
        Ok(found) => check_regular(&found).map(|()| true).map_err(StoreError::reading(path)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(false)
        }
        Err(error) => Err(StoreError::reading(path)(error)),
    }
}

/// The file from which rows are read: the uncompressed one or the compressed one; `None` if there is neither.
pub fn plain_or_compressed(plain: PathBuf) -> Result<Option<PathBuf>, StoreError> {
    let compressed = plain.with_added_extension("gz");
    match (is_there(&plain)?, is_there(&compressed)?) {
        (true, true) => Err(StoreError::TwoRecords { plain, compressed }),
        (true, false) => Ok(Some(plain)),
        (false, true) => Ok(Some(compressed)),
        (false, false) => Ok(None),
    }
}
