//! The agreement of two judgements of the same setups.

use serde::Serialize;

use crate::stats::{Estimate, correlation};

/// The agreement of two judgements of the same things.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// The number of things that were judged twice.
    pub pairs: u64,
    /// The mean of the second judgement minus the first.
    pub change: f64,
    /// The standard deviation of one judgement's error, if both have independent errors of the same size:
    /// √(Σ d²/2n) for differences d.
    pub noise: f64,
    /// The correlation of the two judgements.
    pub correlation: Option<Estimate>,
}

impl Agreement {
    /// The agreement of pairs of judgements; `None` if there are no pairs.
    ///
    /// ```
    /// use backrank_analysis::atlas::Agreement;
    ///
    /// let found = Agreement::of(&[(10.0, 14.0), (20.0, 20.0), (30.0, 28.0), (40.0, 42.0)]).unwrap();
    /// assert_eq!((found.pairs, found.change, found.noise), (4, 1.0, 3.0_f64.sqrt()));
    /// ```
    pub fn of(pairs: &[(f64, f64)]) -> Option<Self> {
        if pairs.is_empty() {
            return None;
        }
        let n = pairs.len() as f64;
        let differences = || pairs.iter().map(|(one, other)| other - one);
        Some(Self {
            pairs: pairs.len() as u64,
            change: differences().sum::<f64>() / n,
            noise: (differences().map(|difference| difference.powi(2)).sum::<f64>() / (2.0 * n)).sqrt(),
            correlation: correlation(pairs),
        })
    }
}
