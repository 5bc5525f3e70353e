//! Writing rows so that a crash leaves only complete ones.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::definition::hexadecimal;
use super::error::StudyError;
use super::inside::open_inside;
use super::whole_lines::Source;

/// A row of a CSV file that is written row by row.
pub trait RecordRow: Serialize {
    /// The definition that determines the columns: a study or an atlas.
    type Definition;

    /// The columns, in order.
    fn columns(definition: &Self::Definition) -> Vec<&'static str>;
}

/// How often it is checked that the file is still there.
const BETWEEN_CHECKS: Duration = Duration::from_secs(1);

/// Appends rows to a file, each with a single write. After a crash or on a full disk, the file is a beginning of the
/// complete one.
#[derive(Debug)]
pub struct RowsWriter<R> {
    path: PathBuf,
    file: File,
    end: u64,
    /// When it was last seen that the file is there.
    checked: Instant,
    row: PhantomData<fn(&R)>,
}

impl<R: RecordRow> RowsWriter<R> {
    /// Continues a file after its first `end` bytes, which its reader knows; anything after them is cut off. A new
    /// file, or one of which nothing is kept, gets its heading.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn resume(path: &Path, end: u64, definition: &R::Definition) -> Result<Self, StudyError> {
        let open = || {
            let mut file = open_inside(path, OpenOptions::new().write(true).create(true).truncate(false))?;
            if file.metadata()?.len() != end {
                file.set_len(end)?;
            }
            file.seek(SeekFrom::Start(end))?;
            io::Result::Ok(file)
        };
        let file = open().map_err(StudyError::writing(path))?;
        let mut writer =
            Self { path: path.to_path_buf(), file, end, checked: Instant::now(), row: PhantomData };
        if end == 0 {
            writer.push(format!("{}\n", R::columns(definition).join(",")).as_bytes())?;
        }
        Ok(writer)
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// When the row cannot be written. The file then ends with the row before it.
    pub fn write(&mut self, row: &R) -> Result<(), StudyError> {
        self.write_all(std::iter::once(row))
    }

    /// Adds rows.
    ///
    /// # Errors
    ///
    /// When the rows cannot be written. The file then ends with the row before them.
    pub fn write_all<'a>(&mut self, rows: impl IntoIterator<Item = &'a R>) -> Result<(), StudyError>
    where
        R: 'a,
    {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        let text = rows.into_iter().try_for_each(|row| writer.serialize(row)).map_err(io::Error::other);
        let text =
            text.and_then(|()| writer.into_inner().map_err(|error| io::Error::other(error.to_string())));
        self.push(&text.map_err(StudyError::writing(&self.path))?)
    }

    /// Checks that the file is still where rows are written to.
    ///
    /// # Errors
    ///
    /// When it, or its directory, was removed or replaced meanwhile.
    pub fn check_there(&self) -> Result<(), StudyError> {
        let gone = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                io::Error::new(error.kind(), "it was removed while rows were written to it")
            }
            _ => error,
        };
        let found = self.path.metadata().map_err(gone).map_err(StudyError::writing(&self.path))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let own = self.file.metadata().map_err(StudyError::writing(&self.path))?;
            if (own.dev(), own.ino()) != (found.dev(), found.ino()) {
                let replaced =
                    io::Error::other("it was replaced by another file while rows were written to it");
                return Err(StudyError::writing(&self.path)(replaced));
            }
        }
        #[cfg(not(unix))]
        let _ = found;
        Ok(())
    }

    /// The length of the file in bytes.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Appends the rows of another file, compressed or not, up to byte `end`, without its first `left_out` rows.
    /// Returns the SHA-256 of everything that was read, including the heading and the rows that were left out.
    ///
    /// # Errors
    ///
    /// When either file cannot be read or written.
    pub fn append(&mut self, path: &Path, end: u64, left_out: u64) -> Result<String, StudyError> {
        let mut rows = BufReader::with_capacity(1 << 20, Source::open(path)?).take(end);
        let mut hash = Sha256::new();
        let mut lines = 0;
        while lines <= left_out {
            let bytes = rows.fill_buf().map_err(StudyError::reading(path))?;
            let line = memchr::memchr(b'\n', bytes).map(|end| &bytes[..=end]);
            let read = line.unwrap_or(bytes);
            if read.is_empty() {
                break;
            }
            hash.update(read);
            lines += u64::from(line.is_some());
            let read = read.len();
            rows.consume(read);
        }
        loop {
            let bytes = rows.fill_buf().map_err(StudyError::reading(path))?;
            if bytes.is_empty() {
                return Ok(hexadecimal(&hash.finalize()));
            }
            hash.update(bytes);
            self.push(bytes)?;
            let read = bytes.len();
            rows.consume(read);
        }
    }

    /// Truncates the file after its first `end` bytes.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn cut(&mut self, end: u64) -> Result<(), StudyError> {
        let mut cut = || self.file.set_len(end).and_then(|()| self.file.seek(SeekFrom::Start(end)));
        cut().map_err(StudyError::writing(&self.path))?;
        self.end = end;
        Ok(())
    }

    fn push(&mut self, bytes: &[u8]) -> Result<(), StudyError> {
        match self.file.write_all(bytes) {
            Ok(()) => {
                self.end += bytes.len() as u64;
                if self.checked.elapsed() >= BETWEEN_CHECKS {
                    self.checked = Instant::now();
                    self.check_there()?;
                }
                Ok(())
            }
            Err(error) => {
                // Part of the row may have been written. If cutting it off fails as well, resuming does it.
                let _ = self.cut(self.end);
                Err(StudyError::writing(&self.path)(error))
            }
        }
    }
}
