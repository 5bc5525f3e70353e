//! Empirical Bayes: scores drawn towards their mean by as much as chance calls for.

use std::collections::HashMap;

use serde::Serialize;
use statrs::distribution::{Beta, ContinuousCDF};
use statrs::function::beta::ln_beta;

use super::{ScoreSpread, Tally};
use crate::stats::{Estimate, Interval};

/// The distribution of setups' true scores, a beta distribution, as the games of all of them suggest it.
///
/// Source: Griffin and Krutchkoff, "An Empirical Bayes Estimator for P[success] in the Binomial Distribution", 1971;
/// Skellam's beta-binomial distribution, 1948, its strength the most likely one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Shrinkage {
    /// The mean of all setups.
    pub mean: f64,
    /// As many games as what is known of all setups says about one; none where setups do not differ more than chance
    /// would have them, so that each has the mean.
    pub strength: Option<f64>,
    /// The standard deviation of the setups' true scores.
    pub deviation: f64,
}

/// A strength that is not told from no difference at all.
const NO_DIFFERENCE: f64 = 1e6;

impl Shrinkage {
    pub(crate) fn of(tallies: &[Tally], spread: ScoreSpread) -> Self {
        // What matters of a setup is its number of trials and its score: many have the same.
        let mut kinds: HashMap<(u64, u64), f64> = HashMap::new();
        for tally in tallies {
            *kinds.entry((tally.half_points(), tally.games())).or_default() += 1.0;
        }
        let mut kinds: Vec<_> = kinds.into_iter().collect();
        kinds.sort_unstable_by_key(|(kind, _)| *kind);
        let alone = Self { mean: spread.mean, strength: None, deviation: 0.0 };
        if spread.variance == 0.0 {
            return alone;
        }
        let likelihood = |strength: f64| -> f64 {
            let (a, b) = (spread.mean * strength, (1.0 - spread.mean) * strength);
            let of_kind = |&((half_points, games), number): &((u64, u64), f64)| {
                let trials = spread.trials(games as f64);
                let won = trials * half_points as f64 / (2 * games) as f64;
                number * (ln_beta(a + won, b + trials - won) - ln_beta(a, b))
            };
            kinds.iter().map(of_kind).sum()
        };
        let strength = most_likely(likelihood).exp();
        if strength > NO_DIFFERENCE {
            return alone;
        }
        let deviation = (spread.mean * (1.0 - spread.mean) / (strength + 1.0)).sqrt();
        Self { strength: Some(strength * spread.of_binomial), deviation, ..alone }
    }

    /// What is to be thought of a setup: the mean of the beta distribution after its games, and the middle 95 % of it.
    pub(crate) fn estimate(&self, tally: Tally, spread: ScoreSpread) -> Estimate {
        let Some(strength) = self.strength.map(|games| spread.trials(games)) else {
            return Estimate::exact(self.mean);
        };
        let trials = spread.trials(tally.games() as f64);
        let won = trials * tally.score();
        let (a, b) = (self.mean * strength + won, (1.0 - self.mean) * strength + trials - won);
        let value = a / (a + b);
        let interval = Beta::new(a, b).map_or(Interval { low: 0.0, high: 1.0 }, |beta| Interval {
            low: beta.inverse_cdf(0.025),
            high: beta.inverse_cdf(0.975),
        });
        Estimate { value, interval }
    }
}

/// The logarithm of the most likely strength: a coarse grid, then the golden section.
fn most_likely(likelihood: impl Fn(f64) -> f64) -> f64 {
    let end = (10.0 * NO_DIFFERENCE).ln();
    let grid: Vec<f64> = (0..=40).map(|step| -1.0 + (end + 1.0) * f64::from(step) / 40.0).collect();
    let values: Vec<f64> = grid.iter().map(|log| likelihood(log.exp())).collect();
    let best = (0..grid.len()).max_by(|&one, &other| values[one].total_cmp(&values[other])).unwrap_or(0);
    let (mut low, mut high) = (grid[best.saturating_sub(1)], grid[(best + 1).min(grid.len() - 1)]);
    let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
    while high - low > 1e-6 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if likelihood(left.exp()) < likelihood(right.exp()) {
            low = left;
        } else {
            high = right;
        }
    }
    0.5 * (low + high)
}
