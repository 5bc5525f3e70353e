//! Simulated games with known piece values: random play determines the material, and results are drawn from the model
//! that regression assumes.

use backrank_rules::{Game, GameResult, Move, Position, Rules, Setup, Side};
use backrank_selfplay::study::{Ending, GameRecord, MissingPawns, Odds};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::fit::expected_score;
use crate::games::{Column, Material, Sampling};

/// The true parameters of simulated games.
///
/// Let η be the sum of White's advantage, the setup's advantage and that of each additional piece, as log-odds. White
/// wins with probability Λ(η − h), Black with Λ(−η − h), and the remaining games are drawn; h follows from the
/// proportion of draws between equals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// The values of pieces, in pawns.
    pub values: Vec<TrueValue>,
    /// The value of an extra pawn between equals, in Elo.
    pub pawn_elo: f64,
    /// White's advantage between equals, in Elo.
    pub white_elo: f64,
    /// The proportion of draws between equals.
    pub draws: f64,
    /// The standard deviation of setups' advantages for White, in Elo.
    pub setup_elo: f64,
}

/// A piece and its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrueValue {
    /// The piece, such as `M`, or a pair, such as `B+B`.
    pub piece: String,
    /// Its value in pawns.
    pub pawns: f64,
}

/// Simulates games of one variant.
#[derive(Debug)]
pub struct Simulation<'r> {
    rules: &'r Rules,
    material: &'r Material,
    sampling: Sampling,
    odds: Option<Odds>,
    seed: u64,
    /// The log-odds that each column adds.
    coefficients: Vec<f64>,
    white: f64,
    setup_deviation: f64,
    half: f64,
}

/// Why games cannot be simulated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// The true parameters are not valid, or the value of a piece is missing.
    #[error("{0}")]
    Truth(String),
    /// No random game of many had a quiet position after the first ply to be sampled.
    #[error(
        "{ATTEMPTS} random games were over before ply {from_ply}, or were not quiet for long enough after it: the first \
         sampled position must come earlier, or the quiet plies must be fewer"
    )]
    NeverQuiet {
        /// The first position that sampling takes.
        from_ply: u32,
    },
}

/// The number of random games that are tried for each game. With the default sampling nearly all of them are usable.
const ATTEMPTS: u64 = 1000;

/// The longest phase of a game in which material may change, in plies, unless sampling begins later.
const LONGEST: usize = 200;

/// The largest proportion of draws between equals that can be simulated.
const MAX_DRAWS: f64 = 0.99;

/// The probability with which a capture is preferred to other moves.
const GREED: f64 = 0.75;

/// The proportion of draws with cut-points `2 · half` apart is tanh(half / 2).
fn half_of(draws: f64) -> f64 {
    ((1.0 + draws) / (1.0 - draws)).ln()
}

/// The log-odds that correspond to this many Elo between equals, with draws.
fn log_odds_of(elo: f64, half: f64) -> f64 {
    let score = 1.0 / (1.0 + 10_f64.powf(-elo.abs() / 400.0));
    let (mut low, mut high) = (0.0, 200.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if expected_score(middle, half) < score { low = middle } else { high = middle }
    }
    low.copysign(elo)
}

