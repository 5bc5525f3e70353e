//! How the two sides' first ranks go together.

use backrank_rules::{FirstRank, Setup};

use crate::constraint::Constraint;

/// How Black is set up.
#[derive(Clone, Debug)]
pub enum Sides {
    /// Black's piece on a file is White's.
    Mirror,
    /// The board turned half around.
    Rotate,
    /// Each side its own.
    Independent,
    /// These setups and no others, each with its name.
    Listed(Vec<(String, Setup)>),
}

impl Sides {
    /// `mirror`, `rotate`, `independent` or `listed`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Mirror => "mirror",
            Self::Rotate => "rotate",
            Self::Independent => "independent",
            Self::Listed(_) => "listed",
        }
    }

    /// Black's rank, where White's decides it.
    pub(crate) fn black(&self, white: &FirstRank) -> Option<FirstRank> {
        match self {
            Self::Mirror => Some(*white),
            Self::Rotate => Some(white.reversed()),
            Self::Independent | Self::Listed(_) => None,
        }
    }

    /// Whether a constraint is on both ranks together, and not on each.
    pub(crate) fn is_on_pairs(&self, constraint: &Constraint) -> bool {
        matches!((self, constraint), (Self::Independent, Constraint::UpToReflection(_)))
    }
}
