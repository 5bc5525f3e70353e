//! Boards, files, ranks and squares.

use std::fmt;

use thiserror::Error;

/// The most files a board can have (`a` to `p`).
pub const MAX_FILES: usize = 16;

/// The most squares a board can have: a bitboard is 128 bits wide.
pub const MAX_SQUARES: usize = 128;

/// A rectangular board of up to 16 files and up to 128 squares.
///
/// ```
/// use backrank_rules::{Board, File};
///
/// let board = Board::new(9, 8)?;
/// assert_eq!(board.squares(), 72);
/// assert_eq!(board.to_string(), "9×8");
/// assert_eq!(board.parse_file("i"), Some(File(8)));
/// assert_eq!(board.parse_file("j"), None);
/// # Ok::<(), backrank_rules::BoardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    files: u8,
    ranks: u8,
}

/// A board that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "a board of {files} files and {ranks} ranks: at least 2 files and 4 ranks, at most {MAX_FILES} files, 16 ranks and {MAX_SQUARES} squares"
)]
pub struct BoardError {
    files: usize,
    ranks: usize,
}

impl Board {
    /// A board of `files` × `ranks` squares.
    ///
    /// # Errors
    ///
    /// When it has fewer than 2 files or 4 ranks, more than 16 of either, or more than 128 squares.
    pub fn new(files: usize, ranks: usize) -> Result<Self, BoardError> {
        if (2..=MAX_FILES).contains(&files) && (4..=16).contains(&ranks) && files * ranks <= MAX_SQUARES {
            Ok(Self { files: files as u8, ranks: ranks as u8 })
        } else {
            Err(BoardError { files, ranks })
        }
    }

    /// The number of files.
    pub fn files(self) -> usize {
        self.files as usize
    }

    /// The number of ranks.
    pub fn ranks(self) -> usize {
        self.ranks as usize
    }

    /// The number of squares.
    pub fn squares(self) -> usize {
        self.files() * self.ranks()
    }

    /// The file named by one lower-case letter, if it is on the board.
    pub fn parse_file(self, text: &str) -> Option<File> {
        match *text.as_bytes() {
            [letter @ b'a'..=b'p'] if letter - b'a' < self.files => Some(File(letter - b'a')),
            _ => None,
        }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}", self.files, self.ranks)
    }
}

/// A file of a board: 0 is the a-file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct File(pub u8);

impl File {
    /// Its letter, `'a'` for the first.
    pub fn letter(self) -> char {
        (b'a' + self.0) as char
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// The colour of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// Like a1.
    Dark,
    /// Like b1.
    Light,
}

impl Colour {
    /// The colour of the square on a file and rank, both counted from 0: a1 is dark on every board.
    ///
    /// ```
    /// use backrank_rules::{Colour, File};
    /// assert_eq!(Colour::of(File(0), 0), Colour::Dark);
    /// assert_eq!(Colour::of(File(3), 0), Colour::Light);
    /// ```
    pub fn of(file: File, rank: usize) -> Self {
        if (file.0 as usize + rank).is_multiple_of(2) { Self::Dark } else { Self::Light }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dark => "dark",
            Self::Light => "light",
        })
    }
}