impl<'r> Simulation<'r> {
    /// Prepares to simulate games.
    ///
    /// # Errors
    ///
    /// When a piece has no value or one that is not a number, a piece does not exist, or another parameter is out of
    /// its range.
    pub fn new(
        rules: &'r Rules,
        material: &'r Material,
        truth: &Truth,
        odds: Option<Odds>,
        sampling: Sampling,
        seed: u64,
    ) -> Result<Self, SimulationError> {
        let names: Vec<String> = material.columns().iter().map(ToString::to_string).collect();
        if let Some(unknown) = truth.values.iter().find(|value| !names.contains(&value.piece)) {
            let (piece, names) = (&unknown.piece, names.join(", "));
            return Err(SimulationError::Truth(format!(
                "`{piece}` does not have a value here; the pieces are {names}"
            )));
        }
        if let Some(value) = truth.values.iter().find(|value| !value.pawns.is_finite()) {
            return Err(SimulationError::Truth(format!(
                "{} = {}: a value must be a number",
                value.piece, value.pawns
            )));
        }
        if !(0.0..=MAX_DRAWS).contains(&truth.draws) {
            return Err(SimulationError::Truth(format!(
                "draws = {}: the proportion must be from 0 to {MAX_DRAWS}",
                truth.draws
            )));
        }
        if !(truth.setup_elo >= 0.0 && truth.setup_elo.is_finite()) {
            let elo = truth.setup_elo;
            return Err(SimulationError::Truth(format!(
                "setup_elo = {elo}: a standard deviation cannot be negative"
            )));
        }
        for (index, value) in truth.values.iter().enumerate() {
            if truth.values[..index].iter().any(|other| other.piece == value.piece) {
                return Err(SimulationError::Truth(format!("{} has two values", value.piece)));
            }
        }
        let value_of =
            |name: &String| truth.values.iter().find(|value| value.piece == *name).map(|v| v.pawns);
        let mut coefficients = Vec::new();
        let half = half_of(truth.draws);
        let pawn = log_odds_of(truth.pawn_elo, half);
        for (column, name) in material.columns().iter().zip(&names) {
            let value = match (column, value_of(name)) {
                (_, Some(value)) => value,
                (Column::Pair(_) | Column::Rating, None) => 0.0,
                (Column::Piece(_), None) => {
                    return Err(SimulationError::Truth(format!("{name} has no value")));
                }
            };
            coefficients.push(value * pawn);
        }
        if value_of(&"P".to_string()) != Some(1.0) {
            return Err(SimulationError::Truth("P must be 1, because values are in pawns".to_string()));
        }
        let [white, setup_deviation] = [truth.white_elo, truth.setup_elo].map(|elo| log_odds_of(elo, half));
        Ok(Self { rules, material, sampling, odds, seed, coefficients, white, setup_deviation, half })
    }

    /// White's expected score from a setup with equal material.
    pub fn score_of(&self, id: u128) -> f64 {
        expected_score(self.white + self.setup_effect(id), self.half)
    }

    /// The game with this number in its study, from a setup. The same number always gives the same game.
    ///
    /// # Errors
    ///
    /// When random games are over before sampling begins.
    pub fn game(&self, number: u64, id: u128, setup: &Setup) -> Result<GameRecord, SimulationError> {
        (0..ATTEMPTS)
            .find_map(|attempt| self.attempt(number, attempt, id, setup))
            .ok_or(SimulationError::NeverQuiet { from_ply: self.sampling.from_ply })
    }

    /// Simulates a game; `None` if it ended by the rules, which leaves no result to draw from the model.
    fn attempt(&self, number: u64, attempt: u64, id: u128, setup: &Setup) -> Option<GameRecord> {
        let mut chance = ChaCha8Rng::seed_from_u64(self.seed);
        // Both games of a pair at odds start with the same random numbers.
        let stream = if self.odds.is_some() { number / 2 } else { number };
        chance.set_stream(1 << 63 | stream);
        let (start, odds) = match &self.odds {
            None => (Position::new(self.rules, setup).ok()?, String::new()),
            Some(odds) => {
                let reversed = number % 2 == 1;
                let pawns = MissingPawns::InTurn { seed: self.seed, pair: number / 2 };
                let starts = odds.starts(self.rules, setup, pawns, &mut chance).ok()?;
                let odds = if reversed { odds.swapped() } else { odds.clone() };
                (starts[usize::from(reversed)], odds.to_string())
            }
        };
        chance.set_stream(number);
        chance.set_word_pos(u128::from(attempt) << 32);
        let mut game = Game::new(start);
        if self.odds.is_none() {
            self.play_for_material(&mut game, &mut chance)?;
        }
        let quiet = self.sampling.from_ply + 2 * self.sampling.quiet_plies + chance.random_range(4..20);
        self.play_quietly(&mut game, quiet, &mut chance)?;
        let result = self.result(game.position(), id, &mut chance);
        let board = game.position().board();
        let moves: Vec<String> = game.moves().iter().map(|played| played.uci(board)).collect();
        Some(GameRecord {
            game: number,
            setup: id,
            white_rank: setup.white.to_string(),
            black_rank: setup.black.to_string(),
            fen: game.start().to_fen(),
            odds,
            white: "model".to_string(),
            black: "model".to_string(),
            result: Some(result),
            termination: Ending::Adjudication,
            plies: moves.len() as u32,
            opening_plies: 0,
            moves: moves.join(" "),
            source: None,
            ratings: None,
        })
    }

