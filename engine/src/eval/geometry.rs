//! Sets of squares that follow from the size of the board.

use backrank_rules::{Bitboard, Board, MAX_SQUARES, Square};

/// A bitboard for each square.
pub(super) type Masks = Box<[Bitboard; MAX_SQUARES]>;

/// The squares whose file and rank, both from 0, satisfy a condition.
pub(super) fn set(board: Board, holds: impl Fn(usize, usize) -> bool) -> Bitboard {
    let holds = |&square: &Square| holds(board.file_of(square).0 as usize, board.rank_of(square));
    board.all_squares().iter().filter(holds).collect()
}

/// For each square, the squares whose distance from it, in files and ranks, satisfies a condition.
pub(super) fn around(board: Board, holds: impl Fn(i32, i32) -> bool) -> Masks {
    let mut sets = Box::new([Bitboard::EMPTY; MAX_SQUARES]);
    for square in board.all_squares() {
        let (x, y) = (board.file_of(square).0 as i32, board.rank_of(square) as i32);
        sets[square.index()] = set(board, |file, rank| holds(file as i32 - x, rank as i32 - y));
    }
    sets
}

/// The number of king's moves between two squares.
pub(super) fn steps_between(board: Board, one: Square, other: Square) -> i32 {
    let files = board.file_of(one).0.abs_diff(board.file_of(other).0);
    let ranks = board.rank_of(one).abs_diff(board.rank_of(other));
    i32::from(files).max(ranks as i32)
}
