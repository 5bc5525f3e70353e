//! Games, collected by their setups.

use std::collections::{BTreeMap, HashMap};

use super::histogram::ScoreHistogram;
use super::name::SetupName;
use super::tally::SetupTally;
use super::{adjustments, endings};
use crate::games::ReplayedGame;

/// Games, grouped by their setups.
///
/// Only a few bytes of each game are kept, in columns. Setups are numbered in order of first occurrence.
#[derive(Clone, Debug, Default)]
pub struct SetupGames {
    pub(super) setups: Vec<SetupName>,
    index: HashMap<SetupName, usize>,
    pub(super) tallies: Vec<SetupTally>,
    /// For each setup, the number of sides that could adjust, and of those that did.
    pub(super) adjusting: Vec<[u64; 2]>,
    pub(super) outcome: Vec<u8>,
    pub(super) plies: Vec<u32>,
    pub(super) ending: Vec<u8>,
    pub(super) adjustments: adjustments::AdjustmentCounts,
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
    pub(super) fn results(&self) -> [u64; 3] {
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
    /// use backrank_analysis::setups::{SetupGames, SetupName};
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
        for (index, name) in self.setups.iter().enumerate() {
            let (tally, adjusting) = merged.entry(placed(name)).or_default();
            let Self { tallies, adjusting: all, .. } = self;
            tally.results.iter_mut().zip(tallies[index].results).for_each(|(sum, more)| *sum += more);
            adjusting.iter_mut().zip(all[index]).for_each(|(sum, more)| *sum += more);
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
}
