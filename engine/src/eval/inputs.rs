//! The inputs of the two terms that are not scores: the danger that a king is in, and how winnable an endgame is.

/// The largest danger that counts.
pub(crate) const MAX_DANGER: f32 = 300.0;

/// The weights of the inputs of danger.
pub(crate) const DANGER_INPUTS: [&str; 15] = [
    "danger_base",
    "danger_attacker",
    "danger_strength",
    "danger_together",
    "danger_attack",
    "danger_weak",
    "danger_check",
    "danger_more_checks",
    "danger_unsafe_check",
    "danger_flank",
    "danger_pinned",
    "danger_shield",
    "danger_open_file",
    "danger_storm",
    "danger_army",
];

/// The inputs for a side's attack on the enemy's king, in the order of [`DANGER_INPUTS`].
pub(crate) type DangerInputs = [f32; DANGER_INPUTS.len()];

/// The weights of the inputs that say how winnable an endgame is.
pub(crate) const WINNABLE_INPUTS: [&str; 6] = [
    "winnable",
    "winnable_pawn",
    "winnable_both_wings",
    "winnable_pawns_only",
    "winnable_opposite",
    "winnable_opposite_only",
];

/// The inputs in the order of [`WINNABLE_INPUTS`]; all are zero if winning takes more pieces.
pub(crate) type WinnableInputs = [i32; WINNABLE_INPUTS.len()];

/// The most that an advantage counts, in 256ths.
pub(crate) const MAX_WINNABLE: i32 = 512;

/// The part of a small advantage in pieces that counts without pawns, in 256ths.
pub(crate) const HARDLY_WINNABLE: i32 = 64;
