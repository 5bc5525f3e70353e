//! Why studies cannot be analysed.

use std::path::PathBuf;

use backrank_enumerate::NotInSpace;
use backrank_rules::VariantError;
use backrank_selfplay::StudyError;
use thiserror::Error;

use crate::tables::thousands;

/// Why studies cannot be analysed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// A study's directory or its files.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// The variant in a `study.toml` cannot be read.
    #[error("{}: {error}", path.display())]
    Variant {
        /// The file.
        path: PathBuf,
        /// What is wrong with the variant's text.
        error: VariantError,
    },
    /// A row of an atlas, or the whole file.
    #[error("{}, line {line}: {problem}", path.display())]
    Atlas {
        /// The file.
        path: PathBuf,
        /// The line.
        line: u64,
        /// What is wrong there.
        problem: String,
    },
    /// A setup that statistics are about is none of the game's.
    #[error(transparent)]
    Setup(Box<NotInSpace>),
    /// A space is too large for a page that lists it, and nothing is known of any of its setups.
    #[error(
        "{key} has {} setups, and a page lists all of them only up to {}; give a study or an atlas, and the page has the \
         setups that it is about",
        setups,
        thousands(crate::Explorer::MAX_LISTED)
    )]
    TooManySetups {
        /// The variant's key.
        key: String,
        /// The number of its setups, as it is written.
        setups: String,
    },
    /// Two studies are of different games.
    #[error(
        "{}, line {line}: a study of {key}, but {} is one of {first_key}{}; give studies of one game",
        path.display(), first.display(), if key == first_key { " with another text" } else { "" }
    )]
    Variants {
        /// The `study.toml` that differs.
        path: PathBuf,
        /// The line in it that says which game.
        line: usize,
        /// Its variant's key.
        key: String,
        /// The `study.toml` that was read first.
        first: PathBuf,
        /// Its variant's key.
        first_key: String,
    },
    /// An atlas is of another game than the studies.
    #[error(
        "{}: an atlas of {key}, but the studies are of {studies}{}; give an atlas of the same game",
        path.display(), if key == studies { " with another text" } else { "" }
    )]
    AtlasVariant {
        /// The `atlas.toml`.
        path: PathBuf,
        /// Its variant's key.
        key: String,
        /// That of the studies.
        studies: String,
    },
}
