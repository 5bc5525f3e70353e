//! The moves of a placement, forwards and backwards.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use backrank_rules::{Bitboard, PieceKind, Rules, Side, Square};

use crate::endgame::{MAX_MEN, Man, is_royal};
use crate::known::KnownTables;
use crate::layout::{Layout, Placement};
use crate::value::Code;

/// The moves of the men of a table.
pub(crate) struct Moves<'a> {
    rules: &'a Rules,
    layout: &'a Layout,
    /// The tables that captures and promotions lead to.
    known: &'a dyn KnownTables,
    /// What a pawn of each side can promote to.
    promotes_to: [Vec<PieceKind>; 2],
    /// The index of each side's king among the men; a lone piece has no king.
    kings: [Option<usize>; 2],
    /// The number of men of each side.
    counts: [usize; 2],
}

impl<'a> Moves<'a> {
    pub fn new(rules: &'a Rules, layout: &'a Layout, known: &'a dyn KnownTables) -> Self {
        let men = layout.men();
        let of = |side| men.iter().enumerate().filter(move |(_, man)| man.side == side);
        let promotes_to = &rules.variant().pawn.promotes_to;
        Self {
            rules,
            layout,
            known,
            promotes_to: promotes_to
                .each_ref()
                .map(|letters| letters.iter().filter_map(|&letter| rules.kind_of(letter)).collect()),
            kings: Side::BOTH
                .map(|side| of(side).find(|(_, man)| is_royal(rules, man.kind)).map(|(place, _)| place)),
            counts: Side::BOTH.map(|side| of(side).count()),
        }
    }

