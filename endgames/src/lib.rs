//! Endgame tables by retrograde analysis, for any variant.
#![warn(missing_docs)]

mod endgame;
mod layout;
mod lone;
mod moves;
mod solve;
mod symmetry;
mod table;
mod tables;
mod value;

pub use endgame::{Endgame, EndgameError, MAX_MEN, Man};
pub use lone::LonePiece;
pub use table::{EndgameTable, LongestWin, WinsDrawsLosses};
pub use tables::{EndgameTables, TableProgress, TablesError};
pub use value::EndgameValue;
