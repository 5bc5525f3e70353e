//! Moves and their UCI text.

use thiserror::Error;

use crate::board::Board;
use crate::square::Square;

/// What kind of move it is, where squares alone do not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveKind {
    /// A piece goes from a square to another and captures what is there.
    Normal,
    /// A pawn takes another in passing.
    EnPassant,
    /// The king castles with the partner on the target square.
    Castling,
    /// The Bishop Adjustment: the bishop swaps places with the piece on the target square.
    Adjustment,
    /// A pawn reaches the last rank and becomes the piece of this capital letter.
    Promotion(u8),
}

/// A move that is not legal in the position it was to be played in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the move is not legal in this position")]
pub struct IllegalMove(
    /// The move.
    pub Move,
);

/// A move. It means something in the position it was made for.
///
/// Castling is written as the king taking its own partner and the adjustment as the bishop taking its neighbour, so two
/// squares and a promotion letter name every move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the piece stands: the king when castling, the bishop when adjusting.
    pub from: Square,
    /// Where it goes, or the piece it castles or swaps with.
    pub to: Square,
    /// What kind of move it is.
    pub kind: MoveKind,
}

impl Move {
    /// The letter of the piece a pawn becomes by this move.
    pub fn promotion(self) -> Option<u8> {
        match self.kind {
            MoveKind::Promotion(letter) => Some(letter),
            _ => None,
        }
    }

    /// Whether a pawn becomes another piece by this move.
    #[inline]
    pub fn is_promotion(self) -> bool {
        matches!(self.kind, MoveKind::Promotion(_))
    }

    /// Its text in the Universal Chess Interface: `e2e4`, `e7e8q`, castling `e1i1`, adjustment `c1b1`.
    pub fn uci(self, board: Board) -> String {
        let mut text = board.square_name(self.from) + &board.square_name(self.to);
        if let Some(letter) = self.promotion() {
            text.push(letter.to_ascii_lowercase() as char);
        }
        text
    }
}
