//! From the games of studies to piece values and setup statistics; `METHODS.md` beside this crate's source states every
//! method with its formula, assumptions and source.
#![warn(missing_docs)]

mod error;
mod fit;
mod games;
mod planner;
mod report;
mod setups;
mod simulate;
mod stats;
mod tables;
mod values;

pub use error::AnalysisError;
pub use fit::{Clustering, Model};
pub use games::{
    Adjusted, Column, Difference, Game, GamesRead, MAX_COLUMNS, Material, Replayed, Replayer, Sampling,
    Studies,
};
pub use planner::{PairsSoFar, PartCost, REGRESSION_PART, ValuesSoFar, next_part};
pub use report::Report;
pub use setups::{
    Adjusting, AdjustmentUse, Dispersion, Ended, FeatureEffect, Features, Lengths, PartnerUse,
    ScoreHistogram, ScoreSpread, SetupGames, SetupName, SetupOptions, SetupScore, SetupStatistics, Shrinkage,
};
pub use simulate::{Simulation, SimulationError, TrueValue, Truth};
pub use stats::{
    Estimate, Interval, MatchScore, Sprt, SprtVerdict, elo, false_discovery_rates, fieller,
    likelihood_of_superiority, percentile, wilson,
};
pub use tables::{
    ValueRow, thousands, write_adjustments, write_features, write_positions, write_setups, write_values,
};
pub use values::{
    Mobility, OddsMatch, OddsMatches, OddsPiece, OddsValues, PieceValue, PublishedValues, RegressionOptions,
    RegressionValues, Sample, mobility, published,
};
