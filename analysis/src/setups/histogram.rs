//! The histogram of setups by White's score, observed and expected by chance.

use std::collections::HashMap;

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

use super::significance::{EXACT, sum_of_games};
use super::tally::SetupTally;

/// The number of setups by White's score, in bins of equal width. The first bin is centred on 0, the last on 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoreHistogram {
    /// The number of setups in each bin.
    pub setups: Vec<u64>,
    /// The expected number in each bin if setups did not differ: each game is won, drawn or lost with the frequencies
    /// of all games.
    pub chance: Vec<f64>,
}

/// The default number of steps from 0 to 1.
pub(super) const STEPS: usize = 20;

impl ScoreHistogram {
    pub(super) fn of(tallies: &[SetupTally], results: [u64; 3], steps: usize) -> Self {
        let mut setups = vec![0; steps + 1];
        let mut sizes: HashMap<u64, u64> = HashMap::new();
        for tally in tallies {
            setups[step(tally.score(), steps)] += 1;
            *sizes.entry(tally.games()).or_default() += 1;
        }
        let mut sizes: Vec<(u64, u64)> = sizes.into_iter().collect();
        sizes.sort_unstable();
        let all: u64 = results.iter().sum();
        let [won, drawn, lost] = results.map(|number| number as f64 / all as f64);
        let mut chance = vec![0.0; steps + 1];
        for (games, number) in sizes {
            for (at, share) in chances(games, [lost, drawn, won], steps).into_iter().enumerate() {
                chance[at] += number as f64 * share;
            }
        }
        Self { setups, chance }
    }
}

fn step(score: f64, steps: usize) -> usize {
    (score * steps as f64).round() as usize
}

/// The probability of each bin for a setup with this many games.
fn chances(games: u64, [lost, drawn, won]: [f64; 3], steps: usize) -> Vec<f64> {
    let mut chances = vec![0.0; steps + 1];
    if games <= EXACT {
        for (points, chance) in sum_of_games(games, [lost, drawn, won]).into_iter().enumerate() {
            chances[step(points as f64 / (2 * games) as f64, steps)] += chance;
        }
        return chances;
    }
    let mean = won + 0.5 * drawn;
    let deviation = ((won + 0.25 * drawn - mean * mean) / games as f64).max(1e-300).sqrt();
    let below = |score: f64| Normal::standard().cdf((score - mean) / deviation);
    for (at, chance) in chances.iter_mut().enumerate() {
        let [start, end] = [at as f64 - 0.5, at as f64 + 0.5].map(|middle| middle / steps as f64);
        *chance = below(end) - below(start);
    }
    chances
}
