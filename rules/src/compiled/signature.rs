//! A number that tells games apart by how they are played.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::square::Side;
use crate::variant::Variant;

/// Hashes everything that decides which moves are legal and how games end, except castling and the adjustment.
pub(super) fn signature(variant: &Variant) -> u64 {
    let mut hasher = DefaultHasher::new();
    (variant.board, variant.first_rank, variant.bare_king).hash(&mut hasher);
    (variant.stalemate, variant.goal, variant.checks).hash(&mut hasher);
    let pawn = &variant.pawn;
    let double_steps = Side::BOTH.map(|side| variant.double_step_ranks(side));
    (pawn.moves, double_steps, pawn.en_passant, &pawn.promotes_to, pawn.promotes_to_captured)
        .hash(&mut hasher);
    (pawn.promotion_ranks, pawn.forced_promotion_ranks).hash(&mut hasher);
    for piece in &variant.pieces {
        (piece.letter, piece.royal, piece.betza.rays()).hash(&mut hasher);
    }
    hasher.finish()
}
