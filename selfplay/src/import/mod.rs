//! Importing the games of PGN archives of any size, plain or compressed, as a study.
//!
//! An [`Importer`] reads the archives, checks each game by the rules, and writes `games.csv` and `scores.csv`. A game that it
//! cannot import is counted by the reason, a [`Rejection`], with an example.

mod archive;
mod counts;
mod error;
mod game;
mod importer;
mod rejection;

pub use counts::{ImportCounts, RejectedGames};
pub use error::ImportError;
pub use importer::{ImportOptions, Importer};
pub use rejection::Rejection;
