//! What is wrong with the text of a position.

use thiserror::Error;

use crate::position::SetupError;
use crate::square::Side;

/// Why a text is not a position; the message names the field.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FenError {
    /// There are fewer than four or more than seven fields.
    #[error(
        "{found} fields; a position has pieces, side to move, castling rights, en passant square, two counters and the unmoved pieces, of which the last three may be left out"
    )]
    Fields {
        /// How many there are.
        found: usize,
    },
    /// The checks that are left cannot be read.
    #[error("`{found}`: the checks that White and Black still need are written as {all}+{all}")]
    Checks {
        /// What stands there.
        found: String,
        /// How many checks win.
        all: u8,
    },
    /// The number of ranks is not that of the board.
    #[error("field 1, pieces: {found} ranks; the board has {expected}")]
    Ranks {
        /// How many there are.
        found: usize,
        /// How many the board has.
        expected: usize,
    },
    /// A rank is too long.
    #[error("field 1, pieces: rank {rank} is {by} too long; the board has {expected} files")]
    RankTooLong {
        /// The rank, counted from 1.
        rank: usize,
        /// How many squares too many there are.
        by: usize,
        /// How many files the board has.
        expected: usize,
    },
    /// A rank is too short.
    #[error("field 1, pieces: rank {rank} is {by} too short; the board has {expected} files")]
    RankTooShort {
        /// The rank, counted from 1.
        rank: usize,
        /// How many squares are missing.
        by: usize,
        /// How many files the board has.
        expected: usize,
    },
    /// A letter is not a piece of the game.
    #[error("field 1, pieces: `{letter}` on rank {rank} is not a piece of the game; pieces are {known}")]
    UnknownPiece {
        /// The letter.
        letter: char,
        /// The rank, counted from 1.
        rank: usize,
        /// The letters of the game.
        known: String,
    },
    /// A run of empty squares begins with 0.
    #[error("field 1, pieces: a run of empty squares on rank {rank} begins with 0")]
    ZeroRun {
        /// The rank, counted from 1.
        rank: usize,
    },
    /// A side has no king.
    #[error("field 1, pieces: {side} has no king")]
    NoKing {
        /// Which side.
        side: Side,
    },
    /// A side has several kings.
    #[error("field 1, pieces: {side} has {kings} kings")]
    ManyKings {
        /// Which side.
        side: Side,
        /// How many.
        kings: u32,
    },
    /// A pawn stands on a first or last rank.
    #[error(
        "field 1, pieces: a pawn of {side} on {square}; pawns stand neither on the first rank of the board nor on the last"
    )]
    PawnRank {
        /// Whose pawn.
        side: Side,
        /// Where it stands.
        square: String,
    },
    /// The side to move could take the king.
    #[error("field 2, side to move: {side} is in check, but it is not its move")]
    NotToMoveInCheck {
        /// The side whose king could be taken.
        side: Side,
    },
    /// The side to move is neither `w` nor `b`.
    #[error("field 2, side to move: `{found}` is neither w nor b")]
    SideToMove {
        /// The text of the field.
        found: String,
    },
    /// A letter is not a castling right.
    #[error("field 3, castling rights: `{letter}` is not a file of the board, K, Q or -")]
    CastlingLetter {
        /// The letter.
        letter: char,
    },
    /// There is a castling right in a game without castling.
    #[error("field 3, castling rights: `{letter}`, but the game has no castling; - is right")]
    NoCastling {
        /// The letter.
        letter: char,
    },
    /// There is a castling right, but the king has moved.
    #[error("field 3, castling rights: `{letter}`, but {side}'s king is not on its first rank")]
    CastlingKing {
        /// The letter.
        letter: char,
        /// Whose king.
        side: Side,
    },
    /// There is a castling right, but king or partner is not where the game has them castle from.
    #[error(
        "field 3, castling rights: `{letter}`, but in this game {side} castles only from {squares}; in games such as chess960 it would from anywhere"
    )]
    CastlingHome {
        /// The letter.
        letter: char,
        /// Whose right.
        side: Side,
        /// The squares of the king and its partners, such as `Ke1, Ra1, Rh1`.
        squares: String,
    },
    /// There is a castling right without its partner.
    #[error("field 3, castling rights: `{letter}`, but {side} has no {partner} there on its first rank")]
    CastlingPartner {
        /// The letter.
        letter: char,
        /// Whose right.
        side: Side,
        /// The letter of the partner, or of those that it may be.
        partner: String,
    },
    /// A right is given twice, or two are on one side of the king.
    #[error("field 3, castling rights: `{letter}` is a second right on that side of {side}'s king")]
    CastlingTwice {
        /// The letter.
        letter: char,
        /// Whose right.
        side: Side,
    },
    /// The en passant square is not a square of the board.
    #[error("field 4, en passant square: `{found}` is not a square of the board or -")]
    EnPassantSquare {
        /// The text of the field.
        found: String,
    },
    /// No pawn can just have passed the en passant square.
    #[error("field 4, en passant square: no pawn can just have passed {square}")]
    EnPassantImpossible {
        /// The square.
        square: String,
    },
    /// Two Berolina pawns can just have passed the en passant square.
    #[error(
        "field 4, en passant square: two pawns can just have passed {square}; name the one that has, as in {square}{pawn}"
    )]
    EnPassantAmbiguous {
        /// The square.
        square: String,
        /// The square of one of the pawns.
        pawn: String,
    },
    /// The halfmove clock is not a number, or too large.
    #[error("field 5, halfmove clock: `{found}` is not a number up to 65535")]
    HalfmoveClock {
        /// The text of the field.
        found: String,
    },
    /// The move number is not a number, or too large.
    #[error("field 6, move number: `{found}` is not a number up to 4294967295")]
    FullmoveNumber {
        /// The text of the field.
        found: String,
    },
    /// A letter is not a file of the board.
    #[error("field 7, unmoved pieces: `{letter}` is not a file of the board or -")]
    UnmovedLetter {
        /// The letter.
        letter: char,
    },
    /// There is no piece on that file of the first rank.
    #[error("field 7, unmoved pieces: `{letter}`, but {side} has no piece on {square}")]
    UnmovedPiece {
        /// The letter.
        letter: char,
        /// Whose piece.
        side: Side,
        /// Where it would stand.
        square: String,
    },
    /// A letter is given twice.
    #[error("field 7, unmoved pieces: `{letter}` is there twice")]
    UnmovedTwice {
        /// The letter.
        letter: char,
    },
}

/// What is wrong with the pieces is wrong with the first field of the text.
impl From<SetupError> for FenError {
    fn from(error: SetupError) -> Self {
        match error {
            SetupError::Kings { side, kings: 0 } => Self::NoKing { side },
            SetupError::Kings { side, kings } => Self::ManyKings { side, kings },
            SetupError::PawnRank { side, square } => Self::PawnRank { side, square },
            SetupError::NotToMoveInCheck { side } => Self::NotToMoveInCheck { side },
            // A text has no first ranks of its own, so these errors cannot come up.
            SetupError::Files { side, .. } | SetupError::Letter { side, .. } => Self::NoKing { side },
        }
    }
}
