//! Estimates, intervals and tests that the methods share.
//!
//! An [`Estimate`] is a number with its 95 % [`Interval`]. [`wilson`] gives the interval of a proportion, [`fieller`] that of a ratio,
//! [`percentile`] that of a bootstrap; [`MatchScore`] is a score in pairs of games, and [`elo`] what it is in Elo.
//!
//! ```
//! use backrank_analysis::stats::{Estimate, elo, wilson};
//!
//! let score = Estimate { value: 0.75, interval: wilson(0.75, 100.0) };
//! assert_eq!(format!("{score:.2}"), "0.75, between 0.66 and 0.82 at 95 %");
//! assert_eq!(elo(0.75).round(), 191.0);
//! ```

mod chi_square;
mod correlation;
mod discovery;
mod elo;
mod interval;
mod match_score;
mod matrix;
mod spread;

pub use chi_square::ChiSquareTest;
pub(crate) use chi_square::p_text;
pub use correlation::correlation;
pub use discovery::{false_discovery_rates, family_wise};
pub use elo::elo;
pub(crate) use elo::elo_slope;
pub use interval::{Estimate, Interval, fieller, percentile, wilson};
pub(crate) use interval::{NORMAL_975, number_text, student_975};
pub use match_score::{MatchScore, likelihood_of_superiority};
pub(crate) use matrix::{Symmetric, independent_columns};
pub use spread::Spread;
