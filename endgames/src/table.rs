//! A table: the value of every position with its men.

use std::collections::BTreeSet;

use arrayvec::ArrayVec;
use backrank_rules::{Position, PositionBuilder, Rules, Side, Square};
use rayon::prelude::*;

use crate::endgame::{MAX_MEN, Man};
use crate::layout::{Layout, Placement};
use crate::symmetry::turned;
use crate::value::Code;

/// The codes of all positions of some men.
#[derive(Debug)]
pub(crate) struct Table {
    pub layout: Layout,
    /// The codes with White to move, then those with Black to move.
    pub codes: Vec<Code>,
}

impl Table {
    /// The code of a placement of its men.
    pub fn code(&self, at: &Placement) -> Code {
        self.codes[at.to_move as usize * self.layout.cells() + self.layout.cell(at)]
    }

    fn codes_of(&self, to_move: Side) -> &[Code] {
        &self.codes[to_move as usize * self.layout.cells()..][..self.layout.cells()]
    }

    /// The number of orders in which men of one kind can be named, which is how often every position is in the table.
    fn orders(&self) -> u64 {
        let men = self.layout.men();
        (1..=men.len())
            .map(|named| men[..named].iter().filter(|&&man| man == men[named - 1]).count() as u64)
            .product()
    }
}

/// The numbers of positions that White wins, draws and loses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WinsDrawsLosses {
    /// Positions that White wins.
    pub won: u64,
    /// Positions that neither side wins.
    pub drawn: u64,
    /// Positions that Black wins.
    pub lost: u64,
}

impl WinsDrawsLosses {
    /// The number of all positions.
    pub fn total(self) -> u64 {
        self.won + self.drawn + self.lost
    }
}

/// The longest win of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongestWin {
    /// The number of moves that the winner plays.
    pub moves: u16,
    /// The side to move at its start: the winner, unless the longest win starts with a move of the other side.
    pub to_move: Side,
    /// The number of such positions, symmetric ones included.
    pub positions: u64,
}

impl LongestWin {
    /// Whether it takes more moves than the fifty-move rule allows without a capture or a pawn move.
    ///
    /// Each capture or pawn move on the way restarts the count, so a win that takes longer may still be a win by the
    /// rules.
    pub fn is_longer_than_fifty(self) -> bool {
        self.moves > 50
    }
}

/// The table of an endgame, seen from the sides as the endgame names them.
#[derive(Clone, Copy, Debug)]
pub struct EndgameTable<'t> {
    pub(crate) table: &'t Table,
    /// Whether the table is that of the same endgame with the sides swapped.
    pub(crate) swapped: bool,
}

