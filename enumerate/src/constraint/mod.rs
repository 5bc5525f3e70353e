//! Constraints: what an arrangement of the first rank must keep to.
//!
//! Each is a type of its own with one meaning, given twice: [`Rule::holds`] looks at a whole rank and says what the
//! words say; the automaton ([`Rule::start`], [`Rule::step`], [`Rule::accepts`]) reads the rank file by file and
//! remembers just what the rest of the rank depends on. Spaces are built from the second, brute force from the first,
//! and the tests hold one against the other.

mod between;
mod colours;
mod differs_from;
mod each_side_of;
mod fixed;
mod not_adjacent;
mod parse;
mod pawns_protected;
mod up_to_reflection;
mod within;

use std::fmt;

use backrank_rules::{File, FirstRank, Setup};

pub use between::Between;
pub use colours::{OppositeColours, SameColour};
pub use differs_from::DiffersFrom;
pub use each_side_of::EachSideOf;
pub use fixed::Fixed;
pub use not_adjacent::NotAdjacent;
pub use parse::ConstraintError;
pub use pawns_protected::PawnsProtected;
pub(crate) use up_to_reflection::OwnReflection;
pub use up_to_reflection::UpToReflection;
pub use within::Within;

use crate::army::Army;

/// What a constraint remembers of the files read so far.
pub(crate) type RuleState = u128;

/// One meaning, as a predicate and as an automaton that reads the rank from the a-file.
pub(crate) trait Rule {
    /// Whether a whole rank keeps to it.
    fn holds(&self, rank: &FirstRank, army: &Army) -> bool;

    /// What is remembered before the first file.
    fn start(&self, army: &Army) -> RuleState;

    /// What is remembered after a piece on the next file; nothing when no rank that begins like this can hold.
    fn step(&self, state: RuleState, file: File, letter: u8, army: &Army) -> Option<RuleState>;

    /// Whether the rank that led here holds, after the last file.
    fn accepts(&self, state: RuleState) -> bool;

    /// Whether it can be asked of this army, and if not, why.
    fn validate(&self, army: &Army) -> Result<(), String>;
}

macro_rules! constraints {
    ($($(#[$doc:meta])* $name:ident($type:ident) = $key:literal, $form:literal;)*) => {
        /// A constraint on an arrangement of the first rank.
        ///
        /// In a variant file it is one entry of `setup.constraints`, such as `{ between = "K,R,R" }`; on the command
        /// line `--where between=K,R,R`.
        ///
        /// ```
        /// use backrank_enumerate::{Army, Constraint};
        /// use backrank_rules::{FirstRank, Variant};
        ///
        /// let army = Army::new(&Variant::find("chess960")?);
        /// let constraint: Constraint = "between=K,R,R".parse()?;
        /// assert!(constraint.holds(&FirstRank::new(b"RNBQKBNR").unwrap(), &army));
        /// assert!(!constraint.holds(&FirstRank::new(b"KRBQNBNR").unwrap(), &army));
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Constraint {
            $($(#[$doc])* $name($type),)*
        }

        impl Constraint {
            /// The names of all constraints, each with the form of its value.
            pub const KNOWN: &[(&str, &str)] = &[$(($key, $form)),*];

            /// Its name in a variant file.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$name(_) => $key,)* }
            }

            pub(crate) fn rule(&self) -> &dyn Rule {
                match self { $(Self::$name(constraint) => constraint,)* }
            }

            fn read(name: &str, value: &str) -> Result<Self, ConstraintError> {
                let problem = |problem| ConstraintError::Value { name: name.to_string(), value: value.to_string(), problem };
                match name {
                    $($key => $type::read(value).map(Self::$name).map_err(problem),)*
                    _ => Err(ConstraintError::Unknown { name: name.to_string() }),
                }
            }
        }

        impl fmt::Display for Constraint {
            /// What it asks, in words.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $(Self::$name(constraint) => constraint.fmt(f),)* }
            }
        }
    };
}

constraints! {
    /// Every piece of one kind stands between two others.
    Between(Between) = "between", "K,R,R";
    /// Pieces of two kinds, or all of one, stand on squares of opposite colours.
    OppositeColours(OppositeColours) = "opposite_colours", "B,B";
    /// Pieces of two kinds, or all of one, stand on squares of the same colour.
    SameColour(SameColour) = "same_colour", "B,B";
    /// Pieces of two kinds, or two of one, do not stand next to each other.
    NotAdjacent(NotAdjacent) = "not_adjacent", "B,B";
    /// A piece protects every pawn.
    PawnsProtected(PawnsProtected) = "pawns_protected", "true";
    /// The rank differs from another on some number of files at least.
    DiffersFrom(DiffersFrom) = "differs_from", "RNBQKBNR,3";
    /// Some pieces stand on given files.
    Fixed(Fixed) = "fixed", "R...K..R";
    /// Some files hold at least these pieces.
    Within(Within) = "within", "R,N,B:abc";
    /// Pieces stand on both sides of another.
    EachSideOf(EachSideOf) = "each_side_of", "K,B,N";
    /// Of a setup and its left–right reflection, one counts.
    UpToReflection(UpToReflection) = "up_to_reflection", "true";
}

impl Constraint {
    /// Whether an arrangement of this army keeps to it.
    ///
    /// This is the plain meaning, for a rank alone. [`UpToReflection`] is about both ranks of a setup:
    /// [`UpToReflection::holds_for`].
    pub fn holds(&self, rank: &FirstRank, army: &Army) -> bool {
        self.rule().holds(rank, army)
    }

    /// Whether one of the setups that a variant lists keeps to it: White's rank alone counts, but for a reflection.
    pub(crate) fn holds_for_listed(&self, setup: &Setup, army: &Army) -> bool {
        match self {
            Self::UpToReflection(constraint) => constraint.holds_for(setup),
            on_ranks => on_ranks.holds(&setup.white, army),
        }
    }
}

/// The letter as text.
fn shown(letter: u8) -> char {
    letter as char
}

/// Whether the army has all letters.
fn check_letters(army: &Army, letters: &[u8]) -> Result<(), String> {
    let Some(unknown) = letters.iter().find(|&&letter| army.count(letter) == 0) else { return Ok(()) };
    let known: String = army.kinds().iter().map(|kind| shown(kind.0)).collect();
    Err(format!("there is no {} on the first rank, which has {known}", shown(*unknown)))
}

/// Whether a rank is as long as the army's.
fn check_length(army: &Army, length: usize) -> Result<(), String> {
    match army.len() {
        pieces if pieces == length => Ok(()),
        pieces => Err(format!("it has {length} letters and the first rank {pieces} pieces")),
    }
}
