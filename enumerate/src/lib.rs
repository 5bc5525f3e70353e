//! Every starting position of a chess variant: counted, numbered and produced.
//!
//! A random-chess game shuffles the pieces of the first rank under some constraints: in Chess960 the king stands between
//! the rooks and the bishops on opposite colours. A [`Space`] is the set of all setups of such a game. It counts them by
//! dynamic programming over the files of the first rank, and the same table gives each setup a number and finds the
//! setup with a number. No list of setups is ever held, so spaces of any size work.
//!
//! # Counting
//!
//! A space is made from a [`Variant`](backrank_rules::Variant): one of the catalogue by its key, or a file of your own.
//!
//! ```
//! use backrank_enumerate::{Constraint, Space};
//! use backrank_rules::Variant;
//!
//! let pmrc = Variant::find("pmrc")?;
//! assert_eq!(Space::new(&pmrc)?.len(), 15_120);
//!
//! // Constraints narrow a space.
//! let opposite: Constraint = "opposite_colours=B,B".parse()?;
//! assert_eq!(Space::narrowed(&pmrc, &[opposite])?.len(), 8_400);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`BruteForce`] counts the same setups by going through every arrangement of the army. It does not use the tables, so
//! each way of counting checks the other.
//!
//! ```
//! use backrank_enumerate::{BruteForce, Space};
//! use backrank_rules::Variant;
//!
//! let capablanca = Variant::find("capablanca-random")?;
//! let brute_force = BruteForce::new(&capablanca, &[])?;
//! assert_eq!(brute_force.count(&|_| ()), Space::new(&capablanca)?.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Numbering
//!
//! Ids are `u128` and start at 0. Every space has the [`Numbering`] `lex`, which is alphabetical order. A variant can
//! define others, such as Scharnagl's for Chess960, and make one of them the default.
//!
//! ```
//! use backrank_enumerate::Space;
//! use backrank_rules::Variant;
//!
//! let chess960 = Space::new(&Variant::find("chess960")?)?;
//! let setup = chess960.read("RNBQKBNR")?;
//! assert_eq!(chess960.default_numbering().name(), "scharnagl");
//! assert_eq!(chess960.rank(&setup)?, 518);
//! assert_eq!(chess960.rank_by(chess960.numbering("lex").unwrap(), &setup)?, 828);
//! assert_eq!(chess960.unrank(0).unwrap().white.to_string(), "BBQNNRKR");
//!
//! // The error says why a text is not a setup.
//! let error = chess960.read("KRRBBNNQ").unwrap_err();
//! assert_eq!(error.to_string(), "KRRBBNNQ is not a setup: it breaks between (every K between R and R)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Producing
//!
//! [`Space::iter`] and [`Space::par_iter`] go through all setups, [`Space::range_by`] through some of them, and
//! [`Space::random_by`] draws one with equal probabilities. [`Space::draw_by`] draws from a phrase, by a rule that anyone can check.
//!
//! ```
//! use backrank_enumerate::Space;
//! use backrank_rules::Variant;
//!
//! // Setups in which the two bishops start next to the king.
//! let space = Space::new(&Variant::find("pmrc")?)?;
//! let beside = |rank: &str| rank.contains("BKB");
//! assert_eq!(space.iter().filter(|setup| beside(&setup.white.to_string())).count(), 420);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`claims`] lists what others have published about these numbers, and [`Claim::judge`] says whether they are right.

mod army;
mod brute_force;
mod claims;
mod constraint;
mod draw;
mod error;
mod file;
mod gaze;
mod numbering;
mod pairs;
mod pawn_choices;
mod random_game;
mod rank_table;
mod read;
mod sides;
mod space;

pub use army::Army;
pub use brute_force::BruteForce;
pub use claims::{Claim, Claimed, Verdict, claims, pages_named};
pub use constraint::{
    Between, Constraint, ConstraintError, DiffersFrom, EachSideOf, Fixed, NoCheck, NotAdjacent, OfSide,
    OppositeColours, PawnsProtected, SameColour, Symmetric, UpToReflection, Within,
};
pub use draw::{Draw, Drawn};
pub use error::{NotInSpace, RankError, SpaceError};
pub use numbering::{Numbering, Placed};
pub use random_game::{Movers, RandomGame};
pub use sides::{Counterparts, Sides};
pub use space::{InCheck, Space};
