use std::fmt;

use backrank_rules::{File, FirstRank, Letter};

use super::{Rule, RuleState};
use crate::army::Army;

/// The rank differs from another one on some number of files or more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffersFrom {
    /// The letters of the other rank, with `None` for each empty file or without empty files.
    pub letters: Vec<Option<Letter>>,
    /// The smallest number of files on which they may differ.
    pub at_least: usize,
}

impl DiffersFrom {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let (letters, number) =
            text.split_once(',').ok_or("a rank and a number with a comma between them are expected")?;
        let letters = letters.trim();
        if !letters.bytes().all(|letter| letter.is_ascii_uppercase() || letter == FirstRank::EMPTY) {
            return Err(format!("`{letters}` is not a rank"));
        }
        let at_least = number.trim().parse().map_err(|_| format!("`{number}` is not a number of files"))?;
        Ok(Self { letters: letters.bytes().map(Letter::new).collect(), at_least })
    }
}

impl Rule for DiffersFrom {
    fn holds(&self, rank: &FirstRank, _: &Army) -> bool {
        let others = self.letters.iter().flatten();
        let differing = rank.pieces().zip(others).filter(|((_, letter), other)| letter != *other);
        differing.count() >= self.at_least
    }

    fn start(&self, _: &Army) -> RuleState {
        self.at_least as RuleState
    }

    /// The state is the number of files on which the rank must still differ.
    fn step(&self, state: RuleState, file: File, letter: Letter, army: &Army) -> Option<RuleState> {
        let other = super::letter_on(&self.letters, file, army);
        Some(state - RuleState::from(state > 0 && other != Some(letter)))
    }

    fn accepts(&self, state: RuleState, _: &Army) -> bool {
        state == 0
    }

    fn validate(&self, army: &Army) -> Result<(), String> {
        super::check_pattern(army, &self.letters)?;
        let letters = self.letters.iter().flatten().count();
        if letters == army.len() {
            Ok(())
        } else {
            Err("a whole rank is expected, with a piece on every file that has one".to_string())
        }
    }
}

impl fmt::Display for DiffersFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = super::shown(&self.letters);
        write!(f, "different from {letters} on at least {} files", self.at_least)
    }
}
