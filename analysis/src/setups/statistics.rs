//! The statistics of setups: all of them from the collected games.

use backrank_rules::Variant;
use serde::Serialize;

use super::adjustments::AdjustmentUse;
use super::dispersion::Dispersion;
use super::endings::{self, EndingResults, Lengths};
use super::features::Features;
use super::games::SetupGames;
use super::histogram::{self, ScoreHistogram};
use super::name::SetupName;
use super::options::SetupOptions;
use super::score::ScoreSpread;
use super::shrinkage::Shrinkage;
use super::significance;
use super::tally::SetupTally;
use crate::stats::{Estimate, false_discovery_rates, wilson};

/// White's results from a setup.
#[derive(Clone, Debug, Serialize)]
pub struct SetupScore {
    /// The setup.
    #[serde(flatten)]
    pub name: SetupName,
    /// The number of games.
    pub games: u64,
    /// Games that White has won, drawn and lost.
    pub results: [u64; 3],
    /// White's score, with Wilson's interval.
    pub score: Estimate,
    /// The score shrunk towards the mean of all setups; `None` if no setup has two games.
    pub shrunk: Option<Estimate>,
    /// The probability of a score at least as far from the mean if setups did not differ.
    pub p_value: f64,
    /// The lowest false discovery rate at which this setup counts as different.
    pub false_discovery_rate: f64,
}

/// The statistics of setups.
#[derive(Clone, Debug, Serialize)]
pub struct SetupStatistics {
    /// The number of games.
    pub games: u64,
    /// Games that White has won, drawn and lost.
    pub results: [u64; 3],
    /// White's score over all of them.
    pub score: Estimate,
    /// The spread of a single game's score.
    pub spread: ScoreSpread,
    /// The test of whether setups differ at all; `None` if no setup has two games.
    pub dispersion: Option<Dispersion>,
    /// How far scores are shrunk towards their mean; `None` if no setup has two games.
    pub shrinkage: Option<Shrinkage>,
    /// The histogram of setups by their scores.
    pub histogram: ScoreHistogram,
    /// Every setup, in order of ids.
    pub setups: Vec<SetupScore>,
    /// The features with which White's score is associated.
    pub features: Features,
    /// The use of the Bishop Adjustment, if the game has it.
    pub adjustments: Option<AdjustmentUse>,
    /// How games ended.
    pub endings: Vec<EndingResults>,
    /// The lengths of games.
    pub lengths: Lengths,
}

impl SetupStatistics {
    /// The setups that differ from the mean of all at a false discovery rate of 5 %: those that are better for White, the best first,
    /// and those that are worse, the worst first.
    pub fn standing_out(&self) -> [Vec<&SetupScore>; 2] {
        let score = |setup: &SetupScore| (setup.shrunk.unwrap_or(setup.score).value, setup.score.value);
        let stands = |setup: &&SetupScore| setup.false_discovery_rate <= 0.05;
        let (mut better, mut worse): (Vec<_>, Vec<_>) =
            self.setups.iter().filter(stands).partition(|setup| setup.score.value > self.score.value);
        let by_score = |one: &&SetupScore, other: &&SetupScore| {
            let (one, other) = (score(one), score(other));
            one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1))
        };
        better.sort_by(|one, other| by_score(other, one));
        worse.sort_by(by_score);
        [better, worse]
    }
}

impl SetupGames {
    /// The statistics; `None` if there are no games.
    pub fn statistics(&self, variant: &Variant, options: SetupOptions) -> Option<SetupStatistics> {
        if self.outcome.is_empty() {
            return None;
        }
        let (tallies, results) = (&self.tallies, self.results());
        let spread = ScoreSpread::of(results);
        let all = SetupTally { results };
        let shrinkage = Shrinkage::of(tallies, spread);
        let p_values = significance::p_values(tallies, results);
        let rates = false_discovery_rates(&p_values);
        let mut setups: Vec<SetupScore> = (0..tallies.len())
            .map(|at| SetupScore {
                name: self.setups[at].clone(),
                games: tallies[at].games(),
                results: tallies[at].results,
                score: spread.estimate(tallies[at]),
                shrunk: shrinkage.as_ref().map(|shrinkage| shrinkage.estimate(tallies[at])),
                p_value: p_values[at],
                false_discovery_rate: rates[at],
            })
            .collect();
        setups.sort_by(|one, other| (one.name.id, &one.name.white).cmp(&(other.name.id, &other.name.white)));
        Some(SetupStatistics {
            games: self.games(),
            results,
            score: Estimate {
                value: all.score(),
                interval: wilson(all.score(), spread.trials(all.games() as f64)),
            },
            spread,
            dispersion: Dispersion::of(tallies, spread, options),
            shrinkage,
            histogram: ScoreHistogram::of(tallies, results, histogram::STEPS),
            setups,
            features: Features::of(
                variant,
                &self.setups,
                &tallies.iter().map(Into::into).collect::<Vec<_>>(),
            ),
            adjustments: self.adjustments.statistics(spread),
            endings: endings::of(&self.outcome, &self.ending),
            lengths: Lengths::of(&self.plies),
        })
    }
}
