//! Published claims: how many setups there are, which number a setup has, and which pieces checkmate on their own.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Deserialize;

use crate::constraint::Constraint;
use crate::space::Space;

/// Something that somebody published about a variant.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "ClaimTable")]
#[non_exhaustive]
pub struct Claim {
    /// The key of the variant it is about.
    pub variant: String,
    /// Constraints that narrow the variant to the setups that the claim is about.
    pub narrowed_by: Vec<Constraint>,
    /// What was published.
    pub claimed: Claimed,
    /// The verdict that counting, numbering or endgame tables give.
    pub verdict: Verdict,
    /// Where it was published.
    pub source: String,
}

/// What a claim says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// The number of setups.
    Setups(u64),
    /// The number of a setup.
    Id {
        /// The setup, as [`Space::read`] reads it.
        setup: String,
        /// The numbering.
        numbering: String,
        /// The number, from 0.
        id: u64,
    },
    /// The pieces, by their letters in alphabetical order, that can checkmate a bare king without the help of their own
    /// king. No other pieces can.
    MatesAlone(String),
}

impl Claim {
    /// Whether a space can judge this claim: it needs the numbering that the claim is about.
    ///
    /// A variant file with the same key can lack the numbering, such as that of a study from before it was known.
    pub fn applies_to(&self, space: &Space) -> bool {
        match &self.claimed {
            Claimed::Setups(_) | Claimed::MatesAlone(_) => true,
            Claimed::Id { numbering, .. } => space.numbering(numbering).is_some(),
        }
    }

    /// A space's verdict on this claim. The space must be that of the claim's variant, narrowed by the claim's
    /// constraints.
    ///
    /// `None` if the claim is not about setups but about how pieces move.
    pub fn judge(&self, space: &Space) -> Option<Verdict> {
        let holds = match &self.claimed {
            Claimed::Setups(setups) => space.len() == (*setups).into(),
            Claimed::Id { setup, numbering, id } => {
                let setup = space.read(setup).ok();
                let numbering = space.numbering(numbering);
                setup.is_some()
                    && numbering.and_then(|numbering| space.unrank_by(numbering, (*id).into())) == setup
            }
            Claimed::MatesAlone(_) => return None,
        };
        Some(Verdict::of(holds))
    }
}

/// A claim as it is written in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimTable {
    variant: String,
    #[serde(default, rename = "where")]
    narrowed_by: Vec<Constraint>,
    setups: Option<u64>,
    setup: Option<String>,
    numbering: Option<String>,
    id: Option<u64>,
    mates_alone: Option<String>,
    verdict: Verdict,
    source: String,
}

impl TryFrom<ClaimTable> for Claim {
    type Error = &'static str;

    fn try_from(table: ClaimTable) -> Result<Self, &'static str> {
        let ClaimTable { variant, narrowed_by, setups, setup, numbering, id, mates_alone, verdict, source } =
            table;
        let claimed = match (setups, setup, numbering, id, mates_alone) {
            (Some(setups), None, None, None, None) => Claimed::Setups(setups),
            (None, Some(setup), Some(numbering), Some(id), None) => Claimed::Id { setup, numbering, id },
            (None, None, None, None, Some(pieces)) => Claimed::MatesAlone(pieces),
            _ => {
                return Err(
                    "a claim has either `setups`, or `setup`, `numbering` and `id`, or `mates_alone`",
                );
            }
        };
        Ok(Self { variant, narrowed_by, claimed, verdict, source })
    }
}

/// Whether a claim is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The claim is right.
    Confirmed,
    /// The claim is wrong.
    Refuted,
}

impl Verdict {
    /// The verdict on a claim that is right or wrong.
    pub fn of(holds: bool) -> Self {
        if holds { Self::Confirmed } else { Self::Refuted }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Confirmed => "confirmed",
            Self::Refuted => "refuted",
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimsFile {
    pages: BTreeMap<String, String>,
    claim: Vec<Claim>,
}

fn file() -> ClaimsFile {
    toml::from_str(include_str!("../claims.toml")).expect("the embedded file of claims is well formed")
}

/// The published claims on record, in the order of the file `claims.toml`.
pub fn claims() -> Vec<Claim> {
    file().claim
}

/// The inventors' pages that texts name by their numbers, each with its number and its title.
///
/// ```
/// use backrank_enumerate::pages_named;
///
/// let named = pages_named(["MRC #2,264 in 000 and 001", "1,000 setups"]);
/// assert_eq!(named.len(), 2);
/// assert_eq!(named[0], ("000".to_string(), "The Bishop Adjustment Rule".to_string()));
/// ```
pub fn pages_named<'t>(texts: impl IntoIterator<Item = &'t str>) -> Vec<(String, String)> {
    let is_part = |c: char| c.is_ascii_digit() || c == ',';
    let words: BTreeSet<&str> = texts.into_iter().flat_map(|text| text.split(|c| !is_part(c))).collect();
    file().pages.into_iter().filter(|(number, _)| words.contains(number.as_str())).collect()
}
