//! The curve from scores in centipawns to expected scores.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// White's expected score as a function of a score in centipawns: the logistic curve 1/(1 + exp(−b·s)), fitted to recorded
/// games. A score of 0 expects one half: the position with colours exchanged has the same score.
///
/// ```
/// use backrank_selfplay::atlas::ScoreCurve;
///
/// let curve = ScoreCurve::of_game("pmrc");
/// let [low, expected, high] = curve.expected(40);
/// assert!(low < expected && expected < high);
/// assert!(curve.expected(0)[1] < expected && expected < curve.expected(100)[1]);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreCurve {
    /// The b of the formula: the change of the log odds per centipawn.
    pub slope: f64,
    /// The standard error of the slope, clustered by game.
    pub standard_error: f64,
    /// The number of games to which the curve was fitted.
    pub games: u64,
    /// Where the games come from.
    pub source: String,
}

/// The fitted curves, by the keys of variants.
const FITTED: &str = include_str!("expected-score.toml");

/// The key of the curve for variants that have none of their own.
const ANY_GAME: &str = "any";

fn fitted() -> BTreeMap<String, ScoreCurve> {
    toml::from_str(FITTED).expect("the file of curves is right")
}

/// The 0.975 quantile of the normal distribution.
const NORMAL_975: f64 = 1.959_963_984_540_054;

impl ScoreCurve {
    /// The curve of the variant with this key, or the general one if it has none of its own.
    pub fn of_game(key: &str) -> Self {
        let mut curves = fitted();
        curves.remove(key).or_else(|| curves.remove(ANY_GAME)).expect("a curve for any game")
    }

    /// The curve for the centipawns of another engine, which mean more or less than ours. If there is none, it is that of the
    /// game, and its source says so.
    ///
    /// ```
    /// use backrank_selfplay::atlas::ScoreCurve;
    ///
    /// let unknown = ScoreCurve::by_engine("chess960", "Nobody 1.0");
    /// assert_eq!(unknown.slope, ScoreCurve::of_game("chess960").slope);
    /// assert!(unknown.source.ends_with("(for backrank's centipawns; those of Nobody 1.0 may mean more or less)"));
    /// ```
    pub fn by_engine(key: &str, reported: &str) -> Self {
        fitted().remove(&format!("{key} by {reported}")).unwrap_or_else(|| {
            let curve = Self::of_game(key);
            let source = format!(
                "{} (for backrank's centipawns; those of {reported} may mean more or less)",
                curve.source
            );
            Self { source, ..curve }
        })
    }

    /// White's expected score in a position with this score, between the ends of its 95 % interval. The interval covers
    /// the uncertainty of the curve, but not that of the score.
    pub fn expected(&self, centipawns: i32) -> [f64; 3] {
        [-NORMAL_975, 0.0, NORMAL_975].map(|sigmas| {
            // With a negative score the larger slope gives the lower end.
            let slope = self.slope + sigmas * self.standard_error * f64::from(centipawns.signum());
            1.0 / (1.0 + (-slope * f64::from(centipawns)).exp())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_matches_the_log_odds() {
        let curve = ScoreCurve { slope: 0.005, standard_error: 0.0002, games: 1, source: String::new() };
        let logistic = |x: f64| 1.0 / (1.0 + (-x).exp());
        let [low, expected, high] = curve.expected(100);
        assert!((expected - logistic(0.5)).abs() < 1e-12);
        // By hand: 0.0002 * 100 = 0.02.
        assert!((low - logistic(0.5 - 1.96 * 0.02)).abs() < 1e-5, "{low}");
        assert!((high - logistic(0.5 + 1.96 * 0.02)).abs() < 1e-5, "{high}");
        let exchanged = curve.expected(-100);
        assert!((exchanged[0] - (1.0 - high)).abs() < 1e-12 && (exchanged[2] - (1.0 - low)).abs() < 1e-12);
        assert_eq!(curve.expected(0), [0.5; 3]);
    }
}
