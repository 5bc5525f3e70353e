//! Boards, pieces, variants and legal play in the random-chess family.
//!
//! A [`Variant`] is a game as its file describes it; [`Rules`] is the same compiled for play; a [`Position`] borrows
//! them and knows its legal [`Move`]s; a [`Game`] is a position and what led to it.
#![warn(missing_docs)]

mod betza;
mod bitboard;
mod board;
mod compiled;
mod diagram;
pub mod fairy;
mod first_rank_rights;
mod game;
mod moves;
mod notation;
mod outcome;
mod perft;
mod piece_kind;
mod position;
mod setup;
mod square;
mod start;

mod variant;

pub use betza::{Betza, BetzaError, Ray};
pub use bitboard::{Bitboard, BitboardIter, BitboardPair, Shifts};
pub use board::{Board, BoardError, Colour, File, MAX_FILES, MAX_SQUARES};
pub use compiled::Rules;
pub use diagram::Diagram;
pub use game::Game;
pub use moves::{Move, MoveKind};
pub use notation::MoveError;
pub use outcome::{GameResult, Outcome, Termination};
pub use piece_kind::{KindGroup, PieceKind};
pub use position::{CheckInfo, FenError, Position, PositionBuilder, SetupError};
pub use setup::{FirstRank, Setup};
pub use square::{Side, Square};
pub use start::StartFen;
pub use variant::{
    Adjustment, Castling, FindError, Landing, Pawn, Piece, RightsNotation, Variant, VariantError, catalogue,
};
