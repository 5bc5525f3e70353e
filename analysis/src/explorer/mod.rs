//! The explorer: one page on which every setup of a game can be found, seen, compared and replayed.
//!
//! An [`Explorer`] takes the setups of a space, and beside them what there is: tables of setups such as atlases ([`AtlasTable`]), the
//! statistics of games, piece values, and games to replay. [`Explorer::to_html`] writes the page, with its style, its script and its
//! data in one file; the files of the page are in `explorer/page`.

mod atlas;
mod bundle;
mod contents;
mod data;
mod games;
mod listing;

pub use atlas::{AtlasColumn, AtlasTable, AtlasValues};
pub use bundle::BOARD_FILES;
pub use contents::Explorer;
pub use games::{MATE, page_score};
