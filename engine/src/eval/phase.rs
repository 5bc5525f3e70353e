//! The phase of the game: how much material is left, in tens of centipawns.

/// The phase of the game is counted in tens of centipawns.
const CENTIPAWNS_A_PHASE: f32 = 10.0;

/// From this value on, in centipawns, a piece is heavy, and an advantage in pieces wins without pawns.
pub(super) const HEAVY: f32 = 475.0;

/// The advantage in pieces that wins without pawns, as a phase.
pub(super) const WINNING_PHASE: i32 = (HEAVY / CENTIPAWNS_A_PHASE) as i32;

/// A phase for each hundred centipawns.
pub(super) const PHASE_OF_A_HUNDRED: f32 = 100.0 / CENTIPAWNS_A_PHASE;

/// What a piece with this value in centipawns adds to the phase.
pub(super) fn phase_of(value: f32) -> i32 {
    (value / CENTIPAWNS_A_PHASE).round().max(1.0) as i32
}
