//! Piece values by mobility, without any games.

use backrank_rules::{Letter, Rules};
use serde::Serialize;

use super::unit::Unit;
use crate::games::Column;

/// The mobility of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mobility {
    /// The piece.
    pub piece: Column,
    /// The mean number of squares that it can move to.
    pub moves: f64,
    /// The mobility in the unit.
    pub value: f64,
    /// The unit.
    pub unit: Unit,
}

/// The mobility of each piece except king and pawn: the mean number of squares to which it can move from a square of
/// the board, if every other square is occupied with probability `density`. Pieces come in ascending order. Pawns have
/// no mobility, so instead of pawns the unit is the [usual](Unit::usual) one. `None` if that is the pawn as well,
/// because the game has no rook.
///
/// Mobility is computed, not estimated, so it has no interval. How well it measures the value of a piece is another
/// question.
///
/// Source: Ralph Betza, "About the Values of Chess Pieces", who takes 2/3 to 70 % of the squares as empty.
///
/// ```
/// use backrank_rules::{Rules, Variant};
///
/// let rules = Rules::new(&Variant::find("chess")?);
/// let found = backrank_analysis::values::mobility(&rules, 0.0, "R=5".parse()?).unwrap();
/// let knight = found.iter().find(|found| found.piece.to_string() == "N").unwrap();
/// assert_eq!((knight.moves, knight.value), (5.25, 5.0 * 5.25 / 14.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn mobility(rules: &Rules, density: f64, unit: Unit) -> Option<Vec<Mobility>> {
    let pawn = Column::Piece(Letter::PAWN);
    let unit = if unit.piece() == pawn { Unit::usual(rules.variant()) } else { unit };
    let Column::Piece(scale) = unit.piece() else { return None };
    if unit.piece() == pawn {
        return None;
    }
    let scale = unit.number() / rules.mean_mobility(scale, density);
    let one = |letter: Letter| {
        let moves = rules.mean_mobility(letter, density);
        Mobility { piece: Column::Piece(letter), moves, value: scale * moves, unit }
    };
    let pieces = rules.variant().pieces.iter().filter(|piece| !piece.royal);
    let mut all: Vec<Mobility> = pieces.map(|piece| one(piece.letter)).collect();
    all.sort_by(|one, other| one.moves.total_cmp(&other.moves));
    Some(all)
}
