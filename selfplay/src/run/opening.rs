//! The first plies of a game, drawn by lot among moves that are nearly as good as the best.

use std::sync::atomic::AtomicBool;

use backrank_rules::{Game, Move, Position, Rules};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::limits::Limits;
use crate::search::Engine;
use crate::study::Opening;
use crate::weights::Weights;

/// Each reply is searched this deep.
const DEPTH: u32 = 1;
/// The size of its table in mebibytes.
const HASH: usize = 1;

/// Draws openings.
pub(super) struct Openings<'r> {
    engine: Engine<'r>,
}

impl<'r> Openings<'r> {
    pub fn new(rules: &'r Rules) -> Self {
        Self { engine: Engine::new(rules, &Weights::new(rules), HASH) }
    }

    /// The moves of an opening that can be played from each of these positions.
    ///
    /// For each ply every move is searched a little. What a move loses is how far it is behind the best, in the position
    /// where that is more; one that loses nothing is drawn `margin + 1` times as often as one that loses the whole
    /// margin, and one that loses more never. A move that would end a game is not drawn: where there is no other, the
    /// opening ends.
    pub fn draw(&mut self, starts: &[Position<'r>], opening: Opening, rng: &mut ChaCha8Rng) -> Vec<Move> {
        self.engine.clear();
        let mut games: Vec<Game<'r>> = starts.iter().map(|&start| Game::new(start)).collect();
        let mut drawn = Vec::new();
        for _ in 0..opening.plies {
            let candidates = candidates(&games);
            let mut losses = vec![0; candidates.len()];
            for game in &games {
                let scores: Vec<i32> = candidates.iter().map(|&played| self.score(game, played)).collect();
                let best = scores.iter().copied().max().unwrap_or_default();
                losses.iter_mut().zip(scores).for_each(|(loss, score)| *loss = (*loss).max(best - score));
            }
            let Some(&least) = losses.iter().min() else { break };
            // From two positions there may be no move that is good in both: then the least bad.
            let margin = i32::try_from(opening.margin).unwrap_or(i32::MAX - 1).max(least);
            let weight = |loss: i32| u64::from((margin - loss + 1).max(0).unsigned_abs());
            let mut lot = rng.random_range(0..losses.iter().map(|&loss| weight(loss)).sum());
            let chosen = losses.iter().position(|&loss| {
                let hit = lot < weight(loss);
                lot = lot.saturating_sub(weight(loss));
                hit
            });
            let played = candidates[chosen.expect("the lot is less than the sum of the weights")];
            games.iter_mut().for_each(|game| game.play(played));
            drawn.push(played);
        }
        drawn
    }

    /// The score of a move for the side that plays it.
    fn score(&mut self, game: &Game<'r>, played: Move) -> i32 {
        let mut game = game.clone();
        game.play(played);
        let never = AtomicBool::new(false);
        -self.engine.search(&game, &Limits::of_depth(DEPTH), &never, |_| ()).score.0
    }
}

/// The moves that are legal in every game and end none, in an order of their own.
fn candidates(games: &[Game<'_>]) -> Vec<Move> {
    let goes_on = |game: &Game<'_>, played: Move| {
        let mut game = game.clone();
        game.play(played);
        game.outcome().is_none()
    };
    let Some((first, others)) = games.split_first() else { return Vec::new() };
    let mut candidates = first.position().legal_moves();
    candidates.retain(|&played| {
        goes_on(first, played)
            && others
                .iter()
                .all(|game| game.position().legal_moves().contains(&played) && goes_on(game, played))
    });
    candidates.sort_unstable();
    candidates
}
