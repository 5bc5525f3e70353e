//! The first plies of a game, drawn at random among moves that are nearly as good as the best.

use backrank_rules::{Game, Move, Position, Rules};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::score::INFINITE;
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
            if candidates.is_empty() {
                break;
            }
            let played = self.draw_move(&games, &candidates, opening.margin, rng);
            games.iter_mut().for_each(|game| game.play(played));
            drawn.push(played);
        }
        drawn
    }

    /// Draws one of some moves.
    ///
    /// One is picked with equal chances and kept with a chance in proportion to its weight, or another is picked: that
    /// draws by weight, and what a move loses has to be known only for those that are picked.
    fn draw_move(
        &mut self,
        games: &[Game<'r>],
        candidates: &[Move],
        margin: u32,
        rng: &mut ChaCha8Rng,
    ) -> Move {
        let bests: Vec<i32> = games.iter().map(|game| self.best_score(game, candidates)).collect();
        let margin = u64::from(margin);
        let mut losses: Vec<Option<u64>> = vec![None; candidates.len()];
        loop {
            let picked = rng.random_range(0..candidates.len());
            let loss = match losses[picked] {
                Some(loss) => loss,
                None => *losses[picked].insert(self.loss(games, &bests, candidates[picked])),
            };
            if loss + rng.random_range(0..=margin) <= margin {
                return candidates[picked];
            }
            // From two positions there may be no move that is good in both: then the least bad.
            let known: Vec<u64> =
                losses.iter().map_while(|&loss| loss.filter(|&loss| loss > margin)).collect();
            if known.len() == candidates.len() {
                let least = (0..known.len()).min_by_key(|&index| known[index]);
                return candidates[least.expect("there are candidates")];
            }
        }
    }

    /// The score of the best of some moves.
    fn best_score(&mut self, game: &Game<'r>, candidates: &[Move]) -> i32 {
        let mut best = -INFINITE;
        for &played in candidates {
            // Most moves are not better than the best so far, and a window without width is enough to see that.
            if best == -INFINITE || self.score(game, played, best, best + 1) > best {
                best = best.max(self.score(game, played, best, INFINITE));
            }
        }
        best
    }

    /// How far a move is behind the best, in the game where that is more.
    fn loss(&mut self, games: &[Game<'r>], bests: &[i32], played: Move) -> u64 {
        let losses = games
            .iter()
            .zip(bests)
            .map(|(game, best)| (best - self.score(game, played, -INFINITE, INFINITE)).max(0));
        losses.max().unwrap_or_default().unsigned_abs().into()
    }

    /// The score of a move for the side that plays it, exact within a window.
    fn score(&mut self, game: &Game<'r>, played: Move, alpha: i32, beta: i32) -> i32 {
        let mut game = game.clone();
        game.play(played);
        -self.engine.score_within(&game, DEPTH, -beta, -alpha)
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
