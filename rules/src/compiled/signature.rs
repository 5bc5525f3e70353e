//! What tells games apart that are not played alike.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::variant::Variant;

/// A number for all that decides which moves are legal and how games end, but for castling and the adjustment.
pub(super) fn signature(variant: &Variant) -> u64 {
    let mut hasher = DefaultHasher::new();
    (variant.board, variant.first_rank, variant.bare_king).hash(&mut hasher);
    (variant.pawn.double_step, &variant.pawn.promotes_to).hash(&mut hasher);
    for piece in &variant.pieces {
        (piece.letter, piece.royal, piece.betza.rays()).hash(&mut hasher);
    }
    hasher.finish()
}
