use std::fmt;

use backrank_rules::{File, FirstRank, Letter};

use super::within::MAX_OF_A_KIND;
use super::{Rule, RuleState, parse};
use crate::army::Army;

/// At least these other pieces stand on each side of every `piece`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EachSideOf {
    /// The piece in the middle.
    pub piece: Letter,
    /// The pieces on each side, in alphabetical order; a letter appears twice for two pieces of its kind.
    pub others: Vec<Letter>,
}

impl EachSideOf {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        match parse::letters(text)?[..] {
            [piece, ref others @ ..] if !others.is_empty() => {
                let mut others = others.to_vec();
                others.sort_unstable();
                Ok(Self { piece, others })
            }
            _ => Err("a piece letter and those on each side of it are expected".to_string()),
        }
    }

    /// The letters on each side, each once, with the number of pieces that are required.
    fn kinds(&self) -> impl DoubleEndedIterator<Item = (Letter, usize)> + '_ {
        self.others.chunk_by(|a, b| a == b).map(|kind| (kind[0], kind.len()))
    }

    /// The state in which all of one side is still to come: five bits for each kind, above the bit that says whether
    /// the piece in the middle has been seen.
    fn all(&self) -> RuleState {
        self.kinds().rev().fold(0, |state, (_, number)| state << 5 | number.min(MAX_OF_A_KIND) as RuleState)
            << 1
    }
}

const SEEN: RuleState = 1;

impl Rule for EachSideOf {
    fn holds(&self, rank: &FirstRank, _: &Army) -> bool {
        let letters = rank.as_bytes();
        let enough = |side: &[u8]| {
            self.kinds()
                .all(|(kind, number)| side.iter().filter(|&&letter| letter == kind.as_u8()).count() >= number)
        };
        letters
            .iter()
            .enumerate()
            .filter(|&(_, &letter)| letter == self.piece.as_u8())
            .all(|(file, _)| enough(&letters[..file]) && enough(&letters[file + 1..]))
    }

    fn start(&self, _: &Army) -> RuleState {
        self.all()
    }

    /// The state says what is still to come of the left side until the first piece in the middle, then of the right
    /// side of the last one.
    fn step(&self, state: RuleState, _: File, letter: Letter, _: &Army) -> Option<RuleState> {
        if letter == self.piece {
            let left_is_complete = state & SEEN != 0 || state == 0;
            return left_is_complete.then_some(self.all() | SEEN);
        }
        let place = self.kinds().position(|kind| kind.0 == letter).map(|place| 1 + 5 * place);
        Some(match place {
            Some(place) if state >> place & 31 > 0 => state - (1 << place),
            _ => state,
        })
    }

    fn accepts(&self, state: RuleState, _: &Army) -> bool {
        // Without a piece in the middle the constraint holds.
        state & SEEN == 0 || state >> 1 == 0
    }

    fn validate(&self, army: &Army) -> Result<(), String> {
        let letters: Vec<Letter> = std::iter::once(self.piece).chain(self.others.iter().copied()).collect();
        super::check_letters(army, &letters)
    }
}

impl fmt::Display for EachSideOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let others: String = self.others.iter().copied().collect();
        write!(f, "{others} on each side of every {}", self.piece)
    }
}
