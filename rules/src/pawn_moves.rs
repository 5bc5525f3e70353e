//! The moves of pawns as those of any other piece.

use crate::betza::Betza;
use crate::variant::{DoubleStep, Pawn, PawnType};

impl Pawn {
    /// Its moves in Betza's notation, apart from captures en passant. From where it starts a pawn has not moved; where double steps
    /// depend on the rank, they are written as those of a first move.
    ///
    /// ```
    /// use backrank_rules::Variant;
    ///
    /// assert_eq!(Variant::find("chess")?.pawn.betza().to_string(), "mfWcfFimfR2");
    /// assert_eq!(Variant::find("berolina960")?.pawn.betza().to_string(), "mfFcfWimfB2");
    /// # Ok::<(), backrank_rules::FindError>(())
    /// ```
    pub fn betza(&self) -> Betza {
        let text = match (self.moves, self.double_step) {
            (PawnType::Orthodox, DoubleStep::Never | DoubleStep::Ranks(0)) => "mfWcfF",
            (PawnType::Orthodox, DoubleStep::FromStart | DoubleStep::Ranks(_)) => "mfWcfFimfR2",
            (PawnType::Orthodox, DoubleStep::Always) => "mfR2cfF",
            (PawnType::Berolina, DoubleStep::Never | DoubleStep::Ranks(0)) => "mfFcfW",
            (PawnType::Berolina, DoubleStep::FromStart | DoubleStep::Ranks(_)) => "mfFcfWimfB2",
            (PawnType::Berolina, DoubleStep::Always) => "mfB2cfW",
        };
        text.parse().expect("the moves of pawns are spelt right")
    }
}
