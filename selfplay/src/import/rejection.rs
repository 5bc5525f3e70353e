//! Why a game is left out.

use std::fmt;

/// Why a game of a PGN cannot be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rejection {
    /// The text is not a game in PGN.
    Syntax,
    /// The game is longer than any that is read.
    TooLong,
    /// It is a game of another variant.
    OtherVariant,
    /// It does not say from which setup it starts.
    NoStart,
    /// Its FEN is not a position of the variant.
    Fen,
    /// It does not start from a setup of the space.
    OtherStart,
    /// It has no moves.
    NoMoves,
    /// A move cannot be read or is not legal.
    Move,
    /// It has a null move, as only an analysis does.
    NullMove,
    /// Its result is not valid, or contradicts its last position.
    Result,
    /// The result in its tags contradicts the one after its moves.
    Contradiction,
}

impl Rejection {
    /// All reasons.
    pub const ALL: [Self; 11] = [
        Self::Syntax,
        Self::TooLong,
        Self::OtherVariant,
        Self::NoStart,
        Self::Fen,
        Self::OtherStart,
        Self::NoMoves,
        Self::Move,
        Self::NullMove,
        Self::Result,
        Self::Contradiction,
    ];
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Syntax => "not PGN",
            Self::TooLong => "longer than 16 MiB",
            Self::OtherVariant => "another variant",
            Self::NoStart => "no starting position",
            Self::Fen => "not a position of the variant",
            Self::OtherStart => "not a setup of the variant",
            Self::NoMoves => "no moves",
            Self::Move => "an illegal move",
            Self::NullMove => "a null move",
            Self::Result => "a wrong result",
            Self::Contradiction => "contradictory results",
        })
    }
}
