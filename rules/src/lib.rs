//! Rules of chess variants that shuffle the first rank: boards up to 128 squares, pieces in Betza's notation, legal moves.
//!
//! A [`Variant`] is a game as its TOML file describes it. [`Rules`] are a variant compiled for play. A [`Position`] borrows
//! them and knows its legal [`Move`]s. A [`Game`] is a position and the moves that led to it.
//!
//! # Variants
//!
//! The [`catalogue`] has the games that come with the crate. A file of your own works like one of them: see
//! [`Variant::find`] and [`Variant::parse`].
//!
//! ```
//! use backrank_rules::{Letter, Variant, catalogue};
//!
//! let pmrc = Variant::find("pmrc")?;
//! assert_eq!(pmrc.name, "Pseudo-Modern Random Chess");
//! assert_eq!(pmrc.board.to_string(), "9×9");
//! assert_eq!(pmrc.piece(Letter::M).unwrap().betza.to_string(), "BN");
//! assert!(catalogue().any(|variant| variant.key == "chess960"));
//! # Ok::<(), backrank_rules::FindError>(())
//! ```
//!
//! # Positions and moves
//!
//! A position starts from a [`Setup`], is read from a FEN, or is put together by a [`PositionBuilder`]. Moves are read in the
//! Universal Chess Interface's notation and in the game's own. [`Position::after`] does not check its move;
//! [`Position::try_play`] does.
//!
//! ```
//! use backrank_rules::{FirstRank, Letter, Position, Rules, Setup, Variant};
//!
//! let rules = Rules::new(&Variant::find("pmrc")?);
//! let rank = FirstRank::new(b"RNBMKQBNR").unwrap();
//! let start = Position::new(&rules, &Setup { white: rank, black: rank })?;
//! assert_eq!(start.count_legal_moves(), 28);
//!
//! // The Bishop Adjustment: a bishop changes places with its neighbour.
//! let adjustment = start.parse_move("Bc<=>M")?;
//! assert_eq!(adjustment.uci(start.board()), "c1d1");
//! assert_eq!(start.after(adjustment).piece_at(start.board().parse_square("d1").unwrap()).unwrap().1, Letter::B);
//!
//! // Errors name the field that is wrong.
//! let error = Position::from_fen(&rules, "9/9/9/9/9/9/9/9/4K4 w - - 0 1").unwrap_err();
//! assert_eq!(error.to_string(), "field 1, pieces: Black has no king");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Perft
//!
//! ```
//! use backrank_rules::{Position, Rules, Variant};
//!
//! let rules = Rules::new(&Variant::find("chess")?);
//! let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
//! assert_eq!(Position::from_fen(&rules, start)?.perft(4), 197_281);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Games
//!
//! ```
//! use backrank_rules::{Game, Position, Rules, Termination, Variant};
//!
//! let rules = Rules::new(&Variant::find("chess")?);
//! let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
//! let mut game = Game::new(Position::from_fen(&rules, start)?);
//! for text in ["f3", "e5", "g4", "Qh4#"] {
//!     let played = game.position().parse_move(text)?;
//!     game.play(played);
//! }
//! assert_eq!(game.outcome().unwrap().termination, Termination::Checkmate);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Speed
//!
//! The crate is fastest when it is built for processors with AVX2 and POPCNT, which nearly all x86-64 processors since
//! 2013 have: set `RUSTFLAGS="-C target-cpu=x86-64-v3"`, or the same in `.cargo/config.toml`. Built without, it finds
//! the same moves, and a search takes 1.6 times as long. It does not choose at run time: operations on a [`Bitboard`]
//! of 128 bits are a few instructions that are inlined everywhere, and a choice at each of them would cost more than it
//! gains.

mod betza;
mod bitboard;
mod board;
mod compiled;
mod diagram;
pub mod fairy;
pub mod files;
mod first_rank_rights;
mod game;
mod known_piece;
mod letter;
mod moves;
mod nearest;
mod notation;
mod outcome;
mod pawn_moves;
mod perft;
mod piece_features;
mod piece_kind;
mod position;
mod printable;
#[cfg(target_arch = "x86_64")]
mod processor;
mod setup;
mod square;
mod start;

mod variant;
mod variant_text;

pub use betza::{Betza, BetzaError, BetzaWarning, Passage, Ray};
pub use bitboard::{Bitboard, BitboardIter, BitboardPair, Shifts};
pub use board::{Board, BoardError, Colour, File, MAX_FILES, MAX_SQUARES};
pub use compiled::Rules;
pub use diagram::{Diagram, Drawing, MoveDiagram};
pub use game::Game;
pub use known_piece::{KnownPiece, UnknownPiece};
pub use letter::{ByLetter, Letter, LetterError};
pub use moves::{IllegalMove, Move, MoveKind};
pub use nearest::nearest;
pub use notation::MoveError;
pub use outcome::{GameResult, Outcome, Termination};
pub use piece_features::PieceFeatures;
pub use piece_kind::{KindGroup, PieceKind};
pub use position::{CheckInfo, FenError, Position, PositionBuilder, SetupError};
pub use printable::{printable, printable_line};
#[cfg(target_arch = "x86_64")]
pub use processor::missing_instructions;
pub use setup::{FirstRank, Setup};
pub use square::{Side, Square};
pub use start::{StartCastling, StartFen};
pub use variant::{
    Adjustment, Castling, CastlingEnd, CastlingHome, DoubleStep, Faults, FindError, Goal, Landing, Pawn,
    PawnType, Piece, Problem, RightsNotation, Stalemate, Variant, VariantError, VariantWarning, catalogue,
};
