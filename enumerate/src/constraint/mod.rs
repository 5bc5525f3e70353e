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

use backrank_rules::{File, FirstRank};

pub use between::Between;
pub use colours::{OppositeColours, SameColour};
pub use differs_from::DiffersFrom;
pub use each_side_of::EachSideOf;
pub use fixed::Fixed;
pub use not_adjacent::NotAdjacent;
pub use parse::ConstraintError;
pub use pawns_protected::PawnsProtected;
pub use up_to_reflection::UpToReflection;
pub use within::Within;

use crate::army::Army;

/// What a constraint remembers of the files read so far.
pub(crate) type State = u128;

/// One meaning, as a predicate and as an automaton that reads the rank from the a-file.
pub(crate) trait Rule {
    /// Whether a whole rank keeps to it.
    fn holds(&self, rank: &FirstRank, army: &Army) -> bool;

    /// What is remembered before the first file.
    fn start(&self, army: &Army) -> State;

    /// What is remembered after a piece on the next file; nothing when no rank that begins like this can hold.
    fn step(&self, state: State, file: File, letter: u8, army: &Army) -> Option<State>;

    /// Whether the rank that led here holds, after the last file.
    fn accepts(&self, state: State) -> bool;

    /// Why it cannot be asked of this army, if it cannot.
    fn misfit(&self, army: &Army) -> Option<String>;
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

            pub(crate) fn rule(&self) -> &(dyn Rule + Sync) {
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
    /// Of a rank and its left–right reflection, one counts.
    UpToReflection(UpToReflection) = "up_to_reflection", "true";
}

impl Constraint {
    /// Whether an arrangement of this army keeps to it.
    pub fn holds(&self, rank: &FirstRank, army: &Army) -> bool {
        self.rule().holds(rank, army)
    }
}

/// The letter as text.
fn shown(letter: u8) -> char {
    letter as char
}

/// The complaint about letters that the army does not have.
fn unknown_letters(army: &Army, letters: &[u8]) -> Option<String> {
    let unknown = letters.iter().find(|&&letter| army.count(letter) == 0)?;
    let known: String = army.kinds().iter().map(|kind| shown(kind.0)).collect();
    Some(format!("there is no {} on the first rank, which has {known}", shown(*unknown)))
}

/// The complaint about a rank of the wrong length.
fn wrong_length(army: &Army, length: usize) -> Option<String> {
    (length != army.len())
        .then(|| format!("it has {length} letters and the first rank {} pieces", army.len()))
}
