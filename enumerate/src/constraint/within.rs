use std::fmt;

use backrank_rules::{File, FirstRank};

use super::{Rule, State, parse, shown};
use crate::army::Army;

/// Some files hold at least these pieces, in any order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Within {
    /// The pieces, in alphabetical order; a letter twice for two of its kind.
    pub pieces: Vec<u8>,
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

    /// The letters, each once, with how many of its kind are asked for.
    fn kinds(&self) -> impl DoubleEndedIterator<Item = (u8, usize)> + '_ {
        self.pieces.chunk_by(|a, b| a == b).map(|kind| (kind[0], kind.len()))
    }
}

/// The most of a kind that five bits can ask for; no first rank has so many.
pub(super) const MOST: usize = 31;

impl Rule for Within {
    fn holds(&self, rank: &FirstRank, _: &Army) -> bool {
        self.kinds().all(|(letter, number)| {
            self.files.iter().filter(|&&file| rank.at(file) == Some(letter)).count() >= number
        })
    }

    fn start(&self, _: &Army) -> State {
        self.kinds().rev().fold(0, |state, (_, number)| state << 5 | number.min(MOST) as State)
    }

    /// Remembers how many of each kind are still to come, five bits a kind.
    fn step(&self, state: State, file: File, letter: u8, _: &Army) -> Option<State> {
        if !self.files.contains(&file) {
            return Some(state);
        }
        let place = self.kinds().position(|kind| kind.0 == letter).map(|place| 5 * place);
        Some(match place {
            Some(place) if state >> place & 31 > 0 => state - (1 << place),
            _ => state,
        })
    }

    fn accepts(&self, state: State) -> bool {
        state == 0
    }

    fn misfit(&self, army: &Army) -> Option<String> {
        super::unknown_letters(army, &self.pieces).or_else(|| {
            let off = self.files.iter().find(|&&file| file.0 as usize >= army.board_files())?;
            Some(format!("file {off} is not on the board"))
        })
    }
}

impl fmt::Display for Within {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces: String = self.pieces.iter().copied().map(shown).collect();
        let files: String = self.files.iter().map(|file| file.letter()).collect();
        write!(f, "{pieces} on the files {files}")
    }
}
