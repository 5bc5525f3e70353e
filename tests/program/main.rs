//! The program as a person, a script or another program runs it: each test starts the process.
//!
//! All of it is one program of tests, which is linked once: `cargo test --release --test program play::` runs a part.

mod analysis;
mod atlas;
mod bench;
mod cli;
mod cluster;
mod common;
mod conventions;
mod crash;
mod draw;
mod endgame;
mod explore;
mod help;
mod import;
mod lookup;
mod moves;
mod narrow;
mod output;
mod own_game;
mod pieces;
mod play;
mod report;
mod schema;
mod serve;
mod study;
mod train;
mod trust;
mod tune;
mod uci;
mod value;
