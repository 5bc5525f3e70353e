//! Published claims: how many setups there are, which number one of them has, and which pieces checkmate on their own.

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
    /// Constraints that narrow the variant to the setups it is about.
    pub narrowed_by: Vec<Constraint>,
    /// What was published.
    pub claimed: Claimed,
    /// What the space, or the game as it is played, says of it.
    pub verdict: Verdict,
    /// Where it was published.
    pub source: String,
}

/// What a claim says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// There are so many setups.
    Setups(u64),
    /// A setup has this number.
    Id {
        /// The setup, as [`Space::read`] reads it.
        setup: String,
        /// The numbering.
        numbering: String,
        /// The number, from 0.
        id: u64,
    },
    /// These pieces and no others, by their letters in alphabetical order, can checkmate a bare king without their own
    /// king's help.
    MatesAlone(String),
}

impl Claim {
    /// Whether a space can say something of this claim: it has the numbering that the claim is about.
    ///
    /// A variant file of the same key can lack it, such as that of a study from before the numbering was known.
    pub fn applies_to(&self, space: &Space) -> bool {
        match &self.claimed {
            Claimed::Setups(_) | Claimed::MatesAlone(_) => true,
            Claimed::Id { numbering, .. } => space.numbering(numbering).is_some(),
        }
    }

    /// What a space says of this claim: it must be that of the claim's variant, narrowed by the claim's constraints.
    ///
    /// None where the claim is not about setups but about how pieces move.
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

/// A claim as its file has it.
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
    /// It is as the claim says.
    Confirmed,
    /// It is not.
    Refuted,
}

impl Verdict {
    /// The verdict on a claim that holds or does not.
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
    claim: Vec<Claim>,
}

/// The published claims on record, in the order of their file, `claims.toml`.
pub fn claims() -> Vec<Claim> {
    let file: ClaimsFile =
        toml::from_str(include_str!("../claims.toml")).expect("the embedded file of claims is well formed");
    file.claim
}
