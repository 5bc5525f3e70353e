//! Games in Portable Game Notation: reading archives of any size.

mod comment;
mod ending;
mod game;
mod games;
mod gzip;
mod import;
mod source;
mod splitter;
mod stream;
mod tag_place;
mod tags;
mod text;
mod tokens;
mod words;
mod zstd;

pub use game::Rejection;
pub(crate) use games::PgnGames;
pub use import::{ImportCounts, ImportError, ImportOptions, Importer, RejectedGames};
pub(crate) use source::{BYTE_ORDER_MARK, check_format};
pub(crate) use tags::VariantNames;
pub(crate) use text::{decoded, end_lines};
pub(crate) use tokens::PgnToken;
pub(crate) use words::{WordMeaning, read_word};
