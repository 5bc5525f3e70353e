//! How games end.

use std::fmt;

use crate::square::Side;

/// Who has won, if anyone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameResult {
    /// This side has won.
    Win(Side),
    /// The game is drawn.
    Draw,
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Win(Side::White) => "1-0",
            Self::Win(Side::Black) => "0-1",
            Self::Draw => "1/2-1/2",
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Termination {
    /// The king is attacked and no move helps.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// The same position has occurred three times.
    Repetition,
    /// Each side has made fifty moves without a capture or a pawn move.
    FiftyMoves,
    /// No sequence of legal moves can mate.
    InsufficientMaterial,
    /// A side has lost its last piece or pawn in a game in which that loses.
    BareKing,
    /// A piece has reached a square on which it wins.
    Goal,
    /// A side has given as many checks as win.
    Checks,
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Repetition => "repetition",
            Self::FiftyMoves => "fifty-moves",
            Self::InsufficientMaterial => "insufficient-material",
            Self::BareKing => "bare-king",
            Self::Goal => "goal",
            Self::Checks => "checks",
        })
    }
}

/// The end of a game: its result, and why.
///
/// ```
/// use backrank_rules::{Outcome, Side, Termination};
///
/// let outcome = Outcome::win(Side::White, Termination::Checkmate);
/// assert_eq!(outcome.to_string(), "1-0 checkmate");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome {
    /// Who has won.
    pub result: GameResult,
    /// How the game ended.
    pub termination: Termination,
}

impl Outcome {
    /// A win for a side.
    pub fn win(side: Side, termination: Termination) -> Self {
        Self { result: GameResult::Win(side), termination }
    }

    /// A draw.
    pub fn draw(termination: Termination) -> Self {
        Self { result: GameResult::Draw, termination }
    }

    /// The side that has won.
    pub fn winner(self) -> Option<Side> {
        match self.result {
            GameResult::Win(side) => Some(side),
            GameResult::Draw => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.result, self.termination)
    }
}
