//! The explorer: one page on which every setup of a game can be found, seen, compared and replayed.

mod atlas;
mod bundle;
mod contents;
mod data;
mod games;
mod listing;

pub use atlas::{AtlasColumn, AtlasTable, AtlasValues};
pub use contents::Explorer;
