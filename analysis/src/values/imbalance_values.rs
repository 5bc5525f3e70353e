//! Piece values by a network of imbalances.

use serde::Serialize;

use super::unit::Unit;
use crate::games::Column;
use crate::stats::{ChiSquareTest, Estimate, Interval};

/// A match between the side that has the pieces named first and the side that has those named second.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Imbalance {
    /// The pieces that each side has and the other lacks, such as `Q:2N+4P`, by the engine's values; `-` for none.
    pub odds: String,
    /// Games won, drawn and lost by the side with the first.
    pub results: [u64; 3],
    /// Pairs by the half points of the side with the first, 0 to 4.
    pub pairs: [u64; 5],
    /// The score of the side with the first.
    pub score: Estimate,
    /// The advantage of the first over the second by this match alone, in Elo.
    pub elo: Estimate,
    /// The advantage by the values of all pieces, in Elo.
    pub expected: Option<f64>,
    /// The advantage minus the expected one, in Elo.
    pub residual: Option<Estimate>,
    /// The probability that chance alone makes any of all imbalances deviate as far as this (Holm, 1979).
    pub p_value: Option<f64>,
}

/// The value of a piece by the network.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ImbalancePiece {
    /// The piece.
    pub piece: Column,
    /// The number of games in matches in which it occurs.
    pub games: u64,
    /// Its value in the unit.
    pub value: Option<Estimate>,
    /// Its value in pawns.
    pub pawns: Option<Estimate>,
    /// The value of one more of it between equals, in Elo.
    pub elo: Option<Estimate>,
    /// Its value in the unit by a probit model instead.
    pub probit: Option<f64>,
    /// Why there is no value, or a remark on it.
    pub note: Option<String>,
}

/// The value of the pawn of a file.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PawnOfFile {
    /// Its file, `a` to `z`.
    pub file: char,
    /// The number of pairs of games without it.
    pub pairs: u64,
    /// Its value in Elo.
    pub elo: Estimate,
}

/// The odds of a single piece: its value by the match of one of it against nothing alone. That is what a start without it costs; the value
/// in the table of pieces is what the piece counts for in all imbalances together. For pawns the two are *one-pawn* and *mean-pawn*.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PieceAlone {
    /// The piece.
    pub piece: Column,
    /// In the unit.
    pub value: Estimate,
    /// In Elo.
    pub elo: Estimate,
}

/// Piece values by a network of imbalances.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ImbalanceValues {
    /// The unit of the values.
    pub unit: Unit,
    /// The matches in descending order of size.
    pub imbalances: Vec<Imbalance>,
    /// The pieces in them, in ascending order of the engine's values.
    pub pieces: Vec<ImbalancePiece>,
    /// White's advantage of moving first, in Elo.
    pub white: Option<Estimate>,
    /// The proportion of draws between equals.
    pub draws: Option<f64>,
    /// The test of whether values add up; `None` if there are only as many imbalances as it takes to determine them.
    pub additive: Option<ChiSquareTest>,
    /// The standard deviation of the imbalances' deviations from the sum of values, in Elo: the median of its distribution.
    pub deviation: Option<f64>,
    /// The 95 % interval of this standard deviation by Q-profile; `None` if there are only as many imbalances as it takes to determine
    /// the values.
    pub deviation_interval: Option<Interval>,
    /// The number of different setups from which the games start; 0 if that is not known.
    pub setups: u64,
    /// Whether the intervals are clustered by setup, because imbalances share setups.
    pub by_setup: bool,
    /// The values of single pieces by their odds against nothing, for the kinds of which there is such a match.
    pub alone: Vec<PieceAlone>,
    /// The test of whether the value of several pawns is proportional to their number, by the matches of pawns against
    /// nothing.
    pub pawns_add_up: Option<ChiSquareTest>,
    /// The value of the pawn of each file, if there are games at the odds of one pawn.
    pub pawns_by_file: Vec<PawnOfFile>,
    /// The test of whether the pawns of all files have the same value.
    pub files_alike: Option<ChiSquareTest>,
    /// By how much less the pawns of the first and of the last of these files are worth than the others, in Elo; `None` with fewer than
    /// four files.
    pub edge_pawns: Option<Estimate>,
    /// The number of games whose pair is incomplete, which are not used.
    pub unpaired: u64,
    /// Why there are no values, if there are none.
    pub nothing: Option<String>,
    /// The values by games that start from recorded positions, for each ply at which positions were taken.
    pub by_ply: Vec<ValuesAtPly>,
}

/// Piece values at a stage of recorded games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValuesAtPly {
    /// The ply of the recorded games at which positions were taken.
    pub ply: u32,
    /// The values by the games from these positions.
    pub values: ImbalanceValues,
}
