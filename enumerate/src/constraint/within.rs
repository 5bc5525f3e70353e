use std::fmt;

use backrank_rules::{File, FirstRank, Letter};

use super::{Rule, RuleState, parse};
use crate::army::Army;

/// The given files have at least the given pieces, in any order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Within {
    /// The pieces, in alphabetical order; a letter appears twice for two pieces of its kind.
    pub pieces: Vec<Letter>,
    /// The files.
    pub files: Vec<File>,
}

impl Within {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let (pieces, files) =
            text.split_once(':').ok_or("pieces and files with a colon between them are expected")?;
        let mut pieces = parse::letters(pieces)?;
        pieces.sort_unstable();
        Ok(Self { pieces, files: parse::files(files)? })
    }

    /// The letters, each once, with the number of pieces that are required.
    fn kinds(&self) -> impl DoubleEndedIterator<Item = (Letter, usize)> + '_ {
        self.pieces.chunk_by(|a, b| a == b).map(|kind| (kind[0], kind.len()))
    }
}

/// The largest number of pieces of a kind that fits into five bits; no first rank has so many.
pub(super) const MAX_OF_A_KIND: usize = 31;

impl Rule for Within {
    fn holds(&self, rank: &FirstRank, _: &Army) -> bool {
        self.kinds().all(|(letter, number)| {
            self.files.iter().filter(|&&file| rank.at(file) == Some(letter)).count() >= number
        })
    }

    fn start(&self, _: &Army) -> RuleState {
        self.kinds().rev().fold(0, |state, (_, number)| state << 5 | number.min(MAX_OF_A_KIND) as RuleState)
    }

    /// The state has for each kind the number of pieces still to come, in five bits.
    fn step(&self, state: RuleState, file: File, letter: Letter, _: &Army) -> Option<RuleState> {
        if !self.files.contains(&file) {
            return Some(state);
        }
        let place = self.kinds().position(|kind| kind.0 == letter).map(|place| 5 * place);
        Some(match place {
            Some(place) if state >> place & 31 > 0 => state - (1 << place),
            _ => state,
        })
    }

    fn accepts(&self, state: RuleState, _: &Army) -> bool {
        state == 0
    }

    fn validate(&self, army: &Army) -> Result<(), String> {
        super::check_letters(army, &self.pieces)?;
        match self.files.iter().find(|file| file.0 as usize >= army.board_files()) {
            Some(off) => Err(format!("file {off} is not on the board")),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Within {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces: String = self.pieces.iter().copied().collect();
        let files: String = self.files.iter().map(|file| file.letter()).collect();
        write!(f, "{pieces} on the files {files}")
    }
}
