//! Reading files that anybody may have made: never more of them than is stated, and never something that does not end.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// The most that is read of a file that a person writes or could: a variant, a study's definition, weights, a list of ids.
pub const MAX_TEXT: u64 = 64 << 20;

/// Opens a regular file, through symbolic links. A pipe, which might keep its reader waiting for ever, is an error, and so is a
/// directory, a socket or a device.
///
/// # Errors
///
/// When it is none, or cannot be opened.
pub fn open_file(path: &Path) -> io::Result<File> {
    check_regular(&path.metadata()?)?;
    File::open(path)
}

/// Checks that what was found at a path is a regular file.
///
/// # Errors
///
/// When it is something else; the error says what.
pub fn check_regular(found: &Metadata) -> io::Result<()> {
    if found.is_file() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it is {}, not a file", what(found))))
}

/// What something is that is no regular file.
fn what(found: &Metadata) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = found.file_type();
        if kind.is_fifo() {
            return "a pipe";
        } else if kind.is_socket() {
            return "a socket";
        } else if kind.is_block_device() || kind.is_char_device() {
            return "a device";
        }
    }
    match () {
        () if found.is_dir() => "a directory",
        () if found.is_symlink() => "a symbolic link",
        () => "something else",
    }
}

/// Reads a whole regular file, which may have so many bytes.
///
/// ```
/// let folder = std::env::temp_dir();
/// assert!(backrank_rules::files::read_file(&folder, 10).unwrap_err().to_string().contains("a directory"));
/// ```
///
/// # Errors
///
/// When it is none, is larger, or cannot be read.
pub fn read_file(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_up_to(open_file(path)?, limit)
}

/// Reads a whole regular file as [`read_file`] does, which must be UTF-8.
///
/// # Errors
///
/// When it is no such file, is larger, or cannot be read.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    text(read_file(path, limit)?)
}

/// Reads a whole file that a person names on the command line, which may be a pipe, too: `<(zcat game.toml.gz)`.
///
/// # Errors
///
/// When it has more bytes than `limit`, cannot be read, or is not UTF-8.
pub fn read_named_text(path: &Path, limit: u64) -> io::Result<String> {
    if path.is_dir() {
        check_regular(&path.metadata()?)?;
    }
    text(read_up_to(File::open(path)?, limit)?)
}

/// Reads up to the end, which must come within so many bytes.
///
/// # Errors
///
/// When it does not, or reading fails.
pub fn read_up_to(from: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    UpTo::new(from, limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads what may have so many bytes; where it has more, that is an error.
#[derive(Debug)]
pub struct UpTo<R> {
    inner: R,
    most: u64,
    left: u64,
}

impl<R> UpTo<R> {
    /// Reads at most so many bytes.
    pub fn new(inner: R, most: u64) -> Self {
        Self { inner, most, left: most }
    }
}

impl<R: Read> Read for UpTo<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        match self.left.checked_sub(read as u64) {
            Some(left) => {
                self.left = left;
                Ok(read)
            }
            None => Err(too_large(self.most)),
        }
    }
}

fn too_large(most: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {}", size(most)))
}

/// The longest line of a table, in bytes: a game of a million moves fits.
pub const LONGEST_LINE: u64 = 16 << 20;

/// Reads what has lines, each of which may have so many bytes: one that never ends would fill the memory of whoever waits for its
/// end.
#[derive(Debug)]
pub struct ShortLines<R> {
    inner: R,
    longest: u64,
    /// Bytes since the last line break.
    since: u64,
}

impl<R> ShortLines<R> {
    /// Reads lines of at most so many bytes.
    pub fn new(inner: R, longest: u64) -> Self {
        Self { inner, longest, since: 0 }
    }

    /// What is read from.
    pub fn inner(&self) -> &R {
        &self.inner
    }
}

impl<R: Read> Read for ShortLines<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        let last = bytes[..read].iter().rposition(|&byte| byte == b'\n');
        self.since = last.map_or(self.since + read as u64, |last| (read - last - 1) as u64);
        match self.since > self.longest {
            true => {
                let problem = format!("it has a line of more than {}", size(self.longest));
                Err(io::Error::new(io::ErrorKind::FileTooLarge, problem))
            }
            false => Ok(read),
        }
    }
}

/// A number of bytes for people.
fn size(bytes: u64) -> String {
    match bytes >> 20 {
        0 => format!("{bytes} bytes"),
        mebibytes => format!("{mebibytes} MiB"),
    }
}

fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        io::Error::new(io::ErrorKind::InvalidData, format!("line {line} is not UTF-8"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_or_no_file_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        std::fs::write(&path, [b'a', b'\n', b'\n', 0xff]).unwrap();
        let says = |result: io::Result<String>| result.unwrap_err().to_string();
        assert_eq!(read_file(&path, 4).unwrap().len(), 4);
        assert_eq!(says(read_text(&path, 4)), "line 3 is not UTF-8");
        assert_eq!(says(read_text(&path, 3)), "it has more than 3 bytes");
        assert_eq!(says(read_text(folder.path(), 3)), "it is a directory, not a file");
        assert_eq!(says(read_named_text(folder.path(), 3)), "it is a directory, not a file");
        let missing = read_text(&folder.path().join("none"), 3).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_line_may_be_long_but_not_endless() {
        let all = |text: &[u8], longest| read_up_to(ShortLines::new(text, longest), 100);
        assert_eq!(all(b"aaa\naaaa\naa", 4).unwrap(), b"aaa\naaaa\naa");
        assert!(all(b"a\naaaaa", 4).unwrap_err().to_string().contains("a line of more than 4 bytes"));
        let mut endless = io::BufReader::new(ShortLines::new(io::repeat(b'x'), 1 << 20));
        let error = io::BufRead::read_until(&mut endless, b'\n', &mut Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "it has a line of more than 1 MiB");
    }

    #[cfg(unix)]
    #[test]
    fn what_never_ends_is_given_up() {
        let device = Path::new("/dev/zero");
        assert_eq!(read_file(device, 9).unwrap_err().to_string(), "it is a device, not a file");
        assert_eq!(read_named_text(device, 3 << 20).unwrap_err().to_string(), "it has more than 3 MiB");
    }
}
