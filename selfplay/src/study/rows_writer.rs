//! Writing rows, so that a crash leaves whole ones.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::definition::Study;
use super::error::StudyError;
use super::games::Source;

/// A row of one of a study's files.
pub trait RecordRow: Serialize {
    /// The columns in their order, of the files of a study.
    fn columns(study: &Study) -> Vec<&'static str>;
}

/// Adds rows to a file of a study, each in one piece: what a crash or a full disk leaves is a beginning of the whole.
#[derive(Debug)]
pub struct RowsWriter<R> {
    path: PathBuf,
    file: File,
    end: u64,
    row: PhantomData<fn(&R)>,
}

impl<R: RecordRow> RowsWriter<R> {
    /// Goes on with a file after so many bytes, which its reader knows; what comes after them is cut off.
    /// A file that is not there, or has no bytes to keep, gets its heading.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn resume(path: &Path, end: u64, study: &Study) -> Result<Self, StudyError> {
        let open = || {
            let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
            if file.metadata()?.len() != end {
                file.set_len(end)?;
            }
            file.seek(SeekFrom::Start(end))?;
            io::Result::Ok(file)
        };
        let file = open().map_err(StudyError::writing(path))?;
        let mut writer = Self { path: path.to_path_buf(), file, end, row: PhantomData };
        if end == 0 {
            writer.push(format!("{}\n", R::columns(study).join(",")).as_bytes())?;
        }
        Ok(writer)
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// When it cannot be written; the file then ends with the row before.
    pub fn write(&mut self, row: &R) -> Result<(), StudyError> {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        let text = writer.serialize(row).map_err(io::Error::other);
        let text =
            text.and_then(|()| writer.into_inner().map_err(|error| io::Error::other(error.to_string())));
        self.push(&text.map_err(StudyError::writing(&self.path))?)
    }

    /// Appends the rows of another file, compressed or not, up to where its reader's `end` was.
    ///
    /// # Errors
    ///
    /// When either file gives trouble.
    pub fn append(&mut self, path: &Path, end: u64) -> Result<(), StudyError> {
        let mut rows = BufReader::with_capacity(1 << 20, Source::open(path)?).take(end);
        let mut heading = Vec::new();
        rows.read_until(b'\n', &mut heading).map_err(StudyError::reading(path))?;
        self.end += io::copy(&mut rows, &mut self.file).map_err(StudyError::writing(&self.path))?;
        Ok(())
    }

    fn push(&mut self, bytes: &[u8]) -> Result<(), StudyError> {
        match self.file.write_all(bytes) {
            Ok(()) => {
                self.end += bytes.len() as u64;
                Ok(())
            }
            Err(error) => {
                // Part of the row may be there. Where even this fails, resuming cuts it off.
                let _ = self.file.set_len(self.end);
                let _ = self.file.seek(SeekFrom::Start(self.end));
                Err(StudyError::writing(&self.path)(error))
            }
        }
    }
}
