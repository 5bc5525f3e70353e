//! Why games cannot be imported.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::counts::{ImportCounts, RejectedGames};
use crate::store::StoreError;
use crate::study::{InvalidStudy, SetupsError};

/// Why games cannot be imported.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The games make no study.
    #[error(transparent)]
    Invalid(#[from] InvalidStudy),
    /// A file cannot be opened.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        error: io::Error,
    },
    /// A compressed file is damaged or truncated.
    #[error(
        "{} is damaged or truncated after {games} games: {error}; unpack what is left of it to import those games",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of games before the damage.
        games: u64,
        /// What is wrong.
        error: io::Error,
    },
    /// A file is not PGN.
    #[error("{}: {problem}", path.display())]
    NotPgn {
        /// The file.
        path: PathBuf,
        /// What it is instead, and what would be right.
        problem: String,
    },
    /// The variant has no space, or not the numbering.
    #[error(transparent)]
    Setups(#[from] SetupsError),
    /// The study cannot be written.
    #[error(transparent)]
    Study(#[from] StoreError),
    /// No game could be imported.
    #[error("no game could be imported: {}", explain(.0))]
    NoGames(Box<ImportCounts>),
    /// It was told to stop.
    #[error("stopped; nothing was imported")]
    Stopped,
}

/// Explains why no game was imported.
fn explain(imported: &ImportCounts) -> String {
    let ImportCounts { read, below_min_elo, left_out, .. } = imported;
    let mut reasons: Vec<String> = left_out
        .iter()
        .map(|(why, RejectedGames { games, path, line, problem })| {
            format!("{why}: {games}, first {}, line {line}: {problem}", path.display())
        })
        .collect();
    if *below_min_elo > 0 {
        reasons.push(format!("a rating too low or unknown: {below_min_elo}"));
    }
    match reasons.is_empty() {
        true => "there are no games".to_string(),
        false => format!("of {read} games\n  {}", reasons.join("\n  ")),
    }
}
