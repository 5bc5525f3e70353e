//! What pieces attack, and what attacks a square.

use super::Position;
use crate::bitboard::Bitboard;
use crate::compiled::occupied::Occupied;
use crate::compiled::paths::PathTable;
use crate::compiled::tables::Plays;
use crate::compiled::{LeaperGroup, RiderGroup};
use crate::piece_kind::{KindGroup, PieceKind};
use crate::square::{Side, Square};

/// The sides whose pieces have to be looked at separately; one side stands for both if they are alike.
fn sides_apart(alike: bool) -> &'static [Side] {
    if alike { &Side::BOTH[..1] } else { &Side::BOTH }
}

impl Position<'_> {
    /// Calls a function with the kind, the square and the attacked squares of each of a side's pieces except pawns and
    /// king. Pieces of one kind follow each other.
    #[inline(always)]
    pub fn for_each_attacking(&self, side: Side, mut see: impl FnMut(PieceKind, Square, Bitboard)) {
        let tables = &self.rules.tables;
        let own = self.pieces(side);
        let occupied = Occupied::new(self.occupied());
        for attacking in &self.rules.sides[side as usize].attacking {
            let kind = attacking.kind;
            let pieces = self.of_kind(kind) & own;
            if attacking.attacks_more {
                pieces.iter().for_each(|square| see(kind, square, self.attacks_of(kind, side, square)));
            } else {
                let see = |square, attacked| see(kind, square, attacked);
                tables.reached_from_each(attacking.attack, pieces, &occupied, see);
            }
        }
    }

    /// The squares that a side's piece of a kind, other than a pawn, attacks from a square.
    #[inline(never)]
    pub(super) fn attacks_of(&self, kind: PieceKind, side: Side, square: Square) -> Bitboard {
        let plays = &self.rules.kind(kind).plays[side as usize];
        let occupied = Occupied::new(self.occupied());
        let reached = |steps| self.rules.tables.reached(steps, square, &occupied);
        let attacked = reached(plays.attack);
        if self.unmoved.contains(square) { attacked | reached(plays.first_attack) } else { attacked }
    }

    /// The pieces of either side that attack a square when the squares of `occupied` are taken.
    #[inline]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let rules = self.rules;
        let [white, black] = &rules.sides;
        let place = square.index();
        let pawns_from =
            black.pawn_attacks[place] & self.sides[0] | white.pawn_attacks[place] & self.sides[1];
        let mut found = pawns_from & self.of_kind(PieceKind::PAWN);
        for &side in sides_apart(rules.leapers_alike) {
            let some = if rules.leapers_alike { occupied } else { self.pieces(side) };
            let groups = &rules.sides[side as usize].attackers.leapers;
            found |= self.leaping_among(groups, square, some);
        }
        if rules.has_paths() {
            found |= self.path_attackers_of_both(square, occupied);
        }
        (found | self.riding_attackers(square, occupied, Bitboard::FULL)) & occupied
    }

    /// The pieces of either side that attack a square along a path when the squares of `occupied` are taken. It is kept out of
    /// [`attackers`](Self::attackers), which then stays small enough to be inlined where exchanges are evaluated.
    #[cold]
    #[inline(never)]
    fn path_attackers_of_both(&self, square: Square, occupied: Bitboard) -> Bitboard {
        Side::BOTH.into_iter().map(|side| self.path_attackers(square, side, occupied)).collect()
    }

    /// The pieces of a side that attack a square along a path when the squares of `occupied` are taken.
    #[inline(never)]
    pub(super) fn path_attackers(&self, square: Square, by: Side, occupied: Bitboard) -> Bitboard {
        let open = |(paths, pieces): (&PathTable, Bitboard)| paths.open(square, occupied) & pieces;
        self.paths_to(square, by).map(open).collect()
    }

    /// Whether some piece of a side might attack a square along a path, depending on what stands in between.
    #[inline(never)]
    pub(super) fn has_paths_to(&self, square: Square, by: Side) -> bool {
        self.paths_to(square, by).next().is_some()
    }

    /// The paths that end on a square, with the pieces of a side that may go them, where there are such pieces.
    fn paths_to(&self, square: Square, by: Side) -> impl Iterator<Item = (&PathTable, Bitboard)> {
        let tables = &self.rules.tables;
        self.rules.sides[by as usize].attackers.paths.iter().filter_map(move |group| {
            let pieces = self.of_kind(group.kind) & self.pieces(by) & (self.unmoved | group.moved);
            let is_near = !tables.leaps(group.reach, square).is_disjoint(pieces);
            is_near.then(|| (tables.paths(group.from), pieces))
        })
    }

    /// The attackers of [`Position::attackers`] that ride along a line with any square of `along`. There can be more of
    /// them when a piece leaves one of these squares.
    #[inline]
    pub fn riding_attackers(&self, square: Square, occupied: Bitboard, along: Bitboard) -> Bitboard {
        let rules = self.rules;
        let mut found = Bitboard::EMPTY;
        let ways = Occupied::new(occupied);
        for &side in sides_apart(rules.riders_alike) {
            let some = if rules.riders_alike { occupied } else { self.pieces(side) & occupied };
            for riders in &rules.sides[side as usize].attackers.riders {
                let pieces = self.of_group(riders.kinds, riders.moved) & some;
                let reach = rules.tables.leaps(riders.reach, square);
                if reach.is_disjoint(pieces) || reach.is_disjoint(along) {
                    continue;
                }
                found |= ways.reached(rules.tables.rays(riders.from, square)) & pieces;
            }
        }
        found
    }

    /// The pieces of a side that attack a square in a single step.
    #[inline(always)]
    pub(super) fn leaping_attackers(&self, square: Square, by: Side) -> Bitboard {
        let rules = self.rules;
        let attackers = &rules.sides[by as usize].attackers;
        let near = rules.tables.leaps(attackers.leaps, square) & self.pieces(by);
        // Most often no piece is near enough.
        if near.is_empty() { near } else { self.leaping_among(&attackers.leapers, square, near) }
    }

    /// The pieces among some that attack a square in a single step.
    #[inline(always)]
    fn leaping_among(&self, groups: &[LeaperGroup], square: Square, some: Bitboard) -> Bitboard {
        let mut found = Bitboard::EMPTY;
        for leapers in groups {
            found |=
                self.rules.tables.leaps(leapers.from, square) & self.of_group(leapers.kinds, leapers.moved);
        }
        found & some
    }

    #[inline(always)]
    pub(super) fn riders(&self, riders: &RiderGroup, side: Side) -> Bitboard {
        self.of_group(riders.kinds, riders.moved) & self.sides[side as usize]
    }

    /// Both sides' pieces of a group, or those of them that have not moved.
    #[inline(always)]
    fn of_group(&self, kinds: KindGroup, moved: Bitboard) -> Bitboard {
        kinds.union(|kind| self.of_kind(kind)) & (self.unmoved | moved)
    }

    /// Whether a side's pieces, except those of `without`, attack a square when the squares of `occupied` are taken.
    #[inline]
    pub(crate) fn is_attacked(
        &self,
        square: Square,
        by: Side,
        occupied: Bitboard,
        without: Bitboard,
    ) -> bool {
        let rules = self.rules;
        let pawns = self.of_kind(PieceKind::PAWN) & self.pieces(by) & !without;
        if !rules.sides[by.other() as usize].pawn_attacks[square.index()].is_disjoint(pawns) {
            return true;
        }
        if !self.leaping_attackers(square, by).is_disjoint(!without) {
            return true;
        }
        for group in &rules.sides[by as usize].attackers.riders {
            let riders = self.riders(group, by) & !without;
            if rules.tables.leaps(group.reach, square).is_disjoint(riders) {
                continue;
            }
            for line in rules.tables.lines(group.from, square) {
                for rider in line.all() & riders {
                    if line.between(rider).is_disjoint(occupied) {
                        return true;
                    }
                }
            }
        }
        rules.has_paths() && !self.path_attackers(square, by, occupied).is_disjoint(!without)
    }

    /// Calls a function with each rider of a side that would attack a square on an empty board, and the squares between
    /// the two.
    #[inline(always)]
    pub(super) fn for_each_ray(&self, square: Square, by: Side, mut see: impl FnMut(Bitboard, Square)) {
        let rules = self.rules;
        for group in &rules.sides[by as usize].attackers.riders {
            let riders = self.riders(group, by);
            if rules.tables.leaps(group.reach, square).is_disjoint(riders) {
                continue;
            }
            for line in rules.tables.lines(group.from, square) {
                for rider in line.all() & riders {
                    see(line.between(rider), rider);
                }
            }
        }
    }

    /// The squares that a piece of the side to move can reach, including those of its own pieces, regardless of checks
    /// and pins.
    #[inline(always)]
    pub(super) fn reached(
        &self,
        plays: &Plays,
        square: Square,
        occupied: &Occupied,
        enemy: Bitboard,
    ) -> Bitboard {
        if plays.plain {
            return self.rules.tables.reached_freely(plays.attack, square, occupied);
        }
        self.reached_divided(plays, square, occupied, enemy)
    }

    /// The same for pieces that go elsewhere than they attack, have another first move, or have paths. It is not inlined: such
    /// pieces are rare, and the common case should stay in the processor's cache.
    #[inline(never)]
    pub(super) fn reached_divided(
        &self,
        plays: &Plays,
        square: Square,
        occupied: &Occupied,
        enemy: Bitboard,
    ) -> Bitboard {
        let tables = &self.rules.tables;
        let mut squares = tables.reached(plays.attack, square, occupied) & enemy
            | tables.reached(plays.quiet, square, occupied) & !occupied.squares;
        if self.unmoved.contains(square) {
            squares |= tables.reached(plays.first_attack, square, occupied) & enemy
                | tables.reached(plays.first_quiet, square, occupied) & !occupied.squares;
        }
        squares
    }
}