    /// Plays random moves, preferring captures, until the first position that would be sampled. After it the material
    /// no longer changes. `None` if the game ends before.
    fn play_for_material(&self, game: &mut Game<'_>, chance: &mut impl Rng) -> Option<()> {
        let window = 2 * self.sampling.quiet_plies as usize;
        let first = (self.sampling.from_ply + self.sampling.quiet_plies) as usize;
        let longest = LONGEST.max(2 * first);
        let mut since_tactical = 0;
        while game.moves().len() < first.max(window) || since_tactical < window {
            if game.moves().len() > longest {
                return None;
            }
            let position = *game.position();
            let moves = position.legal_moves();
            let tactical: Vec<Move> =
                moves.iter().copied().filter(|&played| position.is_tactical(played)).collect();
            let from = if !tactical.is_empty() && chance.random_bool(GREED) { &tactical } else { &moves };
            self.play(game, from, chance)?;
            let played = *game.moves().last()?;
            since_tactical = if position.is_tactical(played) { 0 } else { since_tactical + 1 };
        }
        Some(())
    }

    /// Plays this many moves without captures and promotions.
    fn play_quietly(&self, game: &mut Game<'_>, plies: u32, chance: &mut impl Rng) -> Option<()> {
        for _ in 0..plies {
            let position = *game.position();
            let mut moves = Vec::new();
            position.for_each_quiet_move(&position.check_info(), |played| moves.push(played));
            self.play(game, &moves, chance)?;
        }
        Some(())
    }

    fn play(&self, game: &mut Game<'_>, moves: &[Move], chance: &mut impl Rng) -> Option<()> {
        if moves.is_empty() {
            return None;
        }
        game.play(moves[chance.random_range(0..moves.len())]);
        game.outcome().is_none().then_some(())
    }

    /// Draws the result from the model.
    fn result(&self, position: &Position<'_>, id: u128, chance: &mut impl Rng) -> GameResult {
        let difference = self.material.difference(position);
        let material: f64 =
            self.coefficients.iter().zip(difference).map(|(beta, number)| beta * f64::from(number)).sum();
        let eta = self.white + self.setup_effect(id) + material;
        let logistic = |t: f64| 1.0 / (1.0 + (-t).exp());
        let drawn: f64 = chance.random();
        if drawn < logistic(eta - self.half) {
            GameResult::Win(Side::White)
        } else if drawn > 1.0 - logistic(-eta - self.half) {
            GameResult::Win(Side::Black)
        } else {
            GameResult::Draw
        }
    }

    /// The effect of a setup on White's log-odds. It is normally distributed, and a function of the setup's id.
    fn setup_effect(&self, id: u128) -> f64 {
        if self.setup_deviation == 0.0 {
            return 0.0;
        }
        let mut chance = ChaCha8Rng::seed_from_u64(self.seed ^ 0x5e7);
        chance.set_stream(id as u64);
        let (radius, angle): (f64, f64) = (chance.random(), chance.random());
        // Box and Muller, 1958.
        (-2.0 * (1.0 - radius).ln()).sqrt() * (std::f64::consts::TAU * angle).cos() * self.setup_deviation
    }
}
