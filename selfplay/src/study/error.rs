//! What can be wrong with a study and its files.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// What is wrong with a study's directory.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StudyError {
    /// There is no study in it.
    #[error("{} holds no study: there is no study.toml", .0.display())]
    None(PathBuf),
    /// There is one already.
    #[error("{} holds a study already", .0.display())]
    Exists(PathBuf),
    /// There are games in it, and nothing that says what was asked.
    #[error(
        "{} holds games without their study.toml; put that back, or choose another directory", .0.display()
    )]
    NoQuestion(PathBuf),
    /// There are no games yet, or not a whole one.
    #[error("{} holds a study without a finished game; run the command that began it again to go on", .0.display())]
    NoGames(PathBuf),
    /// There is no atlas in it.
    #[error("{} holds no atlas: there is no atlas.toml", .0.display())]
    NoAtlas(PathBuf),
    /// There is an atlas already.
    #[error("{} holds an atlas already", .0.display())]
    AtlasExists(PathBuf),
    /// There are rows of an atlas in it, and nothing that says what was asked.
    #[error(
        "{} holds rows of an atlas without their atlas.toml; put that back, or choose another directory", .0.display()
    )]
    NoAtlasQuestion(PathBuf),
    /// There are no rows yet.
    #[error("{} holds an atlas without a row; run the command that began it again to go on", .0.display())]
    NoRows(PathBuf),
    /// Rows should be added to a compressed file.
    #[error("{} is compressed, and no row can be added to it; `gunzip` it to continue the atlas", .0.display())]
    AtlasCompressed(PathBuf),
    /// Another engine should go on with an atlas.
    #[error(
        "{} was begun by another engine: this one has the fingerprint {is}, and it was begun by {was}; two engines are not \
         mixed in one atlas: go on with the build that began it, or begin another atlas with -o", path.display()
    )]
    OtherAtlasEngine {
        /// Its directory.
        path: PathBuf,
        /// The fingerprint of the engine that began it.
        was: String,
        /// The fingerprint of this engine.
        is: String,
    },
    /// An atlas should go on with other options.
    #[error(
        "{} holds an atlas that was begun with other options, and an atlas keeps its options{lines}\nTo continue it, give its \
         directory, no variant and no options. To begin another atlas, choose another directory with -o.", path.display()
    )]
    OtherAtlasOptions {
        /// Its directory.
        path: PathBuf,
        /// A line for each option that differs.
        lines: String,
    },
    /// `atlas.toml` is not an atlas.
    #[error("{} is not an atlas: {problem}", path.display())]
    Atlas {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The rows are there twice.
    #[error(
        "there are both {} and {}; remove the one that does not belong there", plain.display(), compressed.display()
    )]
    TwoRecords {
        /// The file as it is written.
        plain: PathBuf,
        /// The compressed file in its place.
        compressed: PathBuf,
    },
    /// Games may be there, but none that are put together.
    #[error(
        "{path} has no games that are gathered; `backrank gather {path}` gathers those of finished tasks while others are \
         played, and `backrank status {path}` says how far they are and what pieces are worth so far", path = .0.display()
    )]
    NotGathered(PathBuf),
    /// Games should be added to a compressed file.
    #[error(
        "{} is compressed, and no game can be added to it: it ends before game {next} of {all}; `gunzip {}` makes it a \
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
    /// Another run has it.
    #[error("{} is in use by another run; wait for it to end", .0.display())]
    Locked(PathBuf),
    /// Its games are not shared out among tasks.
    #[error(
        "{} holds a study that is not planned in tasks; `backrank study … --games N --tasks N` plans one", .0.display()
    )]
    NoPlan(PathBuf),
    /// There is no task with this number.
    #[error("{} has no task {task}; its tasks are 1 to {tasks}", path.display())]
    NoTask {
        /// The directory.
        path: PathBuf,
        /// The number.
        task: u64,
        /// The number of tasks.
        tasks: u64,
    },
    /// What the task is to play is not known yet.
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
    /// What a task has left is not what it should be.
    #[error("{}: {problem}", path.display())]
    Task {
        /// The file or directory.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// Another engine should go on with it.
    #[error(
        "{} was begun by another engine: this one has the fingerprint {}, and {}; two engines are not mixed in one study: \
         go on with the build that began it, or begin another study with -o",
        path.display(),
        is.as_deref().unwrap_or("none"),
        was.as_ref().map_or(
            "it does not say by which engine it was begun".to_string(),
            |was| format!("it was begun by {was}")
        )
    )]
    OtherEngine {
        /// Its directory.
        path: PathBuf,
        /// The fingerprint of the engine that began it.
        was: Option<String>,
        /// The fingerprint of this engine.
        is: Option<String>,
    },
    /// It should go on with other options.
    #[error(
        "{} holds a study that was begun with other options, and a study keeps its options{lines}\nTo continue it, give its \
         directory, no variant and no options. To begin another study, choose another directory with -o.", path.display()
    )]
    OtherOptions {
        /// Its directory.
        path: PathBuf,
        /// A line for each option that differs.
        lines: String,
    },
    /// `study.toml` is not a study.
    #[error("{} is not a study: {problem}", path.display())]
    Study {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The study whose recorded games another one takes positions from does not fit.
    #[error("{}: {problem}", path.display())]
    Source {
        /// Its directory.
        path: PathBuf,
        /// Why not.
        problem: String,
    },
    /// A line of `games.csv` is not what was written.
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

impl StudyError {
    pub(crate) fn reading(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Read { path: path.to_path_buf(), error }
    }

    pub(crate) fn writing(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Write { path: path.to_path_buf(), error }
    }
}
