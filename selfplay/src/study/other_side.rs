//! Starts in which the sides have swapped armies.

use backrank_rules::{Position, PositionBuilder, SetupError};

/// The same position with the other side to move, which is that in which the sides have swapped armies, seen from the other end of
/// the board.
pub(crate) fn with_other_side_to_move<'r>(position: &Position<'r>) -> Result<Position<'r>, SetupError> {
    PositionBuilder::from_position(position).side_to_move(position.side_to_move().other()).build()
}
