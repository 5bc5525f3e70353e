//! Material and piece-square tables, updated from move to move.

use backrank_rules::{Move, MoveKind, PieceKind, Position, Side, Square};

use super::evaluator::Evaluator;
use super::packed::PackedScore;

/// Material and places of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Balance {
    /// White's minus Black's.
    pub(super) score: PackedScore,
    /// What each side's pieces add to the phase of the game.
    pub(super) phases: [i32; 2],
}

impl Evaluator {
    /// The balance of a position, worked out from scratch.
    pub(crate) fn balance(&self, position: &Position<'_>) -> Balance {
        let mut balance = Balance::default();
        for side in Side::BOTH {
            for kind in position.rules().kinds() {
                for square in position.of_kind(kind) & position.pieces(side) {
                    self.add(&mut balance, kind, side, square);
                }
            }
        }
        balance
    }

    /// The balance after a legal move, updated from the one before.
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
            // Two pieces move, perhaps to each other's squares.
            MoveKind::Castling | MoveKind::Adjustment => return self.balance(after),
        };
        if let Some(taken) = before.kind_at(played.to) {
            self.remove(&mut balance, taken, us.other(), played.to);
        }
        if played.kind == MoveKind::EnPassant {
            for pawn in before.en_passant_pawn() {
                self.remove(&mut balance, PieceKind::PAWN, us.other(), pawn);
            }
        }
        self.remove(&mut balance, kind, us, played.from);
        self.add(&mut balance, becomes, us, played.to);
        balance
    }

    #[inline]
    fn add(&self, balance: &mut Balance, kind: PieceKind, side: Side, square: Square) {
        let (place, phase) = self.place(kind, side, square);
        balance.score += if side == Side::White { place } else { -place };
        balance.phases[side as usize] += phase;
    }

    #[inline]
    fn remove(&self, balance: &mut Balance, kind: PieceKind, side: Side, square: Square) {
        let (place, phase) = self.place(kind, side, square);
        balance.score += if side == Side::White { -place } else { place };
        balance.phases[side as usize] -= phase;
    }

    #[inline]
    fn place(&self, kind: PieceKind, side: Side, square: Square) -> (PackedScore, i32) {
        let terms = &self.prepared.kinds[kind.index()];
        (terms.places[side as usize][square.index()], terms.phase)
    }
}
