//! Games in Portable Game Notation: reading archives of any size.

mod comment;
mod game;
mod import;
mod stream;
mod tags;
mod tokens;
mod zstd;

pub use game::Rejection;
pub use import::{ImportError, ImportOptions, Imported, Importer, LeftOut};
pub(crate) use tokens::{PgnToken, PgnTokens};
