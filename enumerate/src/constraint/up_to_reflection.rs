use std::fmt;

use backrank_rules::{File, FirstRank};

use super::{Rule, State, parse};
use crate::army::Army;

/// The rank does not come after its own left–right reflection in alphabetical order.
///
/// Of two ranks that are each other's reflection, one counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpToReflection;

impl UpToReflection {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        parse::truth(text).map(|()| Self)
    }
}

// What the automaton remembers: whether the rank, as far as both halves are known, comes before (1) or after (2) its
// reflection, and above that the letters of the left half that the right half has not met, the last uppermost.
const BEFORE: State = 1;
const AFTER: State = 2;
const VERDICT: State = 3;
const BITS: u32 = 5;

impl Rule for UpToReflection {
    fn holds(&self, rank: &FirstRank, _: &Army) -> bool {
        let letters: Vec<u8> = rank.pieces().map(|piece| piece.1).collect();
        letters.iter().le(letters.iter().rev())
    }

    fn start(&self, _: &Army) -> State {
        0
    }

    fn step(&self, state: State, file: File, letter: u8, army: &Army) -> Option<State> {
        let place = army.files().position(|other| other == file).expect("a file of the army");
        let (half, odd) = (army.len() / 2, army.len() % 2);
        let letter = State::from(letter - b'A') + 1;
        let (verdict, left) = (state & VERDICT, state >> 2);
        if place < half {
            return Some((left | letter << (BITS * place as u32)) << 2 | verdict);
        }
        if place < half + odd {
            return Some(state);
        }
        // The partner of this file is the last of the left half not met yet; the one to come weighs more.
        let partner_place = army.len() - 1 - place;
        let partner = left >> (BITS * partner_place as u32);
        let verdict = match partner.cmp(&letter) {
            std::cmp::Ordering::Less => BEFORE,
            std::cmp::Ordering::Equal => verdict,
            std::cmp::Ordering::Greater => AFTER,
        };
        Some((left & !(partner << (BITS * partner_place as u32))) << 2 | verdict)
    }

    fn accepts(&self, state: State) -> bool {
        state & VERDICT != AFTER
    }

    fn misfit(&self, _: &Army) -> Option<String> {
        None
    }
}

impl fmt::Display for UpToReflection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not after its left–right reflection in alphabetical order")
    }
}
