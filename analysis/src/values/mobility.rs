//! Piece values by mobility, without any games.

use backrank_rules::Rules;
use serde::Serialize;

use crate::games::Column;

/// The mobility of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mobility {
    /// The piece.
    pub piece: Column,
    /// The mean number of squares that it reaches.
    pub moves: f64,
    /// The same number, scaled so that a rook has 5.
    pub scaled: f64,
}

/// The mobility of each piece but the king and the pawn: the mean number of squares that it reaches from a square of
/// the board, if every other square is occupied with probability `density`. It is scaled so that a rook has 5. `None`
/// if the game has no rook.
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
/// let found = backrank_analysis::mobility(&rules, 0.0).unwrap();
/// let knight = found.iter().find(|found| found.piece.to_string() == "N").unwrap();
/// assert_eq!((knight.moves, knight.scaled), (5.25, 5.0 * 5.25 / 14.0));
/// # Ok::<(), backrank_rules::FindError>(())
/// ```
pub fn mobility(rules: &Rules, density: f64) -> Option<Vec<Mobility>> {
    let pieces = &rules.variant().pieces;
    let rook = pieces.iter().find(|piece| piece.betza.to_string() == "R")?;
    let rook = rules.mean_mobility(rook.letter, density);
    let one = |letter: u8| {
        let moves = rules.mean_mobility(letter, density);
        Mobility { piece: Column::Piece(letter), moves, scaled: 5.0 * moves / rook }
    };
    Some(pieces.iter().filter(|piece| !piece.royal).map(|piece| one(piece.letter)).collect())
}
