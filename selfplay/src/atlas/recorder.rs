//! Adding rows to an atlas, and going on where an earlier run ended.

use std::convert::Infallible;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::definition::Atlas;
use super::directory::AtlasDirectory;
use super::reader::AtlasReader;
use super::row::{AtlasRow, AtlasWriter};
use super::run::AtlasRun;
use crate::store::{DirectoryKind, StoreError};

/// How much of an atlas is in its directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtlasProgress {
    /// The file that holds its rows, compressed or not; none where there is none.
    pub file: Option<PathBuf>,
    /// The index of the next setup.
    pub next: u64,
    /// The bytes of the whole rows; of a compressed file, those of what was compressed.
    pub end: u64,
}

impl AtlasProgress {
    /// Reads the rows that there are, and holds each against the atlas.
    ///
    /// # Errors
    ///
    /// When a row is not that of the next setup, or cannot be read.
    pub fn read(path: &Path, atlas: &Atlas) -> Result<Self, StoreError> {
        let Some(file) = AtlasDirectory::recorded(path)? else {
            let setups = atlas.setups().map_err(|error| StoreError::Definition {
                what: DirectoryKind::Atlas,
                path: path.join("atlas.toml"),
                problem: error.to_string(),
            })?;
            return Ok(Self { file: None, next: atlas.range(setups.len()).start, end: 0 });
        };
        let mut reader = AtlasReader::open_as(&file, atlas, true)?;
        reader.by_ref().try_for_each(|row| row.map(|_| ())).map_err(go_on_before)?;
        Ok(Self { next: reader.next_index(), end: reader.end(), file: Some(file) })
    }
}

/// The rows of an atlas so far, and room for the next.
///
/// ```no_run
/// use std::path::Path;
/// use std::sync::atomic::AtomicBool;
///
/// use backrank_rules::Variant;
/// use backrank_selfplay::atlas::{Atlas, AtlasRecorder, AtlasRun};
///
/// let run = AtlasRun::new(Atlas::new(&Variant::find("chess960")?, 200_000)?)?;
/// let mut recorder = AtlasRecorder::resume(Path::new("runs/atlas"), &run)?;
/// run.judge(recorder.rest(), 2, &AtomicBool::new(false), |row| recorder.add(&row))?;
/// recorder.finish()?;
/// assert!(recorder.rest().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AtlasRecorder {
    /// Keeps other runs out.
    _directory: AtlasDirectory,
    /// None where all rows are in a compressed file.
    writer: Option<AtlasWriter>,
    indices: Range<u64>,
    next: u64,
}

impl AtlasRecorder {
    /// Begins an atlas in a directory, or goes on with it there: reads the rows that there are, and cuts off a last line that a
    /// crash has torn.
    ///
    /// # Errors
    ///
    /// When the directory holds another atlas, another run is at it, a row is wrong, the file is not what it was when an
    /// earlier run ended, or setups are missing and the file is compressed.
    pub fn resume(path: &Path, run: &AtlasRun) -> Result<Self, StoreError> {
        let mut directory = AtlasDirectory::create_or_open(path, run.atlas())?;
        // No other run adds to it now.
        let AtlasProgress { file, next, end } = AtlasProgress::read(path, run.atlas())?;
        if directory.is_torn() {
            if let Some(file) = &file {
                check_first(file, run)?;
            }
            directory.write_again()?;
        }
        let (rows, indices) = (AtlasDirectory::rows(path), run.range());
        let packed = file.filter(|file| *file != rows);
        let writer = match packed {
            Some(packed) if next < indices.end => {
                return Err(StoreError::Compressed {
                    what: DirectoryKind::Atlas,
                    path: packed,
                    next,
                    all: run.all_setups(),
                });
            }
            Some(_) => None,
            None => Some(AtlasWriter::resume(&rows, end, run.atlas())?),
        };
        Ok(Self { _directory: directory, writer, indices, next })
    }

    /// Ends this run: puts the rows on the disk, and their checksum beside them.
    ///
    /// # Errors
    ///
    /// When that is not possible.
    pub fn finish(&mut self) -> Result<(), StoreError> {
        self.writer.as_mut().map_or(Ok(()), AtlasWriter::finish)
    }

    /// The indices of the setups that are left.
    pub fn rest(&self) -> Range<u64> {
        self.next..self.indices.end
    }

    /// How many setups have their rows, and how many there are.
    pub fn done(&self) -> [u64; 2] {
        [self.next - self.indices.start, self.indices.end - self.indices.start]
    }

    /// Checks that the file to which rows are added is still there.
    ///
    /// # Errors
    ///
    /// When it was removed or replaced meanwhile.
    pub fn check_files(&self) -> Result<(), StoreError> {
        self.writer.as_ref().map_or(Ok(()), AtlasWriter::check_there)
    }

    /// Writes down the row of the next setup.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn add(&mut self, row: &AtlasRow) -> Result<ControlFlow<()>, StoreError> {
        if let Some(writer) = &mut self.writer {
            writer.write(row)?;
        }
        self.next += 1;
        Ok(ControlFlow::Continue(()))
    }
}

/// Says of a damaged row how to go on.
fn go_on_before(error: StoreError) -> StoreError {
    match error {
        StoreError::Row { path, line, problem } => StoreError::Row {
            path,
            line,
            problem: format!(
                "{problem}; if the file is damaged, remove this line and all that follow it, and their setups are judged again"
            ),
        },
        error => error,
    }
}

/// Judges the first setup of an atlas whose definition is lost, and holds its row against the one that is there.
fn check_first(file: &Path, run: &AtlasRun) -> Result<(), StoreError> {
    let Some(first) = AtlasReader::open_as(file, run.atlas(), true)?.next().transpose()? else {
        return Ok(());
    };
    let mut same = None;
    let index = run.range().start;
    let result = run.judge(index..index + 1, 1, &AtomicBool::new(false), |row| {
        // Other numbers follow from these, and are rounded in the file.
        same =
            Some((row.best_moves, row.line_scores) == (first.best_moves.clone(), first.line_scores.clone()));
        Ok::<_, Infallible>(ControlFlow::Continue(()))
    });
    let problem = match (result, same) {
        (Ok(()), Some(true)) => return Ok(()),
        (Ok(()), _) => format!("setup {} has another row", first.setup),
        (Err(error), _) => error.to_string(),
    };
    Err(StoreError::RowsOfAnother { path: file.with_file_name("atlas.toml"), problem })
}
