//! Reading the complete rows of a file, compressed or not.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use backrank_rules::files::{LONGEST_LINE, ShortLines, open_file};
use flate2::bufread::MultiGzDecoder;
use serde::de::DeserializeOwned;

use super::checksum::Verifier;
use super::error::StoreError;

/// A file such as `games.csv`, or a compressed one such as `games.csv.gz`, which is decompressed as it is read.
#[derive(Debug)]
pub(super) enum Source {
    Plain(File),
    Gzip(Box<MultiGzDecoder<BufReader<File>>>),
}

impl Source {
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let file = open_file(path).map_err(StoreError::reading(path))?;
        let compressed = path.extension().is_some_and(|extension| extension == "gz");
        Ok(match compressed {
            true => Self::Gzip(Box::new(MultiGzDecoder::new(BufReader::with_capacity(1 << 16, file)))),
            false => Self::Plain(file),
        })
    }

    /// The number of bytes read from the file itself.
    fn position(&self) -> u64 {
        let mut file = match self {
            Self::Plain(file) => file,
            Self::Gzip(decoder) => decoder.get_ref().get_ref(),
        };
        // Only told to whoever waits.
        file.stream_position().unwrap_or(0)
    }
}

impl Read for Source {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file) => file.read(bytes),
            Self::Gzip(decoder) => decoder.read(bytes),
        }
    }
}

/// Whether the error comes from compressed data that is damaged.
fn is_damage(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof)
}

/// The lines of a CSV file, without a last one that a crash left incomplete. Every line is a row: no field contains a
/// line break.
#[derive(Debug)]
pub struct WholeLines {
    path: PathBuf,
    /// The file's name, without the extension of a compressed file.
    name: &'static str,
    lines: BufReader<ShortLines<Source>>,
    line: u64,
    /// The end of the line that was read last, in bytes.
    end: u64,
    columns: Vec<&'static str>,
    text: Vec<u8>,
    done: bool,
    is_continued: bool,
    /// Holds the file against its checksum, if it has one and is not compressed, which has one of its own.
    verifier: Option<Verifier>,
}

impl WholeLines {
    /// Opens a file and reads its heading. A file without a complete heading has no rows.
    pub fn open(path: &Path, name: &'static str, columns: Vec<&'static str>) -> Result<Self, StoreError> {
        Self::open_as(path, name, columns, false)
    }

    /// The same; if the file is to be continued, it is no error that its end is missing.
    pub fn open_as(
        path: &Path,
        name: &'static str,
        columns: Vec<&'static str>,
        is_continued: bool,
    ) -> Result<Self, StoreError> {
        // Before the file is opened: another run that adds to it removes the checksum first.
        let verifier = Verifier::of(path, is_continued)?;
        let source = Source::open(path)?;
        let mut lines = Self {
            path: path.to_path_buf(),
            name,
            verifier: verifier.filter(|_| matches!(source, Source::Plain(_))),
            lines: BufReader::with_capacity(1 << 16, ShortLines::new(source, LONGEST_LINE)),
            line: 0,
            end: 0,
            columns,
            text: Vec::new(),
            done: false,
            is_continued,
        };
        if lines.next_line()? {
            let heading = String::from_utf8_lossy(&lines.text).into_owned();
            lines.check_heading(&heading)?;
        }
        Ok(lines)
    }

    /// Whether the file is to be continued.
    pub fn is_continued(&self) -> bool {
        self.is_continued
    }

    /// The length in bytes of the complete lines read so far; for a compressed file, after decompression.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of bytes of the file read so far, for a progress bar; for a compressed file, before decompression.
    pub fn position(&self) -> u64 {
        self.lines.get_ref().inner().position()
    }

    /// An error about the row that was read last.
    pub fn wrong(&self, problem: impl Into<String>) -> StoreError {
        StoreError::Row { path: self.path.clone(), line: self.line, problem: problem.into() }
    }

    /// An error about the end of the file, where another row should be.
    pub fn missing(&self, problem: impl Into<String>) -> StoreError {
        StoreError::Row { path: self.path.clone(), line: self.line + 1, problem: problem.into() }
    }

