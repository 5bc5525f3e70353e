use std::fmt;

use backrank_rules::{File, FirstRank, Letter};

use super::{Rule, RuleState, check_letters, parse};
use crate::army::Army;

/// Pieces of some kinds stand symmetrically: where one of them stands, the same stands on the file as far from the other edge.
///
/// Source: the symmetric shuffles of H. G. Muller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetric {
    /// The letters of the kinds.
    pub letters: Vec<Letter>,
}

impl Symmetric {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        Ok(Self { letters: parse::letters(text)? })
    }
}

/// The bits of the state for each file of the left half.
const BITS: u32 = 5;

impl Rule for Symmetric {
    fn holds(&self, rank: &FirstRank, army: &Army) -> bool {
        let last = army.board_files() as u8 - 1;
        let mut named = rank.pieces().filter(|piece| self.letters.contains(&piece.1));
        named.all(|(file, letter)| rank.at(File(last - file.0)) == Some(letter))
    }

    fn start(&self, _: &Army) -> RuleState {
        0
    }

    /// The state has the named letters of the left half whose mirror images are still to come, each at its file.
    fn step(&self, state: RuleState, file: File, letter: Letter, army: &Army) -> Option<RuleState> {
        let mirrored = army.board_files() as u32 - 1 - u32::from(file.0);
        let named = match self.letters.contains(&letter) {
            true => letter.index() as RuleState + 1,
            false => 0,
        };
        if mirrored > file.0.into() {
            return Some(state | named << (BITS * u32::from(file.0)));
        }
        if mirrored == file.0.into() {
            return Some(state);
        }
        let on_left = state & ((1 << BITS) - 1) << (BITS * mirrored);
        (on_left == named << (BITS * mirrored)).then_some(state & !on_left)
    }

    /// Whether nothing waits for a mirror image on a file that has no piece.
    fn accepts(&self, state: RuleState, _: &Army) -> bool {
        state == 0
    }

    fn validate(&self, army: &Army) -> Result<(), String> {
        check_letters(army, &self.letters)
    }
}

impl fmt::Display for Symmetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: Vec<String> = self.letters.iter().map(Letter::to_string).collect();
        write!(f, "every {} opposite to its like across the middle", letters.join(", "))
    }
}
