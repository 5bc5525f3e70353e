use std::cmp::Ordering;
use std::fmt;

use backrank_rules::{File, FirstRank, Letter, Setup};

use super::{Rule, RuleState, parse};
use crate::army::Army;

/// The setup does not come after its own left–right reflection in alphabetical order.
///
/// Of two setups that are each other's reflection only one counts. White's rank decides; where it is its own reflection
/// and the sides are independent, Black's decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpToReflection;

impl UpToReflection {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        parse::truth(text).map(|()| Self)
    }

    /// Whether a setup does not come after its reflection, with both ranks reflected together.
    ///
    /// ```
    /// use backrank_enumerate::UpToReflection;
    /// use backrank_rules::{FirstRank, Setup};
    ///
    /// let [white, black] = [b"BBQNNRKR", b"RNBQKBNR"].map(|rank| FirstRank::new(rank).unwrap());
    /// assert!(UpToReflection.holds_for(&Setup { white, black }));
    /// assert!(!UpToReflection.holds_for(&Setup { white: white.reversed(), black: black.reversed() }));
    /// ```
    pub fn holds_for(&self, setup: &Setup) -> bool {
        compare(&setup.white).then_with(|| compare(&setup.black)).is_le()
    }
}

/// How a rank compares with its reflection.
fn compare(rank: &FirstRank) -> Ordering {
    let letters: Vec<Letter> = rank.pieces().map(|piece| piece.1).collect();
    letters.iter().cmp(letters.iter().rev())
}

// The state says whether the rank, as far as both halves are known, comes before (1) or after (2) its reflection. Above
// that it has the letters of the left half that the right half has not met yet, the last one uppermost.
const BEFORE: RuleState = 1;
const AFTER: RuleState = 2;
const VERDICT: RuleState = 3;
const BITS: u32 = 5;

impl Rule for UpToReflection {
    fn holds(&self, rank: &FirstRank, _: &Army) -> bool {
        compare(rank).is_le()
    }

    fn start(&self, _: &Army) -> RuleState {
        0
    }

    fn step(&self, state: RuleState, file: File, letter: Letter, army: &Army) -> Option<RuleState> {
        let place = army.files().position(|other| other == file).expect("a file of the army");
        let (half, odd) = (army.len() / 2, army.len() % 2);
        let letter = letter.index() as RuleState + 1;
        let (verdict, left) = (state & VERDICT, state >> 2);
        if place < half {
            return Some((left | letter << (BITS * place as u32)) << 2 | verdict);
        }
        if place < half + odd {
            return Some(state);
        }
        // The mirror image of this file is the last one of the left half that was not met yet. A file still to come
        // weighs more.
        let partner_place = army.len() - 1 - place;
        let partner = left >> (BITS * partner_place as u32);
        let verdict = match partner.cmp(&letter) {
            Ordering::Less => BEFORE,
            Ordering::Equal => verdict,
            Ordering::Greater => AFTER,
        };
        Some((left & !(partner << (BITS * partner_place as u32))) << 2 | verdict)
    }

    fn accepts(&self, state: RuleState, _: &Army) -> bool {
        state & VERDICT != AFTER
    }

    fn validate(&self, _: &Army) -> Result<(), String> {
        Ok(())
    }
}

impl fmt::Display for UpToReflection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not after its left–right reflection in alphabetical order")
    }
}

/// The rank is its own left–right reflection.
pub(crate) struct OwnReflection;

impl Rule for OwnReflection {
    fn holds(&self, rank: &FirstRank, _: &Army) -> bool {
        compare(rank).is_eq()
    }

    fn start(&self, army: &Army) -> RuleState {
        UpToReflection.start(army)
    }

    fn step(&self, state: RuleState, file: File, letter: Letter, army: &Army) -> Option<RuleState> {
        UpToReflection.step(state, file, letter, army).filter(|state| state & VERDICT == 0)
    }

    fn accepts(&self, state: RuleState, _: &Army) -> bool {
        state & VERDICT == 0
    }

    fn validate(&self, _: &Army) -> Result<(), String> {
        Ok(())
    }
}

/// The rank comes before its left–right reflection.
pub(crate) struct BeforeReflection;

impl Rule for BeforeReflection {
    fn holds(&self, rank: &FirstRank, _: &Army) -> bool {
        compare(rank).is_lt()
    }

    fn start(&self, army: &Army) -> RuleState {
        UpToReflection.start(army)
    }

    fn step(&self, state: RuleState, file: File, letter: Letter, army: &Army) -> Option<RuleState> {
        UpToReflection.step(state, file, letter, army)
    }

    fn accepts(&self, state: RuleState, _: &Army) -> bool {
        state & VERDICT == BEFORE
    }

    fn validate(&self, _: &Army) -> Result<(), String> {
        Ok(())
    }
}
