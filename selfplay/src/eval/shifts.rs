//! Whole bitboards moved over the board.

use backrank_rules::{Board, Side};

/// Moves bitboards by files and ranks; what leaves the board is gone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shifts {
    files: u32,
    ranks: u32,
    all: u128,
    not_first_file: u128,
    not_last_file: u128,
}

impl Shifts {
    pub fn new(board: Board) -> Self {
        let files = board.files() as u32;
        let first_file = (0..board.ranks() as u32).fold(0u128, |squares, rank| squares | 1 << (rank * files));
        Self {
            files,
            ranks: board.ranks() as u32,
            all: u128::MAX >> (128 - board.squares()),
            not_first_file: !first_file,
            not_last_file: !(first_file << (files - 1)),
        }
    }

    /// One rank forwards, as a side sees it.
    #[inline(always)]
    pub fn forward(&self, squares: u128, side: Side) -> u128 {
        self.by_ranks(squares, side, 1)
    }

    #[inline(always)]
    fn by_ranks(&self, squares: u128, side: Side, ranks: u32) -> u128 {
        match side {
            Side::White => squares << (self.files * ranks) & self.all,
            Side::Black => squares >> (self.files * ranks),
        }
    }

    /// One file to the left and one to the right.
    #[inline(always)]
    pub fn beside(&self, squares: u128) -> u128 {
        (squares & self.not_first_file) >> 1 | (squares & self.not_last_file) << 1
    }

    /// The three squares behind each on its file, as a side sees it.
    #[inline(always)]
    pub fn behind_within_three(&self, squares: u128, side: Side) -> u128 {
        let behind = self.forward(squares, side.other());
        let behind = behind | self.forward(behind, side.other());
        behind | self.forward(behind, side.other())
    }

    /// Every square ahead on the same files, as a side sees it.
    #[inline(always)]
    pub fn ahead(&self, squares: u128, side: Side) -> u128 {
        let mut ahead = self.forward(squares, side);
        let mut ranks = 1;
        while ranks < self.ranks {
            ahead |= self.by_ranks(ahead, side, ranks);
            ranks *= 2;
        }
        ahead
    }

    /// The squares a side's pawns attack towards the first file, and those towards the last.
    #[inline(always)]
    pub fn pawn_attacks_by_file(&self, pawns: u128, side: Side) -> [u128; 2] {
        let ahead = self.forward(pawns, side);
        [(ahead & self.not_first_file) >> 1, (ahead & self.not_last_file) << 1]
    }

    /// The squares a side's pawns attack.
    #[inline(always)]
    pub fn pawn_attacks(&self, pawns: u128, side: Side) -> u128 {
        self.beside(self.forward(pawns, side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_wraps_around_the_board() {
        let board = Board::new(9, 9).unwrap();
        let shifts = Shifts::new(board);
        let square = |name: &str| 1u128 << board.parse_square(name).unwrap().0;
        assert_eq!(shifts.beside(square("a4") | square("i4")), square("b4") | square("h4"));
        assert_eq!(shifts.forward(square("c9"), Side::White), 0);
        assert_eq!(shifts.forward(square("c1"), Side::Black), 0);
        assert_eq!(shifts.ahead(square("e7"), Side::White), square("e8") | square("e9"));
        assert_eq!(shifts.ahead(square("e3"), Side::Black), square("e2") | square("e1"));
        assert_eq!(shifts.pawn_attacks(square("a2"), Side::White), square("b3"));
        assert_eq!(shifts.pawn_attacks(square("i8"), Side::Black), square("h7"));
        // The widest and the tallest board: no shift is too far.
        for (files, ranks) in [(16, 8), (8, 16)] {
            let shifts = Shifts::new(Board::new(files, ranks).unwrap());
            assert_eq!(shifts.ahead(1, Side::White).count_ones() as usize, ranks - 1);
        }
    }
}
