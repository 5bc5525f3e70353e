//! Why studies cannot be analysed.

use std::path::PathBuf;

use backrank_enumerate::NotInSpace;
use backrank_rules::VariantError;
use backrank_selfplay::store::StoreError;
use thiserror::Error;

/// Why studies cannot be analysed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// A study's directory or one of its files is not valid.
    #[error(transparent)]
    Study(#[from] StoreError),
    /// The variant in a `study.toml` cannot be read.
    #[error("{}: {error}", path.display())]
    Variant {
        /// The file.
        path: PathBuf,
        /// What is wrong with the variant's text.
        error: VariantError,
    },
    /// An atlas is not valid.
    #[error("{}, line {line}: {problem}", path.display())]
    Atlas {
        /// The file.
        path: PathBuf,
        /// The line.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// A setup to which results belong is not one of the game's.
    #[error(transparent)]
    Setup(Box<NotInSpace>),
    /// A space is too large for the page to list all of its setups, and there are no results for any of them.
    #[error(
        "{key} has {setups} setups, and a page can list all setups only up to {most}; give a study or an atlas, and the page will \
         list the setups that it is about"
    )]
    TooManySetups {
        /// The variant's key.
        key: String,
        /// The number of its setups, formatted.
        setups: String,
        /// The largest number that a page can list, formatted.
        most: String,
    },
    /// Two studies have different variants.
    #[error(
        "{}, line {line}: this is a study of {key}, but {} is one of {first_key}{}; give studies of the same variant",
        path.display(), first.display(), if key == first_key { " with another text" } else { "" }
    )]
    Variants {
        /// The `study.toml` that differs.
        path: PathBuf,
        /// The line on which its variant's table begins.
        line: usize,
        /// The key of its variant.
        key: String,
        /// The `study.toml` that was read first.
        first: PathBuf,
        /// The key of its variant.
        first_key: String,
    },
    /// An atlas and the studies have different variants.
    #[error(
        "{}: this is an atlas of {key}, but the studies are of {studies}{}; give an atlas of the same variant",
        path.display(), if key == studies { " with another text" } else { "" }
    )]
    AtlasVariant {
        /// The `atlas.toml`.
        path: PathBuf,
        /// The key of its variant.
        key: String,
        /// The key of the studies' variant.
        studies: String,
    },
    /// What lies in the folder for the repeat of an atlas is none.
    #[error("{}: this is no repeat of the atlas around it: {problem}", path.display())]
    NoRepeat {
        /// The folder.
        path: PathBuf,
        /// Why it is none.
        problem: &'static str,
    },
}
