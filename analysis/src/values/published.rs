//! Values that others have published.

use std::collections::BTreeMap;

use backrank_rules::{Betza, Letter, Variant};
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
    /// Whether it stands beside pieces that are measured by themselves, and not in the tables of games.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub new_pieces: bool,
    /// The values by the pieces' moves in Betza's notation; `P` is the pawn and `B+B` a pair of bishops.
    pub values: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedFile {
    published: Vec<PublishedValues>,
}

/// The lists for the tables of games, in the order of `analysis/published-values.toml`.
///
/// ```
/// assert!(backrank_analysis::values::published().iter().any(|list| list.values["Q"] == 9.5));
/// ```
///
/// # Panics
///
/// Never: a test reads the embedded file.
pub fn published() -> Vec<PublishedValues> {
    lists().into_iter().filter(|list| !list.new_pieces).collect()
}

/// What somebody has published of a piece.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PublishedValue {
    /// The name of the list.
    pub by: String,
    /// The value in the unit that is asked for.
    pub value: f64,
    /// Where it was published.
    pub source: String,
}

/// What others have published of a piece with these moves on the board of a game, in a unit of that game: by the lists for pieces that
/// are measured by themselves.
///
/// ```
/// use backrank_analysis::values::published_of;
/// use backrank_rules::Variant;
///
/// let chess = Variant::find("chess960")?;
/// let short_rook = published_of(&chess, &"R4".parse()?, "N=3.25".parse()?);
/// assert_eq!((short_rook[0].by.as_str(), short_rook[0].value), ("Muller", 3.8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// Never: a test reads the embedded file.
pub fn published_of(variant: &Variant, moves: &Betza, unit: Unit) -> Vec<PublishedValue> {
    let of_list = |list: PublishedValues| {
        let value = unit.number() * list.of_moves(moves)? / list.of_column(variant, unit.piece())?;
        Some(PublishedValue { by: list.name, value, source: list.source })
    };
    new_piece_lists().filter(|list| list.is_for(variant)).filter_map(of_list).collect()
}

/// The names of the lists by which [`published_of`] says something.
pub(crate) fn publishers_of_pieces() -> Vec<String> {
    new_piece_lists().map(|list| list.name).collect()
}

fn new_piece_lists() -> impl Iterator<Item = PublishedValues> {
    lists().into_iter().filter(|list| list.new_pieces)
}

fn lists() -> Vec<PublishedValues> {
    let text = include_str!("../../published-values.toml");
    toml::from_str::<PublishedFile>(text).expect("the embedded file is right").published
}

impl PublishedValues {
    /// The value of a column of a variant in a unit, if the list has both it and the unit's piece.
    pub fn of(&self, variant: &Variant, column: Column, unit: Unit) -> Option<f64> {
        Some(unit.number() * self.of_column(variant, column)? / self.of_column(variant, unit.piece())?)
    }

    /// The value of a column, as it was published.
    fn of_column(&self, variant: &Variant, column: Column) -> Option<f64> {
        match column {
            Column::Piece(Letter::PAWN) => self.values.get("P").copied(),
            Column::Piece(letter) => self.of_moves(&variant.piece(letter)?.betza),
            Column::Pair(letter) => {
                let betza = &variant.piece(letter)?.betza;
                self.values.get(&format!("{betza}+{betza}")).copied()
            }
            Column::Rating => None,
        }
    }

    /// The value of a piece with these moves, as it was published.
    fn of_moves(&self, moves: &Betza) -> Option<f64> {
        // P is the pawn, which in Betza's notation has no letter; a pair is no piece.
        let is_alike = |name: &str| name.parse::<Betza>().is_ok_and(|betza| betza.moves_like(moves));
        self.values.iter().find(|(name, _)| *name != "P" && is_alike(name)).map(|(_, value)| *value)
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
