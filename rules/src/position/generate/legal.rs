//! Whether a single move is legal, without a list of all.

use super::pawns::{PawnMoves, PawnTargets};
use super::visitor::Caller;
use crate::bitboard::Bitboard;
use crate::compiled::occupied::Occupied;
use crate::moves::{Move, MoveKind};
use crate::piece_kind::PieceKind;
use crate::position::{CheckInfo, Position};
use crate::square::Square;

impl Position<'_> {
    /// Whether a move is legal here.
    pub fn is_legal(&self, played: Move) -> bool {
        if played.kind == MoveKind::Normal && played.from == self.king(self.side) {
            return self.may_king_go(played.to);
        }
        self.is_legal_with(&self.check_info(), played)
    }

    /// Whether a move is legal here, when the checks and pins are known.
    pub fn is_legal_with(&self, check_info: &CheckInfo, played: Move) -> bool {
        let us = self.side;
        let (own, enemy) = (self.pieces(us), self.pieces(us.other()));
        let Move { from, to, .. } = played;
        if !own.contains(from) || check_info.is_over {
            return false;
        }
        let kind = self.mailbox[from.index()];
        let mut found = false;
        let call = |legal| found |= legal == played;
        let promotes_to = self.promotes_to();
        let mut caller = Caller { call, promotes_to: &promotes_to };
        match played.kind {
            // No need to look at any other piece.
            MoveKind::Normal | MoveKind::Promotion(_) if kind == PieceKind::PAWN => {
                if self.allows(check_info, from, to) {
                    let (occupied, targets) = (own | enemy, PawnTargets::ALL.within(to.into()));
                    self.visit_pawns(&mut caller, PawnMoves { pawns: from.into(), occupied, enemy, targets });
                }
            }
            MoveKind::Promotion(_) => {}
            MoveKind::Normal if from == self.king(us) => found = self.may_king_go(to),
            MoveKind::Normal => {
                found = !own.contains(to)
                    && self.reaching(kind, from.into(), to).contains(from)
                    && self.allows(check_info, from, to);
            }
            MoveKind::EnPassant | MoveKind::Castling | MoveKind::Adjustment => {
                self.visit_specials(&mut caller, check_info);
            }
        }
        found
    }

    /// Whether the mover's king can go to a square without castling.
    pub(crate) fn may_king_go(&self, to: Square) -> bool {
        let us = self.side;
        let king = self.king(us);
        let without_king = self.occupied() & !king.bitboard();
        self.early_outcome().is_none()
            && !self.pieces(us).contains(to)
            && !self.reaching(self.mailbox[king.index()], king.into(), to).is_empty()
            && !self.is_attacked(to, us.other(), without_king, Bitboard::EMPTY)
    }

    /// Which of the mover's pieces of a kind, other than pawns, reach a square, regardless of checks and pins.
    pub(crate) fn reaching(&self, kind: PieceKind, pieces: Bitboard, to: Square) -> Bitboard {
        let us = self.side;
        let enemy = self.pieces(us.other());
        let plays = &self.rules.kind(kind).plays[us as usize];
        let occupied = self.occupied();
        if plays.plain {
            // For the other side every step is reversed.
            let back = self.rules.kind(kind).plays[us.other() as usize].attack;
            return self.rules.tables.reached_among(back, to, pieces, occupied);
        }
        let ways = Occupied::new(occupied);
        let reaches = |from: &Square| self.reached_divided(plays, *from, &ways, enemy).contains(to);
        pieces.into_iter().filter(reaches).collect()
    }

    /// Whether checks and pins allow a piece other than the king to go to a square.
    pub(crate) fn allows(&self, check_info: &CheckInfo, from: Square, to: Square) -> bool {
        check_info.check_mask.contains(to)
            && (!check_info.pinned.contains(from) || self.shielding(from).contains(to))
            && !(check_info.tries_moves && self.is_exposed_by(from, to))
    }
}
