//! When games are ended early, apart from the rules.

use serde::{Deserialize, Serialize};

/// When a side resigns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// The number of centipawns by which it must think itself behind.
    pub score: u32,
    /// For how many of its moves in a row.
    pub moves: u32,
}

/// When a draw is agreed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// The number of the move after which it can be agreed.
    pub from_move: u32,
    /// For how many moves of each side in a row.
    pub moves: u32,
    /// The largest score, in centipawns, that the mover may have for either side.
    pub score: u32,
}

/// When a game is ended early, apart from the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// The number of plies after which the game is a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
    /// When a side resigns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// When a draw is agreed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// Whether the game ends as soon as the engine's endgame tables know its result. A win counts only if the winner
    /// needs no more moves than the fifty-move rule leaves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tables: bool,
}

impl Adjudication {
    /// Whether games are always played to their end.
    pub fn is_off(&self) -> bool {
        *self == Self::default()
    }
}
