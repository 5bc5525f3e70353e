//! The rows of `atlas.csv`.

use serde::{Deserialize, Serialize};

use super::definition::Atlas;
use crate::study::{RecordRow, RowsWriter};

/// What is known of a setup: a row of `atlas.csv`. Scores are White's, in centipawns; a forced mate counts as 31,000 less one
/// for each ply. Moves are written as in UCI.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AtlasRow {
    /// Its id in the atlas's numbering.
    pub setup: u128,
    /// White's first rank.
    pub white_rank: String,
    /// Black's first rank.
    pub black_rank: String,
    /// The score.
    pub score_cp: i32,
    /// White's expected score, from 0 to 1, by the atlas's curve.
    pub expected_score: f64,
    /// The lower end of its 95 % interval.
    pub expected_score_low: f64,
    /// The upper end.
    pub expected_score_high: f64,
    /// The bits of White's moves in the line; see [`Complexity`](super::Complexity).
    pub complexity_white: f64,
    /// The bits of Black's moves.
    pub complexity_black: f64,
    /// The bits of both.
    pub complexity: f64,
    /// Black's bits less White's.
    pub asymmetry: f64,
    /// White's best first move.
    pub best_move: String,
    /// The best first moves with their scores, the best first: `e2e4/31 d2d4/28`.
    pub best_moves: String,
    /// The depth in plies to which these were searched.
    pub depth: u32,
    /// The score of the last depth that a quarter of the nodes finished; none where that finished no depth.
    pub quarter_cp: Option<i32>,
    /// The line of best play, of at most 20 plies.
    pub line: String,
    /// The score in each position of the line, before the move.
    pub line_scores: String,
    /// How many centipawns each move of the line is better than the second best, `-` where there is nothing to choose.
    pub gaps: String,
    /// The Bishop Adjustments of the line, each as its ply from 1 and its notation: `5:Bc<=>N`.
    pub adjustments: String,
    /// The score without the Bishop Adjustment; none where no side could play it.
    pub without_adjustment_cp: Option<i32>,
    /// The id of the left–right reflection, where the game is the same when reflected and the space has it.
    pub reflection: Option<u128>,
}

/// The columns in their order.
pub(super) const COLUMNS: [&str; 21] = [
    "setup",
    "white_rank",
    "black_rank",
    "score_cp",
    "expected_score",
    "expected_score_low",
    "expected_score_high",
    "complexity_white",
    "complexity_black",
    "complexity",
    "asymmetry",
    "best_move",
    "best_moves",
    "depth",
    "quarter_cp",
    "line",
    "line_scores",
    "gaps",
    "adjustments",
    "without_adjustment_cp",
    "reflection",
];

impl RecordRow for AtlasRow {
    type Question = Atlas;

    fn columns(_: &Atlas) -> Vec<&'static str> {
        COLUMNS.to_vec()
    }
}

/// Adds rows to an `atlas.csv`.
pub type AtlasWriter = RowsWriter<AtlasRow>;
