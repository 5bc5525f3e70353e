//! Checksums of finished files of rows, in a file beside each, such as `games.csv.sha256`, which `sha256sum -c` reads.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use backrank_rules::files::{MAX_TEXT, open_file, read_file};
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::durable;
use super::error::StoreError;
use super::files::{is_torn, read_toml};
use super::hash::{hexadecimal, sha256};

/// What a file of rows was when the last run that added to it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checksum {
    /// Its length; unknown where a person has made the checksum.
    pub bytes: Option<u64>,
    /// Its SHA-256.
    pub sha256: String,
}

/// The SHA-256 of what was written or read so far, and its length.
#[derive(Clone, Debug, Default)]
pub struct Sum {
    hash: Sha256,
    /// The length.
    pub bytes: u64,
}

impl Sum {
    /// Adds the next bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
    }

    /// The SHA-256, in hexadecimal digits.
    pub fn sha256(&self) -> String {
        hexadecimal(&self.hash.clone().finalize())
    }
}

/// The most that a file with a checksum holds.
const MOST: u64 = 4096;

impl Checksum {
    /// The file with the checksum of another.
    pub fn path(of: &Path) -> PathBuf {
        of.with_added_extension("sha256")
    }

    /// Reads the checksum of a file; none where there is none.
    pub fn read(of: &Path) -> Result<Option<Self>, StoreError> {
        let path = Self::path(of);
        let mut text = String::new();
        match open_file(&path).and_then(|file| file.take(MOST).read_to_string(&mut text)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() != io::ErrorKind::InvalidData => {
                return Err(StoreError::reading(&path)(error));
            }
            _ => (),
        }
        let (mut bytes, mut sha256) = (None, None);
        for line in text.lines() {
            match line.strip_prefix("# ") {
                Some(comment) => bytes = comment.strip_suffix(" bytes").and_then(|bytes| bytes.parse().ok()),
                None => sha256 = sha256.or(line.split([' ', '*']).next()),
            }
        }
        let is_sha256 = |text: &&str| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        match sha256.filter(is_sha256) {
            Some(sha256) => Ok(Some(Self { bytes, sha256: sha256.to_ascii_lowercase() })),
            None => Err(StoreError::NoChecksum(path)),
        }
    }

    /// Writes it beside the file.
    pub fn write(sum: &Sum, of: &Path) -> Result<(), StoreError> {
        let path = Self::path(of);
        let name = of.file_name().unwrap_or_default().to_string_lossy();
        let text = format!("# {} bytes\n{}  {name}\n", sum.bytes, sum.sha256());
        durable::write_whole(&path, &text).map_err(StoreError::writing(&path))
    }

    /// Removes that of a file, before the file changes.
    pub fn remove(of: &Path) -> Result<(), StoreError> {
        let path = Self::path(of);
        durable::remove(&path).map_err(StoreError::writing(&path))
    }
}

/// What the last line of a sealed text begins with.
const SEAL: &str = "# SHA-256 of what is above: ";

/// A text in TOML with its own SHA-256 in a comment at the end.
pub fn sealed(text: &str) -> String {
    format!("{text}{SEAL}{}\n", sha256(text.as_bytes()))
}

/// Reads a sealed TOML file. One without a seal, as earlier versions wrote it, is read as well. `damaged` makes an error of what a
/// crash or a disk has done to it, `wrong` of anything else that is wrong with its text.
pub fn read_sealed<T: DeserializeOwned, E: From<StoreError>>(
    path: &Path,
    damaged: impl Fn(String) -> E,
    wrong: impl Fn(String) -> E,
) -> Result<T, E> {
    let bytes = read_file(path, MAX_TEXT).map_err(StoreError::reading(path))?;
    if let Some(at) = memchr::memmem::rfind(&bytes, SEAL.as_bytes())
        && bytes[at + SEAL.len()..].trim_ascii_end() != sha256(&bytes[..at]).as_bytes()
    {
        return Err(damaged("its SHA-256 is not the one in its last line".to_string()));
    }
    read_toml(path, |problem| {
        let problem = problem.trim_end().to_string();
        if is_torn::<T>(path) { damaged(problem) } else { wrong(problem) }
    })
}

/// Holds a file against its checksum while it is read.
#[derive(Debug)]
pub(super) struct Verifier {
    expected: Checksum,
    sum: Sum,
    /// Whether the end of the file may be missing, because what is missing will be added.
    is_continued: bool,
    /// Nothing is left to verify.
    is_done: bool,
    /// What was found, until it is told.
    found: Option<StoreError>,
}

