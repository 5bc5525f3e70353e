//! What the network for every game takes pieces to be worth.

use backrank_analysis::games::Column;
use backrank_analysis::stats::Estimate;
use backrank_analysis::values::Unit;
use backrank_engine::NetChoice;
use backrank_enumerate::Space;
use backrank_rules::{Letter, Rules, Variant};
use backrank_selfplay::training::{Playouts, added_scores};
use rayon::prelude::*;

/// The games in whose positions a piece is looked at.
const PLAYOUTS: Playouts = Playouts { first: 0, games: 30, nodes: 100, near: 0 };

/// The standard deviation of the logarithms of values around what the network says, errors of measurement included.
const ERROR: f64 = 0.20;

/// What the score of a network that comes with the engine loses without some pieces, which stand in the places of the unit's piece, in the
/// unit; `None` where they cannot stand there, and where the unit is the pawn.
pub fn values_by_network(variant: &Variant, letters: &[Letter], unit: Unit) -> Vec<Option<Estimate>> {
    let Column::Piece(of_unit) = unit.piece() else { return vec![None; letters.len()] };
    let worth = |&letter: &Letter| -> Option<f64> {
        let piece = variant.piece(letter)?;
        let game = variant.with_piece(of_unit, &piece.name, &piece.betza.to_string()).ok()?;
        let (rules, space) = (Rules::new(&game), Space::new(&game).ok()?);
        let general = NetChoice::read("general").ok()?;
        Some(added_scores(&rules, &space, of_unit, &[general], PLAYOUTS).ok()??[0])
    };
    let all: Vec<Letter> = [of_unit].iter().chain(letters).copied().collect();
    let worths: Vec<Option<f64>> = all.par_iter().map(worth).collect();
    let in_unit = |worth: &Option<f64>| {
        let value = unit.number() * ((*worth)? / worths[0]?);
        // What is worth nothing has no logarithm.
        let interval = Estimate::normal(value.ln(), ERROR).interval.map(f64::exp);
        (value > 0.0).then_some(Estimate { value, interval })
    };
    worths[1..].iter().map(in_unit).collect()
}

#[cfg(test)]
mod tests {
    use backrank_analysis::pieces::{error_of_predictions, shipped_pieces};
    use backrank_rules::Board;

    use super::*;

    /// On the measured pieces of the full board.
    #[test]
    fn the_network_for_all_games_is_as_far_off_as_it_says() {
        let unit = "N=3.25".parse().unwrap();
        let chess = Variant::find("chess960").unwrap();
        let letters: Vec<Letter> = "ACDEFGHIJL".chars().filter_map(Letter::from_char).collect();
        let mut pieces = shipped_pieces(unit, Board::new(8, 8).unwrap()).unwrap();
        pieces.retain(|piece| {
            piece.is_of_full_army() && piece.value.is_some_and(|value| value.interval.low > 0.0)
        });
        let found = pieces.chunks(letters.len()).flat_map(|pieces| {
            let with_pieces = pieces.iter().zip(&letters).fold(chess.clone(), |variant, (piece, &letter)| {
                variant.with_piece(letter, &piece.piece, &piece.betza).unwrap()
            });
            let values = values_by_network(&with_pieces, &letters[..pieces.len()], unit);
            pieces
                .iter()
                .zip(values)
                .map(|(piece, value)| (piece.value.unwrap(), value.unwrap()))
                .collect::<Vec<_>>()
        });
        let (number, off) = error_of_predictions(found).unwrap();
        assert_eq!(number, pieces.len());
        // The constant above, and docs/src/own-game.md.
        assert_eq!(format!("{off:.2}"), format!("{ERROR:.2}"));
    }
}
