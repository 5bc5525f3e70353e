//! The choice of the setups that a study plays.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use backrank_enumerate::{Constraint, ConstraintError, Space, SpaceError};
use backrank_rules::{Variant, VariantError};
use thiserror::Error;

/// The choice of setups, as `study.toml` and the command line write it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SetupChoice {
    /// Every setup: `all`.
    #[default]
    All,
    /// The setups with the ids in a range: `0..100`.
    Ids(Range<u64>),
    /// A number of setups that are drawn with equal probabilities by the study's seed: `random:500`.
    Random(u64),
    /// The setups with these ids: `listed`, with the ids beside it.
    Listed(Vec<u64>),
}

/// Why a study's setups cannot be found.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SetupsError {
    /// The text of the study's variant is not valid.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// The variant has no space.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// A constraint of the study, or its choice of setups, is not valid.
    #[error("{0}")]
    Text(String),
    /// The space does not have the numbering.
    #[error("{variant} has no numbering `{numbering}`")]
    Numbering {
        /// The variant's key.
        variant: String,
        /// The name of the numbering.
        numbering: String,
    },
    /// The range goes beyond the last setup.
    #[error("setups {setups} go past the end: the ids of {variant} are 0 to {last}")]
    PastTheEnd {
        /// The range.
        setups: String,
        /// The variant's key.
        variant: String,
        /// The last id.
        last: u128,
    },
    /// The games of the study do not start from setups.
    #[error("{}", match .0.as_str() {
        "imported" => "the games of this study were imported, so none can be played for it".to_string(),
        starts => format!("setups = {starts}: the games of this study do not start from setups"),
    })]
    NoChoice(String),
    /// In some of the setups a king stands in check before the first move.
    #[error(
        "in {number} of the {setups} setups of {variant} a king stands in check before the first move, such as {first}; put \
         {{ no_check = true }} into the constraints of its file"
    )]
    InCheck {
        /// How many there are.
        number: u128,
        /// The number of all setups.
        setups: u128,
        /// The variant's key.
        variant: String,
        /// One of them: White's first rank and Black's, with a slash between them.
        first: String,
    },
    /// There are no setups.
    #[error("{0} has no setups to play from")]
    Empty(String),
}

impl SetupChoice {
    /// The text that stands for listed ids.
    const LISTED: &str = "listed";

    /// Reads a choice from a TOML file: its text, and the ids if they are listed.
    pub(crate) fn read(text: &str, ids: &[u64]) -> Result<Self, String> {
        match text {
            Self::LISTED => Ok(Self::Listed(ids.to_vec())),
            text if ids.is_empty() => text.parse(),
            text => Err(format!(
                "setups = {text}, but there are setup_ids, which go with setups = {}",
                Self::LISTED
            )),
        }
    }

    /// The ids to be listed in a TOML file.
    pub(crate) fn listed(&self) -> &[u64] {
        match self {
            Self::Listed(ids) => ids,
            _ => &[],
        }
    }
}

/// The setups of a variant that meet further constraints, as a TOML file writes them.
pub(crate) fn narrowed_space(variant: &Variant, constraints: &[String]) -> Result<Space, SetupsError> {
    let constraints: Result<Vec<Constraint>, _> = constraints.iter().map(|text| text.parse()).collect();
    let constraints = constraints.map_err(|error: ConstraintError| SetupsError::Text(error.to_string()))?;
    Ok(Space::narrowed(variant, &constraints)?)
}

impl fmt::Display for SetupChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => write!(f, "all"),
            Self::Ids(ids) => write!(f, "{}..{}", ids.start, ids.end),
            Self::Random(number) => write!(f, "random:{number}"),
            Self::Listed(_) => f.write_str(Self::LISTED),
        }
    }
}

impl FromStr for SetupChoice {
    type Err = String;

    /// Reads `all`, `0..100` or `random:500`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("setups are written as all, 0..100 or random:500, not `{text}`");
        if text == "all" {
            return Ok(Self::All);
        }
        if let Some(number) = text.strip_prefix("random:") {
            return number.parse().ok().filter(|&number| number > 0).map(Self::Random).ok_or_else(wrong);
        }
        let (start, end) = text.split_once("..").ok_or_else(wrong)?;
        let (Ok(start), Ok(end)) = (start.parse(), end.parse()) else { return Err(wrong()) };
        if start < end { Ok(Self::Ids(start..end)) } else { Err(format!("{text} holds no setup")) }
    }
}
