use std::fmt;

use backrank_rules::{File, FirstRank, Letter};

use super::{Rule, RuleState, parse};
use crate::army::Army;

/// Every `piece` has one of the `sides` on its left and the other on its right, not necessarily next to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Between {
    /// The piece in the middle.
    pub piece: Letter,
    /// The pieces on its two sides, in either order.
    pub sides: [Letter; 2],
}

// The bits of the automaton's state: which of the two sides have been seen, and which a piece still waits for.
const SEEN_FIRST: RuleState = 1;
const SEEN_SECOND: RuleState = 2;
const WAITS_FOR_FIRST: RuleState = 4;
const WAITS_FOR_SECOND: RuleState = 8;
const WAITS_FOR_EITHER: RuleState = 16;

impl Between {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        match parse::letters(text)?[..] {
            [piece, first, second] => Ok(Self { piece, sides: [first, second] }),
            _ => Err("three piece letters are expected, the one between first".to_string()),
        }
    }
}

impl Rule for Between {
    fn holds(&self, rank: &FirstRank, _: &Army) -> bool {
        let letters = rank.as_bytes();
        let [first, second] = self.sides.map(Letter::as_u8);
        letters.iter().enumerate().filter(|&(_, &letter)| letter == self.piece.as_u8()).all(|(file, _)| {
            let (left, right) = (&letters[..file], &letters[file + 1..]);
            (left.contains(&first) && right.contains(&second))
                || (left.contains(&second) && right.contains(&first))
        })
    }

    fn start(&self, _: &Army) -> RuleState {
        0
    }

    fn step(&self, mut state: RuleState, _: File, letter: Letter, _: &Army) -> Option<RuleState> {
        let [first, second] = self.sides;
        if letter == first {
            state &= !(WAITS_FOR_FIRST | WAITS_FOR_EITHER);
        }
        if letter == second {
            state &= !(WAITS_FOR_SECOND | WAITS_FOR_EITHER);
        }
        if letter == self.piece {
            state |= match (state & SEEN_FIRST != 0, state & SEEN_SECOND != 0) {
                (false, false) => return None,
                (true, false) => WAITS_FOR_SECOND,
                (false, true) => WAITS_FOR_FIRST,
                (true, true) => WAITS_FOR_EITHER,
            };
        }
        if letter == first {
            state |= SEEN_FIRST;
        }
        if letter == second {
            state |= SEEN_SECOND;
        }
        Some(state)
    }

    fn accepts(&self, state: RuleState, _: &Army) -> bool {
        state & (WAITS_FOR_FIRST | WAITS_FOR_SECOND | WAITS_FOR_EITHER) == 0
    }

    fn validate(&self, army: &Army) -> Result<(), String> {
        super::check_letters(army, &[self.piece, self.sides[0], self.sides[1]])
    }
}

impl fmt::Display for Between {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { piece, sides: [first, second] } = self;
        write!(f, "every {piece} between {first} and {second}")
    }
}
