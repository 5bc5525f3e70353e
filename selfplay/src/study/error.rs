//! Errors about studies, atlases and their files.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::changes::Continued;

/// What is wrong with the directory of a study or an atlas.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StudyError {
    /// It holds no study.
    #[error("{} holds no study: there is no study.toml", .0.display())]
    None(PathBuf),
    /// It holds a study already.
    #[error("{} holds a study already", .0.display())]
    Exists(PathBuf),
    /// It holds games, but no `study.toml`.
    #[error(
        "{} holds games but no study.toml; put that back, or choose another directory", .0.display()
    )]
    GamesWithoutStudy(PathBuf),
    /// No game of the study is finished.
    #[error("{} holds a study without a finished game; run the command that began it again to continue", .0.display())]
    NoGames(PathBuf),
    /// It holds no atlas.
    #[error("{} holds no atlas: there is no atlas.toml", .0.display())]
    NoAtlas(PathBuf),
    /// It holds an atlas already.
    #[error("{} holds an atlas already", .0.display())]
    AtlasExists(PathBuf),
    /// It holds rows of an atlas, but no `atlas.toml`.
    #[error(
        "{} holds rows of an atlas but no atlas.toml; put that back, or choose another directory", .0.display()
    )]
    RowsWithoutAtlas(PathBuf),
    /// The atlas has no rows yet.
    #[error("{} holds an atlas without a row; run the command that began it again to continue", .0.display())]
    NoRows(PathBuf),
    /// Rows were to be added to a compressed file.
    #[error("{} is compressed, so no row can be added to it; `gunzip` it to continue the atlas", .0.display())]
    AtlasCompressed(PathBuf),
    /// `atlas.toml` is not valid.
    #[error("{} is not an atlas: {problem}", path.display())]
    Atlas {
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
    /// The tasks may have games, but none have been gathered.
    #[error(
        "{path} has no games that are gathered; `backrank gather {path}` gathers those of finished tasks while others are \
         played, and `backrank status {path}` says how far they are and what pieces are worth so far", path = shell_words::quote(&.0.to_string_lossy())
    )]
    NotGathered(PathBuf),
    /// Games were to be added to a compressed file.
    #[error(
        "{} is compressed, so no game can be added to it: it ends before game {next} of {all}; `gunzip {}` turns it into a \
         games.csv that can be continued", path.display(), path.display()
    )]
    Compressed {
        /// The file.
        path: PathBuf,
        /// The number of the game that is missing.
        next: u64,
        /// The number of games of the study.
        all: u64,
    },
    /// Another run has locked it.
    #[error("{} is in use by another run; wait for it to end", .0.display())]
    Locked(PathBuf),
    /// Its games are not divided into tasks.
    #[error(
        "{} holds a study that is not divided into tasks; `backrank study … --games N --tasks N` creates one that is", .0.display()
    )]
    NoPlan(PathBuf),
    /// There is no task with this number.
    #[error("{} has no task {task}; its tasks are 1 to {tasks}", path.display())]
    NoTask {
        /// The directory.
        path: PathBuf,
        /// The number of the task that was asked for.
        task: u64,
        /// The number of tasks.
        tasks: u64,
    },
    /// The games of the task have not been planned yet.
    #[error(
        "task {task} of {} is of round {round}, which is planned by `backrank gather` when the round before it is finished",
        path.display()
    )]
    NotPlanned {
        /// The directory.
        path: PathBuf,
        /// The number of the task.
        task: u64,
        /// Its round.
        round: u64,
    },
    /// The files that a task wrote are not valid.
    #[error("{}: {problem}", path.display())]
    Task {
        /// The file or directory.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// It was to be continued with another engine.
    #[error(
        "{} was begun by another engine: this one has the fingerprint {is}, and {}; {} cannot mix two engines: \
         continue with the build that began it, or begin another {what} with -o",
        path.display(),
        was.as_ref().map_or(
            format!("the {what} does not say which engine began it"),
            |was| format!("the {what} was begun by {was}")
        ),
        what.with_article()
    )]
    OtherEngine {
        /// What was to be continued.
        what: Continued,
        /// Its directory.
        path: PathBuf,
        /// The fingerprint of the engine that began it.
        was: Option<String>,
        /// The fingerprint of this engine.
        is: String,
    },
    /// It was to be continued with other options.
    #[error(
        "{} holds {} that was begun with other options, which cannot be changed{lines}\nTo continue it, give its \
         directory, no variant and no options. To begin another {what}, choose another directory with -o.",
        path.display(),
        what.with_article()
    )]
    OtherOptions {
        /// What was to be continued.
        what: Continued,
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
        "{} is not {}: {problem}; a crash may have damaged it: the command that began the {what}, with the same options and \
         with -o, writes it again", path.display(), what.with_article()
    )]
    Torn {
        /// What it should be.
        what: Continued,
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
    /// The files of a finished task are damaged.
    #[error("{}: {problem}; `backrank work` plays the task again", path.display())]
    DamagedTask {
        /// The file or directory.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// `study.toml` is not valid.
    #[error("{} is not a study: {problem}", path.display())]
    Study {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
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

impl StudyError {
    pub(crate) fn reading(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Read { path: path.to_path_buf(), error }
    }

    pub(crate) fn writing(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Write { path: path.to_path_buf(), error }
    }
}
