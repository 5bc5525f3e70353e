//! What the directories of studies and of atlases share: the lock, and files that are written completely or not at all.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::error::StudyError;

/// Locks a directory against other runs until the file is closed. The operating system closes it when the process ends,
/// however it ends. `None` on shared file systems without locks.
pub(crate) fn lock(directory: &Path) -> Result<Option<File>, StudyError> {
    let path = directory.join(".lock");
    let lock = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
    let lock = lock.map_err(StudyError::writing(&path))?;
    match lock.try_lock() {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => Ok(None),
        Err(TryLockError::WouldBlock) => Err(StudyError::Locked(directory.to_path_buf())),
        Err(TryLockError::Error(error)) => Err(StudyError::writing(&path)(error)),
    }
}

/// Writes a file that gets its name only when it is complete.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<(), StudyError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let write = || {
        let mut whole = tempfile::Builder::new().prefix(".whole-").tempfile_in(folder)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            whole.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
        }
        whole.write_all(text.as_bytes())?;
        whole.persist(path).map_err(|error| error.error)
    };
    write().map(|_| ()).map_err(StudyError::writing(path))
}

/// Reads a TOML file. `wrong` makes an error of what is wrong with its text.
pub(crate) fn read_toml<T: DeserializeOwned>(
    path: &Path,
    wrong: impl Fn(String) -> StudyError,
) -> Result<T, StudyError> {
    let bytes = std::fs::read(path).map_err(StudyError::reading(path))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.split(|&byte| byte == b'\n').count();
        wrong(format!("line {line} is not UTF-8"))
    })?;
    toml::from_str(&text).map_err(|error| wrong(error.to_string()))
}

/// The file from which rows are read: the uncompressed one or the compressed one; `None` if there is neither.
pub(crate) fn plain_or_compressed(plain: PathBuf) -> Result<Option<PathBuf>, StudyError> {
    let compressed = plain.with_added_extension("gz");
    match (plain.exists(), compressed.exists()) {
        (true, true) => Err(StudyError::TwoRecords { plain, compressed }),
        (true, false) => Ok(Some(plain)),
        (false, true) => Ok(Some(compressed)),
        (false, false) => Ok(None),
    }
}
