use std::fmt;

use backrank_rules::{File, FirstRank};

use super::{Rule, RuleState, shown};
use crate::army::Army;

/// The rank has the given pieces on the given files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// For each file of the board, or for each file that has a piece, the letter of the piece there, or `.` for any. A file
    /// that has no piece has `.`, too.
    pub pattern: Vec<u8>,
}

impl Fixed {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        match text.chars().find(|letter| !letter.is_ascii_uppercase() && *letter != '.') {
            Some(letter) => {
                Err(format!("`{letter}` is neither a piece letter nor `.`, which any piece fits"))
            }
            None => Ok(Self { pattern: text.bytes().collect() }),
        }
    }
}

fn fits(pattern: u8, letter: u8) -> bool {
    pattern == b'.' || pattern == letter
}

impl Rule for Fixed {
    fn holds(&self, rank: &FirstRank, army: &Army) -> bool {
        // With a letter for each file, those of empty files are left out.
        let is_whole = self.pattern.len() == army.board_files();
        let on_pieces = self
            .pattern
            .iter()
            .enumerate()
            .filter(|&(file, _)| !is_whole || rank.at(File(file as u8)).is_some());
        rank.pieces().zip(on_pieces).all(|((_, letter), (_, &pattern))| fits(pattern, letter))
    }

    fn start(&self, _: &Army) -> RuleState {
        0
    }

    fn step(&self, state: RuleState, file: File, letter: u8, army: &Army) -> Option<RuleState> {
        super::letter_on(&self.pattern, file, army)
            .is_none_or(|pattern| fits(pattern, letter))
            .then_some(state)
    }

    fn accepts(&self, _: RuleState, _: &Army) -> bool {
        true
    }

    fn validate(&self, army: &Army) -> Result<(), String> {
        let named: Vec<u8> = self.pattern.iter().copied().filter(|&letter| letter != b'.').collect();
        super::check_pattern(army, &self.pattern)?;
        super::check_letters(army, &named)
    }
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pattern: String = self.pattern.iter().copied().map(shown).collect();
        write!(f, "pieces as in {pattern}")
    }
}