    /// The men of a side with their indices and squares.
    fn of<'b>(
        &'b self,
        at: &'b Placement,
        side: Side,
    ) -> impl Iterator<Item = (usize, PieceKind, Square)> + 'b {
        let men = self.layout.men().iter().zip(&at.squares).enumerate();
        men.filter(move |(_, (man, _))| man.side == side)
            .map(|(place, (man, &square))| (place, man.kind, square))
    }

    fn is_attacked(&self, at: &Placement, side: Side) -> bool {
        let Some(king) = self.kings[side as usize] else { return false };
        let (king, occupied, by) = (at.squares[king], self.layout.occupied(at), side.other());
        self.of(at, by).any(|(_, kind, square)| self.rules.attacks(by, kind, square, occupied).contains(king))
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self, at: &Placement) -> bool {
        self.is_attacked(at, at.to_move)
    }

    /// Whether a placement is a legal position: the side that is not to move is not in check, and a pawn that can be
    /// captured en passant has taken a double step.
    pub fn is_legal(&self, at: &Placement) -> bool {
        let is_passing = |pawn: usize| {
            let (side, square) = (at.to_move.other(), at.squares[pawn]);
            let passed = self.layout.passed(side, square);
            let from = self.layout.double_step_from(side, square);
            let way: Bitboard = from.into_iter().chain([passed]).collect();
            from.is_some() && (way & self.layout.occupied(at)).is_empty() && self.is_pawn_ready(at, passed)
        };
        at.en_passant.is_none_or(is_passing) && !self.is_attacked(at, at.to_move.other())
    }

    /// Whether the side to move has a pawn that could capture on a square.
    fn is_pawn_ready(&self, at: &Placement, square: Square) -> bool {
        !(self.ready_from(at, square) & self.pawns(at)).is_empty()
    }

    /// The squares from which pawns of the side to move attack a square.
    fn ready_from(&self, at: &Placement, square: Square) -> Bitboard {
        self.rules.attacks(at.to_move.other(), PieceKind::PAWN, square, Bitboard::EMPTY)
    }

    /// The pawns of the side to move.
    fn pawns(&self, at: &Placement) -> Bitboard {
        let pawns = self.of(at, at.to_move).filter(|&(_, kind, _)| kind == PieceKind::PAWN);
        pawns.map(|(_, _, square)| square).collect()
    }

    /// Calls a function with the placement after each move that neither captures nor promotes. The king may be left in
    /// check.
    pub fn try_for_each_within(
        &self,
        at: &Placement,
        mut see: impl FnMut(Placement) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (us, occupied) = (at.to_move, self.layout.occupied(at));
        for (place, kind, square) in self.of(at, us) {
            let mut targets = self.rules.quiet_moves(us, kind, square, occupied);
            if kind == PieceKind::PAWN {
                targets &= !self.rules.forced_promotion_squares(us);
            }
            for target in targets {
                let mut next = Placement { squares: at.squares, to_move: us.other(), en_passant: None };
                next.squares[place] = target;
                if kind == PieceKind::PAWN && self.offers_en_passant(&next, place, square) {
                    next.en_passant = Some(place);
                }
                see(next)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether a pawn that has come from a square can be captured en passant.
    fn offers_en_passant(&self, after: &Placement, pawn: usize, from: Square) -> bool {
        let (side, square) = (after.to_move.other(), after.squares[pawn]);
        self.layout.has_en_passant()
            && self.layout.double_step_from(side, square) == Some(from)
            && self.is_pawn_ready(after, self.layout.passed(side, square))
    }

    /// Calls a function with the code of the position after each capture and promotion. The king may be left in check.
    pub fn try_for_each_beyond(
        &self,
        at: &Placement,
        mut see: impl FnMut(Code) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (us, occupied) = (at.to_move, self.layout.occupied(at));
        let enemies: Bitboard = self.of(at, us.other()).map(|(_, _, square)| square).collect();
        for (place, kind, square) in self.of(at, us) {
            let attacked = self.rules.attacks(us, kind, square, occupied) & enemies;
            let (mut promotions, mut forced) = (Bitboard::EMPTY, Bitboard::EMPTY);
            if kind == PieceKind::PAWN {
                let reached = attacked | self.rules.quiet_moves(us, kind, square, occupied);
                promotions = reached & self.rules.promotion_squares(us);
                forced = self.rules.forced_promotion_squares(us);
            }
            for target in attacked & !forced {
                see(self.code_after(at, place, target, kind, Some(target)))?;
            }
            for target in promotions {
                let taken = attacked.contains(target).then_some(target);
                for &promoted in &self.promotes_to[us as usize] {
                    see(self.code_after(at, place, target, promoted, taken))?;
                }
            }
        }
        let Some(passing) = at.en_passant else { return ControlFlow::Continue(()) };
        let passed = self.layout.passed(us.other(), at.squares[passing]);
        let ready = self.ready_from(at, passed);
        for (place, kind, square) in self.of(at, us) {
            if kind == PieceKind::PAWN && ready.contains(square) {
                see(self.code_after(at, place, passed, kind, Some(at.squares[passing])))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The code of the position after a man has gone to a square, as a piece of some kind, and the man on `taken` is
    /// captured.
    fn code_after(
        &self,
        at: &Placement,
        place: usize,
        to: Square,
        becomes: PieceKind,
        taken: Option<Square>,
    ) -> Code {
        let us = at.to_move;
        let men = self.layout.men().iter().zip(&at.squares).enumerate();
        let left = men.filter_map(|(index, (&man, &square))| match index {
            _ if index == place => Some((Man { side: us, kind: becomes }, to)),
            _ if man.side != us && Some(square) == taken => None,
            _ => Some((man, square)),
        });
        let left: ArrayVec<(Man, Square), MAX_MEN> = left.collect();
        self.known
            .code(&left, us.other())
            .expect("tables that captures and promotions lead to are made first")
    }

    /// The result by the bare-king rule in a position that is not checkmate. `takes` says whether the side to move can
    /// capture.
    ///
    /// 003: taking the last piece or pawn wins, unless the bared side can at once take the other's last one, which is a
    /// draw.
    pub fn bare_king(&self, to_move: Side, takes: bool) -> Option<Code> {
        let is_bare = |side: Side| self.counts[side as usize] == 1;
        match (self.rules.variant().bare_king, is_bare(to_move), is_bare(to_move.other())) {
            (true, true, true) => Some(Code::DRAW),
            (true, false, true) => Some(Code::win(0)),
            (true, true, false) if self.counts[to_move.other() as usize] > 2 || !takes => Some(Code::loss(0)),
            _ => None,
        }
    }

    /// Calls a function with every placement from which a move that neither captures nor promotes leads here.
    ///
    /// Some of them may be illegal positions.
    pub fn for_each_predecessor(&self, at: &Placement, mut see: impl FnMut(&Placement)) {
        let (mover, occupied) = (at.to_move.other(), self.layout.occupied(at));
        let mut see_with_passing = |mut before: Placement| {
            see(&before);
            if !self.layout.has_en_passant() {
                return;
            }
            // The move before may have been a double step of the other side.
            let other = at.to_move;
            for (place, man) in self.layout.men().iter().enumerate() {
                let is_pawn = *man == Man { side: other, kind: PieceKind::PAWN };
                if is_pawn && self.layout.double_step_from(other, before.squares[place]).is_some() {
                    before.en_passant = Some(place);
                    see(&before);
                }
            }
        };
        let before = |place: usize, from: Square| {
            let mut before = Placement { squares: at.squares, to_move: mover, en_passant: None };
            before.squares[place] = from;
            before
        };
        if let Some(pawn) = at.en_passant {
            if let Some(from) = self.layout.double_step_from(mover, at.squares[pawn]) {
                see_with_passing(before(pawn, from));
            }
            return;
        }
        for (place, kind, square) in self.of(at, mover) {
            for from in self.rules.quiet_origins(mover, kind, square, occupied) {
                // A double step leads to the position in which the pawn can be captured en passant.
                if kind != PieceKind::PAWN || !self.offers_en_passant(at, place, from) {
                    see_with_passing(before(place, from));
                }
            }
        }
    }
}
