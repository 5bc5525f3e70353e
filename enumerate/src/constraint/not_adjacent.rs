use std::fmt;

use backrank_rules::{File, FirstRank, Letter};

use super::{Rule, RuleState, parse};
use crate::army::Army;

/// No piece of the first kind stands next to a piece of the second kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAdjacent {
    /// The two kinds, which can be the same.
    pub pieces: [Letter; 2],
}

impl NotAdjacent {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        Ok(Self { pieces: parse::two_letters(text)? })
    }
}

impl Rule for NotAdjacent {
    fn holds(&self, rank: &FirstRank, _: &Army) -> bool {
        let [first, second] = self.pieces.map(Letter::as_u8);
        rank.as_bytes().windows(2).all(|pair| pair != [first, second] && pair != [second, first])
    }

    fn start(&self, _: &Army) -> RuleState {
        0
    }

    /// The state is the file after the last piece of the two kinds, and whether that piece was of the first kind and of
    /// the second.
    fn step(&self, state: RuleState, file: File, letter: Letter, _: &Army) -> Option<RuleState> {
        let [first, second] = self.pieces;
        let (next_file, was_first, was_second) = (state >> 2, state & 1 != 0, state & 2 != 0);
        let adjacent = next_file == RuleState::from(file.0);
        if adjacent && ((was_first && letter == second) || (was_second && letter == first)) {
            return None;
        }
        let kinds = RuleState::from(letter == first) | RuleState::from(letter == second) << 1;
        Some(if kinds == 0 { 0 } else { RuleState::from(file.0 + 1) << 2 | kinds })
    }

    fn accepts(&self, _: RuleState, _: &Army) -> bool {
        true
    }

    fn validate(&self, army: &Army) -> Result<(), String> {
        super::check_letters(army, &self.pieces)
    }
}

impl fmt::Display for NotAdjacent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.pieces;
        write!(f, "no {first} next to {second}")
    }
}
