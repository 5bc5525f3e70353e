//! What a network of imbalances finds.

use backrank_selfplay::Odds;
use serde::Serialize;

use super::unit::Unit;
use crate::games::Column;
use crate::stats::{ChiSquareTest, Estimate};

/// A match: the side that has what is named first against the side that has what is named second.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Imbalance {
    /// What one side lacks and the other has, `Q`, and what the other lacks, `2N+4P`; nothing is `-`.
    #[serde(serialize_with = "as_text")]
    pub odds: Odds,
    /// Games won, drawn and lost by the side that has the first.
    pub results: [u64; 3],
    /// Pairs by the half points in them of the side that has the first, 0 to 4.
    pub pairs: [u64; 5],
    /// The share of the points of the side that has the first.
    pub score: Estimate,
    /// How much more the first is worth than the second, in Elo, by this match alone.
    pub elo: Estimate,
    /// The same by the values of all pieces, in Elo.
    pub expected: Option<f64>,
    /// How much more the first is worth than the values say, in Elo.
    pub residual: Option<Estimate>,
}

/// What the network finds for a piece.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ImbalancePiece {
    /// The piece.
    pub piece: Column,
    /// The games of the matches that it is part of.
    pub games: u64,
    /// In the unit.
    pub value: Option<Estimate>,
    /// In pawns.
    pub pawns: Option<Estimate>,
    /// What one more of it adds between equals, in Elo.
    pub elo: Option<Estimate>,
    /// In the unit, if the model is a probit.
    pub probit: Option<f64>,
    /// Why there is no value, or what to know of it.
    pub note: Option<String>,
}

/// What the pawn of a file is worth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PawnOfFile {
    /// Its file, `a` to `z`.
    pub file: char,
    /// The pairs of games without it.
    pub pairs: u64,
    /// In Elo.
    pub elo: Estimate,
}

/// What a network of imbalances finds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ImbalanceValues {
    /// What values are measured in.
    pub unit: Unit,
    /// The matches, the largest first.
    pub imbalances: Vec<Imbalance>,
    /// The pieces in them, from the least to the most that the engine takes them to be worth.
    pub pieces: Vec<ImbalancePiece>,
    /// What the first move is worth to White, in Elo.
    pub white: Option<Estimate>,
    /// The share of draws between equals.
    pub draws: Option<f64>,
    /// Whether values add up; none where there are not more imbalances than it takes to determine them.
    pub additive: Option<ChiSquareTest>,
    /// How far imbalances are from adding up: the standard deviation of what each adds of its own, in Elo.
    pub deviation: Option<f64>,
    /// Whether several pawns are worth as much as each of them, by the matches of pawns against nothing.
    pub pawns_add_up: Option<ChiSquareTest>,
    /// What the pawn of each file is worth, where games are at the odds of one pawn.
    pub pawns_by_file: Vec<PawnOfFile>,
    /// Whether the pawns of all files are worth the same.
    pub files_alike: Option<ChiSquareTest>,
    /// Games without the other one of their pair, which say nothing.
    pub unpaired: u64,
    /// Why there are no values at all, where there are none.
    pub nothing: Option<String>,
    /// The same by the games that start in the middle of recorded games, for each ply at which positions were taken.
    pub by_ply: Vec<ValuesAtPly>,
}

/// What pieces are worth in the middle of games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValuesAtPly {
    /// The ply of the recorded games at which positions were taken.
    pub ply: u32,
    /// What the games from these positions say.
    pub values: ImbalanceValues,
}

fn as_text<S: serde::Serializer>(odds: &Odds, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(odds)
}
