//! A chess engine for any variant of the random-chess family.
//!
//! The engine knows only the variant's file: its evaluation is derived from the board, the pieces' moves and the
//! material values there. One thread, fixed nodes and a cleared table give the same moves on every machine.
//!
//! # Searching
//!
//! An [`Engine`] is made from [`Rules`](backrank_rules::Rules) and [`Weights`]. It searches the position of a
//! [`Game`](backrank_rules::Game), which knows the moves before, within [`Limits`]: nodes, depth, time or a clock, and
//! the number of lines to find.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use backrank_rules::{Game, Position, Rules, Variant};
//! use backrank_engine::{Engine, Limits, Weights};
//!
//! let rules = Rules::new(&Variant::find("chess960")?);
//! let position = Position::from_fen(&rules, "6k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 0 1")?;
//! let mut engine = Engine::new(&rules, &Weights::new(&rules), 1); // a table of 1 MiB
//! let limits = Limits { lines: 2, ..Limits::of_nodes(1_000) };
//! let found = engine.search(&Game::new(position), &limits, &AtomicBool::new(false), |progress| {
//!     assert!(progress.depth > 0);
//! });
//! assert_eq!(position.notation(found.best.unwrap()), "Rb8#");
//! assert_eq!(found.score.to_string(), "mate 1");
//! assert!(found.others[0].score < found.score);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With [endgame tables](backrank_endgames::EndgameTables) positions of few men are scored exactly:
//! [`Engine::with_tables`]. [`uci`] lets any program that speaks the Universal Chess Interface use the engine.
//!
//! [`learn`] fits the evaluation to games.
//!
//! # Speed
//!
//! Build for processors with AVX2 (`RUSTFLAGS="-C target-cpu=x86-64-v3"`): the evaluation processes both sides at once
//! in 256 bits. Without AVX2 the same code works on two 128-bit halves. [`BenchPosition`] has the positions with which
//! speed is measured.

mod bench;
mod eval;
pub mod learn;
mod limits;
mod material;
mod memory;
mod net;
mod score;
mod search;
pub mod uci;
mod weights;

pub use bench::BenchPosition;
pub use eval::Evaluator;
pub use limits::{Clock, Limits};
pub use memory::available_mebibytes;
pub use net::{Net, NetChoice, NetError};
pub use score::Score;
pub use search::{Engine, Line, NoMemory, Progress, SearchResult, is_quiet};
pub use weights::{Tapered, Weights};
