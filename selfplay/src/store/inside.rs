//! Writing inside a directory that anybody may have made: nothing outside it is written, made or removed.
//!
//! The directory that a person names may be a symbolic link; that is their choice. What is inside it is ours to write only
//! where it is no link, and a regular file or nothing.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Component, Path};

use backrank_rules::files::check_regular;

use super::durable;

/// Opens a file for writing, unless there is a symbolic link, a pipe or anything else that is no regular file.
///
/// # Errors
///
/// When there is, or the file cannot be opened.
pub fn open_inside(path: &Path, options: &OpenOptions) -> io::Result<File> {
    match path.symlink_metadata() {
        Ok(found) if found.is_symlink() => return Err(is_link()),
        Ok(found) => check_regular(&found)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => (),
        Err(error) => return Err(error),
    }
    let mut options = options.clone();
    #[cfg(unix)]
    {
        // Whoever puts something else there meanwhile neither leads us elsewhere nor makes us wait.
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.custom_flags(flags.bits().cast_signed());
    }
    let file = options.open(path)?;
    check_regular(&file.metadata()?)?;
    Ok(file)
}

/// Writes a whole file as [`open_inside`] opens it.
pub fn write_inside(path: &Path, text: &str) -> io::Result<()> {
    let file = open_inside(path, OpenOptions::new().write(true).create(true).truncate(true))?;
    io::Write::write_all(&mut &file, text.as_bytes())
}

/// Checks that no part of a path below a directory is a symbolic link, and that all that exist are directories.
///
/// # Errors
///
/// When one is not, or the path does not lead below the directory.
pub fn check_below(directory: &Path, path: &Path) -> io::Result<()> {
    each_below(directory, path, |at| match at.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        found => check_directory(at, &found?),
    })
}

/// Makes the directories of a path below another directory, which is made as well. None of them may be a symbolic link.
///
/// # Errors
///
/// When one is, cannot be made, or the path does not lead below the directory.
pub fn make_below(directory: &Path, path: &Path) -> io::Result<()> {
    durable::create_folder(directory)?;
    each_below(directory, path, |at| match std::fs::create_dir(at) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            check_directory(at, &at.symlink_metadata()?)
        }
        made => made.and_then(|()| durable::sync_folder(durable::folder_of(at))),
    })
}

/// Calls a function for each directory of a path below another.
fn each_below(
    directory: &Path,
    path: &Path,
    mut each: impl FnMut(&Path) -> io::Result<()>,
) -> io::Result<()> {
    let outside =
        || io::Error::new(io::ErrorKind::InvalidInput, format!("it is not below {}", directory.display()));
    let below = path.strip_prefix(directory).map_err(|_| outside())?;
    let mut at = directory.to_path_buf();
    for part in below.components() {
        let Component::Normal(name) = part else { return Err(outside()) };
        at.push(name);
        each(&at)?;
    }
    Ok(())
}

fn check_directory(at: &Path, found: &std::fs::Metadata) -> io::Result<()> {
    match () {
        () if found.is_symlink() => {
            let problem = format!("{} is a symbolic link, and could lead out of the directory", at.display());
            Err(io::Error::new(io::ErrorKind::InvalidInput, problem))
        }
        () if found.is_dir() => Ok(()),
        () => Err(io::Error::new(io::ErrorKind::NotADirectory, format!("{} is no directory", at.display()))),
    }
}

fn is_link() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is a symbolic link, through which nothing is written")
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_and_what_is_no_file_are_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let [outside, own] = ["outside", "own"].map(|name| folder.path().join(name));
        std::fs::write(&outside, "theirs").unwrap();
        std::fs::create_dir(&own).unwrap();
        let link = own.join("link");
        symlink(&outside, &link).unwrap();
        symlink(folder.path().join("new"), own.join("dangling")).unwrap();
        for (name, says) in [("link", "symbolic link"), ("dangling", "symbolic link"), ("", "a directory")] {
            let error = write_inside(&own.join(name), "ours").unwrap_err().to_string();
            assert!(error.contains(says), "{name}: {error}");
        }
        assert_eq!(std::fs::read_to_string(&outside).unwrap(), "theirs");
        assert!(!folder.path().join("new").exists());
        write_inside(&own.join("file"), "ours").unwrap();
        write_inside(&own.join("file"), "new").unwrap();
        assert_eq!(std::fs::read_to_string(own.join("file")).unwrap(), "new");
    }

    #[test]
    fn directories_below_are_no_links_either() {
        let folder = tempfile::tempdir().unwrap();
        let [outside, own, named] = ["outside", "own", "named"].map(|name| folder.path().join(name));
        std::fs::create_dir(&outside).unwrap();
        std::fs::create_dir(&own).unwrap();
        symlink(&own, &named).unwrap();
        make_below(&named, &named.join("odds/Q-M")).unwrap();
        assert!(own.join("odds/Q-M").is_dir(), "the directory that is named may be a link");
        symlink(&outside, own.join("fixed")).unwrap();
        for path in [own.join("fixed/N"), own.join("../outside"), outside.clone()] {
            assert!(
                make_below(&own, &path).is_err() && check_below(&own, &path).is_err(),
                "{}",
                path.display()
            );
        }
        assert!(check_below(&own, &own.join("odds/none/at/all")).is_ok());
        assert!(std::fs::read_dir(&outside).unwrap().next().is_none());
    }
}
