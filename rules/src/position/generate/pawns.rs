//! Moves of pawns: steps, captures, en passant and promotions.

use std::borrow::Cow;

use super::visitor::Visitor;
use crate::bitboard::Bitboard;
use crate::letter::Letter;
use crate::moves::MoveKind;
use crate::piece_kind::PieceKind;
use crate::position::Position;
use crate::square::{Side, Square};

/// Some pawns of the side to move, and the board that they find.
#[derive(Clone, Copy)]
pub(in crate::position) struct PawnMoves {
    pub pawns: Bitboard,
    pub occupied: Bitboard,
    pub enemy: Bitboard,
    pub targets: PawnTargets,
}

/// The squares to which pawns may go.
#[derive(Clone, Copy)]
pub(in crate::position) struct PawnTargets {
    /// Without promoting.
    pub plain: Bitboard,
    /// Promoting, where they may.
    pub promotion: Bitboard,
}

impl PawnTargets {
    pub const ALL: Self = Self { plain: Bitboard::FULL, promotion: Bitboard::FULL };

    /// Those of them that are among some squares.
    pub fn within(self, squares: Bitboard) -> Self {
        Self { plain: self.plain & squares, promotion: self.promotion & squares }
    }
}

/// Raises the index of each square by a step, or lowers it if the step is negative.
#[inline(always)]
pub(crate) fn shifted(squares: Bitboard, step: i32) -> Bitboard {
    // The mask tells the compiler that the shift is short, which is faster; two ranks are at most 32 squares.
    if step >= 0 { squares << (step as u32 & 63) } else { squares >> (-step as u32 & 63) }
}

impl Position<'_> {
    #[inline(always)]
    pub(in crate::position) fn visit_pawns(&self, visitor: &mut impl Visitor, given: PawnMoves) {
        let rules = self.rules;
        if rules.berolina {
            return self.visit_berolina_pawns(visitor, given);
        }
        let side = &rules.sides[self.side as usize];
        let PawnMoves { pawns, occupied, enemy, targets } = given;
        let empty = !occupied;
        let forward = side.forward;
        let single = shifted(pawns, forward) & empty;
        let double = shifted(single & side.double_step_over, forward) & empty;
        let left = shifted(pawns & rules.not_edge[0], forward - 1) & enemy;
        let right = shifted(pawns & rules.not_edge[1], forward + 1) & enemy;
        let plain = targets.plain & !side.forced_promotion;
        visitor.pawns(single & plain, forward);
        visitor.pawns(double & plain, 2 * forward);
        visitor.pawns(left & plain, forward - 1);
        visitor.pawns(right & plain, forward + 1);
        let promotion = targets.promotion & side.promotion;
        if !(single | double | left | right).is_disjoint(promotion) {
            visitor.promotions(single & promotion, forward);
            visitor.promotions(double & promotion, 2 * forward);
            visitor.promotions(left & promotion, forward - 1);
            visitor.promotions(right & promotion, forward + 1);
        }
    }

    /// The same for pawns that go diagonally and capture straight on.
    #[inline(never)]
    fn visit_berolina_pawns(&self, visitor: &mut impl Visitor, given: PawnMoves) {
        let rules = self.rules;
        let side = &rules.sides[self.side as usize];
        let PawnMoves { pawns, occupied, enemy, targets } = given;
        let forward = side.forward;
        let mut go = |reached: Bitboard, step| {
            visitor.pawns(reached & targets.plain & !side.forced_promotion, step);
            visitor.promotions(reached & targets.promotion & side.promotion, step);
        };
        go(shifted(pawns, forward) & enemy, forward);
        for &dx in rules.pawn_step_files() {
            let step = |from: Bitboard| shifted(from & rules.not_edge_towards(dx), forward + dx) & !occupied;
            let single = step(pawns);
            go(single, forward + dx);
            go(step(single & side.double_step_over), 2 * (forward + dx));
        }
    }

    /// Visits en passant.
    #[inline(always)]
    pub(in crate::position) fn visit_en_passant(&self, visitor: &mut impl Visitor) {
        if let Some(to) = self.en_passant {
            for from in self.en_passant_captors(self.side, to, self.passing) {
                visitor.special(from, to, MoveKind::EnPassant);
            }
        }
    }

    /// The pawns of a side that can legally capture en passant on a square that a pawn of the other side, now on `taken`, has
    /// just passed. Two pawns leave their squares at once, in any direction from the king, so this move alone is tried out.
    ///
    /// A reading: en passant does not promote, so there is none where a pawn must.
    #[inline(always)]
    pub(crate) fn en_passant_captors(&self, side: Side, passed: Square, taken: Square) -> Bitboard {
        let sides = &self.rules.sides;
        let taken = taken.bitboard();
        let ready = sides[side.other() as usize].pawn_attacks[passed.index()];
        if sides[side as usize].forced_promotion.contains(passed) {
            return Bitboard::EMPTY;
        }
        let mut captors = ready & self.of_kind(PieceKind::PAWN) & self.pieces(side);
        for from in captors {
            let occupied = self.occupied() & !from.bitboard() & !taken | passed.bitboard();
            if self.is_attacked(self.king(side), side.other(), occupied, taken) {
                captors &= !from.bitboard();
            }
        }
        captors
    }

    /// Which of some orthodox pawns of the mover reach a square, regardless of checks and pins: by a capture of what can be
    /// captured there, or straight on.
    pub(crate) fn pawns_reaching(&self, pawns: Bitboard, to: Square, captures: bool) -> Bitboard {
        let sides = &self.rules.sides;
        if captures {
            return sides[self.side.other() as usize].pawn_attacks[to.index()] & pawns;
        }
        let side = &sides[self.side as usize];
        let occupied = self.occupied();
        let passed = shifted(to.into(), -side.forward);
        if occupied.contains(to) {
            Bitboard::EMPTY
        } else if occupied.is_disjoint(passed) {
            shifted(passed & side.double_step_over, -side.forward) & pawns
        } else {
            passed & pawns
        }
    }

    /// The letters of the pieces that a pawn of the side to move can promote to now.
    #[inline]
    pub(crate) fn promotes_to(&self) -> Cow<'_, [Letter]> {
        let pawn = &self.rules.variant().pawn;
        let letters = &pawn.promotes_to[self.side as usize];
        if pawn.promotes_to_captured {
            Cow::Owned(self.captured_among(letters))
        } else {
            Cow::Borrowed(letters)
        }
    }

    /// Those letters of whose pieces the side to move has fewer than it started with.
    #[inline(never)]
    fn captured_among(&self, letters: &[Letter]) -> Vec<Letter> {
        let started = |letter: Letter| self.rules.variant().starts_with(self.side, letter) as u32;
        letters.iter().copied().filter(|&letter| self.count(self.side, letter) < started(letter)).collect()
    }
}
