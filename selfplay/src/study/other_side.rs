//! Starts in which the sides have swapped armies.

use backrank_rules::{Position, PositionBuilder, SetupError, Side};

/// The same position with the other side to move, which is that in which the sides have swapped armies, seen from the other end of
/// the board.
///
/// # Errors
///
/// When it is no position: the side that is to move then could take the king.
pub fn with_other_side_to_move<'r>(position: &Position<'r>) -> Result<Position<'r>, SetupError> {
    PositionBuilder::from_position(position).side_to_move(position.side_to_move().other()).build()
}

/// The start of a setup in a game that begins with a side's move. Black moves first only where the sides differ.
pub(crate) fn start_of_mover<'r>(start: &Position<'r>, first: Side) -> Result<Position<'r>, SetupError> {
    let may_be_swapped = start.rules().variant().sides_differ();
    if may_be_swapped && first != start.side_to_move() { with_other_side_to_move(start) } else { Ok(*start) }
}
