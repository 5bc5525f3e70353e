//! The measures of an atlas.

use std::fmt;

use backrank_selfplay::atlas::AtlasRow;
use serde::{Serialize, Serializer};

/// A number that an atlas gives for each setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtlasMeasure {
    /// White's score in centipawns.
    Score,
    /// White's expected score, from 0 to 1.
    ExpectedScore,
    /// The complexity of White's moves along the line of best play, in bits.
    ComplexityWhite,
    /// The complexity of Black's moves, in bits.
    ComplexityBlack,
    /// The complexity of both sides' moves, in bits.
    Complexity,
    /// Black's complexity minus White's, in bits.
    Asymmetry,
}

impl AtlasMeasure {
    /// All measures, in the order of their columns.
    pub const ALL: [Self; 6] = [
        Self::Score,
        Self::ExpectedScore,
        Self::ComplexityWhite,
        Self::ComplexityBlack,
        Self::Complexity,
        Self::Asymmetry,
    ];

    /// The value of this measure for a setup.
    pub fn of(self, row: &AtlasRow) -> f64 {
        match self {
            Self::Score => row.score_cp.into(),
            Self::ExpectedScore => row.expected_score,
            Self::ComplexityWhite => row.complexity_white,
            Self::ComplexityBlack => row.complexity_black,
            Self::Complexity => row.complexity,
            Self::Asymmetry => row.asymmetry,
        }
    }

    /// Its column in `atlas.csv`.
    pub fn column(self) -> &'static str {
        match self {
            Self::Score => "score_cp",
            Self::ExpectedScore => "expected_score",
            Self::ComplexityWhite => "complexity_white",
            Self::ComplexityBlack => "complexity_black",
            Self::Complexity => "complexity",
            Self::Asymmetry => "asymmetry",
        }
    }
}

impl fmt::Display for AtlasMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Score => "score (centipawns)",
            Self::ExpectedScore => "expected score",
            Self::ComplexityWhite => "complexity for White (bits)",
            Self::ComplexityBlack => "complexity for Black (bits)",
            Self::Complexity => "complexity (bits)",
            Self::Asymmetry => "asymmetry (bits)",
        })
    }
}

impl Serialize for AtlasMeasure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.column())
    }
}
