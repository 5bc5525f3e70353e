//! The positions of games that are learnt from.

use backrank_rules::{Game, Position, Rules};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Label, TdReturn};
use crate::score::INFINITE;
use crate::search::Engine;
use crate::weights::Weights;

/// How far a quiescence search's score may be from the evaluation of a quiet position, in centipawns.
const QUIET_MARGIN: i32 = 60;

/// Beyond this score, in centipawns, a search has found a win, which says nothing of the evaluation.
const DECIDED: f64 = 1_500.0;

/// A game, with the search's scores.
#[derive(Debug)]
pub struct ScoredGame<'r> {
    /// The start and the moves.
    pub game: Game<'r>,
    /// The search's score at each ply for White, in centipawns; `None` where it was not recorded.
    pub scores: &'r [Option<f64>],
    /// White's result: 1, 0.5 or 0.
    pub result: f64,
    /// Plies at the start that no player chose, and that are left out.
    pub opening_plies: usize,
    /// The seed by which positions are drawn: the same seed gives the same positions.
    pub seed: u64,
    /// Whether the game is held out of the fit.
    pub is_test: bool,
}

impl ScoredGame<'_> {
    /// Each score of an undecided position with the result of the game: what [`best_scale`](super::best_scale) is fitted to.
    pub fn scores_and_result(
        scores: &[Option<f64>],
        result: f64,
    ) -> impl Iterator<Item = (f64, f64)> + use<'_> {
        let undecided = scores.iter().flatten().filter(|score| score.abs() < DECIDED);
        undecided.map(move |&score| (score, result))
    }
}

/// Finds the quiet positions of games: those of undecided games in which the side to move is not in check, plays neither a
/// capture nor a promotion, and a quiescence search changes little.
pub struct QuietPositions<'r> {
    engine: Engine<'r>,
    td_return: TdReturn,
}

impl<'r> QuietPositions<'r> {
    /// For games by some rules, where the quiescence search evaluates by some weights.
    pub fn new(rules: &'r Rules, weights: &Weights, td_return: TdReturn) -> Self {
        Self { engine: Engine::new(rules, weights, 1), td_return }
    }

    /// Visits the quiet ones among about so many positions of a game, drawn by the game's seed; all of them if there are
    /// fewer.
    pub fn visit(
        &mut self,
        scored: &ScoredGame<'r>,
        of_each_game: f64,
        mut visit: impl FnMut(&Position<'r>, Label),
    ) {
        self.engine.clear();
        let &ScoredGame { ref game, scores, result, opening_plies, seed, is_test } = scored;
        let returns = self.td_return.of_game(result, scores);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let plies = game.moves().len().saturating_sub(opening_plies);
        let chance = (of_each_game / plies.max(1) as f64).min(1.0);
        let mut position = *game.start();
        for (ply, &played) in game.moves().iter().enumerate() {
            let is_wanted = ply >= opening_plies
                && rng.random_bool(chance)
                && !position.is_tactical(played)
                && !position.is_check()
                && scores[ply].is_none_or(|score| score.abs() < DECIDED);
            if is_wanted && self.is_quiet(&position) {
                visit(&position, Label { result, target: returns[ply], is_test });
            }
            position.play(played);
        }
    }

    /// Whether captures and checks change little.
    fn is_quiet(&mut self, position: &Position<'r>) -> bool {
        let score = self.engine.score_within(&Game::new(*position), 0, -INFINITE, INFINITE);
        (score - self.engine.evaluator().evaluate(position)).abs() <= QUIET_MARGIN
    }
}

/// Visits a position a random move away from each position of a game, drawn by a seed, where the game is not over and nobody
/// is in check. A search spends most of its time in such positions, which players avoid.
pub fn nearby_positions<'r>(game: &Game<'r>, seed: u64, mut visit: impl FnMut(&Position<'r>)) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut position = *game.start();
    for &played in game.moves() {
        let moves = position.legal_moves();
        let nearby = position.after(moves[rng.random_range(0..moves.len())]);
        if !nearby.is_check() && nearby.outcome().is_none() {
            visit(&nearby);
        }
        position.play(played);
    }
}
