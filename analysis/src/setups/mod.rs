//! Setups: White's score from each, how much of the variation is chance, and which features it is associated with.

mod adjustments;
mod dispersion;
mod endings;
mod features;
#[cfg(feature = "groups")]
mod groups;
mod histogram;
mod rank_features;
mod score;
mod shrinkage;
mod significance;

use std::collections::{BTreeMap, HashMap};

use backrank_rules::Variant;
use serde::Serialize;

pub use adjustments::{Adjusting, AdjustmentUse, PartnerUse};
pub use dispersion::Dispersion;
pub use endings::{Ended, Lengths};
pub use features::{FeatureEffect, Features};
pub(crate) use features::{SetupMean, least_squares};
#[cfg(feature = "groups")]
pub use groups::{GroupError, GroupKey, SetupGroup, SetupGroups};
pub use histogram::ScoreHistogram;
pub(crate) use rank_features::{Description, RankFeatures};
pub use score::ScoreSpread;
pub use shrinkage::Shrinkage;

use crate::games::ReplayedGame;
use crate::stats::{Estimate, false_discovery_rates, wilson};

/// Games, grouped by their setups.
///
/// Only a few bytes of each game are kept, in columns. Setups are numbered in order of first occurrence.
#[derive(Clone, Debug, Default)]
pub struct SetupGames {
    setups: Vec<SetupName>,
    index: HashMap<SetupName, usize>,
    tallies: Vec<SetupTally>,
    /// For each setup, the number of sides that could adjust, and of those that did.
    adjusting: Vec<[u64; 2]>,
    outcome: Vec<u8>,
    plies: Vec<u32>,
    ending: Vec<u8>,
    adjustments: adjustments::Counted,
}

/// The identity of a setup.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct SetupName {
    /// Its id in the study's numbering.
    pub id: u128,
    /// White's first rank.
    pub white: String,
    /// Black's first rank.
    pub black: String,
}

/// Options of the statistics of setups.
#[derive(Clone, Copy, Debug)]
pub struct SetupOptions {
    /// The number of permutations for the test of whether setups differ.
    pub permutations: u32,
    /// The seed of the permutations.
    pub seed: u64,
}

impl Default for SetupOptions {
    fn default() -> Self {
        Self { permutations: 999, seed: 0 }
    }
}

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
    pub endings: Vec<Ended>,
    /// The lengths of games.
    pub lengths: Lengths,
}

/// White's wins, draws and losses from one setup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SetupTally {
    pub results: [u64; 3],
}

impl SetupTally {
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    pub fn half_points(&self) -> u64 {
        2 * self.results[0] + self.results[1]
    }

    pub fn score(&self) -> f64 {
        self.half_points() as f64 / (2 * self.games()) as f64
    }
}

impl SetupGames {
    /// Adds a game. Games that do not start from a setup, but from an opening of a book or a recorded position, are
    /// ignored.
    pub fn add(&mut self, game: &ReplayedGame) {
        if game.white_rank.is_empty() || game.at_ply.is_some() {
            return;
        }
        let name =
            SetupName { id: game.setup, white: game.white_rank.clone(), black: game.black_rank.clone() };
        self.adjustments.add(game);
        let setup = self.push(name, game.outcome(), game.plies, endings::number(game.termination));
        let sides = [
            game.replayed.may_adjust.iter().filter(|&&could| could).count(),
            game.replayed.adjusted.iter().flatten().count(),
        ];
        self.adjusting[setup].iter_mut().zip(sides).for_each(|(sum, more)| *sum += more as u64);
    }

    /// Adds a game and returns the index of its setup.
    fn push(&mut self, name: SetupName, outcome: usize, plies: u32, ending: u8) -> usize {
        let next = self.setups.len();
        let setup = *self.index.entry(name).or_insert_with_key(|name| {
            self.setups.push(name.clone());
            self.tallies.push(SetupTally::default());
            self.adjusting.push([0; 2]);
            next
        });
        self.tallies[setup].results[2 - outcome] += 1;
        self.outcome.push(outcome as u8);
        self.plies.push(plies);
        self.ending.push(ending);
        setup
    }

    /// Adds games of which only the setup and the results are known: won, drawn and lost.
    pub fn add_results(&mut self, name: &SetupName, results: [u64; 3]) {
        for (lost, number) in results.into_iter().enumerate() {
            for _ in 0..number {
                self.push(name.clone(), 2 - lost, 0, 0);
            }
        }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.outcome.len() as u64
    }

    /// Games that White has won, drawn and lost.
    fn results(&self) -> [u64; 3] {
        [0, 1, 2].map(|index| self.tallies.iter().map(|tally| tally.results[index]).sum())
    }

    /// The histogram of setups by their scores, with this number of steps from 0 to 1.
    ///
    /// # Panics
    ///
    /// When the number of steps is 0.
    pub fn histogram(&self, steps: usize) -> ScoreHistogram {
        assert!(steps > 0, "a histogram has steps");
        ScoreHistogram::of(&self.tallies, self.results(), steps)
    }

    /// The same games, grouped by the placement of some pieces, such as `KR`: setups that have these on the same files
    /// become one, with `·` for all other pieces, and ids in alphabetical order.
    ///
    /// ```
    /// use backrank_analysis::{SetupGames, SetupName};
    ///
    /// let mut games = SetupGames::default();
    /// for (id, rank) in ["RNBQKBNR", "RBNQKBNR", "RKBQNBNR"].into_iter().enumerate() {
    ///     let name = SetupName { id: id as u128, white: rank.to_string(), black: rank.to_string() };
    ///     games.add_results(&name, [1, 0, 1]);
    /// }
    /// let placements = games.by_placement("KR");
    /// let found = placements.statistics(&backrank_rules::Variant::find("chess960")?, Default::default()).unwrap();
    /// let ranks: Vec<&str> = found.setups.iter().map(|setup| setup.name.white.as_str()).collect();
    /// assert_eq!(ranks, ["RK·····R", "R···K··R"]);
    /// assert_eq!(found.setups[1].games, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn by_placement(&self, pieces: &str) -> Self {
        let only = |rank: &str| {
            rank.chars().map(|letter| if pieces.contains(letter) { letter } else { '·' }).collect()
        };
        let placed = |name: &SetupName| -> (String, String) { (only(&name.white), only(&name.black)) };
        let mut merged = BTreeMap::<_, (SetupTally, [u64; 2])>::new();
        for (place, name) in self.setups.iter().enumerate() {
            let (tally, adjusting) = merged.entry(placed(name)).or_default();
            let Self { tallies, adjusting: all, .. } = self;
            tally.results.iter_mut().zip(tallies[place].results).for_each(|(sum, more)| *sum += more);
            adjusting.iter_mut().zip(all[place]).for_each(|(sum, more)| *sum += more);
        }
        let mut games = Self {
            setups: Vec::new(),
            index: HashMap::new(),
            tallies: Vec::new(),
            adjusting: Vec::new(),
            ..self.clone()
        };
        for ((white, black), (tally, adjusting)) in merged {
            let name = SetupName { id: games.setups.len() as u128, white, black };
            games.index.insert(name.clone(), games.setups.len());
            games.setups.push(name);
            games.tallies.push(tally);
            games.adjusting.push(adjusting);
        }
        games
    }

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
