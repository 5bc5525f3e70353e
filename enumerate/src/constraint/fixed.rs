use std::fmt;

use backrank_rules::{File, FirstRank, Letter};

use super::{Rule, RuleState};
use crate::army::Army;

/// The rank has the given pieces on the given files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// For each file of the board, or for each file that has a piece, the letter of the piece there, or `None` for any. A
    /// file that has no piece has `None`, too.
    pub pattern: Vec<Option<Letter>>,
}

impl Fixed {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        match text.chars().find(|letter| !letter.is_ascii_uppercase() && *letter != '.') {
            Some(letter) => {
                Err(format!("`{letter}` is neither a piece letter nor `.`, which any piece fits"))
            }
            None => Ok(Self { pattern: text.bytes().map(Letter::new).collect() }),
        }
    }
}

fn fits(pattern: Option<Letter>, letter: Letter) -> bool {
    pattern.is_none_or(|only| only == letter)
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

    fn step(&self, state: RuleState, file: File, letter: Letter, army: &Army) -> Option<RuleState> {
        fits(super::letter_on(&self.pattern, file, army), letter).then_some(state)
    }

    fn accepts(&self, _: RuleState, _: &Army) -> bool {
        true
    }

    fn validate(&self, army: &Army) -> Result<(), String> {
        let named: Vec<Letter> = self.pattern.iter().copied().flatten().collect();
        super::check_pattern(army, &self.pattern)?;
        super::check_letters(army, &named)
    }
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pieces as in {}", super::shown(&self.pattern))
    }
}
