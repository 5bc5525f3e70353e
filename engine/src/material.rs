//! What pieces are worth before anything is learnt.

use backrank_rules::{ByLetter, Letter, Rules};

/// The value of each piece, in centipawns: what the variant's file says, or else what its mobility on the board is worth.
pub(crate) fn material(rules: &Rules) -> ByLetter<f32> {
    let variant = rules.variant();
    let mut material = ByLetter::default();
    material[Letter::PAWN] = variant.pawn.value.map_or(100.0, |value| value as f32);
    for piece in variant.pieces.iter().filter(|piece| !piece.royal) {
        let value = piece.value.map(|value| value as f32);
        material[piece.letter] = value.unwrap_or_else(|| value_by_mobility(rules, piece.letter));
    }
    material
}

/// A piece's worth from its mean number of moves on a board a third full, where an orthodox rook has 500.
///
/// Source of the scheme: Ralph Betza, "About the Values of Chess Pieces", crowded-board mobility.
fn value_by_mobility(rules: &Rules, letter: Letter) -> f32 {
    // The mean of an orthodox rook on 8×8 at this density is what 500 stands for.
    const CENTIPAWNS_A_MOVE: f32 = 62.0;
    (rules.mean_mobility(letter, 1.0 / 3.0) as f32 * CENTIPAWNS_A_MOVE).round()
}
