//! What pieces are worth before anything is learnt.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use backrank_rules::{Betza, Board, ByLetter, Letter, PieceFeatures, Rules};

/// The value of each piece, in centipawns: what the variant's file says, or else what its moves are worth on the board.
pub(crate) fn material(rules: &Rules) -> ByLetter<f32> {
    let variant = rules.variant();
    let pawn = pawn_value(rules.board());
    let mut material = ByLetter::default();
    material[Letter::PAWN] = variant.pawn.value.map_or(pawn, f64::from).round() as f32;
    for piece in variant.pieces.iter().filter(|piece| !piece.royal) {
        let value = piece.value.map_or_else(|| pawn * in_pawns(&piece.betza, rules.board()), f64::from);
        material[piece.letter] = value.round() as f32;
    }
    material
}

/// The coefficients of [`PieceFeatures::TERMS`] in the logarithm of a piece's value in pawns.
static COEFFICIENTS: LazyLock<[f64; PieceFeatures::TERMS.len()]> = LazyLock::new(|| {
    let file: BTreeMap<String, f64> =
        toml::from_str(include_str!("../material.toml")).expect("the embedded file of values is well formed");
    PieceFeatures::TERMS.map(|term| file[term])
});

/// A piece's value by its moves, in pawns of a board of eight files and ranks.
fn in_pawns(betza: &Betza, board: Board) -> f64 {
    let terms = PieceFeatures::of(betza, board).terms();
    terms.iter().zip(&*COEFFICIENTS).map(|(term, coefficient)| term * coefficient).sum::<f64>().exp()
}

/// A pawn's value on a board, in centipawns: 100 on one of eight files and ranks. On any other a rook is worth the same as there, and has
/// more or fewer moves, of which the values of pieces are in pawns.
fn pawn_value(board: Board) -> f64 {
    let rook: Betza = "R".parse().expect("the moves of a rook");
    let orthodox = Board::new(8, 8).expect("a board of this size");
    100.0 * in_pawns(&rook, orthodox) / in_pawns(&rook, board)
}

#[cfg(test)]
mod tests {
    use backrank_rules::Variant;

    use super::*;

    /// Without the values of a file, the pieces of chess are worth nearly what games say.
    #[test]
    fn pieces_of_chess_are_worth_what_is_known_of_them() {
        let measured = Variant::find("chess960").unwrap();
        let mut variant = measured.clone();
        variant.pawn.value = None;
        variant.pieces.iter_mut().for_each(|piece| piece.value = None);
        let by_moves = material(&Rules::new(&variant));
        assert_eq!(by_moves[Letter::PAWN], 100.0);
        for piece in measured.pieces.iter().filter(|piece| !piece.royal) {
            let off = by_moves[piece.letter] / piece.value.unwrap() as f32;
            assert!((0.85..1.15).contains(&off), "{}: {off}", piece.letter);
        }
    }

    #[test]
    fn a_rook_is_worth_the_same_on_every_board() {
        let rook = "R".parse().unwrap();
        let value = |files, ranks| {
            let board = Board::new(files, ranks).unwrap();
            pawn_value(board) * in_pawns(&rook, board)
        };
        let pawn = pawn_value(Board::new(10, 10).unwrap());
        assert!((value(8, 8) - value(10, 10)).abs() < 1e-6 && (value(8, 8) - value(11, 8)).abs() < 1e-6);
        assert!((50.0..95.0).contains(&pawn), "{pawn}");
    }
}
