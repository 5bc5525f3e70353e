//! A piece in a variant file.

use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use toml::Spanned;

use crate::betza::Betza;

/// What stands after a letter in `[pieces]`.
pub(super) enum PieceEntry {
    Table(PieceTable),
    /// A plain text, which is taken for the moves or the name that a table would have.
    Text(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PieceTable {
    pub name: String,
    pub betza: Spanned<String>,
    #[serde(default)]
    pub royal: bool,
    pub value: Option<Spanned<i32>>,
}

impl PieceEntry {
    /// The table of the piece with a letter, or what it should look like.
    pub(super) fn table(&self, letter: &str) -> Result<&PieceTable, String> {
        let text = match self {
            Self::Table(table) => return Ok(table),
            Self::Text(text) => text,
        };
        let usual = [("K", "king"), ("Q", "queen"), ("R", "rook"), ("B", "bishop"), ("N", "knight")];
        let moves = |text: &str| text.parse::<Betza>().is_ok();
        let name_of = |key: &str| usual.iter().find(|usual| usual.0 == key).map_or("…", |usual| usual.1);
        let (name, betza) = match moves(text) {
            true => (name_of(letter), text.as_str()),
            false => {
                let known = usual.iter().find(|usual| usual.1.eq_ignore_ascii_case(text.trim()));
                (text.trim(), known.map_or("…", |usual| usual.0))
            }
        };
        let royal = if name.eq_ignore_ascii_case("king") || letter == "K" { ", royal = true" } else { "" };
        Err(format!(
            "a piece has a name and moves of its own; did you mean `{letter} = {{ name = \"{name}\", betza = \"{betza}\"{royal} }}`?"
        ))
    }

    /// The text of its moves, if it has a table.
    pub(super) fn betza(&self) -> Option<&Spanned<String>> {
        match self {
            Self::Table(table) => Some(&table.betza),
            Self::Text(_) => None,
        }
    }
}

impl<'de> Deserialize<'de> for PieceEntry {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TableOrText;
        impl<'de> Visitor<'de> for TableOrText {
            type Value = PieceEntry;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table such as { name = \"rook\", betza = \"R\" }")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<PieceEntry, E> {
                Ok(PieceEntry::Text(text.to_string()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<PieceEntry, A::Error> {
                PieceTable::deserialize(MapAccessDeserializer::new(map)).map(PieceEntry::Table)
            }
        }
        deserializer.deserialize_any(TableOrText)
    }
}
