//! Piece values by each method.

mod comparison;
mod imbalance_values;
mod imbalances;
mod mobility;
mod published;
mod regression;
mod regression_scale;
mod score_by_difference;
mod statements;
mod unit;

pub use comparison::{ComparedValue, compare_values};
pub use imbalance_values::{Imbalance, ImbalancePiece, ImbalanceValues, PawnOfFile, ValuesAtPly};
pub use imbalances::{Imbalances, PairCounts};
pub use mobility::{Mobility, mobility};
pub use published::{PublishedValues, published};
pub(crate) use regression::SampleRow;
pub use regression::{PieceValue, RegressionOptions, RegressionValues, Sample};
pub use score_by_difference::ScoreByDifference;
pub use unit::Unit;
