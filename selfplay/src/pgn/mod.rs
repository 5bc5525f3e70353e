//! Games in Portable Game Notation: the games of archives of any size, their tokens, and what they mean.

mod comment;
pub(crate) mod ending;
mod games;
mod gzip;
mod not_games;
mod source;
mod splitter;
mod stream;
mod tag_place;
pub(crate) mod tags;
mod text;
mod tokens;
mod words;
mod zstd;

pub(crate) use comment::score_in;
pub(crate) use games::PgnGames;
pub(crate) use not_games::NotGames;
pub(crate) use source::{BYTE_ORDER_MARK, check_format};
pub(crate) use stream::{PgnBatch, PgnPlace, PgnStream};
pub(crate) use text::{decoded, end_lines};
pub(crate) use tokens::{PgnError, PgnToken};
pub(crate) use words::{WordMeaning, read_word};
