//! Positions as text.
//!
//! The six fields are those of FEN, with castling rights as the files of the partners (`AIai`) or, if the variant's
//! file says so, as `KQkq`. Games with the Bishop Adjustment or with moves for a piece's first move only have a seventh
//! field: the files of first-rank pieces that have not moved and that can make a move other than castling because of
//! it. White's files are capital letters, Black's small ones, each ascending; `-` stands for none. In games that are won by
//! checks a field before the counters says how many more White and Black need (`3+3`).

mod error;
mod read;
pub(crate) mod write;

use std::fmt;

pub use error::FenError;

use super::Position;
use crate::bitboard::Bitboard;
use crate::board::File;
use crate::setup::FirstRank;
use crate::square::Side;
use crate::variant::RightsNotation;
use write::{Rights, push_castling, push_files, push_rank};

impl Position<'_> {
    /// The position as text: six fields, or seven if unmoved pieces have moves of their own. [`Position::from_fen`]
    /// reads it.
    pub fn to_fen(&self) -> String {
        self.to_string()
    }

    /// The same without the seventh field, for programs that read only six.
    pub fn to_standard_fen(&self) -> String {
        let fen = self.to_fen();
        let fields = 5 + usize::from(self.rules.checks > 0);
        let six_fields = fen.match_indices(' ').nth(fields).map_or(fen.len(), |(end, _)| end);
        fen[..six_fields].to_string()
    }
}

impl fmt::Display for Position<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variant = self.rules.variant();
        let board = self.rules.board;
        let mut text = Vec::with_capacity(128);
        for rank in (0..board.ranks()).rev() {
            let letter = |file| match self.piece_at(board.square(File(file as u8), rank)) {
                Some((side, letter)) => side.cased(letter.as_u8()),
                None => FirstRank::EMPTY,
            };
            push_rank(&mut text, (0..board.files()).map(letter));
            text.push(if rank > 0 { b'/' } else { b' ' });
        }
        text.push(self.side.letter() as u8);
        text.push(b' ');
        let files = |side: Side, squares: Bitboard| self.first_rank_files(side, squares & self.pieces(side));
        let rights = Side::BOTH.map(|side| Rights {
            partners: files(side, self.castling),
            outermost: files(side, self.outermost_partners(side)),
            king: files(side, self.king(side).into()),
        });
        let notation = variant.castling.as_ref().map(|castling| castling.rights);
        push_castling(&mut text, rights, notation == Some(RightsNotation::KingAndQueenSide));
        let text = String::from_utf8(text).map_err(|_| fmt::Error)?;
        write!(f, "{text} {} ", self.en_passant_field())?;
        if variant.checks > 0 {
            let [white, black] = self.checks_left;
            write!(f, "{white}+{black} ")?;
        }
        write!(f, "{} {}", self.halfmoves, self.fullmoves)?;
        if !variant.has_unmoved_field() {
            return Ok(());
        }
        let mut seventh = Vec::new();
        push_files(&mut seventh, Side::BOTH.map(|side| files(side, self.unmoved)));
        write!(f, " {}", String::from_utf8(seventh).map_err(|_| fmt::Error)?)
    }
}

impl Position<'_> {
    /// The square on which a pawn can be taken en passant, or `-`. Two Berolina pawns may have passed the same square, so there
    /// the square of the pawn is named, too, in the order in which Fairy-Stockfish does: `d3c4`, the one nearer to a1 first.
    fn en_passant_field(&self) -> String {
        let board = self.rules.board;
        let Some(passed) = self.en_passant else { return "-".to_string() };
        if self.rules.berolina {
            let squares = [passed.min(self.passing), passed.max(self.passing)];
            squares.map(|square| board.square_name(square)).concat()
        } else {
            board.square_name(passed)
        }
    }
}
