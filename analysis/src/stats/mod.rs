//! Estimates, intervals and tests that the methods share.

mod chi_square;
mod correlation;
mod discovery;
mod interval;
mod match_score;
mod matrix;
mod spread;

pub use chi_square::ChiSquareTest;
pub use correlation::correlation;
pub use discovery::false_discovery_rates;
pub(crate) use interval::NORMAL_975;
pub use interval::{Estimate, Interval, fieller, percentile, wilson};
pub use match_score::{MatchScore, likelihood_of_superiority};
pub(crate) use matrix::{Symmetric, independent_columns};
pub use spread::Spread;

/// The difference in Elo at which a score from 0 to 1 is expected; infinite at the ends.
///
/// Source: Elo, "The Rating of Chessplayers, Past and Present", 1978, with the logistic curve.
pub fn elo(score: f64) -> f64 {
    match score {
        score if score <= 0.0 => f64::NEG_INFINITY,
        score if score >= 1.0 => f64::INFINITY,
        score => 400.0 * (score / (1.0 - score)).log10(),
    }
}

/// The derivative of [`elo`] at a score strictly between 0 and 1.
pub(crate) fn elo_slope(score: f64) -> f64 {
    400.0 / std::f64::consts::LN_10 / (score * (1.0 - score))
}
