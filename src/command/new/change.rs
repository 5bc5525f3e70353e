//! A piece as it is written after `--swap` and `--add`.

use std::str::FromStr;

use backrank_rules::{Betza, BetzaError, KnownPiece, Letter};

/// A piece that is put in place of another, or added.
#[derive(Clone, Debug)]
pub struct Change {
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

impl FromStr for Change {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (before, piece) =
            text.split_once('=').map_or((None, text), |(before, piece)| (Some(before), piece));
        let (number, letter) = before.map(read_before).transpose()?.unwrap_or((None, None));
        let Some((name, betza)) = piece.split_once(':') else {
            let (digits, name) = split_number(piece);
            let known = KnownPiece::find(name).map_err(|error| {
                format!("{error}; a piece that is not known is given with its moves, as in C=camel:C")
            })?;
            let number = if before.is_none() { read_number(digits)? } else { number };
            return Ok(Self {
                number,
                letter,
                new_letter: None,
                name: known.name.clone(),
                betza: known.betza.to_string(),
            });
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
            let change = text.parse::<Change>()?;
            let Change { number, letter, new_letter, name, betza } = change;
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
