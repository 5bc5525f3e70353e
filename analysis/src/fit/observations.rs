//! Games in the form that a fit needs.

use std::collections::HashMap;

use super::model::{Clustering, Model};
use crate::games::{Difference, ReplayedGame, Samples};

/// Games in the form that a fit needs. Positions of a game with equal material form one row, and each material
/// difference is stored once for all games.
///
/// `patterns` are the distinct material differences. A game is a run of `rows`, each with a pattern and the number of
/// the game's positions that have it. Each game has an outcome and a cluster.
#[derive(Clone, Debug, Default)]
pub(crate) struct Observations {
    pub patterns: Vec<Difference>,
    pub(super) rows: Vec<(u32, u32)>,
    pub(super) games: Vec<GameRows>,
    clusters: u32,
    index: HashMap<Difference, u32>,
    cluster_index: HashMap<u64, u32>,
}

/// A game among [`Observations`].
#[derive(Clone, Copy, Debug)]
pub(super) struct GameRows {
    pub(super) first_row: u32,
    pub(super) positions: u32,
    pub(super) cluster: u32,
    pub(super) outcome: u8,
}

/// For each pattern, the weight of its positions by outcome.
pub(crate) type PatternWeights = Vec<[f64; 3]>;

impl Observations {
    /// Adds these positions of a game, if there are any.
    pub fn add(&mut self, game: &ReplayedGame, samples: &Samples, clustering: Clustering) {
        let cluster = match clustering {
            Clustering::Game => self.games.len() as u64,
            Clustering::Setup => setup_key(game),
        };
        self.push(samples, game.outcome(), cluster);
    }

    /// Adds a game: its positions by material, its outcome, and a number that identifies its cluster.
    pub fn push(&mut self, samples: &[(Difference, u32)], outcome: usize, cluster: u64) {
        let positions = samples.iter().map(|(_, number)| number).sum();
        self.push_some(samples, positions, outcome, cluster);
    }

    /// Adds a game of which some positions are left out; `positions` counts them, so that the others keep their weight.
    fn push_some(&mut self, samples: &[(Difference, u32)], positions: u32, outcome: usize, cluster: u64) {
        if samples.is_empty() {
            return;
        }
        let clusters = &mut self.clusters;
        let cluster = *self.cluster_index.entry(cluster).or_insert_with(|| {
            *clusters += 1;
            *clusters - 1
        });
        self.games.push(GameRows {
            first_row: self.rows.len() as u32,
            positions,
            cluster,
            outcome: outcome as u8,
        });
        for &(difference, number) in samples {
            let next = self.patterns.len() as u32;
            let pattern = *self.index.entry(difference).or_insert(next);
            if pattern == next {
                self.patterns.push(difference);
            }
            self.rows.push((pattern, number));
        }
    }

    /// The number of games with at least one position.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.games.iter().map(|game| u64::from(game.positions)).sum()
    }

    /// The number of clusters.
    pub fn clusters(&self) -> usize {
        self.clusters as usize
    }

    /// The number of games with each outcome.
    pub fn outcomes(&self) -> [u64; 3] {
        let mut outcomes = [0; 3];
        self.games.iter().for_each(|game| outcomes[game.outcome as usize] += 1);
        outcomes
    }

    /// The number of games in which a column differs in at least one position.
    pub fn games_with(&self, column: usize) -> u64 {
        let differs = |&(pattern, _): &(u32, u32)| self.patterns[pattern as usize][column] != 0;
        self.iter().filter(|(_, rows)| rows.iter().any(differs)).count() as u64
    }

    /// The games that a model describes.
    pub fn of(&self, model: Model) -> Self {
        self.kept(|outcome| model == Model::Ordered || outcome != 1, |_| true)
    }

    /// The observations without the positions of some patterns; the others keep their weight.
    pub fn without(&self, left_out: impl Fn(&Difference) -> bool) -> Self {
        self.kept(|_| true, |pattern| !left_out(pattern))
    }

    fn kept(&self, outcome: impl Fn(u8) -> bool, pattern: impl Fn(&Difference) -> bool) -> Self {
        let mut kept = Self::default();
        for (game, rows) in self.iter().filter(|(game, _)| outcome(game.outcome)) {
            let samples = rows.iter().map(|&(pattern, number)| (self.patterns[pattern as usize], number));
            let samples: Vec<_> = samples.filter(|(difference, _)| pattern(difference)).collect();
            kept.push_some(&samples, game.positions, game.outcome.into(), game.cluster.into());
        }
        kept
    }

    /// The rows of `positions.csv`: the game, its outcome, the share of its positions, and their material.
    pub fn rows(&self) -> impl Iterator<Item = (usize, u8, f64, &Difference)> {
        self.iter().enumerate().flat_map(move |(index, (game, rows))| {
            rows.iter().map(move |&(pattern, number)| {
                let share = f64::from(number) / f64::from(game.positions);
                (index, game.outcome, share, &self.patterns[pattern as usize])
            })
        })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&GameRows, &[(u32, u32)])> {
        self.games.iter().enumerate().map(|(index, game)| {
            let end = self.games.get(index + 1).map_or(self.rows.len(), |next| next.first_row as usize);
            (game, &self.rows[game.first_row as usize..end])
        })
    }

    /// The weights if each cluster counts a given number of times. Each of the n positions of a game has the weight
    /// 1/n.
    pub fn weights(&self, times: impl Fn(u32) -> f64) -> PatternWeights {
        let mut weights = vec![[0.0; 3]; self.patterns.len()];
        for (game, rows) in self.iter() {
            let times = times(game.cluster);
            if times == 0.0 {
                continue;
            }
            let share = times / f64::from(game.positions);
            for &(pattern, number) in rows {
                weights[pattern as usize][game.outcome as usize] += share * f64::from(number);
            }
        }
        weights
    }
}

/// Identifies a setup across studies. An opening of a book is identified by its number and its study.
fn setup_key(game: &ReplayedGame) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    (&game.white_rank, &game.black_rank).hash(&mut hasher);
    if game.white_rank.is_empty() {
        (game.study, game.setup).hash(&mut hasher);
    }
    hasher.finish()
}
