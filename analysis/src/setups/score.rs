//! The spread of a single game's score.

use serde::Serialize;

use super::tally::SetupTally;
use crate::stats::{Estimate, wilson};

/// The variance of a game's score (0, ½ or 1), and how much draws reduce it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScoreSpread {
    /// White's mean score.
    pub mean: f64,
    /// The variance of a game's score.
    pub variance: f64,
    /// The variance divided by what it would be without draws, mean · (1 − mean).
    pub of_binomial: f64,
}

impl ScoreSpread {
    /// The spread for White's wins, draws and losses.
    pub fn of([won, drawn, lost]: [u64; 3]) -> Self {
        let games = (won + drawn + lost) as f64;
        let mean = (won as f64 + 0.5 * drawn as f64) / games;
        let squares = won as f64 + 0.25 * drawn as f64;
        let variance = (squares / games - mean * mean).max(0.0);
        let binomial = mean * (1.0 - mean);
        let of_binomial = if binomial > 0.0 && variance > 0.0 { variance / binomial } else { 1.0 };
        Self { mean, variance, of_binomial }
    }

    /// The number of games without draws that would leave the same uncertainty as `games` games with them.
    pub fn trials(&self, games: f64) -> f64 {
        games / self.of_binomial
    }

    /// A score with Wilson's interval.
    pub(crate) fn estimate(&self, tally: SetupTally) -> Estimate {
        let score = tally.score();
        Estimate { value: score, interval: wilson(score, self.trials(tally.games() as f64)) }
    }
}
