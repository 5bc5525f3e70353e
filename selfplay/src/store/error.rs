//! Errors about directories of studies and atlases, and about their files.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::kind::DirectoryKind;

/// What is wrong with the directory of a study or an atlas.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It holds none.
    #[error("{} holds no {what}: there is no {}", path.display(), what.definition())]
    None {
        /// What it should hold.
        what: DirectoryKind,
        /// The directory.
        path: PathBuf,
    },
    /// It holds one already.
    #[error("{} holds {} already", path.display(), what.with_article())]
    Exists {
        /// What it holds.
        what: DirectoryKind,
        /// The directory.
        path: PathBuf,
    },
    /// It holds rows, but not their definition.
    #[error(
        "{} holds {} but no {}; put that back, or choose another directory",
        path.display(), what.many_rows(), what.definition()
    )]
    OnlyRows {
        /// What the rows are of.
        what: DirectoryKind,
        /// The directory.
        path: PathBuf,
    },
    /// Nothing of it is finished yet.
    #[error(
        "{} holds {} without a finished {}; run the command that began it again to continue",
        path.display(), what.with_article(), what.row()
    )]
    NoRows {
        /// What it holds.
        what: DirectoryKind,
        /// The directory.
        path: PathBuf,
    },
    /// The definition is not valid.
    #[error("{} is not {}: {problem}", path.display(), what.with_article())]
    Definition {
        /// What it should be.
        what: DirectoryKind,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The rows exist both compressed and uncompressed.
    #[error(
        "{} and {} both exist; remove the one that does not belong there", plain.display(), compressed.display()
    )]
    TwoRecords {
        /// The uncompressed file.
        plain: PathBuf,
        /// The compressed file.
        compressed: PathBuf,
    },
    /// Rows were to be added to a compressed file.
    #[error(
        "{} is compressed, so no {} can be added to it: it ends before {} {next} of {all}; `gunzip {}` turns it into {} that \
         can be continued", path.display(), what.row(), what.row(), path.display(), what.rows()
    )]
    Compressed {
        /// What the rows are of.
        what: DirectoryKind,
        /// The file.
        path: PathBuf,
        /// The number of the row that is missing.
        next: u64,
        /// The number of all rows.
        all: u64,
    },
    /// Another run has locked it.
    #[error("{} is in use by another run; wait for it to end", .0.display())]
    Locked(PathBuf),
    /// It was to be continued with another engine.
    #[error(
        "{} was begun by another engine: this one has the fingerprint {is}, and {}; {} cannot mix two engines: \
         continue with the build that began it, or begin another {what}",
        path.display(),
        was.as_ref().map_or(
            format!("the {what} does not say which engine began it"),
            |was| format!("the {what} was begun by {was}")
        ),
        what.with_article()
    )]
    OtherEngine {
        /// What was to be continued.
        what: DirectoryKind,
        /// Its directory.
        path: PathBuf,
        /// The fingerprint of the engine that began it.
        was: Option<String>,
        /// The fingerprint of this engine.
        is: String,
    },
    /// It was to be continued with other options.
    #[error(
        "{} holds {} that was begun with other options, which cannot be changed{lines}",
        path.display(),
        what.with_article()
    )]
    OtherOptions {
        /// What was to be continued.
        what: DirectoryKind,
        /// Its directory.
        path: PathBuf,
        /// A line for each option that differs.
        lines: String,
    },
    /// A file of rows is not what it was when it was finished.
    #[error(
        "{} is damaged: its SHA-256 is not the one that {name}.sha256 has; put a copy of it back, or remove it and run the \
         command again that wrote it, which gives the same rows; only if you have changed it on purpose, remove {name}.sha256",
        .0.display(), name = name(.0)
    )]
    Damaged(PathBuf),
    /// A file of rows is shorter than it was when it was finished.
    #[error(
        "{} has {is} bytes, and {should} by {name}.sha256: its end is missing; put a copy of it back, or run the command \
         again that wrote it, which adds what is missing; only if you have cut it on purpose, remove {name}.sha256",
        path.display(), name = name(path)
    )]
    CutShort {
        /// The file.
        path: PathBuf,
        /// Its length in bytes.
        is: u64,
        /// Its length when it was finished.
        should: u64,
    },
    /// The scores of games that are there are gone.
    #[error(
        "{} is not there, though the study records scores; put it back, or remove games.csv to play its games again",
        .0.display()
    )]
    NoScores(PathBuf),
    /// The file with the checksum of another has none.
    #[error("{} has no SHA-256: put a copy of it back, or remove it", .0.display())]
    NoChecksum(PathBuf),
    /// A crash has damaged `study.toml` or `atlas.toml`.
    #[error(
        "{} is not {}: {problem}; a crash may have damaged it", path.display(), what.with_article()
    )]
    Torn {
        /// What it should be.
        what: DirectoryKind,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The rows are not those of the study or atlas that is to be written again.
    #[error("{} cannot be read, and the rows beside it are not those of this command: {problem}", path.display())]
    RowsOfAnother {
        /// The definition.
        path: PathBuf,
        /// The difference.
        problem: String,
    },
    /// A study that takes positions from this one's recorded games cannot use them.
    #[error("{}: {problem}", path.display())]
    Source {
        /// Its directory.
        path: PathBuf,
        /// Why it cannot use them.
        problem: String,
    },
    /// The file of a variant that studies share is not what it should be.
    #[error("{}: {problem}", path.display())]
    Variant {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A line of a CSV file is not valid.
    #[error("{}, line {line}: {problem}; nothing was changed", path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        error: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        error: io::Error,
    },
}

/// The name of a file without its folder.
fn name(path: &Path) -> std::borrow::Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}

impl StoreError {
    /// An error of the system when it read a file.
    pub fn reading(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Read { path: path.to_path_buf(), error }
    }

    /// An error of the system when it wrote a file.
    pub fn writing(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Write { path: path.to_path_buf(), error }
    }
}
