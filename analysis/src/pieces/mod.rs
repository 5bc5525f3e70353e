//! What any piece is worth: pieces that were measured in the places of others, and what predicts their values.
//!
//! [`PieceRecord`] is what was played of a piece, [`measured_pieces`] what that says of its value. [`Predictor`] says what a piece
//! should be worth by what can be seen of it ([`PieceFeatures`](backrank_rules::PieceFeatures)), as the pieces tell that were measured.
//!
//! ```
//! use backrank_analysis::pieces::Predictor;
//! use backrank_rules::{Board, PieceFeatures};
//!
//! let board = Board::new(8, 8)?;
//! let predictor = Predictor::shipped("N=3.25".parse()?, board).expect("there are pieces");
//! let waffle = predictor.predict(&PieceFeatures::of(&"WA".parse()?, board));
//! assert!(waffle.interval.contains(3.1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod in_games;
mod log_linear;
mod measured;
mod page;
mod predictor;
mod record;
mod shipped;
mod tables;
mod theories;

pub use in_games::{PieceInGames, in_games_table, pieces_in_games};
pub use measured::{MeasuredPiece, measured_pieces};
pub use page::pieces_page;
pub use predictor::{Observation, Predictor, cross_validated, error_of_predictions};
pub use record::{PieceRecord, is_of_records, read_records, write_records};
pub use shipped::{measured_boards, shipped_pieces};
pub use tables::{PieceRow, beside_strongest_table, piece_table, predictor_table, write_pieces};
pub use theories::{Theory, premium, theories, theories_table};
