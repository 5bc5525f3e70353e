//! Boards, pieces and variants of the random-chess family.
#![warn(missing_docs)]

mod betza;
mod board;
mod diagram;
mod setup;
mod start;
mod variant;

pub use betza::{Betza, BetzaError, Ray};
pub use board::{Board, BoardError, Colour, File, MAX_FILES, MAX_SQUARES};
pub use diagram::Diagram;
pub use setup::{FirstRank, Setup};
pub use start::StartFen;
pub use variant::{
    Adjustment, Castling, FindError, Landing, PAWN, Pawn, Piece, Variant, VariantError, catalogue,
};
