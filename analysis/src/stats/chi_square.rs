//! Chi-squared tests.

use serde::Serialize;
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// A chi-squared test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ChiSquareTest {
    /// The statistic.
    pub chi_square: f64,
    /// Its degrees of freedom.
    pub freedom: u64,
    /// The probability of a statistic at least this large under the null hypothesis.
    pub p_value: f64,
}

impl ChiSquareTest {
    /// The test for this statistic; `None` without degrees of freedom.
    pub(crate) fn new(chi_square: f64, freedom: usize) -> Option<Self> {
        let p_value = ChiSquared::new(freedom as f64).ok()?.sf(chi_square);
        Some(Self { chi_square, freedom: freedom as u64, p_value })
    }
}
