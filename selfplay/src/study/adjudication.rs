//! When games are cut short, beside the rules.

use serde::{Deserialize, Serialize};

/// When a side resigns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// When it thinks itself so many centipawns behind,
    pub score: u32,
    /// for so many of its moves in a row.
    pub moves: u32,
}

/// When a draw is agreed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// After the move of this number,
    pub from_move: u32,
    /// when for so many moves of each side in a row
    pub moves: u32,
    /// the one that moved thought neither side more than so many centipawns ahead.
    pub score: u32,
}

/// When a game is cut short, beside the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// The game is a draw after so many plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
    /// A side resigns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// A draw is agreed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// The game ends as soon as the engine's endgame tables know its result. A win counts only where the winner needs
    /// no more moves than the fifty-move rule leaves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tables: bool,
}

impl Adjudication {
    /// Whether games are always played to their end.
    pub fn is_off(&self) -> bool {
        *self == Self::default()
    }
}
