//! What pieces are worth for what they are and where they stand, kept up to date from move to move.

use backrank_rules::{MAX_SQUARES, Move, MoveKind, Position, Side, Square, Squares};

use super::Evaluator;
use super::pair::Pair;

/// Material and places of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Balance {
    /// White's minus Black's.
    pub(super) score: Pair,
    /// How much of the opening each side's pieces are.
    pub(super) phases: [i32; 2],
}

impl Evaluator {
    /// The balance of a position, from nothing.
    pub(crate) fn balance(&self, position: &Position<'_>) -> Balance {
        let mut balance = Balance::default();
        for side in Side::BOTH {
            for kind in 0..self.prepared.kinds.len() {
                for square in Squares(position.of_kind(kind) & position.pieces(side)) {
                    self.add(&mut balance, kind, side, square);
                }
            }
        }
        balance
    }

    /// The balance after a legal move, from that before.
    pub(crate) fn balance_after(
        &self,
        mut balance: Balance,
        before: &Position<'_>,
        played: Move,
        after: &Position<'_>,
    ) -> Balance {
        let us = before.side_to_move();
        let Some(kind) = before.kind_at(played.from) else { return self.balance(after) };
        let becomes = match played.kind {
            MoveKind::Normal | MoveKind::EnPassant => kind,
            MoveKind::Promotion(_) => after.kind_at(played.to).unwrap_or(kind),
            // Two pieces move, perhaps to where the other stood.
            MoveKind::Castling | MoveKind::Adjustment => return self.balance(after),
        };
        if let Some(taken) = before.kind_at(played.to) {
            self.remove(&mut balance, taken, us.other(), played.to);
        }
        if played.kind == MoveKind::EnPassant {
            for pawn in Squares(before.en_passant_pawn()) {
                self.remove(&mut balance, Position::PAWN, us.other(), pawn);
            }
        }
        self.remove(&mut balance, kind, us, played.from);
        self.add(&mut balance, becomes, us, played.to);
        balance
    }

    #[inline]
    fn add(&self, balance: &mut Balance, kind: usize, side: Side, square: Square) {
        let (place, phase) = self.place(kind, side, square);
        balance.score += if side == Side::White { place } else { -place };
        balance.phases[side as usize] += phase;
    }

    #[inline]
    fn remove(&self, balance: &mut Balance, kind: usize, side: Side, square: Square) {
        let (place, phase) = self.place(kind, side, square);
        balance.score += if side == Side::White { -place } else { place };
        balance.phases[side as usize] -= phase;
    }

    #[inline]
    fn place(&self, kind: usize, side: Side, square: Square) -> (Pair, i32) {
        let terms = &self.prepared.kinds[kind];
        (terms.places[side as usize][square.0 as usize & (MAX_SQUARES - 1)], terms.phase)
    }
}
