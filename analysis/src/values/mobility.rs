//! Piece values by mobility, without any games.

use backrank_rules::{Pawn, Rules};
use serde::Serialize;

use super::unit::Unit;
use crate::games::Column;

/// The mobility of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mobility {
    /// The piece.
    pub piece: Column,
    /// The mean number of squares that it reaches.
    pub moves: f64,
    /// The same in a unit.
    pub value: f64,
    /// The unit.
    pub unit: Unit,
}

/// The mean number of squares that each piece but the king and the pawn reaches from a square of the board, when every
/// other square is taken with probability `density`; in a unit, from the least to the most. Pawns have no mobility: values
/// in pawns are given in the [usual](Unit::usual) unit. None where that is the pawn, too, as the game has no rook.
///
/// Nothing is estimated, so there are no intervals. How well mobility measures what a piece is worth is another
/// question.
///
/// Source: Ralph Betza, "About the Values of Chess Pieces", who takes 2/3 to 70 % of the squares as empty.
///
/// ```
/// use backrank_rules::{Rules, Variant};
///
/// let rules = Rules::new(&Variant::find("chess")?);
/// let found = backrank_analysis::mobility(&rules, 0.0, "R=5".parse()?).unwrap();
/// let knight = found.iter().find(|found| found.piece.to_string() == "N").unwrap();
/// assert_eq!((knight.moves, knight.value), (5.25, 5.0 * 5.25 / 14.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn mobility(rules: &Rules, density: f64, unit: Unit) -> Option<Vec<Mobility>> {
    let pawn = Column::Piece(Pawn::LETTER);
    let unit = if unit.piece() == pawn { Unit::usual(rules.variant()) } else { unit };
    let Column::Piece(scale @ b'A'..=b'Z') = unit.piece() else { return None };
    if unit.piece() == pawn {
        return None;
    }
    let scale = unit.number() / rules.mean_mobility(scale, density);
    let one = |letter: u8| {
        let moves = rules.mean_mobility(letter, density);
        Mobility { piece: Column::Piece(letter), moves, value: scale * moves, unit }
    };
    let pieces = rules.variant().pieces.iter().filter(|piece| !piece.royal);
    let mut all: Vec<Mobility> = pieces.map(|piece| one(piece.letter)).collect();
    all.sort_by(|one, other| one.moves.total_cmp(&other.moves));
    Some(all)
}
