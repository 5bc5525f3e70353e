//! Chi-squared tests.

use std::fmt;

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

/// Written as `χ² = 319.4 on 3 degrees of freedom, p < 0.1 %`.
impl fmt::Display for ChiSquareTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { chi_square, freedom, p_value } = self;
        let degrees = if *freedom == 1 { "degree" } else { "degrees" };
        write!(f, "χ² = {chi_square:.1} on {freedom} {degrees} of freedom, {}", p_text(*p_value))
    }
}

/// A p-value in percent, as in `p = 4.5 %`.
pub(crate) fn p_text(p_value: f64) -> String {
    match 100.0 * p_value {
        tiny if tiny < 0.05 => "p < 0.1 %".to_string(),
        percent => format!("p = {percent:.1} %"),
    }
}

impl ChiSquareTest {
    /// The test for this statistic; `None` without degrees of freedom.
    pub(crate) fn new(chi_square: f64, freedom: usize) -> Option<Self> {
        let p_value = ChiSquared::new(freedom as f64).ok()?.sf(chi_square);
        Some(Self { chi_square, freedom: freedom as u64, p_value })
    }
}
