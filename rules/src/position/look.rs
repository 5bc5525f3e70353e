//! What an engine asks of a position: bitboards, attacks and passing.

use super::attacks::Threats;
use super::{EMPTY, NOWHERE, Position};
use crate::moves::Move;
use crate::rules::PAWN_KIND;
use crate::rules::rays::Occupied;
use crate::square::{Side, Square, Squares};

/// The sides whose pieces have to be looked at apart: where they are alike, one stands for both.
fn sides_apart(alike: bool) -> &'static [Side] {
    if alike { &Side::BOTH[..1] } else { &Side::BOTH }
}

/// For engines. Kinds of pieces are numbered: the pawn is [`Position::PAWN`], the variant's pieces follow in their order.
/// A bitboard has a bit for each square, by its number.
impl Position<'_> {
    /// The kind of the pawn.
    pub const PAWN: usize = PAWN_KIND as usize;

    /// The kind of piece on a square.
    #[inline]
    pub fn kind_at(&self, square: Square) -> Option<usize> {
        let kind = self.mailbox[square.0 as usize & 127];
        (kind != EMPTY).then_some(kind as usize)
    }

    /// The squares of both sides' pieces of a kind.
    ///
    /// # Panics
    ///
    /// When there can be no such kind.
    #[inline]
    pub fn of_kind(&self, kind: usize) -> u128 {
        self.kinds[kind]
    }

    /// Calls a function with the kind and the square of each of a side's pieces, pawns and king aside, and what it attacks;
    /// those of a kind follow each other.
    #[inline(always)]
    pub fn for_each_attacking(&self, side: Side, mut see: impl FnMut(usize, Square, u128)) {
        let tables = &self.rules.tables;
        let own = self.pieces(side);
        let occupied = Occupied::new(self.occupied());
        for attacking in &self.rules.sides[side as usize].attacking {
            let kind = attacking.kind as usize;
            let pieces = self.of_kind(kind) & own;
            if attacking.otherwise_at_first {
                Squares(pieces).for_each(|square| see(kind, square, self.attacks_of(kind, side, square)));
            } else {
                let see = |square, attacked| see(kind, square, attacked);
                tables.reached_from_each(attacking.attack, pieces, &occupied, see);
            }
        }
    }

    /// The squares that a side's piece of a kind, other than a pawn, attacks from a square.
    #[inline(never)]
    fn attacks_of(&self, kind: usize, side: Side, square: Square) -> u128 {
        let plays = &self.rules.kinds[kind].plays[side as usize];
        let occupied = Occupied::new(self.occupied());
        let reached = |steps| self.rules.tables.reached(steps, square, &occupied);
        let at_first = if self.unmoved & square.bit() != 0 { reached(plays.first_attack) } else { 0 };
        reached(plays.attack) | at_first
    }

    /// The pieces of either side that attack a square when the squares of `occupied` are taken.
    #[inline]
    pub fn attackers(&self, square: Square, occupied: u128) -> u128 {
        let rules = self.rules;
        let [white, black] = &rules.sides;
        let place = square.0 as usize & 127;
        let pawns_from =
            black.pawn_attacks[place] & self.sides[0] | white.pawn_attacks[place] & self.sides[1];
        let mut found = pawns_from & self.kinds[PAWN_KIND as usize];
        for &side in sides_apart(rules.leapers_alike) {
            let some = if rules.leapers_alike { occupied } else { self.pieces(side) };
            let groups = &rules.sides[side as usize].attackers.leapers;
            found |= self.leaping_among(groups, square, some);
        }
        (found | self.riding_attackers(square, occupied, u128::MAX)) & occupied
    }

    /// Those of [`Position::attackers`] that ride along a line with any of some squares: their number grows when a piece on
    /// one of these leaves.
    #[inline]
    pub fn riding_attackers(&self, square: Square, occupied: u128, along: u128) -> u128 {
        let rules = self.rules;
        let mut found = 0;
        let ways = Occupied::new(occupied);
        for &side in sides_apart(rules.riders_alike) {
            let some = if rules.riders_alike { occupied } else { self.pieces(side) & occupied };
            for group in &rules.sides[side as usize].attackers.riders {
                let riders = self.group(group.kinds) & some;
                let reach = rules.tables.leaps(group.reach, square);
                if reach & riders == 0 || reach & along == 0 {
                    continue;
                }
                found |= ways.reached(rules.tables.rays(group.from, square)) & riders;
            }
        }
        found
    }

    /// Tells of moves whether the piece that is played attacks the enemy's king from where it goes.
    #[inline]
    pub fn attacks_king(&self) -> impl Fn(Move) -> bool + '_ {
        let us = self.side;
        let king = self.king(us.other());
        let by_pawns = self.rules.sides[us.other() as usize].pawn_attacks[king.0 as usize & 127];
        let mut by_any = by_pawns;
        self.for_each_checking(us, |_, squares| by_any |= squares);
        move |played| {
            // Hardly any move goes to such a square.
            by_any & played.to.bit() != 0
                && match self.mailbox[played.from.0 as usize & 127] {
                    EMPTY => false,
                    PAWN_KIND => by_pawns & played.to.bit() != 0,
                    kind => self.attacks_of(kind as usize, us, played.to) & king.bit() != 0,
                }
        }
    }

    /// Calls a function with some kinds of pieces, pawns aside, and the squares from which a side's piece of any of them
    /// would attack the enemy's king; together they are all such squares. A kind may be named twice.
    #[inline]
    pub fn for_each_checking(&self, side: Side, mut see: impl FnMut([u8; 3], u128)) {
        let rules = self.rules;
        let king = self.king(side.other());
        let attackers = &rules.sides[side as usize].attackers;
        for group in attackers.leapers.iter().filter(|group| group.kinds.moved != 0) {
            see(group.kinds.each, rules.tables.leaps(group.from, king));
        }
        let occupied = Occupied::new(self.occupied());
        for group in attackers.riders.iter().filter(|group| group.kinds.moved != 0) {
            see(group.kinds.each, occupied.reached(rules.tables.rays(group.from, king)));
        }
    }

    /// Pieces of either side that alone stand between a side's king and an enemy's rider.
    #[inline]
    pub fn shields(&self, side: Side) -> u128 {
        let mut shields = 0;
        self.for_each_ray(self.king(side), side.other(), |ray, _| {
            let standing = ray & self.occupied();
            if standing.is_power_of_two() {
                shields |= standing;
            }
        });
        shields
    }

    /// The pawn that can be taken in passing, as a bitboard; empty where there is none.
    pub fn en_passant_pawn(&self) -> u128 {
        if self.en_passant == NOWHERE {
            return 0;
        }
        let forward = self.rules.sides[self.side as usize].forward;
        Square((i32::from(self.en_passant) - forward) as u8).bit()
    }

    /// The partners of either side with which its king may still castle.
    #[inline]
    pub fn castling(&self) -> u128 {
        self.castling
    }

    /// Whether a side has anything but pawns and its king.
    pub fn has_pieces(&self, side: Side) -> bool {
        self.pieces(side) & !self.kinds[PAWN_KIND as usize] & !self.king(side).bit() != 0
    }

    /// Whether either side has nothing but its king.
    pub fn has_bare_king(&self) -> bool {
        Side::BOTH.into_iter().any(|side| self.pieces(side).is_power_of_two())
    }

    /// The position with the other side to move and nothing else changed: a null move. It makes sense out of check only.
    #[must_use]
    pub fn after_pass(&self) -> Self {
        let mut next = *self;
        if let Some(square) = self.en_passant() {
            next.key ^= self.rules.zobrist.en_passant(square);
            next.en_passant = NOWHERE;
        }
        next.side = self.side.other();
        next.key ^= self.rules.zobrist.black;
        next.halfmoves = next.halfmoves.saturating_add(1);
        next
    }

    /// What the key will almost always be after a move, sooner than playing it: castling, en passant and rights that end
    /// are left out.
    #[inline]
    pub fn likely_key_after(&self, played: Move) -> u64 {
        let zobrist = &self.rules.zobrist;
        let us = self.side;
        let [moved, taken] = [played.from, played.to].map(|square| self.mailbox[square.0 as usize & 127]);
        let mut key = self.key ^ zobrist.black;
        if moved != EMPTY {
            key ^= zobrist.piece(moved, us, played.from) ^ zobrist.piece(moved, us, played.to);
        }
        if taken != EMPTY {
            key ^= zobrist.piece(taken, us.other(), played.to);
        }
        key
    }

    /// Calls a function with legal moves that neither take nor promote, but give check, when the mover is not in check:
    /// all but those of pinned pieces and of the king, castling and adjustments.
    pub fn for_each_quiet_check(&self, threats: &Threats, call: impl FnMut(Move)) {
        self.visit_quiet_checks(threats, &mut super::generate::Caller { call, promotes_to: &[] });
    }

    /// Calls a function with every legal move that neither takes nor promotes.
    pub fn for_each_quiet_move(&self, threats: &Threats, call: impl FnMut(Move)) {
        let promotes_to = &self.rules.variant().pawn.promotes_to;
        self.visit_quiet(threats, &mut super::generate::Caller { call, promotes_to });
    }

    /// Calls a function with every legal move that takes something or promotes.
    pub fn for_each_tactical_move(&self, threats: &Threats, call: impl FnMut(Move)) {
        let promotes_to = &self.rules.variant().pawn.promotes_to;
        self.visit_tactical(threats, &mut super::generate::Caller { call, promotes_to });
    }
}
