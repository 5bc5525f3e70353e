//! How well scores follow from material.

use serde::Serialize;

use crate::fit::{Fitted, Observations, expected_score};

/// Quiet positions in which White is ahead or behind by about as much, and what it scored.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScoreByDifference {
    /// The least and the most that White is ahead by the values found, in the unit.
    pub ahead: [f64; 2],
    /// The games, of which each position counts as a part.
    pub games: f64,
    /// White's share of the points.
    pub observed: f64,
    /// What the model expects it to be.
    pub expected: f64,
}

/// The ends of the differences that positions are gathered by, in the unit.
const ENDS: [f64; 10] = [f64::NEG_INFINITY, -8.0, -4.0, -2.0, -0.5, 0.5, 2.0, 4.0, 8.0, f64::INFINITY];

/// What White scored and what the model expects, by how far it is ahead; `point` is what the unit adds to η.
pub(super) fn score_by_difference(
    observations: &Observations,
    fitted: &Fitted,
    point: f64,
) -> Vec<ScoreByDifference> {
    let [lower, upper] = fitted.layout.cut_places().map(|place| fitted.parameters[place]);
    let (middle, half) = (0.5 * (lower + upper), 0.5 * (upper - lower));
    let mut all = vec![[0.0; 3]; ENDS.len() - 1];
    for (pattern, weights) in observations.patterns.iter().zip(observations.weights(|_| 1.0)) {
        let [lower, upper] = fitted.layout.distances(&fitted.parameters, pattern);
        let eta = -0.5 * (lower + upper);
        let ahead = (eta + middle) / point;
        let place = ENDS[1..ENDS.len() - 1].iter().filter(|&&end| end <= ahead).count();
        let number: f64 = weights.iter().sum();
        let sums = [number, 0.5 * weights[1] + weights[2], number * expected_score(eta, half)];
        all[place].iter_mut().zip(sums).for_each(|(sum, more)| *sum += more);
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
