use std::fmt;

use backrank_rules::{File, FirstRank, Letter};

use super::{Rule, RuleState, parse};
use crate::army::Army;

/// Every pawn, one in front of each piece, is protected by a piece of the first rank.
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
        army.files().fold(0, |pawns, file| pawns | 1 << file.0)
    }

    /// The state has a bit for each file whose pawn still needs protection.
    fn step(&self, state: RuleState, file: File, letter: Letter, army: &Army) -> Option<RuleState> {
        let files = army.board_files() as i8;
        let pawns = army
            .reach(letter)
            .iter()
            .map(|dx| file.0 as i8 + dx)
            .filter(|pawn| (0..files).contains(pawn))
            .fold(state, |pawns, pawn| pawns & !(1 << pawn));
        // No piece protects a pawn farther to its left than this, so it is too late for the pawns before that.
        let farthest =
            army.kinds().iter().filter_map(|kind| army.reach(kind.0).first()).min().copied().unwrap_or(0);
        let reachable = file.0 as i8 + 1 + farthest.min(0);
        let lost = (0..reachable.clamp(0, files)).any(|pawn| pawns >> pawn & 1 != 0);
        (!lost).then_some(pawns)
    }

    fn accepts(&self, state: RuleState) -> bool {
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
