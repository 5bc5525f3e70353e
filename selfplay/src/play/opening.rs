//! The first plies of a game, drawn at random among moves that are nearly as good as the best.

use std::sync::atomic::AtomicBool;

use backrank_engine::{Engine, Limits, Score, Weights};
use backrank_rules::{Game, Move, Position, Rules, Side};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::study::{OPENING_HASH, Opening};

/// The depth to which each reply is searched.
const DEPTH: u32 = 1;
/// The nodes of a search of the position after the opening.
const NODES: u64 = 300;
/// The number of openings that are drawn before the most balanced of them is taken.
const TRIES: u32 = 10;

/// Draws openings.
pub(super) struct Openings<'r> {
    engine: Engine<'r>,
}

impl<'r> Openings<'r> {
    pub fn new(rules: &'r Rules, weights: &Weights) -> Self {
        Self { engine: Engine::new(rules, weights, OPENING_HASH) }
    }

    /// Draws the moves of an opening that can be played from each of these positions.
    ///
    /// If the position after them is less balanced than the study wants, another opening is drawn. After the last try
    /// the most balanced one is taken.
    pub fn draw(&mut self, starts: &[Position<'r>], opening: Opening, rng: &mut ChaCha8Rng) -> Vec<Move> {
        let games: Vec<Game<'r>> = starts.iter().map(|&start| Game::new(start)).collect();
        let Some(balance) = opening.balance.filter(|_| opening.plies > 0) else {
            return self.draw_moves(games, opening, rng);
        };
        let before: Vec<i32> = games.iter().map(|game| self.white_score(game)).collect();
        let mut best: Option<(u32, Vec<Move>)> = None;
        for _ in 0..TRIES {
            let drawn = self.draw_moves(games.clone(), opening, rng);
            let shift = self.shift(&games, &before, &drawn);
            if best.as_ref().is_none_or(|(least, _)| shift < *least) {
                best = Some((shift, drawn));
            }
            if shift <= balance {
                break;
            }
        }
        best.map(|(_, drawn)| drawn).unwrap_or_default()
    }

    /// The number of centipawns by which these moves change the score, in the game in which that is more.
    fn shift(&mut self, games: &[Game<'r>], before: &[i32], moves: &[Move]) -> u32 {
        let shifts = games.iter().zip(before).map(|(game, before)| {
            let mut game = game.clone();
            moves.iter().for_each(|&played| game.play(played));
            self.white_score(&game).abs_diff(*before)
        });
        shifts.max().unwrap_or_default()
    }

    /// White's score of a position, by a shallow search with an empty table.
    fn white_score(&mut self, game: &Game<'r>) -> i32 {
        self.engine.clear();
        let never = AtomicBool::new(false);
        let score = self.engine.search(game, &Limits::of_nodes(NODES), &never, |_| ()).score.to_number();
        if game.position().side_to_move() == Side::White { score } else { -score }
    }

    /// Draws the moves of an opening, each nearly as good as the best.
    ///
    /// For each ply every move is searched to a small depth. The loss of a move is the number of centipawns by which it
    /// is worse than the best, in the position in which that is more. A move without loss is drawn `margin + 1` times
    /// as often as one that loses the whole margin, and one that loses more is never drawn. Moves that end a game are
    /// not drawn; if there are no others, the opening ends.
    fn draw_moves(&mut self, mut games: Vec<Game<'r>>, opening: Opening, rng: &mut ChaCha8Rng) -> Vec<Move> {
        self.engine.clear();
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
    /// One is picked with equal probabilities, and kept with a probability in proportion to its weight; otherwise
    /// another one is picked. This draws by weight, and the loss has to be known only for moves that are picked.
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
            // With two positions there may be no move that is good in both. Then the least bad one is taken.
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
        let mut best = -Score::INFINITE;
        for &played in candidates {
            // Most moves are not better than the best so far, and a null window is enough to see that.
            if best == -Score::INFINITE || self.score(game, played, best, best + 1) > best {
                best = best.max(self.score(game, played, best, Score::INFINITE));
            }
        }
        best
    }

    /// By how much a move is worse than the best, in the game in which that is more.
    fn loss(&mut self, games: &[Game<'r>], bests: &[i32], played: Move) -> u64 {
        let losses = games
            .iter()
            .zip(bests)
            .map(|(game, best)| (best - self.score(game, played, -Score::INFINITE, Score::INFINITE)).max(0));
        losses.max().unwrap_or_default().unsigned_abs().into()
    }

    /// The score of a move for the side that plays it; exact within a window.
    fn score(&mut self, game: &Game<'r>, played: Move, alpha: i32, beta: i32) -> i32 {
        let mut game = game.clone();
        game.play(played);
        -self.engine.score_within(&game, DEPTH, -beta, -alpha)
    }
}

/// The moves that are legal in all games and end none of them, in a fixed order.
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

#[cfg(test)]
mod tests {
    use backrank_rules::{Setup, Variant};
    use rand::SeedableRng;

    use super::*;
    use crate::study::{MissingPawns, Odds};

    const OPENINGS: u64 = 150;

    /// By how much each of some openings shifts the balance, in the game in which that is more.
    fn shifts(starts: &[Position<'_>], balance: Option<u32>) -> Vec<u32> {
        let rules = starts[0].rules();
        let mut openings = Openings::new(rules, &Weights::new(rules));
        let games: Vec<Game<'_>> = starts.iter().map(|&start| Game::new(start)).collect();
        let before: Vec<i32> = games.iter().map(|game| openings.white_score(game)).collect();
        let opening = Opening { balance, ..Opening::default() };
        let mut draw = |seed| {
            let drawn = openings.draw(starts, opening, &mut ChaCha8Rng::seed_from_u64(seed));
            openings.shift(&games, &before, &drawn)
        };
        let mut shifts: Vec<u32> = (0..OPENINGS).map(&mut draw).collect();
        shifts.sort_unstable();
        shifts
    }

    /// The root mean square, and the number of values above a bound.
    fn spread(shifts: &[u32], bound: u32) -> (f64, usize) {
        let squares: f64 = shifts.iter().map(|&shift| f64::from(shift).powi(2)).sum();
        ((squares / shifts.len() as f64).sqrt(), shifts.iter().filter(|&&shift| shift > bound).count())
    }

    #[test]
    fn openings_keep_the_balance_of_the_start() {
        let rules = Rules::new(&Variant::find("pmrc").unwrap());
        let rank = rules.variant().armies[0];
        let setup = Setup { white: rank, black: rank };
        let even = vec![Position::new(&rules, &setup).unwrap()];
        let odds: Odds = "Q:-".parse().unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let queen_odds = odds.starts(&rules, &setup, MissingPawns::Drawn, &mut rng).unwrap().to_vec();
        for (name, starts) in [("even", even), ("queen odds", queen_odds)] {
            let (free, kept) = (shifts(&starts, None), shifts(&starts, Some(100)));
            let [(before, out_before), (after, out_after)] = [&free, &kept].map(|shifts| spread(shifts, 100));
            println!(
                "{name}: {out_before} of {OPENINGS} drawn again; spread {before:.0} before, {after:.0} after"
            );
            assert!(out_before > 0 && out_after * 20 <= out_before, "{out_before} {out_after}");
            assert!(after < before && after < 100.0, "{before} {after}");
        }
    }
}
