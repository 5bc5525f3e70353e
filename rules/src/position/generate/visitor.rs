//! What receives moves: counted, one at a time, or each tried first.

use crate::bitboard::Bitboard;
use crate::letter::Letter;
use crate::moves::{Move, MoveKind};
use crate::position::Position;
use crate::square::Square;

/// Receives legal moves as they are found, many at a time.
pub(in crate::position) trait Visitor {
    /// A piece other than a pawn goes to any of some squares.
    fn piece(&mut self, from: Square, targets: Bitboard);
    /// Pawns go to these squares, each from the square whose index is smaller by `step`.
    fn pawns(&mut self, targets: Bitboard, step: i32);
    /// Pawns reach these squares of the last rank, in the same way.
    fn promotions(&mut self, targets: Bitboard, step: i32);
    /// One move: en passant, castling or an adjustment.
    fn special(&mut self, from: Square, to: Square, kind: MoveKind);
}

/// Counts moves.
#[derive(Clone, Copy, Default)]
pub(in crate::position) struct Counter {
    /// The number of moves that are not promotions.
    pub moves: u32,
    /// The number of ways in which pawns reach the last rank, before the choice of a piece.
    promotions: u32,
}

impl Counter {
    /// The number of moves in all, where a pawn that promotes has so many pieces to choose from.
    pub fn total(&self, choices: usize) -> usize {
        self.moves as usize + self.promotions as usize * choices
    }
}

impl Visitor for Counter {
    #[inline(always)]
    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.moves += targets.count();
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i32) {
        self.moves += targets.count();
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i32) {
        self.promotions += targets.count();
    }

    #[inline(always)]
    fn special(&mut self, _: Square, _: Square, _: MoveKind) {
        self.moves += 1;
    }
}

/// Calls a function with each move.
pub(in crate::position) struct Caller<'a, F> {
    pub call: F,
    pub promotes_to: &'a [Letter],
}

impl<F: FnMut(Move)> Visitor for Caller<'_, F> {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        targets.iter().for_each(|to| (self.call)(Move { from, to, kind: MoveKind::Normal }));
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: i32) {
        targets
            .iter()
            .for_each(|to| (self.call)(Move { from: to.offset(-step), to, kind: MoveKind::Normal }));
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, step: i32) {
        for to in targets {
            for &letter in self.promotes_to {
                (self.call)(Move { from: to.offset(-step), to, kind: MoveKind::Promotion(letter) });
            }
        }
    }

    #[inline(always)]
    fn special(&mut self, from: Square, to: Square, kind: MoveKind) {
        (self.call)(Move { from, to, kind });
    }
}

/// Passes on the moves that do not leave the king to a piece that attacks along a path.
pub(super) struct Tried<'p, 'r, 'v, V> {
    pub position: &'p Position<'r>,
    pub visitor: &'v mut V,
}

impl<V: Visitor> Tried<'_, '_, '_, V> {
    fn pawns_to(&self, targets: Bitboard, step: i32) -> Bitboard {
        targets.into_iter().filter(|&to| !self.position.is_exposed_by(to.offset(-step), to)).collect()
    }
}

impl<V: Visitor> Visitor for Tried<'_, '_, '_, V> {
    fn piece(&mut self, from: Square, targets: Bitboard) {
        let position = self.position;
        // The king's own moves were tried already.
        let is_king = from == position.king(position.side);
        let safe = targets.into_iter().filter(|&to| is_king || !position.is_exposed_by(from, to));
        self.visitor.piece(from, safe.collect());
    }

    fn pawns(&mut self, targets: Bitboard, step: i32) {
        self.visitor.pawns(self.pawns_to(targets, step), step);
    }

    fn promotions(&mut self, targets: Bitboard, step: i32) {
        self.visitor.promotions(self.pawns_to(targets, step), step);
    }

    fn special(&mut self, from: Square, to: Square, kind: MoveKind) {
        self.visitor.special(from, to, kind);
    }
}
