//! Moves and their UCI text.

use thiserror::Error;

use crate::board::Board;
use crate::letter::Letter;
use crate::square::Square;

/// The kind of a move, where the squares alone do not say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveKind {
    /// A piece goes to another square and captures what stands there.
    Normal,
    /// A pawn captures en passant.
    EnPassant,
    /// The king castles with the partner on the target square.
    Castling,
    /// The Bishop Adjustment: the bishop swaps places with the piece on the target square.
    Adjustment,
    /// A pawn reaches the last rank and becomes the piece of this letter.
    Promotion(Letter),
}

/// A move that is not legal in the position it was to be played in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the move is not legal in this position")]
pub struct IllegalMove(
    /// The move.
    pub Move,
);

/// A move. It has a meaning only in the position that it was made for.
///
/// Castling is written as the king taking its own partner, and the adjustment as the bishop taking its neighbour. So
/// two squares and a promotion letter name every move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The square of the piece that moves: the king when castling, the bishop when adjusting.
    pub from: Square,
    /// The square it goes to, or that of the piece it castles or swaps with.
    pub to: Square,
    /// The kind of move.
    pub kind: MoveKind,
}

impl Move {
    /// The letter of the piece that a pawn promotes to.
    pub fn promotion(self) -> Option<Letter> {
        match self.kind {
            MoveKind::Promotion(letter) => Some(letter),
            _ => None,
        }
    }

    /// Whether a pawn promotes.
    #[inline]
    pub fn is_promotion(self) -> bool {
        matches!(self.kind, MoveKind::Promotion(_))
    }

    /// The move in the notation of the Universal Chess Interface: `e2e4`, `e7e8q`, castling `e1i1`, adjustment `c1b1`.
    pub fn uci(self, board: Board) -> String {
        let mut text = Vec::with_capacity(6);
        self.push_uci(board, &mut text);
        text.into_iter().map(char::from).collect()
    }

    /// Appends the move in the notation of the Universal Chess Interface, in which all characters are ASCII.
    pub fn push_uci(self, board: Board, text: &mut Vec<u8>) {
        match [self.from, self.to].map(|square| board.short_name(square)) {
            [Some([a, b]), Some([c, d])] => text.extend_from_slice(&[a, b, c, d]),
            _ => {
                text.extend_from_slice(board.square_name(self.from).as_bytes());
                text.extend_from_slice(board.square_name(self.to).as_bytes());
            }
        }
        if let Some(letter) = self.promotion() {
            text.push(letter.lower() as u8);
        }
    }
}