impl Verifier {
    /// The verifier of a file, if the file has a checksum.
    pub fn of(path: &Path, is_continued: bool) -> Result<Option<Self>, StoreError> {
        let verifier =
            |expected| Self { expected, sum: Sum::default(), is_continued, is_done: false, found: None };
        Ok(Checksum::read(path)?.map(verifier))
    }

    /// Takes the next line.
    pub fn add(&mut self, path: &Path, line: &[u8]) {
        if self.is_done {
            return;
        }
        self.sum.add(line);
        if self.expected.bytes.is_some_and(|bytes| self.sum.bytes >= bytes) {
            self.compare(path);
        }
    }

    /// Takes note that the file ends here.
    pub fn end(&mut self, path: &Path) {
        match self.expected.bytes {
            _ if self.is_done => (),
            Some(bytes) if self.sum.bytes < bytes && self.is_continued => (),
            Some(bytes) if self.sum.bytes < bytes => {
                self.is_done = true;
                let (path, is) = (path.to_path_buf(), self.sum.bytes);
                self.found = Some(StoreError::CutShort { path, is, should: bytes });
            }
            _ => self.compare(path),
        }
    }

    /// Says once if the file is not what it was, as far as it was read. Whoever reads a line asks before the next one, because
    /// it is better to hear what is wrong with the line.
    pub fn say(&mut self) -> Result<(), StoreError> {
        self.found.take().map_or(Ok(()), Err)
    }

    fn compare(&mut self, path: &Path) {
        self.is_done = true;
        let is_same = self.expected.bytes.is_none_or(|bytes| bytes == self.sum.bytes)
            && self.sum.sha256() == self.expected.sha256;
        self.found = (!is_same).then(|| StoreError::Damaged(path.to_path_buf()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What reading a file says line by line.
    fn verify(path: &Path, text: &str, is_continued: bool) -> Result<(), StoreError> {
        let mut verifier = Verifier::of(path, is_continued)?.unwrap();
        text.split_inclusive('\n').for_each(|line| verifier.add(path, line.as_bytes()));
        verifier.end(path);
        verifier.say()
    }

    #[test]
    fn damage_and_a_missing_end_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.csv");
        assert!(Checksum::read(&path).unwrap().is_none());
        let whole = "heading\nrow 1\nrow 2\n";
        let mut sum = Sum::default();
        sum.add(whole.as_bytes());
        Checksum::write(&sum, &path).unwrap();
        let text = std::fs::read_to_string(Checksum::path(&path)).unwrap();
        assert!(text.starts_with("# 20 bytes\n") && text.ends_with("  games.csv\n"), "{text}");
        verify(&path, whole, false).unwrap();
        // Others may have added to it since.
        verify(&path, &format!("{whole}row 3\n"), false).unwrap();
        for damaged in ["heading\nrow 3\nrow 2\n", "heading\nrow 1\nrow  2\n", "heading\nrow 11\n\nrow 2\n"] {
            for is_continued in [false, true] {
                let error = verify(&path, damaged, is_continued).unwrap_err();
                assert!(matches!(error, StoreError::Damaged(_)), "{error}");
            }
        }
        for short in ["", "heading\nrow 1\n", "heading\nrow 1\nrow"] {
            let error = verify(&path, short, false).unwrap_err();
            assert!(matches!(error, StoreError::CutShort { should: 20, .. }), "{error}");
            verify(&path, short, true).unwrap();
        }
        // As `sha256sum` writes it, with either kind of marker, and what is none.
        for (text, is_read) in [
            (format!("{}  games.csv\n", sum.sha256()), true),
            (format!("{} *games.csv\n", sum.sha256().to_ascii_uppercase()), true),
            ("".to_string(), false),
            ("\0\0\0\0".to_string(), false),
            ("# 20 bytes\n".to_string(), false),
        ] {
            std::fs::write(Checksum::path(&path), text).unwrap();
            assert_eq!(verify(&path, whole, false).is_ok(), is_read);
            assert!(verify(&path, "heading\n", false).is_err());
        }
        Checksum::remove(&path).unwrap();
        Checksum::remove(&path).unwrap();
        assert!(Verifier::of(&path, false).unwrap().is_none());
    }
}
