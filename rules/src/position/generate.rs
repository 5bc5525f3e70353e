//! Legal moves: one generator that lists and counts share.

use std::borrow::Cow;

use super::Position;
use super::checks::CheckInfo;
use crate::bitboard::Bitboard;
use crate::compiled::occupied::Occupied;
use crate::moves::{Move, MoveKind};
use crate::piece_kind::PieceKind;
use crate::square::{Side, Square};

/// Receives legal moves as they are found, many at a time.
pub(super) trait Visitor {
    /// A piece other than a pawn goes to any of some squares.
    fn piece(&mut self, from: Square, targets: Bitboard);
    /// Pawns go to these squares, each from the square whose index is smaller by `step`.
    fn pawns(&mut self, targets: Bitboard, step: i32);
    /// Pawns reach these squares of the last rank, in the same way.
    fn promotions(&mut self, targets: Bitboard, step: i32);
    /// One move: en passant, castling or an adjustment.
    fn special(&mut self, from: Square, to: Square, kind: MoveKind);
}

/// Counts moves.
#[derive(Clone, Copy, Default)]
pub(super) struct Counter {
    /// The number of moves that are not promotions.
    pub moves: u32,
    /// The number of ways in which pawns reach the last rank, before the choice of a piece.
    promotions: u32,
}

impl Counter {
    /// The number of moves in all, where a pawn that promotes has so many pieces to choose from.
    pub fn total(&self, choices: usize) -> usize {
        self.moves as usize + self.promotions as usize * choices
    }
}

impl Visitor for Counter {
    #[inline(always)]
    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.moves += targets.count();
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i32) {
        self.moves += targets.count();
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i32) {
        self.promotions += targets.count();
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
    fn piece(&mut self, from: Square, targets: Bitboard) {
        targets.iter().for_each(|to| (self.call)(Move { from, to, kind: MoveKind::Normal }));
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: i32) {
        targets
            .iter()
            .for_each(|to| (self.call)(Move { from: to.offset(-step), to, kind: MoveKind::Normal }));
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, step: i32) {
        for to in targets {
            for &letter in self.promotes_to {
                (self.call)(Move { from: to.offset(-step), to, kind: MoveKind::Promotion(letter) });
            }
        }
    }

    #[inline(always)]
    fn special(&mut self, from: Square, to: Square, kind: MoveKind) {
        (self.call)(Move { from, to, kind });
    }
}

/// Passes on the moves that do not leave the king to a piece that attacks along a path.
struct Tried<'p, 'r, 'v, V> {
    position: &'p Position<'r>,
    visitor: &'v mut V,
}

impl<V: Visitor> Tried<'_, '_, '_, V> {
    fn pawns_to(&self, targets: Bitboard, step: i32) -> Bitboard {
        targets.into_iter().filter(|&to| !self.position.is_exposed_by(to.offset(-step), to)).collect()
    }
}

impl<V: Visitor> Visitor for Tried<'_, '_, '_, V> {
    fn piece(&mut self, from: Square, targets: Bitboard) {
        let position = self.position;
        // The king's own moves were tried already.
        let is_king = from == position.king(position.side);
        let safe = targets.into_iter().filter(|&to| is_king || !position.is_exposed_by(from, to));
        self.visitor.piece(from, safe.collect());
    }

    fn pawns(&mut self, targets: Bitboard, step: i32) {
        self.visitor.pawns(self.pawns_to(targets, step), step);
    }

    fn promotions(&mut self, targets: Bitboard, step: i32) {
        self.visitor.promotions(self.pawns_to(targets, step), step);
    }

    fn special(&mut self, from: Square, to: Square, kind: MoveKind) {
        self.visitor.special(from, to, kind);
    }
}

/// Some pawns of the side to move, and the board that they find.
#[derive(Clone, Copy)]
pub(super) struct PawnMoves {
    pub pawns: Bitboard,
    pub occupied: Bitboard,
    pub enemy: Bitboard,
    pub targets: PawnTargets,
}

/// The squares to which pawns may go.
#[derive(Clone, Copy)]
pub(super) struct PawnTargets {
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

    /// Appends every legal move to a list, for callers that reuse one.
    pub fn legal_moves_into(&self, moves: &mut Vec<Move>) {
        self.for_each_legal_move(|played| moves.push(played));
    }

    /// Calls a function with every legal move, in the order of [`Position::legal_moves`].
    pub fn for_each_legal_move(&self, call: impl FnMut(Move)) {
        self.visit(&mut Caller { call, promotes_to: &self.promotes_to() });
    }

    /// The number of legal moves, counted without a list.
    pub fn count_legal_moves(&self) -> usize {
        let mut counter = Counter::default();
        self.visit(&mut counter);
        counter.total(self.promotes_to().len())
    }

