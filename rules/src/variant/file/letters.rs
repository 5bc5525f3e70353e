//! Letters, ranks and files, checked against the board and the pieces.

use std::ops::Range;

use toml::Spanned;

use super::Problem;
use crate::board::{Board, File};
use crate::letter::Letter;
use crate::variant::Piece;

/// What the rest of the file is checked against.
pub(super) struct PieceLetters<'a> {
    pub board: Board,
    pub pieces: &'a [Piece],
}

impl PieceLetters<'_> {
    pub fn is_royal(&self, letter: Letter) -> bool {
        self.pieces.iter().any(|piece| piece.letter == letter && piece.royal)
    }

    pub fn known(&self, letter: char, span: Range<usize>) -> Result<Letter, Problem> {
        self.pieces.iter().map(|piece| piece.letter).find(|&known| known.as_char() == letter).ok_or_else(
            || {
                let known: String = self.pieces.iter().map(|piece| piece.letter).collect();
                (span, format!("`{letter}` is not a piece of [pieces], which has {known}"))
            },
        )
    }

    /// Reads a list of pieces other than the king, each at most once.
    pub fn letters(&self, text: &str, span: Range<usize>, what: &str) -> Result<Vec<Letter>, Problem> {
        let mut letters = Vec::new();
        for letter in text.chars() {
            let known = self.known(letter, span.clone())?;
            if self.is_royal(known) || letters.contains(&known) {
                return Err((
                    span.clone(),
                    format!("`{letter}`: {what} any piece but the king, each named once"),
                ));
            }
            letters.push(known);
        }
        Ok(letters)
    }

    pub fn letter(&self, text: &Spanned<String>) -> Result<Letter, Problem> {
        let mut letters = text.get_ref().chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => self.known(letter, text.span()),
            _ => Err((text.span(), "one piece letter is expected".to_string())),
        }
    }

    pub fn file(&self, text: &Spanned<String>) -> Result<File, Problem> {
        self.board.parse_file(text.get_ref()).ok_or_else(|| {
            let last = File(self.board.files() as u8 - 1);
            (text.span(), format!("`{}` is not a file of this board; files are a to {last}", text.get_ref()))
        })
    }
}
