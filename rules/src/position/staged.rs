//! Legal moves by stages, for searches that order them: captures and promotions, quiet moves, or only quiet checks.

use super::Position;
use super::checks::CheckInfo;
use super::generate::{Caller, PawnMoves, PawnTargets, Visitor};
use crate::bitboard::Bitboard;
use crate::compiled::occupied::Occupied;
use crate::moves::{Move, MoveKind};
use crate::piece_kind::PieceKind;

impl Position<'_> {
    /// The kind of the piece that a legal move takes.
    #[inline]
    pub fn captured(&self, played: Move) -> Option<PieceKind> {
        match played.kind {
            MoveKind::Normal | MoveKind::Promotion(_) => self.kind_at(played.to),
            MoveKind::EnPassant => Some(PieceKind::PAWN),
            MoveKind::Castling | MoveKind::Adjustment => None,
        }
    }

    /// Whether a legal move captures.
    #[inline]
    pub fn is_capture(&self, played: Move) -> bool {
        self.captured(played).is_some()
    }

    /// Whether a legal move captures or promotes; any other move is quiet.
    #[inline]
    pub fn is_tactical(&self, played: Move) -> bool {
        played.is_promotion() || self.is_capture(played)
    }

    /// Calls a function with every legal capture and promotion.
    pub fn for_each_tactical_move(&self, check_info: &CheckInfo, call: impl FnMut(Move)) {
        if check_info.is_over {
            return;
        }
        let visitor = &mut Caller { call, promotes_to: &self.promotes_to() };
        let enemy = self.pieces(self.side.other());
        let promotion = self.rules.sides[self.side as usize].promotion;
        let pawns = PawnTargets { plain: enemy, promotion: enemy | promotion };
        self.visit_to(visitor, check_info, enemy, pawns);
        self.visit_en_passant(visitor);
    }

    /// Calls a function with every legal quiet move.
    pub fn for_each_quiet_move(&self, check_info: &CheckInfo, call: impl FnMut(Move)) {
        if check_info.is_over {
            return;
        }
        let visitor = &mut Caller { call, promotes_to: &[] };
        let empty = !self.occupied();
        let pawns = PawnTargets { plain: empty, promotion: Bitboard::EMPTY };
        self.visit_to(visitor, check_info, empty, pawns);
        self.visit_first_rank(visitor, check_info);
    }

    /// Calls a function with legal quiet moves that give check; with none if the side to move is in check itself. Moves
    /// of pinned pieces and of the king, castling and adjustments are left out.
    pub fn for_each_quiet_check(&self, check_info: &CheckInfo, call: impl FnMut(Move)) {
        if check_info.is_check() || check_info.is_over {
            return;
        }
        if self.rules.has_paths() {
            return self.for_each_quiet_check_tried(check_info, call);
        }
        let visitor = &mut Caller { call, promotes_to: &[] };
        let rules = self.rules;
        let us = self.side;
        let (own, enemy) = (self.pieces(us), self.pieces(us.other()));
        let occupied = own | enemy;
        let king = self.king(us.other());
        let mut checking = [Bitboard::EMPTY; PieceKind::MAX];
        self.for_each_checking(us, |kinds, squares| {
            kinds.iter().for_each(|kind| checking[kind.index()] |= squares);
        });
        // Any piece that leaves the way of a rider uncovers a check; pawns hardly ever can.
        let (mut covering, mut covered) = (Bitboard::EMPTY, Bitboard::EMPTY);
        self.for_each_ray(king, us, |ray, rider| {
            let shields = ray & occupied;
            if shields.is_single() && !shields.is_disjoint(own) {
                covering |= shields;
                covered |= ray | rider.into();
            }
        });
        let ways = Occupied::new(occupied);
        for attacking in &rules.sides[us as usize].attacking {
            let kind = attacking.kind;
            let plays = &rules.kind(kind).plays[us as usize];
            for square in self.of_kind(kind) & own & !check_info.pinned {
                let uncovers = if covering.contains(square) { !covered } else { Bitboard::EMPTY };
                let wanted = (checking[kind.index()] | uncovers) & !occupied;
                if !wanted.is_empty() {
                    visitor.piece(square, self.reached(plays, square, &ways, enemy) & wanted);
                }
            }
        }
        let pawns = self.of_kind(PieceKind::PAWN) & own & !check_info.pinned;
        let plain = rules.sides[us.other() as usize].pawn_attacks[king.index()] & !occupied;
        if !plain.is_empty() {
            let targets = PawnTargets { plain, promotion: Bitboard::EMPTY };
            self.visit_pawns(visitor, PawnMoves { pawns, occupied, enemy, targets });
        }
    }

    /// The same where a move can give check along a path, or by a piece that comes in between: each is tried.
    #[inline(never)]
    fn for_each_quiet_check_tried(&self, check_info: &CheckInfo, mut call: impl FnMut(Move)) {
        let king = self.king(self.side);
        self.for_each_quiet_move(check_info, |played| {
            let is_plain = played.kind == MoveKind::Normal
                && played.from != king
                && !check_info.pinned.contains(played.from);
            if is_plain && self.after(played).is_check() {
                call(played);
            }
        });
    }
}
