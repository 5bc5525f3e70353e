//! Which recorded games a study takes positions from.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::record::SourcePosition;

/// The recorded games that a study takes positions from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedGames {
    /// The directory of their study, relative to the directory in which this study was begun.
    pub path: PathBuf,
    /// The number of its games that are used, from the first on.
    pub games: u64,
    /// The SHA-256 of its decompressed `games.csv` up to the end of these games.
    pub sha256: String,
    /// The plies at which positions are taken from each game, in ascending order.
    pub at_plies: Vec<u32>,
    /// The largest static evaluation that a position may have for either side, in centipawns.
    pub balance: u32,
    /// The number of positions that were found.
    pub positions: u64,
}

impl RecordedGames {
    /// The ply among [`Self::at_plies`] for which a position was taken; `None` for a position before all of them.
    pub fn stage(&self, position: SourcePosition) -> Option<u32> {
        self.at_plies.iter().rev().copied().find(|&at| at <= position.ply)
    }
}
