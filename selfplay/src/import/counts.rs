//! How many games were imported, and why others were left out.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::rejection::Rejection;

/// The number of games that were imported, and of those that were left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportCounts {
    /// Games that are now in the study.
    pub games: u64,
    /// Games that were read.
    pub read: u64,
    /// Games in which a player has too low a rating, or none.
    pub below_min_elo: u64,
    /// Games that could not be imported, by reason.
    pub left_out: BTreeMap<Rejection, RejectedGames>,
    /// Bytes that stand after the end of what is compressed in an archive.
    pub left_over_bytes: u64,
}

/// Games that could not be imported for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedGames {
    /// The number of games.
    pub games: u64,
    /// The file of the first one.
    pub path: PathBuf,
    /// The line in it, of the unpacked file, from 1.
    pub line: u64,
    /// What is wrong with the first one.
    pub problem: String,
}
