//! What quick games show of a game.

use std::collections::BTreeMap;

use backrank_rules::{GameResult, Letter, Rules, Side};
use backrank_selfplay::study::GameRecord;
use serde::Serialize;

use crate::stats::MatchScore;

/// Some quick games: how long they are, how they end, and which pieces are captured in them.
#[derive(Clone, Debug, Default, Serialize)]
pub struct QuickGames {
    /// White's wins, the draws, and White's losses.
    pub results: [u64; 3],
    /// The number of nodes for each move.
    pub nodes: u64,
    /// How many games ended in which way, by its name.
    pub endings: BTreeMap<String, u64>,
    /// The number of plies of each game.
    #[serde(skip)]
    pub plies: Vec<u32>,
    /// How many of the pieces of each kind were there at the start, and were captured.
    pub traded: BTreeMap<Letter, Traded>,
}

/// The pieces of one kind in all games together, both sides'.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Traded {
    /// How many there were at the start.
    pub at_the_start: u64,
    /// How many were captured, those among them that pawns became.
    pub captured: u64,
}

impl Traded {
    /// How many were captured for each that was there at the start.
    pub fn share(&self) -> Option<f64> {
        (self.at_the_start > 0).then(|| self.captured as f64 / self.at_the_start as f64)
    }
}

impl QuickGames {
    /// No games yet, of this many nodes a move.
    pub fn of_nodes(nodes: u64) -> Self {
        Self { nodes, ..Self::default() }
    }

    /// Adds a game.
    ///
    /// # Errors
    ///
    /// When its moves are not legal.
    pub fn add(&mut self, record: &GameRecord, rules: &Rules) -> Result<(), String> {
        let result = match record.result {
            Some(GameResult::Win(Side::White)) => 0,
            Some(GameResult::Win(Side::Black)) => 2,
            _ => 1,
        };
        self.results[result] += 1;
        self.plies.push(record.plies);
        *self.endings.entry(record.termination.to_string()).or_default() += 1;
        let is_royal = |letter| rules.variant().piece(letter).is_some_and(|piece| piece.royal);
        let mut positions = record.positions(rules, &[])?;
        let mut before = None;
        while let Some(at) = positions.next()? {
            let position = at.game.position();
            let now: Vec<(Letter, [u64; 2])> = rules
                .kinds()
                .filter(|kind| !is_royal(rules.letter_of(*kind)))
                .map(|kind| {
                    let of_kind = position.of_kind(kind);
                    let count = |side| u64::from((of_kind & position.pieces(side)).count());
                    (rules.letter_of(kind), Side::BOTH.map(count))
                })
                .collect();
            match before.replace(now.clone()) {
                None => {
                    for (letter, [white, black]) in now {
                        self.traded.entry(letter).or_default().at_the_start += white + black;
                    }
                }
                Some(before) => {
                    // The side that is to move now has lost what was captured.
                    let side = position.side_to_move() as usize;
                    for ((letter, before), (_, now)) in before.iter().zip(&now) {
                        self.traded.entry(*letter).or_default().captured +=
                            before[side].saturating_sub(now[side]);
                    }
                }
            }
        }
        Ok(())
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// White's score; `None` without games.
    pub fn score(&self) -> Option<MatchScore> {
        MatchScore::of_games(self.results)
    }

    /// The share of draws.
    pub fn draws(&self) -> f64 {
        self.results[1] as f64 / self.games().max(1) as f64
    }

    /// The median number of moves, of both sides together.
    pub fn median_moves(&self) -> u32 {
        let mut plies = self.plies.clone();
        plies.sort_unstable();
        plies.get(plies.len() / 2).map_or(0, |plies| plies.div_ceil(2))
    }
}
