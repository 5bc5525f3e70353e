//! Legal moves: one generator, for lists and for counts.

use super::attacks::Threats;
use super::{NOWHERE, Position};
use crate::moves::{Move, MoveKind};
use crate::rules::rays::Occupied;
use crate::rules::{MAX_KINDS, PAWN_KIND, Rules};
use crate::square::{Square, Squares};

/// Takes legal moves as they are found, many at a time.
pub(super) trait Visitor {
    /// A piece other than a pawn goes to any of some squares.
    fn piece(&mut self, from: Square, targets: u128);
    /// Pawns go to these squares, each from the square `step` numbers before.
    fn pawns(&mut self, targets: u128, step: i32);
    /// The same on the last rank.
    fn promotions(&mut self, targets: u128, step: i32);
    /// En passant, castling or adjustment.
    fn special(&mut self, from: Square, to: Square, kind: MoveKind);
}

/// Counts.
#[derive(Clone, Copy, Default)]
pub(super) struct Counter {
    /// All but promotions.
    pub moves: u32,
    /// Pawns that reach the last rank, whatever they become.
    promotions: u32,
}

impl Counter {
    pub fn total(&self, rules: &Rules) -> usize {
        self.moves as usize + self.promotions as usize * rules.variant().pawn.promotes_to.len()
    }
}

impl Visitor for Counter {
    #[inline(always)]
    fn piece(&mut self, _: Square, targets: u128) {
        self.moves += targets.count_ones();
    }

    #[inline(always)]
    fn pawns(&mut self, targets: u128, _: i32) {
        self.moves += targets.count_ones();
    }

    #[inline(always)]
    fn promotions(&mut self, targets: u128, _: i32) {
        self.promotions += targets.count_ones();
    }

    #[inline(always)]
    fn special(&mut self, _: Square, _: Square, _: MoveKind) {
        self.moves += 1;
    }
}

/// Calls a function with each move.
pub(super) struct Caller<'a, F> {
    pub call: F,
    pub promotes_to: &'a [u8],
}

impl<F: FnMut(Move)> Visitor for Caller<'_, F> {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: u128) {
        Squares(targets).for_each(|to| (self.call)(Move { from, to, kind: MoveKind::Normal }));
    }

    #[inline(always)]
    fn pawns(&mut self, targets: u128, step: i32) {
        Squares(targets)
            .for_each(|to| (self.call)(Move { from: before(to, step), to, kind: MoveKind::Normal }));
    }

    #[inline(always)]
    fn promotions(&mut self, targets: u128, step: i32) {
        for to in Squares(targets) {
            for &letter in self.promotes_to {
                (self.call)(Move { from: before(to, step), to, kind: MoveKind::Promotion(letter) });
            }
        }
    }

    #[inline(always)]
    fn special(&mut self, from: Square, to: Square, kind: MoveKind) {
        (self.call)(Move { from, to, kind });
    }
}

/// Pawns of the side to move, and what they find.
#[derive(Clone, Copy)]
pub(super) struct Pawns {
    pub pawns: u128,
    pub occupied: u128,
    pub enemy: u128,
    /// Where they may go.
    pub allowed: u128,
}

fn before(to: Square, step: i32) -> Square {
    Square((i32::from(to.0) - step) as u8)
}

/// Moves every square of a bitboard up by some numbers, or down.
#[inline(always)]
pub(super) fn shifted(squares: u128, step: i32) -> u128 {
    // A shift that is known to be short is less work; two ranks are 32 squares at most.
    if step >= 0 { squares << (step & 63) } else { squares >> (-step & 63) }
}

