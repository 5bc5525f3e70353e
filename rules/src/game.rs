//! Games: a position and how it came about.

use crate::moves::{IllegalMove, Move};
use crate::outcome::{Outcome, Termination};
use crate::position::Position;

/// A game from a position on: its moves, and what is needed to detect threefold repetition.
///
/// ```
/// use backrank_rules::{Game, Position, Rules, Setup, Termination, Variant};
///
/// let variant = Variant::find("pmc")?;
/// let rules = Rules::new(&variant);
/// let setup = Setup { white: variant.armies[0], black: variant.armies[0].reversed() };
/// let mut game = Game::new(Position::new(&rules, &setup)?);
/// for text in "Nc3 Nc6 Nb1 Nb8 Nc3 Nc6 Nb1 Nb8 Nc3 Nc6".split(' ') {
///     assert_eq!(game.outcome(), None);
///     let played = game.position().parse_move(text)?;
///     game.play(played);
/// }
/// assert_eq!(game.outcome().map(|outcome| outcome.termination), Some(Termination::Repetition));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game<'r> {
    start: Position<'r>,
    position: Position<'r>,
    moves: Vec<Move>,
    /// The keys of all positions before this one.
    keys: Vec<u64>,
}

impl<'r> Game<'r> {
    /// A game that begins with a position.
    pub fn new(start: Position<'r>) -> Self {
        // Most games fit, and few end much sooner.
        let plies = 160;
        Self { start, position: start, moves: Vec::with_capacity(plies), keys: Vec::with_capacity(plies) }
    }

    /// The position it began with.
    pub fn start(&self) -> &Position<'r> {
        &self.start
    }

    /// The current position.
    pub fn position(&self) -> &Position<'r> {
        &self.position
    }

    /// The moves played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The keys of the positions before the current one, in order.
    pub fn previous_keys(&self) -> &[u64] {
        &self.keys
    }

    /// Plays a move if it is legal.
    ///
    /// # Errors
    ///
    /// When it is not legal in the current position; the game stays as it is.
    pub fn try_play(&mut self, played: Move) -> Result<(), IllegalMove> {
        if !self.position.is_legal(played) {
            return Err(IllegalMove(played));
        }
        self.play(played);
        Ok(())
    }

    /// Plays a move without checking it, as [`Position::play`] does.
    pub fn play(&mut self, played: Move) {
        self.keys.push(self.position.key());
        self.moves.push(played);
        self.position.play(played);
    }

    /// How often the position has been on the board, the current time included.
    pub fn repetitions(&self) -> usize {
        // Positions before the last capture or pawn move cannot come back.
        let reversible = self.position.halfmove_clock() as usize;
        let same = |key: &&u64| **key == self.position.key();
        1 + self.keys.iter().rev().take(reversible).filter(same).count()
    }

    /// How the game has ended, if it has: as [`Position::outcome`] says, or by the third occurrence of a position where that is a draw.
    pub fn outcome(&self) -> Option<Outcome> {
        let fifty_moves = Outcome::draw(Termination::FiftyMoves);
        let draws = self.position.rules().variant().repetition_draws;
        match self.position.outcome() {
            Some(outcome) if outcome != fifty_moves => Some(outcome),
            _ if draws && self.repetitions() >= 3 => Some(Outcome::draw(Termination::Repetition)),
            outcome => outcome,
        }
    }
}
