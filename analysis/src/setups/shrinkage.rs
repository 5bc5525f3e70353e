//! Empirical Bayes: shrinking setups' scores towards their mean.

use serde::Serialize;
use statrs::distribution::{Beta, ContinuousCDF};

use super::dispersion::Moments;
use super::score::ScoreSpread;
use super::tally::SetupTally;
use crate::stats::{Estimate, Interval};

/// The distribution of setups' true scores, estimated from the games of all setups, and what follows for each setup.
///
/// True scores have a mean m and a standard deviation τ. Given τ a setup with n games and score s has the expected true
/// score m + w·(s − m), with w = n·τ² / (n·τ² + v − τ²) and the variance v of a game's score, and the variance τ²·(1 −
/// w), to which (1 − w)² times the variance of m is added. τ is not known either. Its prior is uniform in τ² up to v,
/// and its likelihood is that of the statistic Q of [`Dispersion`](super::Dispersion): Q is approximately a·χ² with S −
/// 1 degrees of freedom, for S setups, a = 1 + τ²·(c / (S − 1) − 1) / v and c = N − Σ n² / N. The interval is that of
/// the beta distribution with the resulting mean and variance.
///
/// Sources: Bühlmann, "Experience Rating and Credibility", 1967; Kleinman, "Proportions with Extraneous Variance", 1973;
/// Tang and Morris, "Estimating Random Effects via Adjustment for Density Maximization", 2011.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shrinkage {
    /// The mean of all setups.
    pub mean: f64,
    /// The standard deviation of the setups' true scores.
    pub deviation: Estimate,
    /// Whether there are so few games that the standard deviation mostly follows from the prior: its interval reaches
    /// almost to the standard deviation of a single game's score.
    pub mostly_assumed: bool,
    /// The weight of the mean, as a number of games to be set against a setup's own games, at that standard deviation.
    pub games: f64,
    /// A grid of standard deviations with their posterior probabilities.
    #[serde(skip)]
    posterior: Vec<(f64, f64)>,
    /// The coefficients of the variance of the mean: Σ n² / N² for τ², and 1 / N for the rest of the variance.
    #[serde(skip)]
    of_mean: [f64; 2],
    #[serde(skip)]
    variance: f64,
}

/// The number of steps of the grid of standard deviations.
const STEPS: u32 = 400;

/// The interval counts as informative if it ends below this fraction of the standard deviation of a game's score. That
/// of the prior alone reaches 0.99 of it.
const ALMOST_ALL: f64 = 0.9;

impl Shrinkage {
    /// `None` if there is nothing to learn from because no setup has two games.
    pub(crate) fn of(tallies: &[SetupTally], spread: ScoreSpread) -> Option<Self> {
        let moments = Moments::of(tallies, spread)?;
        let variance = spread.variance;
        let freedom = tallies.len() as f64 - 1.0;
        let log_likely = |tau: f64| {
            let a = 1.0 + tau * tau * (moments.growth / freedom - 1.0) / variance;
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
        let posterior: Vec<(f64, f64)> = taus
            .into_iter()
            .zip(weights)
            .map(|(tau, weight)| (tau, weight / all))
            .filter(|(_, w)| *w > 1e-9)
            .collect();
        let value: f64 = posterior.iter().map(|(tau, weight)| tau * weight).sum();
        let quantile = |share: f64| {
            let mut passed = 0.0;
            let found = posterior.iter().find(|(_, weight)| {
                passed += weight;
                passed >= share
            });
            found.or(posterior.last()).map_or(0.0, |&(tau, _)| tau)
        };
        let deviation =
            Estimate { value, interval: Interval { low: quantile(0.025), high: quantile(0.975) } };
        let mostly_assumed = deviation.interval.high > ALMOST_ALL * variance.sqrt();
        let games = (variance - value * value).max(0.0) / (value * value);
        let of_mean = [moments.squares / moments.games.powi(2), 1.0 / moments.games];
        Some(Self { mean: spread.mean, deviation, mostly_assumed, games, posterior, of_mean, variance })
    }

    /// The posterior estimate of a setup's score.
    pub(crate) fn estimate(&self, tally: SetupTally) -> Estimate {
        let (games, score) = (tally.games() as f64, tally.score());
        let (mut mean, mut squares) = (0.0, 0.0);
        for &(tau, weight) in &self.posterior {
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
        // A larger variance would not belong to a unimodal beta distribution.
        let size = (mean * (1.0 - mean) / variance - 1.0).max(0.5);
        let beta = Beta::new(mean * size, (1.0 - mean) * size);
        let interval = beta.map_or(Interval { low: 0.0, high: 1.0 }, |beta| Interval {
            low: beta.inverse_cdf(0.025),
            high: beta.inverse_cdf(0.975),
        });
        Estimate { value: mean, interval }
    }
}
