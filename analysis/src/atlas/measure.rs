//! The measures of an atlas.

use std::fmt;

use backrank_selfplay::atlas::AtlasRow;
use serde::{Serialize, Serializer};

use crate::table::Format;

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

    /// The value of this measure for a setup, by one search.
    pub fn of(self, row: &AtlasRow) -> f64 {
        match self {
            Self::Score => row.score_cp.into(),
            Self::ExpectedScore => row.expected_score,
            Self::ComplexityWhite => row.of_ten_moves()[0],
            Self::ComplexityBlack => row.of_ten_moves()[1],
            Self::Complexity => row.of_ten_moves().iter().sum(),
            Self::Asymmetry => {
                let [white, black] = row.of_ten_moves();
                black - white
            }
        }
    }

    /// How people are shown its numbers: scores in pawns.
    pub(crate) fn format(self) -> Format {
        match self {
            Self::Score => Format::digits(2).times(0.01),
            Self::ExpectedScore => Format::digits(3),
            _ => Format::digits(1),
        }
    }

    /// The same with more digits, for deviations and effects.
    pub(crate) fn fine_format(self) -> Format {
        match self {
            Self::Score => Format::digits(4).times(0.01),
            Self::ExpectedScore => Format::digits(4),
            _ => Format::digits(2),
        }
    }

    /// What it is called in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::ExpectedScore => "expected score",
            Self::ComplexityWhite => "complexity for White",
            Self::ComplexityBlack => "complexity for Black",
            Self::Complexity => "complexity",
            Self::Asymmetry => "asymmetry",
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
            Self::Score => "score (pawns)",
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