impl EndgameTable<'_> {
    fn kept(&self, side: Side) -> Side {
        if self.swapped { side.other() } else { side }
    }

    /// How many of all legal positions with a side to move White wins, draws and loses.
    ///
    /// Positions that are alike by symmetry count separately. So do a position in which a pawn can be captured en
    /// passant and the same position in which it cannot.
    pub fn count(&self, to_move: Side) -> WinsDrawsLosses {
        let (table, to_move) = (self.table, self.kept(to_move));
        let count = |(cell, &code): (usize, &Code)| {
            let positions = table.layout.stands_for(cell);
            let mut counts = [0; 3];
            match code {
                Code::ILLEGAL => {}
                Code::DRAW => counts[1] = positions,
                code if code.is_win() => counts[0] = positions,
                _ => counts[2] = positions,
            }
            counts
        };
        let codes = table.codes_of(to_move).par_iter().enumerate();
        let sum = |a: [u64; 3], b: [u64; 3]| std::array::from_fn(|index| a[index] + b[index]);
        let [wins, draws, losses] =
            codes.map(count).reduce(|| [0; 3], sum).map(|count| count / table.orders());
        let (won, lost) = if to_move == self.kept(Side::White) { (wins, losses) } else { (losses, wins) };
        WinsDrawsLosses { won, drawn: draws, lost }
    }

    /// The longest win of a side; `None` if it wins no position.
    pub fn longest_win(&self, winner: Side) -> Option<LongestWin> {
        let kept = self.kept(winner);
        let longest = Side::BOTH.into_iter().filter_map(|to_move| {
            self.table.codes_of(to_move).par_iter().filter_map(|&code| length(kept, to_move, code)).max()
        });
        let longest = longest.max()?;
        let to_move = if longest.1 { kept } else { kept.other() };
        let codes = self.table.codes_of(to_move).par_iter().enumerate();
        let positions: u64 = codes
            .filter(|&(_, &code)| length(kept, to_move, code) == Some(longest))
            .map(|(cell, _)| self.table.layout.stands_for(cell))
            .sum();
        let positions = positions / self.table.orders();
        Some(LongestWin { moves: longest.0, to_move: self.kept(to_move), positions })
    }

    /// Up to `limit` positions with the longest win of a side; of positions that are alike by symmetry only one.
    /// `rules` must be those that the table was made for.
    pub fn hardest<'r>(&self, rules: &'r Rules, winner: Side, limit: usize) -> Vec<Position<'r>> {
        let Some(longest) = self.longest_win(winner) else { return Vec::new() };
        let (kept, to_move) = (self.kept(winner), self.kept(longest.to_move));
        let wanted = Some((longest.moves, to_move == kept));
        let codes = self.table.codes_of(to_move).iter().enumerate();
        let mut known = BTreeSet::new();
        let different = codes
            .filter(|&(_, &code)| length(kept, to_move, code) == wanted)
            .filter_map(|(cell, _)| self.table.layout.placement(cell, to_move))
            .map(|at| self.first_alike(&at))
            .filter(|at| known.insert((at.squares, at.en_passant)));
        different.take(limit).map(|at| self.position(rules, &at)).collect()
    }

    /// Of the placements that are alike by symmetry or by the order of like men, the one whose squares come first.
    fn first_alike(&self, at: &Placement) -> Placement {
        let men = self.table.layout.men();
        let alike = self.table.layout.symmetries().iter().map(|map| {
            let placed = men.iter().zip(&at.squares).enumerate();
            let mut placed: ArrayVec<(Man, Square, bool), MAX_MEN> = placed
                .map(|(place, (&man, square))| (man, map[square.index()], at.en_passant == Some(place)))
                .collect();
            placed.sort_unstable();
            placed
        });
        let first = alike.min().expect("a symmetry");
        let mut squares = at.squares;
        squares.iter_mut().zip(&first).for_each(|(square, placed)| *square = placed.1);
        Placement { squares, en_passant: first.iter().position(|placed| placed.2), ..*at }
    }

    fn position<'r>(&self, rules: &'r Rules, at: &Placement) -> Position<'r> {
        let turned = turned(rules.board());
        let square = |square: Square| if self.swapped { turned[square.index()] } else { square };
        let men = self.table.layout.men().iter().zip(&at.squares);
        let placed: Vec<(Man, Square)> =
            men.map(|(&man, &on)| (if self.swapped { man.swapped() } else { man }, square(on))).collect();
        let passed = at.en_passant.map(|pawn| self.table.layout.passed(at.to_move.other(), at.squares[pawn]));
        position(rules, &placed, self.kept(at.to_move), passed.map(square))
    }

    /// A checksum of all values of the table, which is the same on every machine.
    pub fn checksum(&self) -> u64 {
        // FNV-1a, by Glenn Fowler, Landon Curt Noll and Kiem-Phong Vo, on two bytes at a time.
        self.table
            .codes
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, |sum, code| (sum ^ u64::from(code.0)).wrapping_mul(0x0100_0000_01b3))
    }

    /// The size of the table in bytes.
    pub fn bytes(&self) -> u64 {
        size_of_val(self.table.codes.as_slice()) as u64
    }
}

/// The number of moves with which a side wins, if it does, and whether it is to move. Of wins with equally many moves
/// the one in which it is to move is longer.
fn length(winner: Side, to_move: Side, code: Code) -> Option<(u16, bool)> {
    match code {
        code if to_move == winner && code.is_win() => Some((code.plies().div_ceil(2), true)),
        code if to_move != winner && code.is_loss() => Some((code.plies() / 2, false)),
        _ => None,
    }
}

/// The position of some men. It must be legal.
pub(crate) fn position<'r>(
    rules: &'r Rules,
    placed: &[(Man, Square)],
    to_move: Side,
    passed: Option<Square>,
) -> Position<'r> {
    let mut builder = PositionBuilder::new(rules);
    builder.side_to_move(to_move);
    for &(man, square) in placed {
        builder.put(square, man.side, man.kind);
    }
    if let Some(passed) = passed {
        builder.en_passant(passed);
    }
    builder.build().expect("a legal position")
}
