//! Tables of a king and two pieces against a bare king, with one byte for each position, made in about a second.
//!
//! Only positions with the stronger side to move are kept. If the bare king is to move, its few steps lead to such
//! positions, and the best of their values counts.

mod cell;
mod king_steps;
mod solve;

use backrank_rules::{Bitboard, PieceKind, Rules, Side};

use crate::endgame::{Man, is_royal, kept_order};
use crate::known::KnownTables;
use crate::layout::{Layout, Placement};
use crate::value::Code;
use cell::{DRAW, ILLEGAL, STRONG, code_after_capture};
use king_steps::{KingSteps, is_leaper, moves_freely};
use solve::solve;

/// White's king, White's two pieces, and Black's king.
pub(crate) type BareKingOrder = [Man; STRONG + 1];

/// The values of White's king and two pieces against Black's bare king.
#[derive(Debug)]
pub(crate) struct BareKingTable {
    /// The cells of all four men: White's king, its pieces, the bare king.
    layout: Layout,
    /// For each cell the number of moves to mate with White to move, [`DRAW`] or [`ILLEGAL`].
    moves_to_mate: Vec<u8>,
    steps: KingSteps,
}

impl BareKingTable {
    /// The men in the order of the table, if this method covers them. They must be a king and two pieces without pawns
    /// against a king of the same kind that does not ride, in a game in which a bare king plays on.
    ///
    /// Such kings attack each other mutually or not at all, so White is never in check.
    pub fn order(rules: &Rules, men: &[Man]) -> Option<BareKingOrder> {
        let men = kept_order(men);
        let is_king = |man: &&Man| is_royal(rules, man.kind);
        let (strong, bare): (Vec<Man>, Vec<Man>) = men.iter().partition(|man| man.side == Side::White);
        let [bare] = bare[..] else { return None };
        let [king] = strong.iter().filter(is_king).collect::<Vec<_>>()[..] else { return None };
        let others: Vec<Man> = strong.iter().filter(|man| !is_king(man)).copied().collect();
        let [one, other] = others[..] else { return None };
        let covers = king.kind == bare.kind
            && is_leaper(rules, king.kind)
            && others.iter().all(|man| man.kind != PieceKind::PAWN && moves_freely(rules, man.kind))
            && !rules.variant().bare_king;
        covers.then_some([*king, one, other, bare])
    }

    /// Makes the table; `known` has those that captures lead to.
    ///
    /// `None` if a mate takes more moves than fit into a byte.
    pub fn new(rules: &Rules, men: BareKingOrder, known: &dyn KnownTables) -> Option<Self> {
        let layout = Layout::new(rules, &men);
        let steps = KingSteps::new(rules, men[STRONG].kind);
        let moves_to_mate = solve(rules, &layout, &steps, known)?;
        Some(Self { layout, moves_to_mate, steps })
    }

    /// The number of bytes in the table of some men.
    pub fn bytes_of(rules: &Rules, men: &[Man]) -> u64 {
        Layout::new(rules, men).cells() as u64
    }

    /// The number of bytes in the table.
    pub fn bytes(&self) -> u64 {
        size_of_val(self.moves_to_mate.as_slice()) as u64
    }

    /// The men, in the order of their squares.
    pub fn men(&self) -> &[Man] {
        self.layout.men()
    }

    /// The code of a placement of its men; `known` has the tables that captures lead to.
    #[inline]
    pub fn code(&self, at: &Placement, known: &dyn KnownTables) -> Code {
        let cell = self.layout.cell(at);
        match (at.to_move, self.moves_to_mate[cell]) {
            (Side::Black, _) => self.code_with_bare_king_to_move(cell, known),
            (Side::White, ILLEGAL) => Code::ILLEGAL,
            (Side::White, DRAW) => Code::DRAW,
            (Side::White, moves) => Code::win(2 * u16::from(moves) - 1),
        }
    }

    fn code_with_bare_king_to_move(&self, cell: usize, known: &dyn KnownTables) -> Code {
        let Some(Placement { squares, .. }) = self.layout.placement(cell, Side::Black) else {
            return Code::ILLEGAL;
        };
        let (king, bare) = (squares[0], squares[STRONG]);
        let strong: Bitboard = squares[..STRONG].iter().copied().collect();
        let captures = self.steps.captures(bare) & strong;
        if captures.contains(king) {
            return Code::ILLEGAL;
        }
        // The cells of the same men, without the square of the bare king.
        let by_bare_king = &self.moves_to_mate[cell - bare.index()..];
        let mut slowest = None;
        for to in self.steps.quiet(bare) & !strong {
            match by_bare_king[to.index()] {
                ILLEGAL => {}
                DRAW => return Code::DRAW,
                moves => slowest = slowest.max(Some(2 * u16::from(moves))),
            }
        }
        for taken in captures {
            match code_after_capture(self.men(), &squares, taken, known) {
                Code::ILLEGAL => {}
                Code::DRAW => return Code::DRAW,
                code => slowest = slowest.max(Some(code.plies() + 1)),
            }
        }
        match slowest {
            Some(plies) => Code::loss(plies),
            None if by_bare_king[bare.index()] == ILLEGAL => Code::loss(0),
            // The position is stalemate.
            None => Code::DRAW,
        }
    }
}
