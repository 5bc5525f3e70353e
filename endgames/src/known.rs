//! What building a table needs of the tables that were built before.

use backrank_rules::{Side, Square};

use crate::endgame::Man;
use crate::value::Code;

/// Tables that captures and promotions lead to.
pub(crate) trait KnownTables: Sync {
    /// The code of men on squares, if no pawn can be captured en passant; `None` if there is no table for these men.
    fn code(&self, men: &[(Man, Square)], to_move: Side) -> Option<Code>;
}
