//! Studies: what is asked, and the record of what was played.

mod record;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::limits::Limits;
use crate::player::PlayerSpec;

pub use record::{Ending, GameRecord};

/// Everything that decides the games of a study; `study.toml` holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// The version of the program that plays it.
    pub version: String,
    /// The variant's key.
    pub variant: String,
    /// Which setups: `all`, `0..100` or `random:500`.
    pub setups: String,
    /// The numbering that ids are of.
    pub numbering: String,
    /// The number of games from each setup.
    pub games: u64,
    /// Whether each two games in a row are the same but for who plays White.
    pub pairs: bool,
    /// What chance depends on.
    pub seed: u64,
    /// What a move may take.
    pub limits: MoveLimits,
    /// When a game is cut short.
    #[serde(default, skip_serializing_if = "Adjudication::is_off")]
    pub adjudication: Adjudication,
    /// Who plays White, or with pairs the first game's White.
    pub white: PlayerSpec,
    /// The other player.
    pub black: PlayerSpec,
    /// The text of the variant's file.
    pub variant_text: String,
}

/// What a player may use for a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveLimits {
    /// Nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
}

impl MoveLimits {
    /// The same for a search.
    pub fn search(self) -> Limits {
        Limits {
            nodes: self.nodes,
            depth: self.depth,
            move_time: self.time.map(Duration::from_millis),
            ..Limits::default()
        }
    }
}

/// When a game is cut short, beside the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// The game is a draw after so many plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
}

impl Adjudication {
    /// Whether games are always played to their end.
    pub fn is_off(&self) -> bool {
        *self == Self::default()
    }
}
