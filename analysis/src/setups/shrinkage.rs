//! Empirical Bayes: scores drawn towards their mean by as much as chance calls for.

use serde::Serialize;
use statrs::distribution::{Beta, ContinuousCDF};

use super::dispersion::Moments;
use super::{ScoreSpread, SetupTally};
use crate::stats::{Estimate, Interval};

/// What the games of all setups say about the spread of setups' true scores, and so about each setup.
///
/// True scores have a mean m and a standard deviation τ. Given τ a setup with n games and score s has the expected true
/// score m + w·(s − m), with w = n·τ² / (n·τ² + v − τ²) and the variance v of a game's score, and the variance
/// τ²·(1 − w), to which (1 − w)² times that of m is added. τ is not known either: it is weighed by how likely it makes
/// the statistic Q of [`Dispersion`](super::Dispersion), which is about a·χ² with as many degrees of freedom as there are
/// setups less one and a = 1 + τ²·(c / (S − 1) − 1) / v, c = N − Σ n² / N, all τ² up to v being as likely beforehand. The
/// interval is that of the beta distribution with the mean and the variance that result.
///
/// Sources: Bühlmann, "Experience Rating and Credibility", 1967; Kleinman, "Proportions with Extraneous Variance", 1973;
/// Tang and Morris, "Estimating Random Effects via Adjustment for Density Maximization", 2011.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shrinkage {
    /// The mean of all setups.
    pub mean: f64,
    /// The standard deviation of the setups' true scores.
    pub deviation: Estimate,
    /// Whether the games say so little about it that it mostly follows from the prior: the interval reaches almost to the
    /// standard deviation of a single game's score.
    pub mostly_assumed: bool,
    /// The weight of the mean beside a setup's own games, in games, at that standard deviation.
    pub games: f64,
    /// Standard deviations and how likely each is.
    #[serde(skip)]
    likely: Vec<(f64, f64)>,
    /// The variance of the mean, by the same standard deviations: Σ n² / N² of τ², and 1 / N of the rest.
    #[serde(skip)]
    of_mean: [f64; 2],
    #[serde(skip)]
    variance: f64,
}

/// The number of steps of the grid of standard deviations.
const STEPS: u32 = 400;

/// The share of the standard deviation of a game's score up to which the interval is informative: that of the prior
/// reaches to 0.99 of it.
const ALMOST_ALL: f64 = 0.9;

impl Shrinkage {
    /// None where there is nothing to learn from, as no setup has two games.
    pub(crate) fn of(tallies: &[SetupTally], spread: ScoreSpread) -> Option<Self> {
        let moments = Moments::of(tallies, spread)?;
        let variance = spread.variance;
        let freedom = tallies.len() as f64 - 1.0;
        let log_likely = |tau: f64| {
            let a = 1.0 + tau * tau * (moments.spare / freedom - 1.0) / variance;
            // The prior is uniform in τ², and so proportional to τ in τ.
            (0.5 * freedom - 1.0) * (moments.statistic / a).ln() - 0.5 * moments.statistic / a - a.ln()
                + tau.ln()
        };
        let taus: Vec<f64> =
            (0..STEPS).map(|step| variance.sqrt() * (f64::from(step) + 0.5) / f64::from(STEPS)).collect();
        let logs: Vec<f64> = taus.iter().map(|&tau| log_likely(tau)).collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
        let all: f64 = weights.iter().sum();
        let likely: Vec<(f64, f64)> = taus
            .into_iter()
            .zip(weights)
            .map(|(tau, weight)| (tau, weight / all))
            .filter(|(_, w)| *w > 1e-9)
            .collect();
        let value: f64 = likely.iter().map(|(tau, weight)| tau * weight).sum();
        let quantile = |share: f64| {
            let mut passed = 0.0;
            let found = likely.iter().find(|(_, weight)| {
                passed += weight;
                passed >= share
            });
            found.or(likely.last()).map_or(0.0, |&(tau, _)| tau)
        };
        let deviation =
            Estimate { value, interval: Interval { low: quantile(0.025), high: quantile(0.975) } };
        let mostly_assumed = deviation.interval.high > ALMOST_ALL * variance.sqrt();
        let games = (variance - value * value).max(0.0) / (value * value);
        let of_mean = [moments.squares / moments.games.powi(2), 1.0 / moments.games];
        Some(Self { mean: spread.mean, deviation, mostly_assumed, games, likely, of_mean, variance })
    }

    /// What is to be thought of a setup.
    pub(crate) fn estimate(&self, tally: SetupTally) -> Estimate {
        let (games, score) = (tally.games() as f64, tally.score());
        let (mut mean, mut squares) = (0.0, 0.0);
        for &(tau, weight) in &self.likely {
            let between = tau * tau;
            let within = (self.variance - between).max(0.0);
            let w = games * between / (games * between + within);
            let expected = self.mean + w * (score - self.mean);
            let of_mean = self.of_mean[0] * between + self.of_mean[1] * within;
            let variance = between * (1.0 - w) + (1.0 - w).powi(2) * of_mean;
            mean += weight * expected;
            squares += weight * (variance + expected * expected);
        }
        let variance = squares - mean * mean;
        // A variance so large belongs to no beta distribution with one hump.
        let size = (mean * (1.0 - mean) / variance - 1.0).max(0.5);
        let beta = Beta::new(mean * size, (1.0 - mean) * size);
        let interval = beta.map_or(Interval { low: 0.0, high: 1.0 }, |beta| Interval {
            low: beta.inverse_cdf(0.025),
            high: beta.inverse_cdf(0.975),
        });
        Estimate { value: mean, interval }
    }
}
