//! Piece values by each method.

mod comparison;
mod imbalance_values;
mod imbalances;
mod mobility;
mod published;
mod regression;
mod regression_scale;
mod rows;
mod score_by_difference;
mod statements;
mod tables;
mod unit;

pub use comparison::{ComparedValue, compare_values};
pub use imbalance_values::{Imbalance, ImbalancePiece, ImbalanceValues, PawnOfFile, ValuesAtPly};
pub use imbalances::{Imbalances, PairCounts};
pub use mobility::{Mobility, mobility};
pub use published::{PublishedValues, published};
pub use regression::{PieceValue, RegressionOptions, RegressionValues, Sample};
pub use rows::{ValueRow, pieces_of, value_rows};
pub use score_by_difference::ScoreByDifference;
pub use tables::{
    compared_table, fit_table, imbalance_rows, imbalance_table, method_table, mobility_table, stage_table,
    value_table, write_imbalances, write_positions, write_values,
};
pub use unit::Unit;
