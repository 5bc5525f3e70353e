//! Errors about ranks, setups and spaces.

use backrank_rules::{FirstRank, Side, VariantError};
use thiserror::Error;

/// Why a text is not an arrangement of an army.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RankError {
    /// The letters are not those of the army.
    #[error("{text} is not an arrangement of {army}: {}", wrong_letters(.missing, .extra))]
    Letters {
        /// The text.
        text: String,
        /// The letters of the army, in the order of its own game.
        army: String,
        /// The letters that are missing.
        missing: String,
        /// The letters that are too many.
        extra: String,
    },
    /// The pieces are on other files than the army's.
    #[error("{text} has pieces on other files than {pattern}")]
    Files {
        /// The text.
        text: String,
        /// The arrangement in the variant's file.
        pattern: String,
    },
    /// Pawns are on the farther of two ranks that do not start on one of two.
    #[error("`:{given}` says which pawns start on the farther of two ranks; {}", pawns_with_a_choice(.files))]
    Pawns {
        /// The files that are given.
        given: String,
        /// The files of the pawns that start on one of two ranks.
        files: String,
    },
    /// There is one rank where two are needed.
    #[error("{text} is one rank and the sides are {sides}: give White's and Black's as {text}/{text}")]
    OneSide {
        /// The text.
        text: String,
        /// The name of the symmetry.
        sides: &'static str,
    },
}

fn wrong_letters(missing: &str, extra: &str) -> String {
    match (missing, extra) {
        (missing, "") => format!("missing {missing}"),
        ("", extra) => format!("too many {extra}"),
        (missing, extra) => format!("missing {missing}, too many {extra}"),
    }
}

fn pawns_with_a_choice(files: &str) -> String {
    match files {
        "" => "in this game all start on one rank".to_string(),
        files => format!("those on the files {files} can"),
    }
}

/// Why a variant has no space.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SpaceError {
    /// The variant's file is wrong.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// A constraint that narrows the space is about pieces or files that the army does not have.
    #[error("{name}: {problem}")]
    Constraint {
        /// The constraint's name.
        name: &'static str,
        /// What does not fit.
        problem: String,
    },
    /// The constraints together remember too much of the beginning of a rank.
    #[error(
        "the constraints of {key} depend on too much of a rank's beginning to be counted: over a million beginnings of one length differ in what may follow"
    )]
    TooManyStates {
        /// The variant's key.
        key: String,
    },
    /// There are too many setups to look at each of them.
    #[error(
        "in {key} each of {setups} setups would have to be looked at, since pawns start on one of two ranks"
    )]
    TooManyToSee {
        /// The variant's key.
        key: String,
        /// How many there are.
        setups: u128,
    },
}

/// Why a setup is not in a space.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotInSpace {
    /// The letters are not those of the army.
    #[error(transparent)]
    Letters(#[from] RankError),
    /// A constraint is broken.
    #[error("{setup} is not a setup: it breaks {name} ({meaning})")]
    Breaks {
        /// The rank, or both ranks with a slash between them where the constraint is on both.
        setup: String,
        /// The constraint's name.
        name: &'static str,
        /// What the constraint requires.
        meaning: String,
    },
    /// Black's rank does not go with White's.
    #[error(
        "Black's {given} does not go with White's {white}: sides are {symmetry}, so it would be {expected}"
    )]
    Black {
        /// White's rank.
        white: FirstRank,
        /// The given rank of Black.
        given: FirstRank,
        /// The rank of Black that goes with White's.
        expected: FirstRank,
        /// The name of the symmetry.
        symmetry: &'static str,
    },
    /// No rank of a side has a number.
    #[error(
        "{}/{}: there is no {} for {side}; the ranks of a side have the numbers 0 to {} in {numbering}",
        .ids[0], .ids[1], .ids[*.side as usize], .ranks.saturating_sub(1)
    )]
    SideId {
        /// The numbers of White's rank and of Black's.
        ids: [u128; 2],
        /// Whose rank it would be.
        side: Side,
        /// The name of the numbering.
        numbering: String,
        /// How many ranks it numbers.
        ranks: u64,
    },
    /// The setup is not one of those that the variant lists.
    #[error("{white}/{black} is none of the listed setups, which are {known}")]
    Unlisted {
        /// White's rank.
        white: FirstRank,
        /// Black's rank.
        black: FirstRank,
        /// The names of the listed setups.
        known: String,
    },
    /// A FEN is not that of a starting position.
    #[error("`{fen}` is not a starting position of {variant}: {problem}")]
    Fen {
        /// The text.
        fen: String,
        /// The variant's key.
        variant: String,
        /// Why not.
        problem: String,
    },
}
