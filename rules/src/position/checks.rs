//! Checks, pins, and what would give check.

use super::Position;
use crate::bitboard::Bitboard;
use crate::compiled::occupied::Occupied;
use crate::moves::Move;
use crate::piece_kind::{KindGroup, PieceKind};
use crate::square::{Side, Square};

/// The checks and pins of the side to move, which decide what moves are legal. [`Position::check_info`] finds it once
/// for several questions.
#[derive(Clone, Copy, Debug)]
pub struct CheckInfo {
    /// Where a piece other than the king may go: everywhere, or where it ends all checks.
    pub(super) check_mask: Bitboard,
    /// Pieces that alone stand between their own king and a rider.
    pub(super) pinned: Bitboard,
    /// Whether a piece of the enemy attacks the king along a path.
    pub(super) checked_by_path: bool,
    /// Whether a piece of the enemy might attack the king along a path after some move. Moves then have to be tried.
    pub(super) tries_moves: bool,
    /// Whether the game is over by a goal or by checks, so that there are no moves.
    pub(super) is_over: bool,
}

impl CheckInfo {
    /// Whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.check_mask != Bitboard::FULL || self.checked_by_path
    }

    /// The side's pieces that are pinned to their king by a rider.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }
}

impl Position<'_> {
    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.is_attacked(self.king(self.side), self.side.other(), self.occupied(), Bitboard::EMPTY)
    }

    /// The checks and pins of the side to move.
    #[inline]
    pub fn check_info(&self) -> CheckInfo {
        let rules = self.rules;
        let (us, them) = (self.side, self.side.other());
        let king = self.king(us);
        let checkers = rules.sides[us as usize].pawn_attacks[king.index()]
            & self.of_kind(PieceKind::PAWN)
            & self.pieces(them)
            | self.leaping_attackers(king, them);
        let mut info = CheckInfo {
            check_mask: Bitboard::FULL,
            pinned: Bitboard::EMPTY,
            checked_by_path: false,
            tries_moves: false,
            is_over: rules.ends_early && self.early_outcome().is_some(),
        };
        if rules.has_paths() && self.has_paths_to(king, them) {
            info.tries_moves = true;
            info.checked_by_path = !self.path_attackers(king, them, self.occupied()).is_empty();
        }
        if !checkers.is_empty() {
            // A check by a single step cannot be blocked: its piece must be taken, and no move takes two.
            info.check_mask = if checkers.is_single() { checkers } else { Bitboard::EMPTY };
        }
        self.for_each_ray(king, them, |ray, rider| {
            let shields = ray & self.occupied();
            if shields.is_empty() {
                info.check_mask &= ray | rider.into();
            } else if shields.is_single() {
                info.pinned |= shields & self.pieces(us);
            }
        });
        info
    }

    /// Whether a move of a piece other than the king leaves its king to a piece that attacks along a path.
    pub(super) fn is_exposed_by(&self, from: Square, to: Square) -> bool {
        let (king, them) = (self.king(self.side), self.side.other());
        let occupied = self.occupied() & !from.bitboard() | to.into();
        !self.path_attackers(king, them, occupied).is_disjoint(!to.bitboard())
    }

    /// The squares to which a pinned piece can go without exposing its king to a rider.
    pub(super) fn shielding(&self, pinned: Square) -> Bitboard {
        let mut squares = Bitboard::FULL;
        self.for_each_ray(self.king(self.side), self.side.other(), |ray, rider| {
            if ray & self.occupied() == pinned.into() {
                squares &= ray | rider.into();
            }
        });
        squares
    }

    /// Pieces of either side that alone stand between a side's king and an enemy rider.
    #[inline]
    pub fn shields(&self, side: Side) -> Bitboard {
        let mut shields = Bitboard::EMPTY;
        self.for_each_ray(self.king(side), side.other(), |ray, _| {
            let standing = ray & self.occupied();
            if standing.is_single() {
                shields |= standing;
            }
        });
        shields
    }

    /// Returns a function that says whether the piece of a move attacks the enemy king from the square it goes to.
    #[inline]
    pub fn attacks_king(&self) -> impl Fn(Move) -> bool + '_ {
        let us = self.side;
        let king = self.king(us.other());
        let by_pawns = self.rules.sides[us.other() as usize].pawn_attacks[king.index()];
        let mut by_any = by_pawns;
        self.for_each_checking(us, |_, squares| by_any |= squares);
        move |played| {
            // Few moves go to such a square, so it is tested first.
            by_any.contains(played.to)
                && match self.mailbox[played.from.index()] {
                    PieceKind::NONE => false,
                    PieceKind::PAWN => by_pawns.contains(played.to),
                    kind => self.attacks_of(kind, us, played.to).contains(king),
                }
        }
    }

    /// Calls a function once for each way in which a side's pieces other than pawns can give check, with the kinds that
    /// do so and the squares from which they do. A way is a set of single steps that some kinds share, or a set of
    /// lines that some kinds ride along. Together the ways have all such squares; a kind with several ways is in each
    /// of them.
    #[inline]
    pub fn for_each_checking(&self, side: Side, mut see: impl FnMut(KindGroup, Bitboard)) {
        let rules = self.rules;
        let king = self.king(side.other());
        let attackers = &rules.sides[side as usize].attackers;
        for leapers in attackers.leapers.iter().filter(|leapers| !leapers.moved.is_empty()) {
            see(leapers.kinds, rules.tables.leaps(leapers.from, king));
        }
        let occupied = Occupied::new(self.occupied());
        for riders in attackers.riders.iter().filter(|riders| !riders.moved.is_empty()) {
            see(riders.kinds, occupied.reached(rules.tables.rays(riders.from, king)));
        }
        for group in attackers.paths.iter().filter(|group| !group.moved.is_empty()) {
            see(KindGroup::new(&[group.kind]), rules.tables.paths(group.from).open(king, occupied.squares));
        }
    }
}
