//! Games that an engine plays at a few nodes a move, for what can be seen of their positions.

use std::sync::atomic::AtomicBool;

use backrank_engine::learn::TdReturn;
use backrank_engine::{Engine, Limits, is_quiet};
use backrank_enumerate::Space;
use backrank_rules::{Game, GameResult, Move, Position, Side};
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How many games, and how they are played: from setups drawn at random and six random moves, until a rule ends them, a score of
/// 15 pawns has stood for six plies, or 220 plies are played.
#[derive(Clone, Copy, Debug)]
pub struct Playouts {
    /// The seed of the first game; the next ones follow.
    pub first: u64,
    /// The number of games.
    pub games: u64,
    /// The nodes of each move.
    pub nodes: u64,
    /// How many positions near each position of a game are visited as well.
    pub near: usize,
}

/// What a quiet position of a game came to, for White.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// The result: 1, 0.5 or 0.
    pub result: f64,
    /// The TD(λ) return, from 0 to 1.
    pub value: f64,
}

/// Random moves before a game.
const OPENING_PLIES: usize = 6;

/// The random moves to the farthest of the positions near one of a game.
const FARTHEST: usize = 2;

/// How often such a move is a capture or a promotion, if there is one, whatever else there is: a search tries them first.
const TACTICAL: f64 = 0.25;

/// A game is over after so many plies: a draw.
const LONGEST: usize = 220;

/// A score beyond which a game is decided, in centipawns, if it stays so for [`DECIDED_PLIES`].
const DECIDED: i32 = 1_500;
const DECIDED_PLIES: usize = 6;

/// The scale is near those of the networks of single games.
const RETURN: TdReturn = TdReturn { scale: 450.0, lambda: 0.5 };

/// A random move of a position that has one.
fn random_move(position: &Position<'_>, rng: &mut ChaCha8Rng) -> Move {
    let moves = position.legal_moves();
    if rng.random_bool(TACTICAL) {
        let tactical = moves.iter().copied().filter(|&played| position.is_tactical(played));
        if let Some(played) = tactical.choose(rng) {
            return played;
        }
    }
    moves[rng.random_range(0..moves.len())]
}

impl Playouts {
    /// Plays the games. A function is told each position in which nobody is in check, with what it came to if it is a quiet one, and
    /// positions a random move or two away, in which a search spends most of its time. The same engine plays the same games.
    ///
    /// ```
    /// use backrank_engine::{Engine, Weights};
    /// use backrank_enumerate::Space;
    /// use backrank_rules::{Rules, Variant};
    /// use backrank_selfplay::training::Playouts;
    ///
    /// let variant = Variant::find("pmrc")?;
    /// let (rules, space) = (Rules::new(&variant), Space::new(&variant)?);
    /// let mut engine = Engine::new(&rules, &Weights::new(&rules), 1);
    /// let mut quiet = 0;
    /// let playouts = Playouts { first: 0, games: 2, nodes: 50, near: 0 };
    /// playouts.visit(&mut engine, &space, |_, outcome| quiet += u32::from(outcome.is_some()));
    /// assert!(quiet > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn visit<'r>(
        self,
        engine: &mut Engine<'r>,
        space: &Space,
        mut visit: impl FnMut(&Position<'r>, Option<Outcome>),
    ) {
        for seed in self.first..self.first + self.games {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let setup = space.random_id(&mut rng).and_then(|id| space.unrank(id));
            let start = setup.and_then(|setup| Position::new(engine.rules(), &setup).ok());
            if let Some(start) = start {
                self.play(engine, start, &mut rng, &mut visit);
            }
        }
    }

    fn play<'r>(
        self,
        engine: &mut Engine<'r>,
        start: Position<'r>,
        rng: &mut ChaCha8Rng,
        visit: &mut impl FnMut(&Position<'r>, Option<Outcome>),
    ) {
        engine.clear();
        let mut game = Game::new(start);
        for _ in 0..OPENING_PLIES {
            if game.outcome().is_none() {
                let moves = game.position().legal_moves();
                game.play(moves[rng.random_range(0..moves.len())]);
            }
        }
        let (seen, result) = self.moves(engine, &mut game);
        let scores: Vec<Option<f64>> = seen.iter().map(|&(.., score)| Some(f64::from(score))).collect();
        let returns = RETURN.of_game(result, &scores);
        for ((position, best, score), value) in seen.into_iter().zip(returns) {
            for _ in 0..self.near {
                let mut nearby = position;
                for _ in 0..rng.random_range(1..=FARTHEST) {
                    nearby.play(random_move(&nearby, rng));
                    if nearby.outcome().is_some() {
                        break;
                    }
                }
                if !nearby.is_check() && nearby.outcome().is_none() {
                    visit(&nearby, None);
                }
            }
            if !position.is_check() {
                let is_settled = score.abs() < DECIDED
                    && !position.is_tactical(best)
                    && is_quiet(engine.evaluator(), &position);
                visit(&position, is_settled.then_some(Outcome { result, value }));
            }
        }
    }

    /// Plays a game to its end: each position with its move and White's score, and White's result.
    fn moves<'r>(
        self,
        engine: &mut Engine<'r>,
        game: &mut Game<'r>,
    ) -> (Vec<(Position<'r>, Move, i32)>, f64) {
        let (limits, never) = (Limits::of_nodes(self.nodes), AtomicBool::new(false));
        let mut seen: Vec<(Position<'r>, Move, i32)> = Vec::new();
        let mut decided = 0;
        while seen.len() < LONGEST {
            if let Some(outcome) = game.outcome() {
                let result = match outcome.result {
                    GameResult::Win(Side::White) => 1.0,
                    GameResult::Win(Side::Black) => 0.0,
                    GameResult::Draw => 0.5,
                };
                return (seen, result);
            }
            let position = *game.position();
            let found = engine.search(game, &limits, &never, |_| ());
            let Some(best) = found.best else { break };
            let score = found.score.to_number();
            let for_white = if position.side_to_move() == Side::White { score } else { -score };
            let before = seen.last().map_or(0, |&(.., score)| score);
            let stays = for_white.abs() > DECIDED && (before > 0) == (for_white > 0);
            decided = if stays { decided + 1 } else { 0 };
            if decided >= DECIDED_PLIES {
                return (seen, f64::from(u8::from(for_white > 0)));
            }
            seen.push((position, best, for_white));
            game.play(best);
        }
        (seen, 0.5)
    }
}
