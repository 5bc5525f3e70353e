//! The fit of a regression: observed and expected scores by material.

use serde::Serialize;

use crate::fit::{Fit, Observations, expected_score};

/// Quiet positions with a similar difference in material, and White's score from them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScoreByDifference {
    /// The range of White's advantage by the estimated values, in the unit.
    pub ahead: [f64; 2],
    /// The number of games, in which each position counts as a fraction of its game.
    pub games: f64,
    /// White's score.
    pub observed: f64,
    /// White's expected score by the model.
    pub expected: f64,
}

/// The boundaries of the ranges, in the unit.
const ENDS: [f64; 10] = [f64::NEG_INFINITY, -8.0, -4.0, -2.0, -0.5, 0.5, 2.0, 4.0, 8.0, f64::INFINITY];

/// White's observed and expected score by its advantage. `point` is the η of one point in the unit.
pub(super) fn score_by_difference(
    observations: &Observations,
    fitted: &Fit,
    point: f64,
) -> Vec<ScoreByDifference> {
    let [lower, upper] = fitted.layout.cut_indices().map(|index| fitted.parameters[index]);
    let (middle, half) = (0.5 * (lower + upper), 0.5 * (upper - lower));
    let mut all = vec![[0.0; 3]; ENDS.len() - 1];
    for (pattern, weights) in observations.patterns.iter().zip(observations.weights(|_| 1.0)) {
        let [lower, upper] = fitted.layout.distances(&fitted.parameters, pattern);
        let eta = -0.5 * (lower + upper);
        let ahead = (eta + middle) / point;
        let index = ENDS[1..ENDS.len() - 1].iter().filter(|&&end| end <= ahead).count();
        let number: f64 = weights.iter().sum();
        let sums = [number, 0.5 * weights[1] + weights[2], number * expected_score(eta, half)];
        all[index].iter_mut().zip(sums).for_each(|(sum, more)| *sum += more);
    }
    let found = ENDS.windows(2).zip(all).filter(|(_, [games, ..])| *games > 0.0);
    found
        .map(|(ends, [games, observed, expected])| ScoreByDifference {
            ahead: [ends[0], ends[1]],
            games,
            observed: observed / games,
            expected: expected / games,
        })
        .collect()
}
