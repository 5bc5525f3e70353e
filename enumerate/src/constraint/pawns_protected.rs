use std::fmt;

use backrank_rules::{File, FirstRank, Letter};

use super::{Rule, RuleState, parse};
use crate::army::Army;

/// Every pawn on the rank on which they start is protected by a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PawnsProtected;

impl PawnsProtected {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        parse::truth(text).map(|()| Self)
    }
}

impl Rule for PawnsProtected {
    fn holds(&self, rank: &FirstRank, army: &Army) -> bool {
        army.unprotected_pawns(rank).is_empty()
    }

    fn start(&self, army: &Army) -> RuleState {
        army.pawns_to_protect().into()
    }

    /// The state has a bit for each file whose pawn still needs protection.
    fn step(&self, state: RuleState, file: File, letter: Letter, army: &Army) -> Option<RuleState> {
        let left = state & !RuleState::from(army.protects(letter, file));
        // What no piece on a later file could protect is lost.
        (left & !RuleState::from(army.protectable_after(file)) == 0).then_some(left)
    }

    fn accepts(&self, state: RuleState, _: &Army) -> bool {
        state == 0
    }

    fn validate(&self, _: &Army) -> Result<(), String> {
        Ok(())
    }
}

impl fmt::Display for PawnsProtected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("every pawn protected by a piece")
    }
}
