//! Castling and the Bishop Adjustment.

use super::visitor::{Caller, Visitor};
use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveKind};
use crate::position::{CheckInfo, Position};
use crate::square::Square;

impl Position<'_> {
    /// Visits castling and the Bishop Adjustment.
    #[inline(always)]
    pub(in crate::position) fn visit_first_rank(&self, visitor: &mut impl Visitor, check_info: &CheckInfo) {
        if !(self.castling | self.unmoved).is_disjoint(self.pieces(self.side)) {
            self.visit_unmoved(visitor, check_info);
        }
    }

    #[inline(never)]
    fn visit_unmoved(&self, visitor: &mut impl Visitor, check_info: &CheckInfo) {
        // 000: "The King is not allowed to be in check before or after a Bishop Adjustment." A reading: so nothing may
        // be adjusted in check, not even two pieces other than the king.
        if check_info.is_check() || check_info.is_over {
            return;
        }
        let king = self.king(self.side);
        for partner in self.castling & self.pieces(self.side) {
            if self.may_castle(king, partner) {
                visitor.special(king, partner, MoveKind::Castling);
            }
        }
        self.visit_adjustments(visitor);
    }

    fn may_castle(&self, king: Square, partner: Square) -> bool {
        let Some(king_passes) = self.castling_passes(king, partner) else { return false };
        let enemy = self.side.other();
        let occupied = self.occupied();
        // The king is known not to be in check on its own square.
        let attacked = |square| self.is_attacked(square, enemy, occupied, Bitboard::EMPTY);
        if (king_passes & !king.bitboard()).iter().any(attacked) {
            return false;
        }
        // A partner that shielded its king along the first rank may no longer do so after both have landed.
        let (king_lands, partner_lands) = self.landing(king, partner);
        let others = occupied & !king.bitboard() & !partner.bitboard();
        !self.is_attacked(
            king_lands,
            enemy,
            others | king_lands.into() | partner_lands.into(),
            Bitboard::EMPTY,
        )
    }

    /// The squares from the king's to the one on which it lands, both included, if nothing is in the way of king and
    /// partner.
    pub(in crate::position) fn castling_passes(&self, king: Square, partner: Square) -> Option<Bitboard> {
        let (king_lands, partner_lands) = self.landing(king, partner);
        let others = self.occupied() & !king.bitboard() & !partner.bitboard();
        let king_passes = span(king, king_lands);
        (king_passes | span(partner, partner_lands)).is_disjoint(others).then_some(king_passes)
    }

    /// The squares on which king and partner land when they castle.
    pub(crate) fn landing(&self, king: Square, partner: Square) -> (Square, Square) {
        let Some(castling) = &self.rules.variant().castling else { return (king, partner) };
        let Some((_, letter)) = self.piece_at(partner) else { return (king, partner) };
        let landing = castling.landing(letter, partner < king);
        let [king, partner] = [king, partner].map(|square| self.board().file_of(square));
        let (king, partner) = landing.end.files(king, partner, self.board().files());
        let square = |file| self.rules.first_rank_square(self.side, file);
        (square(king), square(partner))
    }

    /// Visits swaps of an unmoved bishop with an unmoved neighbour, out of check.
    ///
    /// Whatever stood between the king and an enemy rider still does, because both squares stay occupied. So only a
    /// swap with the king itself can be illegal.
    fn visit_adjustments(&self, visitor: &mut impl Visitor) {
        let us = self.side;
        let Some(kinds) = self.rules.adjustment else { return };
        let unmoved = self.unmoved & self.pieces(us);
        let bishops = unmoved & self.of_kind(kinds.adjuster);
        if bishops.is_empty() {
            return;
        }
        let partners = unmoved & self.of_kinds(kinds.partners);
        for bishop in bishops {
            // Only neighbours to the left and right count; no unmoved piece stands on another rank.
            let beside = (bishop.bitboard() << 1 | bishop.bitboard() >> 1) & partners;
            for partner in beside {
                // 000: "the square the King would be adjusting to, must not be under enemy attack".
                if partner == self.king(us)
                    && self.is_attacked(bishop, us.other(), self.occupied(), Bitboard::EMPTY)
                {
                    continue;
                }
                visitor.special(bishop, partner, MoveKind::Adjustment);
            }
        }
    }

    /// The ways in which the mover can castle, in the order of [`Position::legal_moves`].
    pub(crate) fn castlings(&self) -> Vec<Move> {
        let mut castlings = Vec::new();
        if !self.castling.is_disjoint(self.pieces(self.side)) {
            let call = |played: Move| castlings.extend((played.kind == MoveKind::Castling).then_some(played));
            self.visit_first_rank(&mut Caller { call, promotes_to: &[] }, &self.check_info());
        }
        castlings
    }

    /// The squares of unmoved bishops beside the king, to which a swap would take it.
    pub(in crate::position) fn king_swap_squares(&self) -> Bitboard {
        let king = self.king(self.side).bitboard();
        self.adjusters(self.side) & self.unmoved & (king << 1 | king >> 1)
    }
}

/// The squares from one square of a rank to another, both included.
fn span(a: Square, b: Square) -> Bitboard {
    let (low, high) = (a.min(b), a.max(b));
    Bitboard::before(high) & !Bitboard::before(low) | high.into()
}
