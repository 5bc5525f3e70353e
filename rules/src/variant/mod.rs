//! Variants: what a game is, read from a TOML file.

mod catalogue;
mod error;
mod file;

use std::path::Path;

pub use catalogue::{FindError, catalogue};
pub use error::VariantError;

use crate::betza::Betza;
use crate::board::{Board, File};
use crate::setup::FirstRank;

/// A game: its board, its army and how it is played.
///
/// The part of the file that says which setups there are (`[setup]`, apart from `first_rank`) belongs to the
/// `backrank-enumerate` crate, which reads it from [`Variant::text`].
///
/// ```
/// use backrank_rules::Variant;
///
/// let modern = Variant::find("modern")?;
/// assert_eq!(modern.name, "Modern Chess");
/// assert_eq!(modern.army.to_string(), "RNBMKQBNR");
/// assert_eq!(modern.piece(b'M').unwrap().betza.to_string(), "BN");
/// # Ok::<(), backrank_rules::FindError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Variant {
    /// The word it is called by, `pmrc`: the name of its file without `.toml`.
    pub key: String,
    /// Its full name.
    pub name: String,
    /// Where its rules come from.
    pub source: String,
    /// Its setups are counted and listed but it is not played here.
    pub count_only: bool,
    /// The board.
    pub board: Board,
    /// White's first rank on the board, counted from 0; the pawns stand on the next.
    pub first_rank: usize,
    /// The pieces of one side on its first rank, in the arrangement of the game it comes from.
    pub army: FirstRank,
    /// The kinds of pieces without the pawn, by letter.
    pub pieces: Vec<Piece>,
    /// How pawns are played.
    pub pawn: Pawn,
    /// Castling, where the game has it.
    pub castling: Option<Castling>,
    /// The Bishop Adjustment, where the game has it.
    pub adjustment: Option<Adjustment>,
    /// Taking the opponent's last piece or pawn wins.
    pub bare_king: bool,
    text: String,
    path: String,
}

/// A kind of piece.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Its letter, a capital other than `P`.
    pub letter: u8,
    /// Its name in lower case, `prime minister`.
    pub name: String,
    /// How it moves.
    pub betza: Betza,
    /// Whether it is the king.
    pub royal: bool,
    /// What the engine takes it to be worth, in centipawns.
    pub value: Option<i32>,
}

/// How pawns are played: one step forwards, captures diagonally forwards, en passant after a double step, promotion on
/// the last rank.
#[derive(Clone, Debug)]
pub struct Pawn {
    /// Whether it may go two steps from where it starts.
    pub double_step: bool,
    /// The letters of the pieces it may become.
    pub promotes_to: Vec<u8>,
    /// What the engine takes it to be worth, in centipawns.
    pub value: Option<i32>,
}

impl Pawn {
    /// The letter of the pawn in every game.
    pub const LETTER: u8 = b'P';
}

/// Castling under the Chess960 conditions.
#[derive(Clone, Debug)]
pub struct Castling {
    /// The letter of the king's partner.
    pub partner: u8,
    /// Castling with the partner nearer the a-file.
    pub left: Landing,
    /// Castling with the partner farther from the a-file.
    pub right: Landing,
}

/// Where castling ends and how it is written.
#[derive(Clone, Debug)]
pub struct Landing {
    /// The file the king lands on.
    pub king: File,
    /// The file its partner lands on.
    pub partner: File,
    /// Its notation, `O-O-Oc`.
    pub notation: String,
}

/// The Bishop Adjustment: a side whose adjusters all start on one colour may once swap one with its neighbour.
#[derive(Clone, Debug)]
pub struct Adjustment {
    /// The letter of the piece that adjusts.
    pub piece: u8,
    /// The letters of the neighbours it may swap with.
    pub partners: Vec<u8>,
}

impl Variant {
    /// The variant of a catalogue key, or of a variant file where the name is a path to one.
    ///
    /// Case, `-` and `_` do not matter in a key.
    ///
    /// # Errors
    ///
    /// When there is neither, or the file is not a variant.
    pub fn find(name: &str) -> Result<Self, FindError> {
        catalogue::find(name)
    }

    /// Reads a variant file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is not a variant.
    pub fn open(path: &Path) -> Result<Self, FindError> {
        catalogue::open(path)
    }

    /// Reads the text of a variant file; `path` is what errors call it.
    ///
    /// # Errors
    ///
    /// When it is not a variant: the error says where.
    pub fn parse(key: &str, path: &str, text: &str) -> Result<Self, VariantError> {
        file::parse(key, path, text)
    }

    /// The kind of piece a letter stands for; none for the pawn's.
    pub fn piece(&self, letter: u8) -> Option<&Piece> {
        self.pieces.iter().find(|piece| piece.letter == letter)
    }

    /// The text of its file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What errors call its file.
    pub fn path(&self) -> &str {
        &self.path
    }
}