    /// The fields of the next row; `None` after the last complete line and after an error.
    pub fn next_fields(&mut self) -> Result<Option<csv::StringRecord>, StoreError> {
        if self.done || !self.next_line()? {
            return Ok(None);
        }
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(self.text.as_slice());
        let mut fields = csv::StringRecord::new();
        match reader.read_record(&mut fields) {
            Ok(true) => {}
            Ok(false) => return Err(self.wrong("the line is empty")),
            Err(error) => return Err(self.wrong(explain(&error, &self.columns))),
        }
        if fields.len() != self.columns.len() {
            let (fields, columns) = (fields.len(), self.columns.len());
            return Err(self.wrong(format!("there are {fields} fields, but {columns} columns")));
        }
        Ok(Some(fields))
    }

    /// The row with these fields, which must be those of the line that was read last.
    pub fn deserialize<R: DeserializeOwned>(&self, fields: &csv::StringRecord) -> Result<R, StoreError> {
        fields.deserialize(None).map_err(|error| self.wrong(explain(&error, &self.columns)))
    }

    /// The next row; `None` after the last complete line and after an error.
    pub fn next_row<R: DeserializeOwned>(&mut self) -> Result<Option<R>, StoreError> {
        self.next_fields()?.map(|fields| self.deserialize(&fields)).transpose()
    }

    /// Says if the file is not what it was when it was finished, as far as it was read.
    pub fn verify(&mut self) -> Result<(), StoreError> {
        self.verifier.as_mut().map_or(Ok(()), Verifier::say)
    }

    /// The columns, in order.
    pub fn columns(&self) -> &[&'static str] {
        &self.columns
    }

    /// Stops reading: no further rows are returned.
    pub fn stop(&mut self) {
        self.done = true;
    }

    fn check_heading(&self, heading: &str) -> Result<(), StoreError> {
        let (columns, expected, name) = (heading.split(',').collect::<Vec<&str>>(), &self.columns, self.name);
        if !columns.iter().any(|column| expected.contains(column)) {
            return Err(
                self.wrong(format!("this is not the heading of {name}, which is {}", expected.join(",")))
            );
        }
        if let Some(foreign) = columns.iter().find(|column| !expected.contains(column)) {
            return Err(self.wrong(format!("`{foreign}` is not a column of this {name}")));
        }
        let missing: Vec<&str> =
            expected.iter().filter(|column| !columns.contains(column)).copied().collect();
        if !missing.is_empty() {
            return Err(self.wrong(format!("columns are missing: {}", missing.join(", "))));
        }
        if columns != *expected {
            return Err(self.wrong(format!("the columns should be {}", expected.join(","))));
        }
        Ok(())
    }

    /// Reads a complete line into `text`, without its line ending. Returns false if there is none.
    fn next_line(&mut self) -> Result<bool, StoreError> {
        self.verify()?;
        self.text.clear();
        let read = self.lines.read_until(b'\n', &mut self.text).map_err(|error| match is_damage(&error) {
            true => self.missing(format!("the compressed file is damaged or truncated: {error}")),
            false => StoreError::reading(&self.path)(error),
        })?;
        if let Some(verifier) = &mut self.verifier {
            verifier.add(&self.path, &self.text);
        }
        if self.text.pop() != Some(b'\n') {
            self.done = true;
            if let Some(verifier) = &mut self.verifier {
                verifier.end(&self.path);
            }
            self.verify()?;
            return Ok(false);
        }
        self.line += 1;
        self.end += read as u64;
        if self.text.ends_with(b"\r") {
            return Err(self.wrong("the line ends in CR LF, but lines must end in LF"));
        }
        Ok(true)
    }
}

/// A deserializing error without the position in a one-line text.
fn explain(error: &csv::Error, columns: &[&str]) -> String {
    match error.kind() {
        csv::ErrorKind::Deserialize { err, .. } => {
            match err.field().and_then(|field| columns.get(field as usize)) {
                Some(column) => format!("{column}: {}", err.kind()),
                None => err.kind().to_string(),
            }
        }
        _ => error.to_string(),
    }
}
