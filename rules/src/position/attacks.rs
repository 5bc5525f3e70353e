//! Attacks, checks and pins.

use super::Position;
use crate::rules::PAWN_KIND;
use crate::rules::kinds::{Kinds, Leapers, Plays, Riders};
use crate::rules::rays::Occupied;
use crate::square::{Side, Square, Squares};

/// What the side to move has to heed: checks and pins. For those who ask more than once, as [`Position::threats`] finds it.
#[derive(Clone, Copy, Debug)]
pub struct Threats {
    /// Where a piece other than the king may go: everywhere, or where it ends every check.
    pub(super) allowed: u128,
    /// Pieces that shield their king.
    pub(super) pinned: u128,
}

impl Threats {
    /// Whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.allowed != u128::MAX
    }
}

impl Position<'_> {
    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.is_attacked(self.king(self.side), self.side.other(), self.occupied(), 0)
    }

    /// The pieces of a side that step to a square.
    #[inline(always)]
    pub(super) fn leaping_attackers(&self, square: Square, by: Side) -> u128 {
        let rules = self.rules;
        let attackers = &rules.sides[by as usize].attackers;
        let near = rules.tables.leaps(attackers.leaps, square) & self.pieces(by);
        // Mostly nothing is so near, whatever it is.
        if near == 0 { 0 } else { self.leaping_among(&attackers.leapers, square, near) }
    }

    /// Those of some pieces that step to a square.
    #[inline(always)]
    pub(super) fn leaping_among(&self, groups: &[Leapers], square: Square, some: u128) -> u128 {
        let leaps = |group: &Leapers| self.rules.tables.leaps(group.from, square) & self.group(group.kinds);
        groups.iter().fold(0, |found, group| found | leaps(group)) & some
    }

    #[inline(always)]
    pub(super) fn riders(&self, group: &Riders, side: Side) -> u128 {
        self.group(group.kinds) & self.sides[side as usize]
    }

    #[inline(always)]
    pub(super) fn group(&self, kinds: Kinds) -> u128 {
        let [one, two, three] = kinds.each.map(|kind| self.kinds[kind as usize]);
        (one | two | three) & (self.unmoved | kinds.moved)
    }

    /// Whether a side's pieces but those of `without` attack a square when the squares of `occupied` are taken.
    #[inline]
    pub(crate) fn is_attacked(&self, square: Square, by: Side, occupied: u128, without: u128) -> bool {
        let rules = self.rules;
        let attackers = &rules.sides[by as usize].attackers;
        let pawns = self.kinds[PAWN_KIND as usize] & self.pieces(by) & !without;
        if rules.sides[by.other() as usize].pawn_attacks[square.0 as usize & 127] & pawns != 0 {
            return true;
        }
        if self.leaping_attackers(square, by) & !without != 0 {
            return true;
        }
        for group in &attackers.riders {
            let riders = self.riders(group, by) & !without;
            if rules.tables.leaps(group.reach, square) & riders == 0 {
                continue;
            }
            for line in rules.tables.lines(group.from, square) {
                for rider in Squares(line.all() & riders) {
                    if line.between(rider) & occupied == 0 {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// The checks and pins of the side to move.
    #[inline]
    pub fn threats(&self) -> Threats {
        let rules = self.rules;
        let (us, them) = (self.side, self.side.other());
        let king = self.king(us);
        let checkers = rules.sides[us as usize].pawn_attacks[king.0 as usize & 127]
            & self.kinds[PAWN_KIND as usize]
            & self.pieces(them)
            | self.leaping_attackers(king, them);
        let mut threats = Threats { allowed: u128::MAX, pinned: 0 };
        if checkers != 0 {
            // A step cannot be blocked, only its piece taken; no move takes two.
            threats.allowed = if checkers & (checkers - 1) == 0 { checkers } else { 0 };
        }
        self.for_each_ray(king, them, |ray, rider| {
            let shields = ray & self.occupied();
            if shields == 0 {
                threats.allowed &= ray | rider.bit();
            } else if shields & (shields - 1) == 0 {
                threats.pinned |= shields & self.pieces(us);
            }
        });
        threats
    }

    /// The squares between a king and each rider of a side that would attack it on an empty board.
    #[inline(always)]
    pub(super) fn for_each_ray(&self, king: Square, by: Side, mut see: impl FnMut(u128, Square)) {
        let rules = self.rules;
        for group in &rules.sides[by as usize].attackers.riders {
            let riders = self.riders(group, by);
            if rules.tables.leaps(group.reach, king) & riders == 0 {
                continue;
            }
            for line in rules.tables.lines(group.from, king) {
                for rider in Squares(line.all() & riders) {
                    see(line.between(rider), rider);
                }
            }
        }
    }

    /// Where a pinned piece may go without uncovering its king.
    pub(super) fn shielding(&self, pinned: Square) -> u128 {
        let mut squares = u128::MAX;
        self.for_each_ray(self.king(self.side), self.side.other(), |ray, rider| {
            if ray & self.occupied() == pinned.bit() {
                squares &= ray | rider.bit();
            }
        });
        squares
    }

    /// Where a piece of the side to move goes, its own pieces in the way or not, checks and pins aside.
    #[inline(always)]
    pub(super) fn reached(&self, plays: &Plays, square: Square, occupied: &Occupied, enemy: u128) -> u128 {
        let tables = &self.rules.tables;
        if plays.plain {
            return tables.reached(plays.attack, square, occupied);
        }
        self.reached_divided(plays, square, occupied, enemy)
    }

    /// The same for pieces that do not go where they attack, or go elsewhere first; out of line, for they are rare and the
    /// rest is to stay in the processor's cache.
    #[inline(never)]
    pub(super) fn reached_divided(
        &self,
        plays: &Plays,
        square: Square,
        occupied: &Occupied,
        enemy: u128,
    ) -> u128 {
        let tables = &self.rules.tables;
        let mut squares = tables.reached(plays.attack, square, occupied) & enemy
            | tables.reached(plays.quiet, square, occupied) & !occupied.squares;
        if self.unmoved & square.bit() != 0 {
            squares |= tables.reached(plays.first_attack, square, occupied) & enemy
                | tables.reached(plays.first_quiet, square, occupied) & !occupied.squares;
        }
        squares
    }
}
