//! Piece values, by each method.

mod imbalances;
mod mobility;
mod published;
mod regression;
mod score_by_difference;
mod statements;
mod unit;

pub use imbalances::{
    Imbalance, ImbalancePiece, ImbalanceValues, Imbalances, PairCounts, PawnOfFile, ValuesAtPly,
};
pub use mobility::{Mobility, mobility};
pub use published::{PublishedValues, published};
pub(crate) use regression::SampleRow;
pub use regression::{PieceValue, RegressionOptions, RegressionValues, Sample};
pub use score_by_difference::ScoreByDifference;
pub use unit::Unit;
