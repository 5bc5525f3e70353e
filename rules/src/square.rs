//! Squares and the two sides.

use std::fmt;

use crate::board::{Board, Colour, File, MAX_SQUARES};

/// A square of a board, as an index: its rank times the number of files, plus its file, all counted from 0.
///
/// The index alone does not say which file and rank it is on; ask a [`Board`].
///
/// ```
/// use backrank_rules::{Board, Square};
///
/// let board = Board::new(9, 10)?;
/// let square = board.parse_square("c10").unwrap();
/// assert_eq!(square.index(), 9 * 9 + 2);
/// assert_eq!(Square::new(9 * 9 + 2), Some(square));
/// assert_eq!(board.square_name(square), "c10");
/// assert_eq!(board.parse_square("j1"), None);
/// # Ok::<(), backrank_rules::BoardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// The square of an index; `None` from [`MAX_SQUARES`] on.
    #[inline]
    pub const fn new(index: usize) -> Option<Self> {
        if index < MAX_SQUARES { Some(Self(index as u8)) } else { None }
    }

    /// The square of an index that is known to be less than [`MAX_SQUARES`].
    #[inline(always)]
    pub(crate) const fn at(index: u8) -> Self {
        debug_assert!((index as usize) < MAX_SQUARES);
        Self(index)
    }

    /// The index, less than [`MAX_SQUARES`], so that an array of this length has a place for every square.
    #[inline(always)]
    pub const fn index(self) -> usize {
        // The mask tells the compiler that the bound holds.
        self.0 as usize & (MAX_SQUARES - 1)
    }

    /// The square whose index differs by a number, which must be a square.
    #[inline(always)]
    pub(crate) const fn offset(self, by: i32) -> Self {
        Self::at((self.0 as i32 + by) as u8)
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
        Square::at((rank * self.files() + file.0 as usize) as u8)
    }

    /// The file of a square.
    pub fn file_of(self, square: Square) -> File {
        File((square.index() as u32 % self.files() as u32) as u8)
    }

    /// The rank of a square, counted from 0.
    pub fn rank_of(self, square: Square) -> usize {
        (square.index() as u32 / self.files() as u32) as usize
    }

    /// The colour of a square.
    pub fn colour_of(self, square: Square) -> Colour {
        Colour::of(self.file_of(square), self.rank_of(square))
    }

    /// The square with a name such as `e4` or `k10`, if it is on the board.
    pub fn parse_square(self, text: &str) -> Option<Square> {
        let file = self.parse_file(text.get(..1)?)?;
        let rank = text.get(1..)?;
        if rank.len() > 2 || rank.starts_with('0') || !rank.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let rank = rank.parse::<usize>().ok()?;
        (rank <= self.ranks()).then(|| self.square(file, rank - 1))
    }

    /// The name of a square: its file's letter and its rank, counted from 1.
    pub fn square_name(self, square: Square) -> String {
        let mut name = String::with_capacity(3);
        self.push_square_name(square, &mut name);
        name
    }

    /// Appends the name of a square.
    pub fn push_square_name(self, square: Square, text: &mut String) {
        text.push(self.file_of(square).letter());
        let rank = self.rank_of(square) as u8 + 1;
        if rank >= 10 {
            text.push(char::from(b'0' + rank / 10));
        }
        text.push(char::from(b'0' + rank % 10));
    }

    /// The name of a square of the first nine ranks, in ASCII.
    #[inline]
    pub(crate) fn short_name(self, square: Square) -> Option<[u8; 2]> {
        let (rank, file) = (self.rank_of(square) as u8, self.file_of(square).0);
        (rank < 9).then_some([b'a' + file, b'1' + rank])
    }

    /// The square at the beginning of a text, such as that of `e4e5`, and what follows it.
    pub(crate) fn read_square(self, text: &[u8]) -> Option<(Square, &[u8])> {
        let file = usize::from(text.first()?.checked_sub(b'a')?);
        let digit = |at: usize| {
            text.get(at).filter(|byte| byte.is_ascii_digit()).map(|byte| usize::from(byte - b'0'))
        };
        let (rank, rest) = match (digit(1)?, digit(2)) {
            (tens, Some(ones)) => (10 * tens + ones, &text[3..]),
            (ones, None) => (ones, &text[2..]),
        };
        let on_board = file < self.files() && (1..=self.ranks()).contains(&rank);
        on_board.then(|| (self.square(File(file as u8), rank - 1), rest))
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

    /// The ASCII code of a letter in the case of this side: capital for White, small for Black.
    pub(crate) fn cased(self, letter: u8) -> u8 {
        match self {
            Self::White => letter.to_ascii_uppercase(),
            Self::Black => letter.to_ascii_lowercase(),
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
