//! How the two sides' first ranks go together.

use backrank_rules::{FirstRank, Setup};

use crate::constraint::Constraint;

/// How Black is set up.
#[derive(Clone, Debug)]
pub enum Sides {
    /// Black has White's piece on each file.
    Mirror,
    /// The board is turned half around.
    Rotate,
    /// Each side has a rank of its own.
    Independent,
    /// There are only these setups, each with its name.
    Listed(Vec<(String, Setup)>),
}

impl Sides {
    /// The name in a variant file: `mirror`, `rotate` or `independent`; `listed` for listed setups.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Mirror => "mirror",
            Self::Rotate => "rotate",
            Self::Independent => "independent",
            Self::Listed(_) => "listed",
        }
    }

    /// Black's rank, if White's determines it.
    pub(crate) fn black(&self, white: &FirstRank) -> Option<FirstRank> {
        match self {
            Self::Mirror => Some(*white),
            Self::Rotate => Some(white.reversed()),
            Self::Independent | Self::Listed(_) => None,
        }
    }

    /// Whether a constraint is on both ranks together, rather than on each.
    pub(crate) fn is_on_pairs(&self, constraint: &Constraint) -> bool {
        matches!(
            (self, constraint),
            (Self::Independent, Constraint::UpToReflection(_) | Constraint::NoCheck(_))
        )
    }
}
