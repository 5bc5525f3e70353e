//! Files that are whole or not there, also after the power has failed.
//!
//! What is written stays in memory until the system finds the time to put it on the disk, and a file's contents, its length and
//! its name get there in any order. So whatever is published is put on the disk first, then it gets its name, and then the
//! folder with that name is put on the disk.
//!
//! A file that is not published yet has a name that begins with a point, and its writer holds a lock on it. The system releases
//! that lock however the writer ends, so what nobody has locked is [litter](remove_litter).

use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// What the names of files begin with that are not published yet: those of studies, and those of other output.
const PREFIXES: [&str; 2] = [".whole-", ".backrank-"];

/// The random letters after that.
const RANDOM: usize = 6;

/// A file without a name, which [`Unpublished::publish`] gives it. Dropped before that, it is removed.
///
/// ```
/// use std::io::Write;
///
/// use backrank_selfplay::store::durable::Unpublished;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("answer.txt");
/// let mut file = Unpublished::beside(&path)?;
/// writeln!(file, "42")?;
/// assert!(!path.exists());
/// file.publish(&path)?;
/// assert_eq!(std::fs::read_to_string(&path)?, "42\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Unpublished(NamedTempFile);

impl Unpublished {
    /// Creates a file that can be published at this path, with the permissions of any new file.
    ///
    /// # Errors
    ///
    /// When there is no such folder, or it cannot be written.
    pub fn beside(path: &Path) -> io::Result<Self> {
        Self::create(path, PREFIXES[1])
    }

    fn create(path: &Path, prefix: &str) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            // The permissions before the umask is applied.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        builder.prefix(prefix).rand_bytes(RANDOM);
        loop {
            let file = builder.tempfile_in(folder_of(path))?;
            // Whoever looks for litter before the lock is there removes the file.
            if claim(file.as_file()) {
                return Ok(Self(file));
            }
        }
    }

    /// Its path until it is published.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The file.
    pub fn as_file(&self) -> &File {
        self.0.as_file()
    }

    /// Puts it on the disk, and gives it a name, which another file may have had.
    ///
    /// # Errors
    ///
    /// When that is not possible. The file is then removed.
    pub fn publish(self, path: &Path) -> io::Result<()> {
        let (file, own) = self.0.into_parts();
        file.sync_all()?;
        std::fs::rename(&own, path)?;
        // Nothing has that name any more.
        own.keep()?;
        sync_folder(folder_of(path))
    }
}

impl Write for Unpublished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Writes a file of a study that gets its name only when it is complete and on the disk.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let mut file = Unpublished::create(path, PREFIXES[0])?;
    file.write_all(text.as_bytes())?;
    file.publish(path)
}

/// Gives a complete file its name, after it is on the disk.
pub fn publish(file: &Path, path: &Path) -> io::Result<()> {
    sync_file(file)?;
    std::fs::rename(file, path)?;
    sync_folder(folder_of(path))
}

/// The same for a folder and everything in it. A folder that has the name already must be empty.
pub fn publish_folder(folder: &Path, path: &Path) -> io::Result<()> {
    sync_all(folder)?;
    std::fs::rename(folder, path)?;
    sync_folder(folder_of(path))
}

/// Creates a folder, and those around it that are missing, and puts their names on the disk.
pub fn create_folder(path: &Path) -> io::Result<()> {
    if path.as_os_str().is_empty() || path.is_dir() {
        return Ok(());
    }
    let around = folder_of(path);
    create_folder(around)?;
    match std::fs::create_dir(path) {
        Err(_) if path.is_dir() => (),
        result => result?,
    }
    sync_folder(around)
}

/// Puts a file on the disk, and its name.
pub fn sync(path: &Path) -> io::Result<()> {
    sync_file(path)?;
    sync_folder(folder_of(path))
}

/// Removes a file, if it is there, and puts on the disk that it is gone.
pub fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result.and_then(|()| sync_folder(folder_of(path))),
    }
}

fn sync_file(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Puts the names in a folder on the disk.
#[cfg(unix)]
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder)?.sync_all() {
        // Some network file systems cannot, and need not.
        Err(error) if [io::ErrorKind::InvalidInput, io::ErrorKind::Unsupported].contains(&error.kind()) => {
            Ok(())
        }
        result => result,
    }
}

/// Without Unix, a folder is no file that could be put on the disk.
#[cfg(not(unix))]
pub fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Puts a folder with everything in it on the disk.
fn sync_all(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()? {
            kind if kind.is_dir() => sync_all(&entry.path())?,
            kind if kind.is_file() => sync_file(&entry.path())?,
            _ => (),
        }
    }
    sync_folder(folder)
}

/// Removes what earlier runs that were killed have left in a folder. Where the file system has no locks, or the folder cannot be
/// written, it stays.
pub fn remove_litter(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_unpublished = |prefix: &&str| {
            let random = name.to_str().and_then(|name| name.strip_prefix(prefix));
            random.is_some_and(|random| {
                random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
            })
        };
        if PREFIXES.iter().any(is_unpublished) && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            remove_unused(&entry.path());
        }
    }
}

/// Removes a file that no process has [claimed](claim).
pub fn remove_unused(path: &Path) {
    let is_file = std::fs::symlink_metadata(path).is_ok_and(|data| data.is_file());
    let is_unused = || File::options().write(true).open(path).is_ok_and(|file| file.try_lock().is_ok());
    if is_file && is_unused() {
        // Somebody else may have removed it.
        let _ = std::fs::remove_file(path);
    }
}

/// Locks a file that was just created, so that nobody takes it for litter while it is open. Returns false if somebody has
/// removed it before.
pub fn claim(file: &File) -> bool {
    match file.try_lock() {
        // Without locks nobody removes it.
        Ok(()) | Err(TryLockError::Error(_)) => links(file) != Some(0),
        Err(TryLockError::WouldBlock) => false,
    }
}

/// The number of names that a file has.
#[cfg(unix)]
fn links(file: &File) -> Option<u64> {
    file.metadata().ok().map(|data| std::os::unix::fs::MetadataExt::nlink(&data))
}

#[cfg(not(unix))]
fn links(_: &File) -> Option<u64> {
    None
}

/// The folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A name beside a file that is not published yet: of fixed form, so that the next attempt overwrites what a crash left behind.
pub fn unfinished(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".unfinished-{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn litter_is_what_nobody_has_locked() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let litter = [".whole-Ab12Cd", ".backrank-x00000"];
        let others =
            [".whole-", ".whole-Ab12C", ".backrank-a.b.c.", ".backrank-notes.txt", "whole-Ab12Cd", ".lock"];
        for name in litter.iter().chain(&others) {
            std::fs::write(path(name), "text").unwrap();
        }
        std::fs::create_dir(path(".whole-Folder")).unwrap();
        let in_use = Unpublished::beside(&path("games.pgn")).unwrap();
        remove_litter(folder.path());
        assert!(litter.iter().all(|name| !path(name).exists()));
        assert!(others.iter().all(|name| path(name).exists()) && path(".whole-Folder").exists());
        in_use.publish(&path("games.pgn")).unwrap();
        assert!(path("games.pgn").exists());
    }

    #[test]
    fn folders_are_created_within_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("one/two/three");
        for _ in 0..2 {
            create_folder(&inner).unwrap();
            assert!(inner.is_dir());
        }
        std::fs::write(inner.join("file"), "").unwrap();
        assert!(create_folder(&inner.join("file")).is_err());
        create_folder(Path::new("")).unwrap();
    }
}
