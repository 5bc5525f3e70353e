//! The rows of `atlas.csv`.

use backrank_rules::Side;
use serde::{Deserialize, Serialize};

use super::complexity::{Complexity, PLIES};
use super::definition::Atlas;
use crate::store::{RecordRow, RowsWriter};

/// The judgement of a setup: a row of `atlas.csv`. Scores are White's, in centipawns; a forced mate in n plies counts
/// as 31,000 − n. Moves are in UCI notation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AtlasRow {
    /// The setup's id in the atlas's numbering.
    pub setup: u128,
    /// White's first rank.
    pub white_rank: String,
    /// Black's first rank.
    pub black_rank: String,
    /// The score.
    pub score_cp: i32,
    /// White's expected score, from 0 to 1, by the atlas's curve.
    pub expected_score: f64,
    /// The lower end of the expected score's 95 % interval.
    pub expected_score_low: f64,
    /// The upper end of this interval.
    pub expected_score_high: f64,
    /// The [`Complexity`](super::Complexity) of White's moves in the line, in bits.
    pub complexity_white: f64,
    /// The complexity of Black's moves, in bits.
    pub complexity_black: f64,
    /// The complexity of both sides' moves, in bits.
    pub complexity: f64,
    /// Black's complexity minus White's, in bits.
    pub asymmetry: f64,
    /// White's best first move.
    pub best_move: String,
    /// The best first moves with their scores, in descending order: `e2e4/31 d2d4/28`.
    pub best_moves: String,
    /// The depth in plies to which these moves were searched.
    pub depth: u32,
    /// The same score with a quarter of the nodes; `None` if no depth was finished with them.
    pub quarter_cp: Option<i32>,
    /// The line of best play, of at most 20 plies.
    pub line: String,
    /// The score in each position of the line, before the move.
    pub line_scores: String,
    /// For each move of the line, the number of centipawns by which it is better than the second best; `-` if there is
    /// no choice.
    pub gaps: String,
    /// The Bishop Adjustments of the line, each as its ply from 1 and its notation: `5:Bc<=>N`.
    pub adjustments: String,
    /// The score without the Bishop Adjustment; `None` if no side could play it.
    pub without_adjustment_cp: Option<i32>,
    /// The id of the left–right reflection, if the game is the same when reflected and the space contains it.
    pub reflection: Option<u128>,
}

impl AtlasRow {
    /// The number of plies of the line of best play.
    pub fn plies(&self) -> usize {
        self.line.split_ascii_whitespace().count()
    }

    /// Whether the game ends before the line has its twentieth ply.
    pub fn ends_early(&self) -> bool {
        self.plies() < PLIES
    }

    /// The complexity of White's and of Black's moves for ten moves of each. Of a line that ends early, atlases of earlier
    /// versions have the sum of what there is.
    pub fn of_ten_moves(&self) -> [f64; 2] {
        if !self.ends_early() {
            return [self.complexity_white, self.complexity_black];
        }
        let mut found = Complexity::default();
        for (gap, side) in self.gaps.split_ascii_whitespace().zip(Side::BOTH.into_iter().cycle()) {
            found.add(side, gap.parse().ok());
        }
        let Complexity { white, black, .. } = found.of_ten_moves();
        [white, black]
    }
}

/// The columns, in order.
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
    type Definition = Atlas;

    fn columns(_: &Atlas) -> Vec<&'static str> {
        COLUMNS.to_vec()
    }
}

/// Appends rows to an `atlas.csv`.
pub type AtlasWriter = RowsWriter<AtlasRow>;
