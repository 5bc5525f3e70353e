//! A square as a set, and the squares of a board, of its files and ranks, and of a colour.

use super::Bitboard;
use crate::board::{Board, Colour, File, MAX_SQUARES};
use crate::square::Square;

impl Square {
    /// The bitboard with only this square.
    #[inline(always)]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard::from_bits(1 << self.index())
    }
}

impl Board {
    /// Every square.
    pub fn all_squares(self) -> Bitboard {
        Bitboard::from_bits(u128::MAX >> (MAX_SQUARES - self.squares()))
    }

    /// The squares of a file, which must be on the board.
    pub fn file_squares(self, file: File) -> Bitboard {
        let first = 1u128 << file.0;
        let file = (0..self.ranks()).fold(0, |squares, rank| squares | first << (rank * self.files()));
        Bitboard::from_bits(file)
    }

    /// The squares of a rank, counted from 0; empty if the board does not have the rank.
    pub fn rank_squares(self, rank: usize) -> Bitboard {
        self.all_squares().iter().filter(|&square| self.rank_of(square) == rank).collect()
    }

    /// The dark squares.
    pub fn dark_squares(self) -> Bitboard {
        self.all_squares().iter().filter(|&square| self.colour_of(square) == Colour::Dark).collect()
    }
}
