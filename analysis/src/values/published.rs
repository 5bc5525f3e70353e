//! Values that others have published.

use std::collections::BTreeMap;

use backrank_rules::{Betza, Board, Letter, Variant};
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

/// The lists for pieces that are measured by themselves.
///
/// ```
/// use backrank_analysis::values::{Unit, published_pieces};
/// use backrank_rules::Board;
///
/// let lists = published_pieces(Board::new(8, 8).unwrap());
/// let unit: Unit = "N=3.25".parse()?;
/// assert_eq!(lists[0].of_moves(&"R4".parse()?, unit), Some(3.8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// Never: a test reads the embedded file.
pub fn published_pieces(board: Board) -> Vec<PublishedValues> {
    lists().into_iter().filter(|list| list.new_pieces && list.board == on(board)).collect()
}

fn lists() -> Vec<PublishedValues> {
    let text = include_str!("../../published-values.toml");
    toml::from_str::<PublishedFile>(text).expect("the embedded file is right").published
}

/// A board as lists write it.
fn on(board: Board) -> String {
    format!("{}x{}", board.files(), board.ranks())
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

    /// The value of a piece with these moves in a unit whose piece is one of chess, if the list has both.
    pub fn of_moves(&self, moves: &Betza, unit: Unit) -> Option<f64> {
        let moves = moves.canonical();
        let is_alike = |name: &str| name.parse::<Betza>().is_ok_and(|betza| betza.canonical() == moves);
        // In the lists P is the pawn, which in Betza's notation has no letter.
        let (_, value) = self.values.iter().find(|(name, _)| *name != "P" && is_alike(name))?;
        Some(unit.number() * value / self.values.get(&unit.piece().to_string())?)
    }

    /// Its name with its board.
    pub fn title(&self) -> String {
        format!("{} ({})", self.name, self.board.replace('x', "×"))
    }

    /// Whether it is meant for the board of a variant.
    pub fn is_for(&self, variant: &Variant) -> bool {
        self.board == on(variant.board)
    }
}
