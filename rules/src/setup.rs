//! First ranks and setups.

use std::fmt;

use crate::board::{File, MAX_FILES};
use crate::letter::Letter;

/// The pieces of one side on its first rank, file by file from the a-file, as capital letters; some files can be empty.
///
/// It is printed as its letters without the empty files. The order is alphabetical, file by file from the a-file.
///
/// ```
/// use backrank_rules::{File, FirstRank, Letter};
///
/// let rank = FirstRank::new(b"RNBMKQBNR").unwrap();
/// assert_eq!(rank.at(File(3)), Some(Letter::M));
/// assert_eq!(rank.reversed().to_string(), "RNBQKMBNR");
///
/// let narrow = FirstRank::new(b".QRKNBRBN.").unwrap();
/// assert_eq!(narrow.to_string(), "QRKNBRBN");
/// assert_eq!(narrow.at(File(0)), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FirstRank {
    letters: [u8; MAX_FILES],
    files: u8,
}

impl FirstRank {
    /// Stands for an empty file.
    pub const EMPTY: u8 = b'.';

    /// A first rank with a file for each letter, `.` for an empty file. `None` if there are more than 16 letters, or
    /// any that is not `A` to `Z` or `.`.
    pub fn new(letters: &[u8]) -> Option<Self> {
        let known = |letter: &u8| letter.is_ascii_uppercase() || *letter == Self::EMPTY;
        (letters.len() <= MAX_FILES && letters.iter().all(known)).then(|| {
            let mut rank = Self::empty(letters.len());
            rank.letters[..letters.len()].copy_from_slice(letters);
            rank
        })
    }

    /// A first rank without pieces.
    ///
    /// # Panics
    ///
    /// When there are more than 16 files.
    pub fn empty(files: usize) -> Self {
        assert!(files <= MAX_FILES, "a first rank of {files} files");
        let mut letters = [0; MAX_FILES];
        letters[..files].fill(Self::EMPTY);
        Self { letters, files: files as u8 }
    }

    /// The number of files, empty ones included.
    pub fn files(&self) -> usize {
        self.files as usize
    }

    /// The letter of the piece on a file, if there is one.
    pub fn at(&self, file: File) -> Option<Letter> {
        self.as_bytes().get(file.0 as usize).and_then(|&letter| Letter::new(letter))
    }

    /// Puts a piece on a file, or leaves it empty.
    ///
    /// # Panics
    ///
    /// When the file is not on this rank.
    pub fn set(&mut self, file: File, letter: impl Into<Option<Letter>>) {
        assert!(file.0 < self.files, "file {file} of {} files", self.files);
        self.letters[file.0 as usize] = letter.into().map_or(Self::EMPTY, Letter::as_u8);
    }

    /// The letters, one for each file; [`FirstRank::EMPTY`] for an empty one.
    pub fn as_bytes(&self) -> &[u8] {
        &self.letters[..self.files as usize]
    }

    /// The pieces with their files, from the a-file.
    pub fn pieces(&self) -> impl Iterator<Item = (File, Letter)> + '_ {
        self.as_bytes()
            .iter()
            .enumerate()
            .filter_map(|(file, &letter)| Some((File(file as u8), Letter::new(letter)?)))
    }

    /// The letters of the pieces, from the a-file.
    pub fn into_letters(self) -> impl Iterator<Item = Letter> {
        self.letters.into_iter().take(self.files as usize).filter_map(Letter::new)
    }

    /// The left–right reflection.
    pub fn reversed(&self) -> Self {
        let mut rank = *self;
        rank.letters[..self.files as usize].reverse();
        rank
    }
}

impl fmt::Display for FirstRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: String = self.pieces().map(|(_, letter)| letter).collect();
        f.pad(&letters)
    }
}

impl fmt::Debug for FirstRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FirstRank({:?})", String::from_utf8_lossy(self.as_bytes()))
    }
}

/// One starting arrangement: White's first rank, and Black's, both read from the a-file in capital letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Setup {
    /// White's first rank.
    pub white: FirstRank,
    /// Black's first rank.
    pub black: FirstRank,
}
