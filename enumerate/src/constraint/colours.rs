use std::fmt;

use backrank_rules::{Colour, File, FirstRank, Letter};

use super::{Rule, RuleState, parse};
use crate::army::Army;

/// Every piece of the first kind stands on another colour than every other piece of the second kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OppositeColours {
    /// The two kinds, which can be the same.
    pub pieces: [Letter; 2],
}

/// Every piece of the first kind stands on the same colour as every other piece of the second kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SameColour {
    /// The two kinds, which can be the same.
    pub pieces: [Letter; 2],
}

impl OppositeColours {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        Ok(Self { pieces: parse::two_letters(text)? })
    }
}

impl SameColour {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        Ok(Self { pieces: parse::two_letters(text)? })
    }
}

/// Whether every piece of the first kind and every other piece of the second kind stand as required.
fn pairs_hold(pieces: [Letter; 2], rank: &FirstRank, army: &Army, same: bool) -> bool {
    rank.pieces().filter(|&(_, letter)| letter == pieces[0]).all(|(one, _)| {
        rank.pieces()
            .filter(|&(other, letter)| letter == pieces[1] && other != one)
            .all(|(other, _)| (army.colour(one) == army.colour(other)) == same)
    })
}

/// The state says on which colours pieces of each kind have been seen, with two bits for a kind.
fn step(
    pieces: [Letter; 2],
    state: RuleState,
    colour: Colour,
    letter: Letter,
    same: bool,
) -> Option<RuleState> {
    let here: RuleState = if colour == Colour::Dark { 1 } else { 2 };
    let forbidden = if same { 3 - here } else { here };
    let [first, second] = pieces;
    let seen = |kind: usize| (state >> (2 * kind)) & 3;
    if (letter == first && seen(1) & forbidden != 0) || (letter == second && seen(0) & forbidden != 0) {
        return None;
    }
    let mut state = state;
    if letter == first {
        state |= here;
    }
    if letter == second {
        state |= here << 2;
    }
    Some(state)
}

impl Rule for OppositeColours {
    fn holds(&self, rank: &FirstRank, army: &Army) -> bool {
        pairs_hold(self.pieces, rank, army, false)
    }

    fn start(&self, _: &Army) -> RuleState {
        0
    }

    fn step(&self, state: RuleState, file: File, letter: Letter, army: &Army) -> Option<RuleState> {
        step(self.pieces, state, army.colour(file), letter, false)
    }

    fn accepts(&self, _: RuleState, _: &Army) -> bool {
        true
    }

    fn validate(&self, army: &Army) -> Result<(), String> {
        super::check_letters(army, &self.pieces)
    }
}

impl Rule for SameColour {
    fn holds(&self, rank: &FirstRank, army: &Army) -> bool {
        pairs_hold(self.pieces, rank, army, true)
    }

    fn start(&self, _: &Army) -> RuleState {
        0
    }

    fn step(&self, state: RuleState, file: File, letter: Letter, army: &Army) -> Option<RuleState> {
        step(self.pieces, state, army.colour(file), letter, true)
    }

    fn accepts(&self, _: RuleState, _: &Army) -> bool {
        true
    }

    fn validate(&self, army: &Army) -> Result<(), String> {
        super::check_letters(army, &self.pieces)
    }
}

impl fmt::Display for OppositeColours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.pieces;
        write!(f, "{first} and {second} on opposite colours")
    }
}

impl fmt::Display for SameColour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.pieces;
        write!(f, "{first} and {second} on the same colour")
    }
}
