//! Counting results.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use backrank_rules::Side;

use crate::study::{Ending, GameRecord, Study};

/// The results of games, as the study's White sees them.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Games that the study's White has won, drawn and lost. With pairs it plays Black in every second game, unless
    /// sides are swapped instead.
    pub results: [u64; 3],
    /// The half points of the player with the white pieces.
    pub white_half_points: u64,
    /// Pairs by the half points of the study's White in them, 0 to 4.
    pub pairs: [u64; 5],
    /// Games by their ending.
    pub endings: BTreeMap<Ending, u64>,
    /// A hash of each game's start and moves: 64 bits are enough to distinguish millions of games.
    games_seen: HashSet<u64>,
    /// Whether every two games in a row are a pair.
    paired: bool,
    /// Whether the players keep their colours within a pair.
    swap_sides: bool,
    /// The half points of a pair's first game, until the second game comes.
    first: Option<usize>,
}

impl Tally {
    /// A tally without games.
    pub fn new(study: &Study) -> Self {
        Self { paired: study.pairs, swap_sides: study.swap_sides, ..Self::default() }
    }

    /// Adds a game. Games must come in order, so that pairs are found. Returns whether the game is the second of a
    /// pair.
    pub fn add(&mut self, record: &GameRecord) -> bool {
        let is_second = self.paired && !record.game.is_multiple_of(2);
        let half_points = |side: Side| record.half_points(side);
        let first = half_points(if is_second && !self.swap_sides { Side::Black } else { Side::White });
        self.results[2 - first] += 1;
        self.white_half_points += half_points(Side::White) as u64;
        *self.endings.entry(record.termination).or_default() += 1;
        let mut hasher = DefaultHasher::new();
        (&record.fen, &record.moves).hash(&mut hasher);
        self.games_seen.insert(hasher.finish());
        match self.first.take() {
            Some(before) if is_second => {
                self.pairs[before + first] += 1;
                true
            }
            _ => {
                self.first = (self.paired && !is_second).then_some(first);
                false
            }
        }
    }

    /// The number of different games, move for move.
    pub fn distinct_games(&self) -> u64 {
        self.games_seen.len() as u64
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// The share of the points that the study's White has, from 0 to 1.
    pub fn score(&self) -> f64 {
        (2 * self.results[0] + self.results[1]) as f64 / (2 * self.games()) as f64
    }

    /// The share of the points that the white pieces have, from 0 to 1.
    pub fn white_score(&self) -> f64 {
        self.white_half_points as f64 / (2 * self.games()) as f64
    }
}
