//! The error for a file without games.

use std::io;

use thiserror::Error;

/// What is wrong with a file that is not PGN, or not packed as an archive may be, and what to do about it.
#[derive(Debug, Error)]
#[error("{0}")]
pub(crate) struct NotGames(pub String);

impl From<NotGames> for io::Error {
    fn from(problem: NotGames) -> Self {
        Self::new(io::ErrorKind::InvalidInput, problem)
    }
}
