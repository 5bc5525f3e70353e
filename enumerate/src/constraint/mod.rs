//! Constraints that an arrangement of the first rank must satisfy.
//!
//! Each constraint is a type with one meaning, which is written twice. [`Rule::holds`] looks at a whole rank and says
//! what the words say. The automaton ([`Rule::start`], [`Rule::step`], [`Rule::accepts`]) reads the rank file by file
//! and remembers only what the rest of the rank depends on. Brute force uses the first, spaces use the second, and the
//! tests compare the two.

mod between;
mod colours;
mod differs_from;
mod each_side_of;
mod fixed;
mod no_check;
mod not_adjacent;
mod of_side;
mod parse;
mod pawns_protected;
mod symmetric;
mod up_to_reflection;
mod within;

use std::fmt;

use backrank_rules::{File, FirstRank, Letter, Setup, Side};

pub use between::Between;
pub use colours::{OppositeColours, SameColour};
pub use differs_from::DiffersFrom;
pub use each_side_of::EachSideOf;
pub use fixed::Fixed;
pub use no_check::NoCheck;
pub(crate) use no_check::{CheckClass, GoesWith, IsOfClass};
pub use not_adjacent::NotAdjacent;
pub use of_side::OfSide;
pub use parse::ConstraintError;
pub(crate) use parse::ConstraintList;
pub use pawns_protected::PawnsProtected;
pub use symmetric::Symmetric;
pub use up_to_reflection::UpToReflection;
pub(crate) use up_to_reflection::{BeforeReflection, OwnReflection};
pub use within::Within;

use crate::army::Army;

/// What a constraint remembers of the files read so far.
pub(crate) type RuleState = u128;

/// A constraint as a predicate, and as an automaton that reads the rank from the a-file.
pub(crate) trait Rule {
    /// Whether a whole rank satisfies it.
    fn holds(&self, rank: &FirstRank, army: &Army) -> bool;

    /// The state before the first file.
    fn start(&self, army: &Army) -> RuleState;

    /// The state after a piece on the next file; `None` if no rank that begins like this satisfies the constraint.
    fn step(&self, state: RuleState, file: File, letter: Letter, army: &Army) -> Option<RuleState>;

    /// Whether the rank that led to this state after the last file satisfies the constraint.
    fn accepts(&self, state: RuleState, army: &Army) -> bool;

    /// Checks that the constraint makes sense for this army.
    fn validate(&self, army: &Army) -> Result<(), String>;
}

macro_rules! constraints {
    ($($(#[$doc:meta])* $name:ident($type:ident) = $key:literal, $form:literal;)*) => {
        /// A constraint on an arrangement of the first rank.
        ///
        /// In a variant file it is an entry of `setup.constraints`, such as `{ between = "K,R,R" }`. On the command
        /// line it is `--where between=K,R,R`.
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
            /// A constraint on the rank of one side only.
            OfSide(OfSide),
        }

        impl Constraint {
            /// The names of all constraints, each with an example of its value.
            pub const KNOWN: &[(&str, &str)] = &[$(($key, $form)),*];

            /// The name in a variant file.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$name(_) => $key,)*
                    Self::OfSide(on) => on.constraint.name(),
                }
            }

            pub(crate) fn rule(&self) -> &dyn Rule {
                match self {
                    $(Self::$name(constraint) => constraint,)*
                    Self::OfSide(constraint) => constraint,
                }
            }

            fn read(name: &str, value: &str) -> Result<Self, ConstraintError> {
                if let Some((side, of_side)) = OfSide::split(name) {
                    return Self::read(of_side, value)?.on(side, name, value);
                }
                let problem = |problem| ConstraintError::Value { name: name.to_string(), value: value.to_string(), problem };
                match name {
                    $($key => $type::read(value).map(Self::$name).map_err(problem),)*
                    _ => Err(ConstraintError::Unknown { name: name.to_string() }),
                }
            }
        }

        impl fmt::Display for Constraint {
            /// What the constraint requires, in words.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$name(constraint) => constraint.fmt(f),)*
                    Self::OfSide(constraint) => constraint.fmt(f),
                }
            }
        }
    };
}

