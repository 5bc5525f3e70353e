//! Published counts.

use std::fmt;

use serde::Deserialize;

use crate::constraint::Constraint;

/// A number of setups that somebody published.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The key of the variant it is about.
    pub variant: String,
    /// Constraints that narrow the variant to the setups it is about.
    #[serde(default, rename = "where")]
    pub narrowed_by: Vec<Constraint>,
    /// The number of setups claimed.
    pub setups: u64,
    /// What counting says of it.
    pub verdict: Verdict,
    /// Where it was published.
    pub source: String,
}

/// What counting says of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// There are as many setups as it says.
    Confirmed,
    /// There are not.
    Refuted,
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

/// The published counts on record, in the order of their file, `data/claims.toml`.
pub fn claims() -> Vec<Claim> {
    let file: ClaimsFile = toml::from_str(include_str!("../../data/claims.toml"))
        .expect("the embedded file of claims is well formed");
    file.claim
}
