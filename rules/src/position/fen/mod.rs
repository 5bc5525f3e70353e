//! Positions as text.
//!
//! The six fields of FEN, castling rights as files of the partners (`AIai`), and a seventh: the files of first-rank
//! pieces that have not moved and for which that still gives a move other than castling. White's files are capital,
//! Black's small, each ascending, `-` for none.

mod error;
mod read;

use std::fmt;

pub use error::FenError;

use super::Position;
use crate::bitboard::Bitboard;
use crate::board::File;
use crate::square::Side;

impl Position<'_> {
    /// Its text: seven fields, as [`Position::from_fen`] reads them.
    pub fn to_fen(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Position<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.rules.board;
        for rank in (0..board.ranks()).rev() {
            let mut empty = 0;
            for file in 0..board.files() {
                let Some((side, letter)) = self.piece_at(board.square(File(file as u8), rank)) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    write!(f, "{empty}")?;
                }
                empty = 0;
                write!(f, "{}", side.cased(letter))?;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank > 0 {
                f.write_str("/")?;
            }
        }
        let files = |squares: Bitboard| {
            let letters: String = Side::BOTH
                .into_iter()
                .flat_map(|side| {
                    (squares & self.pieces(side))
                        .iter()
                        .map(move |square| side.cased(board.file_of(square).letter() as u8 - b'a' + b'A'))
                })
                .collect();
            if letters.is_empty() { "-".to_string() } else { letters }
        };
        let en_passant =
            self.en_passant().map_or_else(|| "-".to_string(), |square| board.square_name(square));
        write!(
            f,
            " {} {} {en_passant} {} {} {}",
            self.side.letter(),
            files(self.castling),
            self.halfmoves,
            self.fullmoves,
            files(self.unmoved)
        )
    }
}
