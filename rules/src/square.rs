//! Squares and the two sides.

use std::fmt;

use crate::board::{Board, Colour, File};

/// A square of a board: its rank times the number of files, plus its file, all counted from 0.
///
/// The number alone does not say where it is; ask a [`Board`].
///
/// ```
/// use backrank_rules::{Board, Square};
///
/// let board = Board::new(9, 10)?;
/// let square = board.parse_square("c10").unwrap();
/// assert_eq!(square, Square(9 * 9 + 2));
/// assert_eq!(board.square_name(square), "c10");
/// assert_eq!(board.parse_square("j1"), None);
/// # Ok::<(), backrank_rules::BoardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub u8);

impl Square {
    /// The bitboard with this square alone.
    pub(crate) fn bit(self) -> u128 {
        1 << self.0
    }
}

impl Board {
    /// The square on a file and a rank, the rank counted from 0.
    ///
    /// # Panics
    ///
    /// When the board has no such square.
    pub fn square(self, file: File, rank: usize) -> Square {
        assert!((file.0 as usize) < self.files() && rank < self.ranks(), "no square {file}{}", rank + 1);
        Square((rank * self.files() + file.0 as usize) as u8)
    }

    /// The file of a square.
    pub fn file_of(self, square: Square) -> File {
        File(square.0 % self.files() as u8)
    }

    /// The rank of a square, counted from 0.
    pub fn rank_of(self, square: Square) -> usize {
        square.0 as usize / self.files()
    }

    /// The square that a name like `e4` or `k10` stands for, if it is on the board.
    pub fn parse_square(self, text: &str) -> Option<Square> {
        let file = self.parse_file(text.get(..1)?)?;
        let rank = text.get(1..)?;
        if rank.len() > 2 || rank.starts_with('0') || !rank.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let rank = rank.parse::<usize>().ok()?;
        (rank <= self.ranks()).then(|| self.square(file, rank - 1))
    }

    /// The dark squares, as a bitboard.
    pub fn dark_squares(self) -> u128 {
        let is_dark =
            |square: &Square| Colour::of(self.file_of(*square), self.rank_of(*square)) == Colour::Dark;
        (0..self.squares() as u8).map(Square).filter(is_dark).fold(0, |dark, square| dark | square.bit())
    }

    /// The name of a square: its file's letter and its rank, counted from 1.
    pub fn square_name(self, square: Square) -> String {
        format!("{}{}", self.file_of(square), self.rank_of(square) + 1)
    }
}

/// White or Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The side that moves first.
    White,
    /// The other side.
    Black,
}

impl Side {
    /// Both sides, White first.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    /// The opponent.
    pub fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// `w` or `b`, as in a FEN.
    pub fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }

    /// A letter as this side's pieces and files are written: capital for White, small for Black.
    pub(crate) fn cased(self, capital: u8) -> char {
        match self {
            Self::White => capital as char,
            Self::Black => capital.to_ascii_lowercase() as char,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}

/// The squares of a bitboard, lowest first.
///
/// ```
/// use backrank_rules::{Square, Squares};
/// assert!(Squares(0b1001).eq([Square(0), Square(3)]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Squares(pub u128);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(square)
    }

    /// For loops without `for`: half a bitboard at a time is less work.
    #[inline(always)]
    fn fold<B, F: FnMut(B, Square) -> B>(self, first: B, mut f: F) -> B {
        let mut folded = first;
        for (start, mut half) in [(0, self.0 as u64), (64, (self.0 >> 64) as u64)] {
            while half != 0 {
                folded = f(folded, Square(start + half.trailing_zeros() as u8));
                half &= half - 1;
            }
        }
        folded
    }
}
