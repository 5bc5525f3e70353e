//! Piece values, by each method.

mod mobility;
mod odds;
mod published;
mod regression;

pub use mobility::{Mobility, mobility};
pub use odds::{OddsMatch, OddsMatches, OddsPiece, OddsValues};
pub use published::{PublishedValues, published};
pub(crate) use regression::SampleRow;
pub use regression::{PieceValue, RegressionOptions, RegressionValues, Sample};
