//! Self-play and studies for any variant of the random-chess family.
//!
//! | module | what it has |
//! |---|---|
//! | [`study`] | what a study is, its starts, and the records of its games |
//! | [`player`] | who plays: the engine, or a program that speaks UCI |
//! | [`play`] | playing a study's games, several at a time, and recording them in order |
//! | [`import`] | making a study of the games of a PGN archive |
//! | [`atlas`] | judging every setup of a space by search |
//! | [`training`] | what [`backrank_engine::learn`] is taught with: the games of a study |
//! | [`store`] | the directory that a study or an atlas is in |
//!
//! A [`Study`](study::Study) defines the games, two [`Player`](player::Player)s play them, and a
//! [`Recorder`](play::Recorder) records them in a [`StudyDirectory`](study::StudyDirectory), from which a run can continue.
//! [`GamesReader`](study::GamesReader) reads them, each as a [`GameRecord`](study::GameRecord). The same study gives the same
//! bytes, whatever the number of threads, shards or interruptions.

pub mod atlas;
pub mod import;
mod pgn;
pub mod play;
pub mod player;
pub mod store;
pub mod study;
pub mod training;
