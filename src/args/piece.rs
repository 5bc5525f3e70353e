//! A piece as it is written after `--piece`, `--swap` and `--add`.

use std::str::FromStr;

use backrank_rules::{Betza, BetzaError, KnownPiece, Letter, UnknownPiece, Variant};

use crate::terminal::failure::Failure;

/// A piece that a game is to have: `C=camel:C`, `A=L:BmW`, `N=waffle` or `waffle`.
#[derive(Clone, Debug)]
pub struct PieceArg {
    /// How many of them.
    pub number: Option<usize>,
    /// The letter before `=`: that of the piece replaced, or the one asked for.
    pub letter: Option<Letter>,
    /// The letter after it, where one is given in place of a name.
    pub new_letter: Option<Letter>,
    /// The name.
    pub name: String,
    /// How it moves.
    pub betza: String,
}

impl PieceArg {
    /// A game with this kind of piece, and its letter: the one that is asked for, or the first that is free.
    pub fn add_to(&self, variant: &Variant) -> Result<(Variant, Letter), Failure> {
        let is_free = |letter: &Letter| *letter != Letter::PAWN && variant.piece(*letter).is_none();
        let letter = match self.new_letter.or(self.letter) {
            Some(letter) if is_free(&letter) => letter,
            Some(letter) => {
                let taken = variant.piece(letter).map_or("pawn", |piece| &piece.name);
                return Err(Failure::Input(format!(
                    "{letter} is already the {taken}; give the {} another letter",
                    self.name
                )));
            }
            None => Self::free_letter(&self.name, is_free)
                .ok_or_else(|| Failure::Input("all 26 letters are taken".to_string()))?,
        };
        let with_piece = variant.with_piece(letter, &self.name, &self.betza);
        Ok((with_piece.map_err(|error| Failure::Input(error.problem))?, letter))
    }

    /// The first letter that is free, if possible one of a name.
    pub fn free_letter(name: &str, is_free: impl FnMut(&Letter) -> bool) -> Option<Letter> {
        let of_name = name.to_ascii_uppercase();
        let letters = of_name.chars().chain('A'..='Z').filter_map(|letter| letter.to_string().parse().ok());
        letters.collect::<Vec<Letter>>().into_iter().find(is_free)
    }
}

impl FromStr for PieceArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (before, piece) =
            text.split_once('=').map_or((None, text), |(before, piece)| (Some(before), piece));
        let (number, letter) = before.map(read_before).transpose()?.unwrap_or((None, None));
        let Some((name, betza)) = piece.split_once(':') else {
            let (digits, name) = split_number(piece);
            let number = if before.is_none() { read_number(digits)? } else { number };
            // A name, or else moves.
            let (name, betza) = match (KnownPiece::find(name), name.parse::<Betza>()) {
                (Ok(known), _) => (known.name.clone(), known.betza.to_string()),
                (Err(_), Ok(moves)) => {
                    let known = KnownPiece::moving_like(&moves, false);
                    (known.map_or(name, |known| &known.name).to_string(), name.to_string())
                }
                (Err(unknown), Err(invalid)) => {
                    return Err(neither_name_nor_moves(&unknown, &invalid, ""));
                }
            };
            return Ok(Self { number, letter, new_letter: None, name, betza });
        };
        let moves: Betza = betza.parse().map_err(|error: BetzaError| error.to_string())?;
        let new_letter = name.parse::<Letter>().ok();
        if new_letter == Some(Letter::PAWN) {
            return Err("P is the pawn in every game; give the piece another letter".to_string());
        }
        let known = || KnownPiece::moving_like(&moves, false).map(|known| known.name.clone());
        let name = match new_letter {
            // A piece needs a name in its file; its moves are one until its inventor finds a better.
            Some(_) => known().unwrap_or_else(|| betza.to_string()),
            None if name.trim().is_empty() => {
                return Err("the piece has no name, as in C=camel:C".to_string());
            }
            None => name.trim().to_string(),
        };
        Ok(Self { number, letter, new_letter, name, betza: betza.to_string() })
    }
}

/// Why a text is not a piece, whichever of the two it was meant to be, and `more`, unless a name is like it.
pub fn neither_name_nor_moves(unknown: &UnknownPiece, invalid: &BetzaError, more: &str) -> String {
    let name = &unknown.name;
    match (is_name(name), &unknown.nearest[..]) {
        (true, [_, ..]) => unknown.to_string(),
        (true, []) => format!("`{name}` is neither a known piece nor moves: {invalid}{more}"),
        (false, _) => format!("{invalid}{more}"),
    }
}

/// Whether a text looks more like a name than like moves: words, with no capitals inside.
fn is_name(text: &str) -> bool {
    let is_word = |word: &str| {
        let rest = word.strip_prefix(|first: char| first.is_alphabetic()).unwrap_or_default();
        rest.chars().all(|letter| letter.is_lowercase() || letter == '\'')
    };
    let is_shouted = text.len() > 3 && text.chars().all(char::is_uppercase);
    text.chars().count() > 2 && (is_shouted || text.split([' ', '-', '_']).all(is_word))
}

fn read_before(text: &str) -> Result<(Option<usize>, Option<Letter>), String> {
    let (digits, letter) = split_number(text);
    let letter = letter.parse::<Letter>().map_err(|error| format!("`{text}`: {error}"))?;
    Ok((read_number(digits)?, Some(letter)))
}

fn split_number(text: &str) -> (&str, &str) {
    text.split_at(text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len()))
}

fn read_number(digits: &str) -> Result<Option<usize>, String> {
    match digits {
        "" => Ok(None),
        _ => match digits.parse() {
            Ok(number @ 1..=14) => Ok(Some(number)),
            _ => Err(format!("`{digits}`: 1 to 14 pieces can be added")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_read() {
        let read = |text: &str| {
            let sign = |letter: Option<Letter>| letter.map_or(String::from("-"), |letter| letter.to_string());
            let piece = text.parse::<PieceArg>()?;
            let PieceArg { number, letter, new_letter, name, betza } = piece;
            Ok(format!("{} {} {} {name} {betza}", number.unwrap_or(0), sign(letter), sign(new_letter)))
        };
        let read = |text: &str| -> Result<String, String> { read(text) };
        assert_eq!(read("C=camel:C").unwrap(), "0 C - camel C");
        assert_eq!(read("A=L:BmW").unwrap(), "0 A L BmW BmW");
        assert_eq!(read("N=waffle").unwrap(), "0 N - waffle WA");
        assert_eq!(read("2camel").unwrap(), "2 - - camel C");
        assert_eq!(read("2C=camel:C").unwrap(), "2 C - camel C");
        for (text, says) in [
            ("C=cammel", "did you mean camel?"),
            ("C=camel:Y!", "Y"),
            ("99C=camel:C", "1 to 14"),
            ("c=camel:C", "capital"),
            ("A=P:W", "P is the pawn"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
