//! From the games of studies to piece values and setup statistics; `METHODS.md` beside this crate's source states every
//! method with its formula, assumptions and source.
#![warn(missing_docs)]

mod error;
mod fit;
mod games;
mod stats;
mod values;

pub use error::AnalysisError;
pub use fit::{Clustering, Model};
pub use games::{
    Adjusted, Column, Difference, Game, GamesRead, MAX_COLUMNS, Material, Replayed, Replayer, Sampling,
    Studies,
};
pub use stats::{Estimate, Interval, elo, false_discovery_rates, fieller, percentile, wilson};
pub use values::{
    Mobility, OddsMatch, OddsMatches, OddsPiece, OddsValues, PieceValue, PublishedValues, RegressionOptions,
    RegressionValues, Sample, mobility, published,
};
