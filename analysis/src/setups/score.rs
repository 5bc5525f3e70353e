//! The spread of a single game's score.

use serde::Serialize;

use super::SetupTally;
use crate::stats::{Estimate, wilson};

/// How much a game's score, 0, ½ or 1, spreads around its mean, and how much less that is than without draws.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScoreSpread {
    /// White's mean score.
    pub mean: f64,
    /// The variance of a game's score.
    pub variance: f64,
    /// The variance as a share of that without draws, mean · (1 − mean).
    pub of_binomial: f64,
}

impl ScoreSpread {
    /// From White's wins, draws and losses.
    pub fn of([won, drawn, lost]: [u64; 3]) -> Self {
        let games = (won + drawn + lost) as f64;
        let mean = (won as f64 + 0.5 * drawn as f64) / games;
        let squares = won as f64 + 0.25 * drawn as f64;
        let variance = (squares / games - mean * mean).max(0.0);
        let binomial = mean * (1.0 - mean);
        let of_binomial = if binomial > 0.0 && variance > 0.0 { variance / binomial } else { 1.0 };
        Self { mean, variance, of_binomial }
    }

    /// As many games without draws as leave the same doubt as so many with them.
    pub fn trials(&self, games: f64) -> f64 {
        games / self.of_binomial
    }

    /// A score with Wilson's interval.
    pub(crate) fn estimate(&self, tally: SetupTally) -> Estimate {
        let score = tally.score();
        Estimate { value: score, interval: wilson(score, self.trials(tally.games() as f64)) }
    }
}
