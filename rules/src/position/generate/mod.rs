//! Legal moves: one generator that lists and counts share.

mod first_rank;
mod legal;
mod pawns;
mod visitor;

use super::{CheckInfo, Position};
use crate::bitboard::Bitboard;
use crate::compiled::occupied::Occupied;
use crate::moves::Move;
use crate::piece_kind::PieceKind;

pub(crate) use pawns::shifted;
pub(super) use pawns::{PawnMoves, PawnTargets};
use visitor::Tried;
pub(super) use visitor::{Caller, Counter, Visitor};

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

    /// Whether there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
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
}
