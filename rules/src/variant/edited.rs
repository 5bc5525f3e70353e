//! Games with changes.

use toml_edit::{DocumentMut, InlineTable, Item, TomlError, Value};

use super::{Variant, VariantError};
use crate::letter::Letter;

impl Variant {
    /// The same game with one kind of piece more, which neither side has at the start and no pawn becomes: positions and odds can have
    /// it. A kind with this letter is replaced.
    ///
    /// ```
    /// use backrank_rules::{Letter, Variant};
    ///
    /// let chess = Variant::find("chess960")?;
    /// let with_waffles = chess.with_piece(Letter::W, "waffle", "WA")?;
    /// assert_eq!(with_waffles.piece(Letter::W).unwrap().betza.to_string(), "WA");
    /// assert_eq!(with_waffles.pawn.promotes_to, chess.pawn.promotes_to);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is no such piece: its moves cannot be read.
    pub fn with_piece(&self, letter: Letter, name: &str, betza: &str) -> Result<Self, VariantError> {
        let mut file = self.document()?;
        let mut entry = InlineTable::new();
        entry.insert("name", name.into());
        entry.insert("betza", betza.into());
        file["pieces"][&letter.to_string()] = Item::Value(Value::InlineTable(entry));
        let [white, black] =
            self.pawn.promotes_to.each_ref().map(|letters| letters.iter().copied().collect::<String>());
        if white != black {
            let mut sides = InlineTable::new();
            sides.insert("white", white.into());
            sides.insert("black", black.into());
            file["pawn"]["promotes_to"] = toml_edit::value(sides);
        } else if !white.is_empty() {
            file["pawn"]["promotes_to"] = toml_edit::value(white);
        }
        Self::parse(&self.key, &self.path, &file.to_string())
    }
    /// The same game in which the engine takes a piece to be worth so many centipawns.
    ///
    /// ```
    /// use backrank_rules::{Letter, Variant};
    ///
    /// let waffles = Variant::find("chess960")?.with_piece(Letter::W, "waffle", "WA")?.with_value(Letter::W, 350)?;
    /// assert_eq!(waffles.piece(Letter::W).unwrap().value, Some(350));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the game has no such piece, or no piece can have this value.
    pub fn with_value(&self, letter: Letter, centipawns: i32) -> Result<Self, VariantError> {
        let mut file = self.document()?;
        let Some(entry) = file["pieces"][&letter.to_string()].as_table_like_mut() else {
            let problem = format!("no piece {letter} is described");
            return Err(VariantError::new(&self.path, &self.text, 0..0, problem));
        };
        entry.insert("value", toml_edit::value(i64::from(centipawns)));
        Self::parse(&self.key, &self.path, &file.to_string())
    }

    /// The file, to be edited.
    fn document(&self) -> Result<DocumentMut, VariantError> {
        let wrong = |error: TomlError| VariantError::new(&self.path, &self.text, 0..0, error.to_string());
        self.text.parse().map_err(wrong)
    }
}
