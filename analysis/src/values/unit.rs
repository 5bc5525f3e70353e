//! The unit of piece values.

use std::fmt;
use std::str::FromStr;

use backrank_rules::{Letter, Variant};
use serde::{Serialize, Serializer};

use crate::games::Column;

/// The unit of piece values: a piece, and the value that it is given.
///
/// ```
/// use backrank_analysis::values::Unit;
/// use backrank_rules::Variant;
///
/// let pawns: Unit = "P=1".parse()?;
/// assert_eq!(pawns, Unit::PAWNS);
/// assert_eq!(Unit::usual(&Variant::find("pmrc").unwrap()).to_string(), "R=5");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    letter: Letter,
    number: f64,
}

impl Unit {
    /// A pawn is worth 1.
    pub const PAWNS: Self = Self { letter: Letter::PAWN, number: 1.0 };

    /// The default unit of a game: its rook is worth 5, or if it has no rook, its pawn is worth 1.
    pub fn usual(variant: &Variant) -> Self {
        let rook = variant.pieces.iter().find(|piece| piece.betza.to_string() == "R");
        rook.map_or(Self::PAWNS, |rook| Self { letter: rook.letter, number: 5.0 })
    }

    /// Checks that a game has the piece.
    ///
    /// # Errors
    ///
    /// When it does not, or the piece is the king.
    pub fn check(&self, variant: &Variant) -> Result<(), String> {
        let piece = variant.piece(self.letter);
        if self.letter == Letter::PAWN || piece.is_some_and(|piece| !piece.royal) {
            return Ok(());
        }
        let others = variant.pieces.iter().filter(|piece| !piece.royal);
        let others: Vec<String> = others.map(|piece| piece.letter.to_string()).collect();
        Err(format!(
            "{} has no {} that could be the unit; it has P, {}",
            variant.key,
            self.letter,
            others.join(", ")
        ))
    }

    /// The piece.
    pub fn piece(&self) -> Column {
        Column::Piece(self.letter)
    }

    /// The value of the piece.
    pub fn number(&self) -> f64 {
        self.number
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}={}", self.letter, self.number))
    }
}

impl Serialize for Unit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Unit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "a unit is written as a piece and its value, such as R=5 or P=1".to_string();
        let (letter, number) = text.split_once('=').ok_or_else(wrong)?;
        let letter = letter.parse().map_err(|_| wrong())?;
        let number = number.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
        Ok(Self { letter, number: number.ok_or_else(wrong)? })
    }
}