    /// The letters of the pieces that a pawn of the side to move can promote to now.
    #[inline]
    pub(crate) fn promotes_to(&self) -> Cow<'_, [u8]> {
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
    fn captured_among(&self, letters: &[u8]) -> Vec<u8> {
        let army = &self.rules.variant().army;
        let started = |letter: u8| army.pieces().filter(|&(_, other)| other == letter).count() as u32;
        letters.iter().copied().filter(|&letter| self.count(self.side, letter) < started(letter)).collect()
    }

    /// Whether there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

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

    /// The ways in which the mover can castle, in the order of [`Position::legal_moves`].
    pub(crate) fn castlings(&self) -> Vec<Move> {
        let mut castlings = Vec::new();
        if !self.castling.is_disjoint(self.pieces(self.side)) && self.early_outcome().is_none() {
            let call = |played: Move| castlings.extend((played.kind == MoveKind::Castling).then_some(played));
            self.visit_first_rank(&mut Caller { call, promotes_to: &[] }, &self.check_info());
        }
        castlings
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

    /// Which of some pawns of the mover reach a square, regardless of checks and pins: by a capture of what can be captured
    /// there, or straight on.
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

    #[inline(always)]
    fn visit(&self, visitor: &mut impl Visitor) {
        let check_info = self.check_info();
        if check_info.is_over {
            return;
        }
        self.visit_to(visitor, &check_info, Bitboard::FULL, PawnTargets::ALL);
        if !check_info.check_mask.is_empty() {
            self.visit_specials(visitor, &check_info);
        }
    }

    /// Visits moves to some squares, without en passant, castling and adjustments; pawns have target squares of their
    /// own.
    #[inline(always)]
    pub(super) fn visit_to(
        &self,
        visitor: &mut impl Visitor,
        check_info: &CheckInfo,
        wanted: Bitboard,
        pawns_wanted: PawnTargets,
    ) {
        if check_info.tries_moves {
            self.visit_tried_to(visitor, check_info, wanted, pawns_wanted);
        } else {
            self.visit_freely_to(visitor, check_info, wanted, pawns_wanted);
        }
    }

    /// Visits moves of which each was tried, where the enemy has a piece that might attack the king along a path.
    #[inline(never)]
    fn visit_tried_to(
        &self,
        visitor: &mut impl Visitor,
        check_info: &CheckInfo,
        wanted: Bitboard,
        pawns_wanted: PawnTargets,
    ) {
        self.visit_freely_to(&mut Tried { position: self, visitor }, check_info, wanted, pawns_wanted);
    }

    #[inline(always)]
    fn visit_freely_to(
        &self,
        visitor: &mut impl Visitor,
        check_info: &CheckInfo,
        wanted: Bitboard,
        pawns_wanted: PawnTargets,
    ) {
        let rules = self.rules;
        let us = self.side;
        let (own, enemy) = (self.pieces(us), self.pieces(us.other()));
        let occupied = own | enemy;
        let ways = Occupied::new(occupied);
        self.visit_king_to(visitor, wanted, &ways);
        if check_info.check_mask.is_empty() {
            return;
        }
        let free = !own & check_info.check_mask & wanted;
        for attacking in &rules.sides[us as usize].attacking {
            let pieces = self.of_kind(attacking.kind) & own & !check_info.pinned;
            let mut go = |square, reached| visitor.piece(square, reached & free);
            if attacking.plain {
                rules.tables.reached_from_each(attacking.attack, pieces, &ways, go);
            } else {
                let plays = &rules.kind(attacking.kind).plays[us as usize];
                pieces
                    .iter()
                    .for_each(|square| go(square, self.reached_divided(plays, square, &ways, enemy)));
            }
        }
        let targets = pawns_wanted.within(check_info.check_mask);
        let pawns = self.of_kind(PieceKind::PAWN) & own;
        self.visit_pawns(visitor, PawnMoves { pawns: pawns & !check_info.pinned, occupied, enemy, targets });
        if !check_info.pinned.is_empty() {
            self.visit_pinned(visitor, check_info.pinned, free, targets);
        }
    }

    /// Visits moves of pinned pieces to free squares, and of pinned pawns to allowed ones.
    #[inline(never)]
    fn visit_pinned(
        &self,
        visitor: &mut impl Visitor,
        pinned: Bitboard,
        free: Bitboard,
        targets: PawnTargets,
    ) {
        let us = self.side;
        let enemy = self.pieces(us.other());
        let occupied = self.occupied();
        let ways = Occupied::new(occupied);
        for square in pinned {
            let shielding = self.shielding(square);
            let kind = self.mailbox[square.index()];
            if kind == PieceKind::PAWN {
                let targets = targets.within(shielding);
                self.visit_pawns(visitor, PawnMoves { pawns: square.bitboard(), occupied, enemy, targets });
            } else {
                let plays = &self.rules.kind(kind).plays[us as usize];
                visitor.piece(square, self.reached(plays, square, &ways, enemy) & free & shielding);
            }
        }
    }

    /// Visits en passant, castling and adjustments.
    #[inline(always)]
    pub(super) fn visit_specials(&self, visitor: &mut impl Visitor, check_info: &CheckInfo) {
        self.visit_en_passant(visitor);
        self.visit_first_rank(visitor, check_info);
    }

    #[inline(always)]
    pub(super) fn visit_king(&self, visitor: &mut impl Visitor) {
        self.visit_king_to(visitor, Bitboard::FULL, &Occupied::new(self.occupied()));
    }

    /// Visits the king's moves to some squares.
    #[inline(always)]
    fn visit_king_to(&self, visitor: &mut impl Visitor, wanted: Bitboard, ways: &Occupied) {
        let us = self.side;
        let king = self.king(us);
        let kind = self.rules.kind(self.mailbox[king.index()]);
        let (own, enemy) = (self.pieces(us), self.pieces(us.other()));
        let targets = self.reached(&kind.plays[us as usize], king, ways, enemy) & !own & wanted;
        let without_king = ways.squares & !king.bitboard();
        let mut safe = Bitboard::EMPTY;
        for target in targets {
            if !self.is_attacked(target, us.other(), without_king, Bitboard::EMPTY) {
                safe |= target.into();
            }
        }
        visitor.piece(king, safe);
    }

    #[inline(always)]
    pub(super) fn visit_pawns(&self, visitor: &mut impl Visitor, given: PawnMoves) {
        let rules = self.rules;
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

    /// Visits en passant.
    #[inline(always)]
    pub(super) fn visit_en_passant(&self, visitor: &mut impl Visitor) {
        if let Some(to) = self.en_passant {
            for from in self.en_passant_captors(self.side, to) {
                visitor.special(from, to, MoveKind::EnPassant);
            }
        }
    }

    /// The pawns of a side that can legally capture en passant on a square that a pawn of the other side has just passed. Two
    /// pawns leave their squares at once, in any direction from the king, so this move alone is tried out.
    ///
    /// A reading: en passant does not promote, so there is none where a pawn must.
    #[inline(always)]
    pub(crate) fn en_passant_captors(&self, side: Side, passed: Square) -> Bitboard {
        let sides = &self.rules.sides;
        let taken = passed.offset(-sides[side as usize].forward).bitboard();
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

    /// Visits castling and the Bishop Adjustment.
    #[inline(always)]
    pub(super) fn visit_first_rank(&self, visitor: &mut impl Visitor, check_info: &CheckInfo) {
        if !(self.castling | self.unmoved).is_disjoint(self.pieces(self.side)) {
            self.visit_unmoved(visitor, check_info);
        }
    }

    #[inline(never)]
    fn visit_unmoved(&self, visitor: &mut impl Visitor, check_info: &CheckInfo) {
        // 000: "The King is not allowed to be in check before or after a Bishop Adjustment." A reading: so nothing may
        // be adjusted in check, not even two pieces other than the king.
        if check_info.is_check() {
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
    pub(super) fn castling_passes(&self, king: Square, partner: Square) -> Option<Bitboard> {
        let (king_lands, partner_lands) = self.landing(king, partner);
        let others = self.occupied() & !king.bitboard() & !partner.bitboard();
        let king_passes = span(king, king_lands);
        (king_passes | span(partner, partner_lands)).is_disjoint(others).then_some(king_passes)
    }

    /// The squares on which king and partner land when they castle.
    pub(crate) fn landing(&self, king: Square, partner: Square) -> (Square, Square) {
        let Some(castling) = &self.rules.variant().castling else { return (king, partner) };
        let landing = if partner < king { &castling.left } else { &castling.right };
        let square = |file| self.rules.first_rank_square(self.side, file);
        (square(landing.king), square(landing.partner))
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
}

impl Position<'_> {
    /// The squares of unmoved bishops beside the king, to which a swap would take it.
    pub(super) fn king_swap_squares(&self) -> Bitboard {
        let king = self.king(self.side).bitboard();
        self.adjusters(self.side) & self.unmoved & (king << 1 | king >> 1)
    }
}

/// The squares from one square of a rank to another, both included.
fn span(a: Square, b: Square) -> Bitboard {
    let (low, high) = (a.min(b), a.max(b));
    Bitboard::before(high) & !Bitboard::before(low) | high.into()
}
