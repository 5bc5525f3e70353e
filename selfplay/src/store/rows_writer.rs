//! Writing rows so that a crash leaves only complete ones.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::checksum::{Checksum, Sum};
use super::durable;
use super::error::StoreError;
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
    /// Room for the text of rows, which is used again and again.
    text: Vec<u8>,
    /// When it was last seen that the file is there.
    checked: Instant,
    /// The checksum of what was written; not known where a file is continued.
    sum: Option<Sum>,
    /// Whether the file is as an earlier run has finished it, and its checksum is right.
    is_finished: bool,
    row: PhantomData<fn(&R)>,
}

impl<R: RecordRow> RowsWriter<R> {
    /// Continues a file after its first `end` bytes, which its reader knows; anything after them is cut off. A new
    /// file, or one of which nothing is kept, gets its heading.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn resume(path: &Path, end: u64, definition: &R::Definition) -> Result<Self, StoreError> {
        let open = || {
            let file = open_inside(path, OpenOptions::new().write(true).create(true).truncate(false))?;
            let length = file.metadata()?.len();
            io::Result::Ok((file, length))
        };
        let (file, length) = open().map_err(StoreError::writing(path))?;
        let mut writer = Self {
            path: path.to_path_buf(),
            file,
            end,
            text: Vec::new(),
            checked: Instant::now(),
            sum: (end == 0).then(Sum::default),
            is_finished: true,
            row: PhantomData,
        };
        match length == end {
            true => writer.file.seek(SeekFrom::Start(end)).map(|_| ()).map_err(StoreError::writing(path))?,
            false => writer.cut(end)?,
        }
        if end == 0 {
            writer.push(format!("{}\n", R::columns(definition).join(",")).as_bytes())?;
        }
        Ok(writer)
    }

    /// Puts the rows so far on the disk.
    ///
    /// # Errors
    ///
    /// When that is not possible.
    pub fn sync(&mut self) -> Result<(), StoreError> {
        durable::sync(&self.path).map_err(StoreError::writing(&self.path))
    }

    /// The checksum of all rows, after they are put on the disk.
    pub fn sum(&mut self) -> Result<Sum, StoreError> {
        self.sync()?;
        match self.sum.clone() {
            Some(sum) => Ok(sum),
            None => sum_of_rows(&self.path, self.end),
        }
    }

    /// Puts the rows on the disk, and their checksum beside them, as no more are to come in this run.
    ///
    /// # Errors
    ///
    /// When that is not possible.
    pub fn finish(&mut self) -> Result<(), StoreError> {
        if self.is_finished && Checksum::path(&self.path).exists() {
            return Ok(());
        }
        let sum = self.sum()?;
        Checksum::write(&sum, &self.path)?;
        (self.sum, self.is_finished) = (Some(sum), true);
        Ok(())
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// When the row cannot be written. The file then ends with the row before it.
    pub fn write(&mut self, row: &R) -> Result<(), StoreError> {
        self.write_all(std::iter::once(row))
    }

    /// Adds rows.
    ///
    /// # Errors
    ///
    /// When the rows cannot be written. The file then ends with the row before them.
    pub fn write_all<'a>(&mut self, rows: impl IntoIterator<Item = &'a R>) -> Result<(), StoreError>
    where
        R: 'a,
    {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(&mut text);
        let written = rows.into_iter().try_for_each(|row| writer.serialize(row)).map_err(io::Error::other);
        let written = written.and_then(|()| writer.flush());
        drop(writer);
        let written = written.map_err(StoreError::writing(&self.path)).and_then(|()| self.push(&text));
        self.text = text;
        written
    }

    /// Checks that the file is still where rows are written to.
    ///
    /// # Errors
    ///
    /// When it, or its directory, was removed or replaced meanwhile.
    pub fn check_there(&self) -> Result<(), StoreError> {
        let gone = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                io::Error::new(error.kind(), "it was removed while rows were written to it")
            }
            _ => error,
        };
        let found = self.path.metadata().map_err(gone).map_err(StoreError::writing(&self.path))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let own = self.file.metadata().map_err(StoreError::writing(&self.path))?;
            if (own.dev(), own.ino()) != (found.dev(), found.ino()) {
                let replaced =
                    io::Error::other("it was replaced by another file while rows were written to it");
                return Err(StoreError::writing(&self.path)(replaced));
            }
        }
        #[cfg(not(unix))]
        let _ = found;
        Ok(())
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
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
    pub fn append(&mut self, path: &Path, end: u64, left_out: u64) -> Result<String, StoreError> {
        let mut rows = BufReader::with_capacity(1 << 20, Source::open(path)?).take(end);
        let mut hash = Sum::default();
        let mut lines = 0;
        while lines <= left_out {
            let bytes = rows.fill_buf().map_err(StoreError::reading(path))?;
            let line = memchr::memchr(b'\n', bytes).map(|end| &bytes[..=end]);
            let read = line.unwrap_or(bytes);
            if read.is_empty() {
                break;
            }
            hash.add(read);
            lines += u64::from(line.is_some());
            let read = read.len();
            rows.consume(read);
        }
        loop {
            let bytes = rows.fill_buf().map_err(StoreError::reading(path))?;
            if bytes.is_empty() {
                return Ok(hash.sha256());
            }
            hash.add(bytes);
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
    pub fn cut(&mut self, end: u64) -> Result<(), StoreError> {
        self.change()?;
        if end != self.end {
            self.sum = (end == 0).then(Sum::default);
        }
        let mut cut = || self.file.set_len(end).and_then(|()| self.file.seek(SeekFrom::Start(end)));
        cut().map_err(StoreError::writing(&self.path))?;
        self.end = end;
        Ok(())
    }

    /// Removes the checksum of what is there, before that changes.
    fn change(&mut self) -> Result<(), StoreError> {
        if self.is_finished {
            Checksum::remove(&self.path)?;
            self.is_finished = false;
        }
        Ok(())
    }

    fn push(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.change()?;
        match self.file.write_all(bytes) {
            Ok(()) => {
                self.end += bytes.len() as u64;
                if let Some(sum) = &mut self.sum {
                    sum.add(bytes);
                }
                if self.checked.elapsed() >= BETWEEN_CHECKS {
                    self.checked = Instant::now();
                    self.check_there()?;
                }
                Ok(())
            }
            Err(error) => {
                // Part of the row may have been written. If cutting it off fails as well, resuming does it.
                let _ = self.cut(self.end);
                Err(StoreError::writing(&self.path)(error))
            }
        }
    }
}

/// The checksum of the first `end` bytes of a file, or of the uncompressed contents of a compressed one.
pub fn sum_of_rows(path: &Path, end: u64) -> Result<Sum, StoreError> {
    let mut rows = BufReader::with_capacity(1 << 20, Source::open(path)?).take(end);
    let mut sum = Sum::default();
    loop {
        let bytes = rows.fill_buf().map_err(StoreError::reading(path))?;
        if bytes.is_empty() {
            return Ok(sum);
        }
        sum.add(bytes);
        let read = bytes.len();
        rows.consume(read);
    }
}
