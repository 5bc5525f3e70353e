//! Every setup of a game: counted, numbered and produced.
//!
//! A [`Space`] is made from a [`Variant`](backrank_rules::Variant). It counts by dynamic programming over the files of
//! the first rank; [`BruteForce`] counts by going through every arrangement, and shares no code with it.
#![warn(missing_docs)]

mod army;
mod brute_force;
mod claims;
mod constraint;
mod file;
mod numbering;
mod read;
mod space;
mod table;

pub use army::Army;
pub use brute_force::BruteForce;
pub use claims::{Claim, Verdict, claims};
pub use constraint::{
    Between, Constraint, ConstraintError, DiffersFrom, EachSideOf, Fixed, NotAdjacent, OppositeColours,
    PawnsProtected, SameColour, UpToReflection, Within,
};
pub use numbering::{Numbering, Placed};
pub use read::RankError;
pub use space::{NotInSpace, Sides, Space, SpaceError};
