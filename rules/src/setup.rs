//! First ranks and setups.

use std::fmt;

use crate::board::{File, MAX_FILES};
use crate::letter::Letter;

/// The pieces of one side on its first rank, file by file from the a-file, as capital letters; some files can be empty.
///
/// It is printed as its letters without the empty files. The order is alphabetical, file by file from the a-file.
///
/// In games whose pawns start on one of two ranks each ([`Variant::pawn_choices`](crate::Variant::pawn_choices)), it also has the files
/// of those that start on the farther one. They are printed behind a colon, `RNBQKBNR:bg`, and are the last to count in the order: of
/// two pawns the one on the rank that is nearer comes first.
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
///
/// let advanced = FirstRank::new(b"RNBQKBNR").unwrap().with_advanced_pawns([File(1), File(6)]);
/// assert_eq!(advanced.to_string(), "RNBQKBNR:bg");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FirstRank {
    letters: [u8; MAX_FILES],
    files: u8,
    /// The files of the pawns that start on the farther of two ranks. The highest bit is for the a-file, so that numbers are in order.
    advanced: u16,
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
        Self { letters, files: files as u8, advanced: 0 }
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

    /// The same pieces, and the pawns on these files on the farther of two ranks.
    ///
    /// # Panics
    ///
    /// When a file is not on this rank.
    pub fn with_advanced_pawns(self, files: impl IntoIterator<Item = File>) -> Self {
        let bit = |file: File| {
            assert!(file.0 < self.files, "file {file} of {} files", self.files);
            A_FILE >> file.0
        };
        Self { advanced: files.into_iter().map(bit).fold(0, |bits, bit| bits | bit), ..self }
    }

    /// Whether the pawn on a file starts on the farther of two ranks.
    pub fn has_advanced_pawn(&self, file: File) -> bool {
        self.advanced & A_FILE >> file.0 != 0
    }

    /// The files of the pawns that start on the farther of two ranks, from the a-file.
    pub fn advanced_pawns(&self) -> impl Iterator<Item = File> + use<> {
        let rank = *self;
        (0..rank.files).map(File).filter(move |&file| rank.has_advanced_pawn(file))
    }

    /// The left–right reflection.
    pub fn reversed(&self) -> Self {
        let mut rank = *self;
        rank.letters[..self.files as usize].reverse();
        rank.advanced = self.advanced.reverse_bits() << (MAX_FILES - self.files as usize);
        rank
    }

    /// Appends what is printed.
    pub fn push(&self, text: &mut Vec<u8>) {
        text.extend(self.as_bytes().iter().filter(|&&letter| letter != Self::EMPTY));
        if self.advanced != 0 {
            text.push(b':');
            text.extend(self.advanced_pawns().map(|file| file.letter() as u8));
        }
    }
}

impl fmt::Display for FirstRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::with_capacity(MAX_FILES);
        self.push(&mut text);
        f.pad(&String::from_utf8_lossy(&text))
    }
}

impl fmt::Debug for FirstRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FirstRank({:?}", String::from_utf8_lossy(self.as_bytes()))?;
        let advanced: String = self.advanced_pawns().map(File::letter).collect();
        if advanced.is_empty() { f.write_str(")") } else { write!(f, ", advanced {advanced})") }
    }
}

/// The bit of [`FirstRank::advanced`] for the a-file.
const A_FILE: u16 = 1 << (MAX_FILES - 1);

/// One starting arrangement: White's first rank, and Black's, both read from the a-file in capital letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Setup {
    /// White's first rank.
    pub white: FirstRank,
    /// Black's first rank.
    pub black: FirstRank,
}
