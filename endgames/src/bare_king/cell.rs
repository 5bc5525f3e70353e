//! What a cell of the table holds, and what it does not: positions after a capture.

use arrayvec::ArrayVec;
use backrank_rules::{Side, Square};

use crate::endgame::{MAX_MEN, Man};
use crate::known::KnownTables;
use crate::value::Code;

/// The men of the stronger side: its king and two pieces.
pub const STRONG: usize = 3;

/// The stronger side is to move, and nobody wins.
pub const DRAW: u8 = u8::MAX - 1;

/// The position is not legal: the stronger side is to move, and the bare king is in check.
pub const ILLEGAL: u8 = u8::MAX;

/// The code of the position after the bare king has taken the piece on a square.
pub fn code_after_capture(men: &[Man], squares: &[Square], taken: Square, known: &dyn KnownTables) -> Code {
    let placed = men.iter().copied().zip(squares.iter().copied());
    let left = placed.filter_map(|(man, square)| match man.side {
        Side::Black => Some((man, taken)),
        Side::White => (square != taken).then_some((man, square)),
    });
    let left: ArrayVec<(Man, Square), MAX_MEN> = left.collect();
    known.code(&left, Side::White).expect("tables that captures lead to are made first")
}
