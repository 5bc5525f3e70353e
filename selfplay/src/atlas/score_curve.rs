//! The curve from scores in centipawns to expected scores.

use serde::{Deserialize, Serialize};

/// White's expected score as a function of a score in centipawns: the logistic curve 1/(1 + exp(−(a + b·s))), fitted to
/// recorded games.
///
/// ```
/// use backrank_selfplay::ScoreCurve;
///
/// let curve = ScoreCurve::of_game("pmrc");
/// let [low, expected, high] = curve.expected(40);
/// assert!(low < expected && expected < high);
/// assert!(curve.expected(0)[1] < expected && expected < curve.expected(100)[1]);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreCurve {
    /// The a of the formula: the log odds of White's expected score in a position with the score 0.
    pub intercept: f64,
    /// The b of the formula: the change of the log odds per centipawn.
    pub slope: f64,
    /// The variance of the intercept, its covariance with the slope, and the variance of the slope, clustered by game.
    pub covariance: [f64; 3],
    /// The number of games to which the curve was fitted.
    pub games: u64,
    /// Where the games come from.
    pub source: String,
}

/// The fitted curves, by the keys of variants.
const FITTED: &str = include_str!("expected-score.toml");

/// The key of the curve for variants that have none of their own.
const ANY_GAME: &str = "any";

/// The 0.975 quantile of the normal distribution.
const NORMAL_975: f64 = 1.959_963_984_540_054;

impl ScoreCurve {
    /// The curve of the variant with this key, or the general one if it has none of its own.
    pub fn of_game(key: &str) -> Self {
        let mut curves: std::collections::BTreeMap<String, Self> =
            toml::from_str(FITTED).expect("the file of curves is right");
        curves.remove(key).or_else(|| curves.remove(ANY_GAME)).expect("a curve for any game")
    }

    /// White's expected score in a position with this score, between the ends of its 95 % interval. The interval covers
    /// the uncertainty of the curve, but not that of the score.
    pub fn expected(&self, centipawns: i32) -> [f64; 3] {
        let score = f64::from(centipawns);
        let [constant, both, linear] = self.covariance;
        let log_odds = self.intercept + self.slope * score;
        let error = (constant + 2.0 * both * score + linear * score * score).max(0.0).sqrt();
        [-NORMAL_975, 0.0, NORMAL_975].map(|sigmas| 1.0 / (1.0 + (-log_odds - sigmas * error).exp()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_the_log_odds() {
        let curve = ScoreCurve {
            intercept: 0.1,
            slope: 0.005,
            covariance: [0.0004, 0.0, 0.000_000_01],
            games: 1,
            source: String::new(),
        };
        // By hand: 0.1 + 0.005 * 100 = 0.6, with the error sqrt(0.0004 + 0.0001) = 0.02236.
        let logistic = |x: f64| 1.0 / (1.0 + (-x).exp());
        let [low, expected, high] = curve.expected(100);
        assert!((expected - logistic(0.6)).abs() < 1e-12);
        assert!((low - logistic(0.6 - 1.96 * 0.022_36)).abs() < 1e-5, "{low}");
        assert!((high - logistic(0.6 + 1.96 * 0.022_36)).abs() < 1e-5, "{high}");
    }
}
