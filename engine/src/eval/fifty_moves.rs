//! The fifty-move rule: an advantage counts less, the nearer the game is to being drawn by it.

use backrank_rules::Position;

use crate::score::FORCED_WIN;

/// The number of plies without a capture or a pawn move after which an advantage would count nothing. The game is drawn
/// after half of them: if the score fell to nothing by then, the side that is ahead would sacrifice to avoid it.
const FIFTY_MOVE_PARTS: i32 = 200;

/// The part of a score that is left, in two-hundredths, as the game comes near the fifty-move rule, so that progress is
/// rewarded.
fn fifty_move_parts(position: &Position<'_>) -> i32 {
    FIFTY_MOVE_PARTS - i32::from(position.halfmove_clock()).min(100)
}

/// The part of a score that is left, from 1/2 to 1.
pub(crate) fn fifty_move_scale(position: &Position<'_>) -> f32 {
    fifty_move_parts(position) as f32 / FIFTY_MOVE_PARTS as f32
}

/// A score as the fifty-move rule leaves it. However large the advantage is, only the search can prove a win.
pub(super) fn scaled_by_fifty_moves(position: &Position<'_>, score: i32) -> i32 {
    (score * fifty_move_parts(position) / FIFTY_MOVE_PARTS).clamp(1 - FORCED_WIN, FORCED_WIN - 1)
}
