//! Boards, pieces, variants and legal play in the random-chess family.
//!
//! A [`Variant`] is a game as its file describes it; [`Rules`] is the same compiled for play; a [`Position`] borrows
//! them and knows its legal [`Move`]s; a [`Game`] is a position and what led to it.
#![warn(missing_docs)]

mod betza;
mod board;
mod diagram;
pub mod fairy;
mod game;
mod moves;
mod notation;
mod outcome;
mod perft;
mod position;
mod rules;
mod setup;
mod square;
mod start;
mod two;
mod variant;

pub use betza::{Betza, BetzaError, Ray};
pub use board::{Board, BoardError, Colour, File, MAX_FILES, MAX_SQUARES};
pub use diagram::Diagram;
pub use game::Game;
pub use moves::{Move, MoveKind};
pub use notation::MoveError;
pub use outcome::{GameResult, Outcome, Termination};
pub use position::{FenError, Position, SetupError, Threats};
pub use rules::Rules;
pub use setup::{FirstRank, Setup};
pub use square::{Side, Square, Squares};
pub use start::StartFen;
pub use two::{Shift, TwoBitboards};
pub use variant::{
    Adjustment, Castling, FindError, Landing, PAWN, Pawn, Piece, Variant, VariantError, catalogue,
};