impl Position<'_> {
    /// Every legal move.
    ///
    /// ```
    /// use backrank_rules::{Position, Rules, Variant};
    ///
    /// let rules = Rules::new(&Variant::find("chess960")?);
    /// let position = Position::from_fen(&rules, "7k/8/8/8/8/8/6r1/K7 w - - 0 1")?;
    /// let moves: Vec<String> =
    ///     position.legal_moves().into_iter().map(|played| played.uci(position.board())).collect();
    /// assert_eq!(moves, ["a1b1"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        self.for_each_legal_move(|played| moves.push(played));
        moves
    }

    /// Adds every legal move to a list, for those who keep one.
    pub fn legal_moves_into(&self, moves: &mut Vec<Move>) {
        self.for_each_legal_move(|played| moves.push(played));
    }

    /// Calls a function with every legal move, in the order of [`Position::legal_moves`].
    pub fn for_each_legal_move(&self, call: impl FnMut(Move)) {
        self.visit(&mut Caller { call, promotes_to: &self.rules.variant().pawn.promotes_to });
    }

    /// How many legal moves there are, without making a list of them.
    pub fn count_legal_moves(&self) -> usize {
        let mut counter = Counter::default();
        self.visit(&mut counter);
        counter.total(self.rules)
    }

    /// Whether there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    /// Whether a move is legal here.
    pub fn is_legal(&self, played: Move) -> bool {
        self.is_legal_under(&self.threats(), played)
    }

    /// The same under threats that are known.
    pub fn is_legal_under(&self, threats: &Threats, played: Move) -> bool {
        let us = self.side;
        let (own, enemy) = (self.pieces(us), self.pieces(us.other()));
        let (from, to) = (played.from.bit(), played.to.bit());
        if own & from == 0 {
            return false;
        }
        let kind = self.mailbox[played.from.0 as usize & 127];
        let mut found = false;
        let call = |legal| found |= legal == played;
        let mut caller = Caller { call, promotes_to: &self.rules.variant().pawn.promotes_to };
        match played.kind {
            // No need to look at any other piece.
            MoveKind::Normal | MoveKind::Promotion(_) if kind == PAWN_KIND => {
                let mut allowed = threats.allowed & to;
                if threats.pinned & from != 0 {
                    allowed &= self.shielding(played.from);
                }
                let occupied = own | enemy;
                self.visit_pawns(&mut caller, Pawns { pawns: from, occupied, enemy, allowed });
            }
            MoveKind::Promotion(_) => {}
            MoveKind::Normal if played.from == self.king(us) => {
                self.visit_king_to(&mut caller, to, &Occupied::new(own | enemy));
            }
            MoveKind::Normal => {
                let plays = &self.rules.kinds[kind as usize].plays[us as usize];
                let reached = self.reached(plays, played.from, &Occupied::new(own | enemy), enemy);
                found = reached & !own & threats.allowed & to != 0
                    && (threats.pinned & from == 0 || self.shielding(played.from) & to != 0);
            }
            MoveKind::EnPassant | MoveKind::Castling | MoveKind::Adjustment => {
                self.visit_specials(&mut caller, threats);
            }
        }
        found
    }

    #[inline(always)]
    fn visit(&self, visitor: &mut impl Visitor) {
        let threats = self.threats();
        self.visit_to(visitor, &threats, u128::MAX, u128::MAX);
        if threats.allowed != 0 {
            self.visit_specials(visitor, &threats);
        }
    }

    /// What takes something or promotes.
    pub(super) fn visit_tactical(&self, threats: &Threats, visitor: &mut impl Visitor) {
        let us = self.side;
        let enemy = self.pieces(us.other());
        self.visit_to(visitor, threats, enemy, enemy | self.rules.sides[us as usize].last_rank);
        if self.en_passant != NOWHERE {
            self.visit_en_passant(visitor);
        }
    }

    /// What neither takes nor promotes.
    pub(super) fn visit_quiet(&self, threats: &Threats, visitor: &mut impl Visitor) {
        let us = self.side;
        let empty = !self.occupied();
        self.visit_to(visitor, threats, empty, empty & !self.rules.sides[us as usize].last_rank);
        if (self.castling | self.unmoved) & self.pieces(us) != 0 {
            self.visit_first_rank(visitor, threats);
        }
    }

    /// Moves of unpinned pieces and pawns that give check without taking or promoting, out of check.
    pub(super) fn visit_quiet_checks(&self, threats: &Threats, visitor: &mut impl Visitor) {
        if threats.is_check() {
            return;
        }
        let rules = self.rules;
        let us = self.side;
        let (own, enemy) = (self.pieces(us), self.pieces(us.other()));
        let occupied = own | enemy;
        let king = self.king(us.other());
        let mut checking = [0; MAX_KINDS];
        self.for_each_checking(us, |kinds, squares| {
            kinds.into_iter().for_each(|kind| checking[kind as usize] |= squares);
        });
        // Whatever leaves the way of a rider uncovers a check; pawns hardly ever can.
        let (mut covering, mut covered) = (0, 0);
        self.for_each_ray(king, us, |ray, rider| {
            let shields = ray & occupied;
            if shields.is_power_of_two() && shields & own != 0 {
                covering |= shields;
                covered |= ray | rider.bit();
            }
        });
        let ways = Occupied::new(occupied);
        for (number, (kind, pieces)) in rules.kinds.iter().zip(&self.kinds).enumerate().skip(1) {
            if kind.royal {
                continue;
            }
            let plays = &kind.plays[us as usize];
            for square in Squares(pieces & own & !threats.pinned) {
                let uncovers = if covering & square.bit() != 0 { !covered } else { 0 };
                let wanted = (checking[number] | uncovers) & !occupied;
                if wanted != 0 {
                    visitor.piece(square, self.reached(plays, square, &ways, enemy) & wanted);
                }
            }
        }
        let pawns = self.kinds[PAWN_KIND as usize] & own & !threats.pinned;
        let allowed = rules.sides[us.other() as usize].pawn_attacks[king.0 as usize & 127]
            & !occupied
            & !rules.sides[us as usize].last_rank;
        if allowed != 0 {
            self.visit_pawns(visitor, Pawns { pawns, occupied, enemy, allowed });
        }
    }

    /// Moves to some squares but en passant, castling and adjustment; pawns have squares of their own.
    #[inline(always)]
    fn visit_to(&self, visitor: &mut impl Visitor, threats: &Threats, wanted: u128, pawns_wanted: u128) {
        let rules = self.rules;
        let us = self.side;
        let (own, enemy) = (self.pieces(us), self.pieces(us.other()));
        let occupied = own | enemy;
        let ways = Occupied::new(occupied);
        self.visit_king_to(visitor, wanted, &ways);
        if threats.allowed == 0 {
            return;
        }
        let free = !own & threats.allowed & wanted;
        for attacking in &rules.sides[us as usize].attacking {
            let pieces = self.of_kind(attacking.kind as usize) & own & !threats.pinned;
            let mut go = |square, reached| visitor.piece(square, reached & free);
            if attacking.plain {
                rules.tables.reached_from_each(attacking.attack, pieces, &ways, go);
            } else {
                let plays = &rules.kinds[attacking.kind as usize].plays[us as usize];
                Squares(pieces)
                    .for_each(|square| go(square, self.reached_divided(plays, square, &ways, enemy)));
            }
        }
        let allowed = threats.allowed & pawns_wanted;
        let pawns = self.kinds[PAWN_KIND as usize] & own;
        self.visit_pawns(visitor, Pawns { pawns: pawns & !threats.pinned, occupied, enemy, allowed });
        if threats.pinned != 0 {
            self.visit_pinned(visitor, threats.pinned, free, allowed);
        }
    }

    /// Moves of pinned pieces to free squares, and of pinned pawns to allowed ones.
    #[inline(never)]
    fn visit_pinned(&self, visitor: &mut impl Visitor, pinned: u128, free: u128, allowed: u128) {
        let us = self.side;
        let enemy = self.pieces(us.other());
        let occupied = self.occupied();
        let ways = Occupied::new(occupied);
        for square in Squares(pinned) {
            let shielding = self.shielding(square);
            let kind = self.mailbox[square.0 as usize & 127];
            if kind == PAWN_KIND {
                let allowed = allowed & shielding;
                self.visit_pawns(visitor, Pawns { pawns: square.bit(), occupied, enemy, allowed });
            } else {
                let plays = &self.rules.kinds[kind as usize].plays[us as usize];
                visitor.piece(square, self.reached(plays, square, &ways, enemy) & free & shielding);
            }
        }
    }

    /// En passant, castling and adjustment.
    #[inline(always)]
    pub(super) fn visit_specials(&self, visitor: &mut impl Visitor, threats: &Threats) {
        if self.en_passant != NOWHERE {
            self.visit_en_passant(visitor);
        }
        if (self.castling | self.unmoved) & self.pieces(self.side) != 0 {
            self.visit_first_rank(visitor, threats);
        }
    }

    #[inline(always)]
    pub(super) fn visit_king(&self, visitor: &mut impl Visitor) {
        self.visit_king_to(visitor, u128::MAX, &Occupied::new(self.occupied()));
    }

    /// The king's moves to some squares.
    #[inline(always)]
    fn visit_king_to(&self, visitor: &mut impl Visitor, wanted: u128, ways: &Occupied) {
        let us = self.side;
        let king = self.king(us);
        let kind = &self.rules.kinds[self.mailbox[king.0 as usize & 127] as usize];
        let (own, enemy) = (self.pieces(us), self.pieces(us.other()));
        let targets = self.reached(&kind.plays[us as usize], king, ways, enemy) & !own & wanted;
        let without_king = ways.squares & !king.bit();
        let mut safe = 0;
        for target in Squares(targets) {
            if !self.is_attacked(target, us.other(), without_king, 0) {
                safe |= target.bit();
            }
        }
        visitor.piece(king, safe);
    }

    #[inline(always)]
    pub(super) fn visit_pawns(&self, visitor: &mut impl Visitor, given: Pawns) {
        let rules = self.rules;
        let side = &rules.sides[self.side as usize];
        let Pawns { pawns, occupied, enemy, allowed } = given;
        let empty = !occupied;
        let enemy = enemy & allowed;
        let forward = side.forward;
        let single = shifted(pawns, forward) & empty;
        let double = shifted(single & side.double_step_over, forward) & empty & allowed;
        let left = shifted(pawns & rules.not_edge[0], forward - 1) & enemy;
        let right = shifted(pawns & rules.not_edge[1], forward + 1) & enemy;
        let single = single & allowed;
        let last = side.last_rank;
        visitor.pawns(single & !last, forward);
        visitor.pawns(double & !last, 2 * forward);
        visitor.pawns(left & !last, forward - 1);
        visitor.pawns(right & !last, forward + 1);
        if (single | double | left | right) & last != 0 {
            visitor.promotions(single & last, forward);
            visitor.promotions(double & last, 2 * forward);
            visitor.promotions(left & last, forward - 1);
            visitor.promotions(right & last, forward + 1);
        }
    }

    /// Two pawns leave their squares at once, in any direction from the king: the one case that is tried out.
    fn visit_en_passant(&self, visitor: &mut impl Visitor) {
        let us = self.side;
        let to = Square(self.en_passant);
        let sides = &self.rules.sides;
        let taken = before(to, sides[us as usize].forward).bit();
        let ready = sides[us.other() as usize].pawn_attacks[to.0 as usize & 127];
        for from in Squares(ready & self.kinds[PAWN_KIND as usize] & self.pieces(us)) {
            let occupied = self.occupied() & !from.bit() & !taken | to.bit();
            if !self.is_attacked(self.king(us), us.other(), occupied, taken) {
                visitor.special(from, to, MoveKind::EnPassant);
            }
        }
    }

    /// Castling and the Bishop Adjustment.
    #[inline(never)]
    fn visit_first_rank(&self, visitor: &mut impl Visitor, threats: &Threats) {
        // 000: "The King is not allowed to be in check before or after a Bishop Adjustment." A reading: so there is
        // none in check, not even one that does not touch the king.
        if threats.is_check() {
            return;
        }
        let king = self.king(self.side);
        for partner in Squares(self.castling & self.pieces(self.side)) {
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
        // The king stands free of check already.
        let attacked = |square| self.is_attacked(square, enemy, occupied, 0);
        if Squares(king_passes & !king.bit()).any(attacked) {
            return false;
        }
        // A partner that shielded its king on the first rank may no longer do so where both have landed.
        let (king_lands, partner_lands) = self.landing(king, partner);
        let others = occupied & !king.bit() & !partner.bit();
        !self.is_attacked(king_lands, enemy, others | king_lands.bit() | partner_lands.bit(), 0)
    }

    /// The squares from the king's to where it lands, both included, if nothing is in the way of king and partner.
    pub(super) fn castling_passes(&self, king: Square, partner: Square) -> Option<u128> {
        let (king_lands, partner_lands) = self.landing(king, partner);
        let others = self.occupied() & !king.bit() & !partner.bit();
        let king_passes = span(king, king_lands);
        ((king_passes | span(partner, partner_lands)) & others == 0).then_some(king_passes)
    }

    /// Where king and partner land when they castle.
    pub(crate) fn landing(&self, king: Square, partner: Square) -> (Square, Square) {
        let Some(castling) = &self.rules.variant().castling else { return (king, partner) };
        let landing = if partner < king { &castling.left } else { &castling.right };
        let square = |file| self.rules.first_rank_square(self.side, file);
        (square(landing.king), square(landing.partner))
    }

    /// Swaps of an unmoved bishop with an unmoved neighbour, out of check.
    ///
    /// Whatever stood between the king and an enemy still does, for both squares stay taken: only a swap with the king
    /// itself can be illegal.
    fn visit_adjustments(&self, visitor: &mut impl Visitor) {
        let us = self.side;
        let Some(kinds) = self.rules.adjustment else { return };
        let unmoved = self.unmoved & self.pieces(us);
        let bishops = unmoved & self.kinds[kinds.adjuster as usize];
        if bishops == 0 {
            return;
        }
        let partners = unmoved & self.of_kinds(kinds.partners);
        for bishop in Squares(bishops) {
            // Only left and right count, on the first rank; no unmoved piece stands elsewhere.
            let beside = (bishop.bit() << 1 | bishop.bit() >> 1) & partners;
            for partner in Squares(beside) {
                // 000: "the square the King would be adjusting to, must not be under enemy attack".
                if partner.0 == self.kings[us as usize]
                    && self.is_attacked(bishop, us.other(), self.occupied(), 0)
                {
                    continue;
                }
                visitor.special(bishop, partner, MoveKind::Adjustment);
            }
        }
    }
}

impl Position<'_> {
    /// Unmoved bishops beside the king: a swap puts it there.
    pub(super) fn king_swap_squares(&self) -> u128 {
        let king = self.king(self.side).bit();
        self.adjusters(self.side) & self.unmoved & (king << 1 | king >> 1)
    }
}

/// The squares from one to another of a rank, both included.
fn span(a: Square, b: Square) -> u128 {
    let (low, high) = (a.bit().min(b.bit()), a.bit().max(b.bit()));
    high | (high - low)
}
