//! Values that others have published.

use std::collections::BTreeMap;

use backrank_rules::{Letter, Variant};
use serde::{Deserialize, Serialize};

use super::unit::Unit;
use crate::games::Column;

/// A published list of piece values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedValues {
    /// A short name for the heading of a column.
    pub name: String,
    /// Where it was published.
    pub source: String,
    /// The board for which it is meant, such as `8x8`.
    pub board: String,
    /// The values by the pieces' moves in Betza's notation; `P` is the pawn and `B+B` a pair of bishops.
    pub values: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedFile {
    published: Vec<PublishedValues>,
}

/// All lists, in the order of `analysis/published-values.toml`.
///
/// ```
/// assert!(backrank_analysis::values::published().iter().any(|list| list.values["Q"] == 9.5));
/// ```
///
/// # Panics
///
/// Never: a test reads the embedded file.
pub fn published() -> Vec<PublishedValues> {
    let text = include_str!("../../published-values.toml");
    toml::from_str::<PublishedFile>(text).expect("the embedded file is right").published
}

impl PublishedValues {
    /// The value of a column of a variant in a unit, if the list has both it and the unit's piece.
    pub fn of(&self, variant: &Variant, column: Column, unit: Unit) -> Option<f64> {
        let betza = |letter: Letter| variant.piece(letter).map(|piece| piece.betza.to_string());
        let published = |column: Column| {
            let name = match column {
                Column::Piece(Letter::PAWN) => "P".to_string(),
                Column::Piece(letter) => betza(letter)?,
                Column::Pair(letter) => format!("{0}+{0}", betza(letter)?),
                Column::Rating => return None,
            };
            self.values.get(&name)
        };
        Some(unit.number() * published(column)? / published(unit.piece())?)
    }

    /// Its name with its board.
    pub fn title(&self) -> String {
        format!("{} ({})", self.name, self.board.replace('x', "×"))
    }

    /// Whether it is meant for the board of a variant.
    pub fn is_for(&self, variant: &Variant) -> bool {
        self.board == format!("{}x{}", variant.board.files(), variant.board.ranks())
    }
}
