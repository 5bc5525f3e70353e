//! Estimates, intervals and tests that the methods share.

mod chi_square;
mod correlation;
mod discovery;
mod elo;
mod interval;
mod match_score;
mod matrix;
mod spread;

pub use chi_square::ChiSquareTest;
pub use correlation::correlation;
pub use discovery::false_discovery_rates;
pub use elo::elo;
pub(crate) use elo::elo_slope;
pub(crate) use interval::NORMAL_975;
pub use interval::{Estimate, Interval, fieller, percentile, wilson};
pub use match_score::{MatchScore, likelihood_of_superiority};
pub(crate) use matrix::{Symmetric, independent_columns};
pub use spread::Spread;