constraints! {
    /// Every piece of a kind stands between two others.
    Between(Between) = "between", "K,R,R";
    /// Pieces of two kinds, or all of one kind, stand on squares of opposite colours.
    OppositeColours(OppositeColours) = "opposite_colours", "B,B";
    /// Pieces of two kinds, or all of one kind, stand on squares of the same colour.
    SameColour(SameColour) = "same_colour", "B,B";
    /// Pieces of two kinds, or two of one kind, do not stand next to each other.
    NotAdjacent(NotAdjacent) = "not_adjacent", "B,B";
    /// A piece protects every pawn.
    PawnsProtected(PawnsProtected) = "pawns_protected", "true";
    /// The rank differs from another one on some number of files or more.
    DiffersFrom(DiffersFrom) = "differs_from", "RNBQKBNR,3";
    /// Given pieces stand on given files.
    Fixed(Fixed) = "fixed", "R...K..R";
    /// At least these pieces stand on the given files.
    Within(Within) = "within", "R,N,B:abc";
    /// Pieces stand on both sides of another piece.
    EachSideOf(EachSideOf) = "each_side_of", "K,B,N";
    /// Pieces of some kinds stand symmetrically.
    Symmetric(Symmetric) = "symmetric", "B,N,R";
    /// Of a setup and its left–right reflection only one counts.
    UpToReflection(UpToReflection) = "up_to_reflection", "true";
    /// No king stands in check before the first move.
    NoCheck(NoCheck) = "no_check", "true";
}

impl Constraint {
    /// Whether an arrangement of this army satisfies it.
    ///
    /// This is the meaning for a single rank. [`UpToReflection`] and [`NoCheck`] are about both ranks of a setup. Of a rank
    /// of independent sides, which does not say how Black is set up, they say what holds if Black has the same rank.
    pub fn holds(&self, rank: &FirstRank, army: &Army) -> bool {
        self.rule().holds(rank, army)
    }

    /// Whether a setup satisfies it if it is on both ranks together; otherwise, whether White's rank does, and Black's if it is on
    /// that.
    pub(crate) fn holds_for(&self, setup: &Setup, armies: &[Army; 2]) -> bool {
        match self {
            Self::UpToReflection(constraint) => constraint.holds_for(setup),
            Self::NoCheck(constraint) => constraint.holds_for(setup, &armies[0]),
            Self::OfSide(constraint) => {
                let rank = [&setup.white, &setup.black][constraint.side as usize];
                constraint.holds(rank, &armies[constraint.side as usize])
            }
            on_ranks => on_ranks.holds(&setup.white, &armies[0]),
        }
    }

    /// The same constraint on one side only; the name and the value are those of the error if it is about both.
    fn on(self, side: Side, name: &str, value: &str) -> Result<Self, ConstraintError> {
        let error =
            |problem| ConstraintError::Value { name: name.to_string(), value: value.to_string(), problem };
        OfSide::new(side, self).map(Self::OfSide).map_err(error)
    }
}

/// A pattern as text, with `.` for a file without a letter.
fn shown(pattern: &[Option<Letter>]) -> String {
    pattern.iter().map(|letter| letter.map_or('.', Letter::as_char)).collect()
}

/// Checks that the army has all of some letters.
fn check_letters(army: &Army, letters: &[Letter]) -> Result<(), String> {
    let Some(unknown) = letters.iter().find(|&&letter| army.count(letter) == 0) else { return Ok(()) };
    let known: String = army.kinds().iter().map(|kind| kind.0).collect();
    Err(format!("there is no {unknown} on the first rank, which has {known}"))
}

/// The letter of a pattern on a file, if there is one. The pattern has a place for each file of the board, or for each file that
/// has a piece.
fn letter_on(pattern: &[Option<Letter>], file: File, army: &Army) -> Option<Letter> {
    let place = match pattern.len() == army.board_files() {
        true => usize::from(file.0),
        false => army.files().position(|other| other == file)?,
    };
    pattern.get(place).copied().flatten()
}

/// Checks that a pattern has a letter for each file of the board, with `.` where the army has no piece, or for each piece.
fn check_pattern(army: &Army, pattern: &[Option<Letter>]) -> Result<(), String> {
    let (files, pieces) = (army.board_files(), army.len());
    let shown_rank = || String::from_utf8_lossy(army.pattern().as_bytes()).into_owned();
    if pattern.len() != files && pattern.len() != pieces {
        let or_pieces =
            if files == pieces { String::new() } else { format!(", or {pieces}, one for each piece") };
        let length = pattern.len();
        return Err(format!(
            "it has {length} letters; it takes {files}, one for each file as in {}{or_pieces}",
            shown_rank()
        ));
    }
    let has_piece = |file: &File| army.files().any(|other| other == *file);
    let empty = (0..files as u8).map(File).filter(|file| !has_piece(file));
    match empty.filter(|_| pattern.len() == files).find(|file| pattern[usize::from(file.0)].is_some()) {
        Some(file) => Err(format!("file {file} is empty in {}, so it takes `.` there", shown_rank())),
        None => Ok(()),
    }
}
