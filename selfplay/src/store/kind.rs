//! What a directory can hold: a study or an atlas.

use std::fmt;

/// What a directory holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DirectoryKind {
    /// A study: `study.toml`, and `games.csv`.
    Study,
    /// An atlas: `atlas.toml`, and `atlas.csv`.
    Atlas,
}

impl DirectoryKind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Study, Self::Atlas];

    /// The name of the file that holds the definition.
    pub const fn definition(self) -> &'static str {
        match self {
            Self::Study => "study.toml",
            Self::Atlas => "atlas.toml",
        }
    }

    /// The name of the file that holds the rows.
    pub const fn rows(self) -> &'static str {
        match self {
            Self::Study => "games.csv",
            Self::Atlas => "atlas.csv",
        }
    }

    /// What a row of it is.
    pub(super) fn row(self) -> &'static str {
        match self {
            Self::Study => "game",
            Self::Atlas => "row",
        }
    }

    /// What its rows are.
    pub(super) fn many_rows(self) -> &'static str {
        match self {
            Self::Study => "games",
            Self::Atlas => "rows of an atlas",
        }
    }

    pub(super) fn with_article(self) -> &'static str {
        match self {
            Self::Study => "a study",
            Self::Atlas => "an atlas",
        }
    }
}

impl fmt::Display for DirectoryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Study => "study",
            Self::Atlas => "atlas",
        })
    }
}
