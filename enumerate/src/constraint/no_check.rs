use std::fmt;

use backrank_rules::{File, FirstRank, Letter, Setup, Side};

use super::{Rule, RuleState, parse};
use crate::army::Army;
use crate::gaze::{Files, files_of};

/// No king stands in check before the first move, neither White's nor Black's.
///
/// Black's rank follows from White's where sides mirror each other. Where they are independent, the constraint is on both
/// ranks together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoCheck;

impl NoCheck {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        parse::truth(text).map(|()| Self)
    }

    /// Whether neither king stands in check at the start from a setup.
    pub(crate) fn holds_for(&self, setup: &Setup, army: &Army) -> bool {
        if let Some(rules) = army.rules() {
            return rules.kings_in_check(setup).is_ok_and(|checks| checks == [false; 2]);
        }
        let gaze = army.gaze();
        let attacks = gaze.attacks([files_of(&setup.white), files_of(&setup.black)]);
        !attacks.hits_king(Side::White, &setup.white, gaze.kings(&setup.black))
            && !attacks.hits_king(Side::Black, &setup.black, gaze.kings(&setup.white))
    }
}

// The state has the files of kings read so far, and above them those of files to come on which a king would stand in check.
const FILES: u32 = 16;

impl Rule for NoCheck {
    fn holds(&self, rank: &FirstRank, army: &Army) -> bool {
        self.holds_for(&Setup { white: *rank, black: army.black_rank(rank) }, army)
    }

    fn start(&self, _: &Army) -> RuleState {
        0
    }

    fn step(&self, state: RuleState, file: File, letter: Letter, army: &Army) -> Option<RuleState> {
        let (mut kings, mut forbidden) = (state as Files, (state >> FILES) as Files);
        if army.gaze().is_king(letter) {
            kings |= 1 << file.0;
        }
        let attacked = army.forbidden_to_kings(letter, file);
        let never = army.always_forbidden_to_kings();
        if kings & (attacked | forbidden | never) != 0
            || army.hits_fixed_king(letter, file)
            || army.attacks().fixed_in_check()
        {
            return None;
        }
        let to_come: Files = (!0 << file.0) << 1;
        let is_last_king = kings.count_ones() as usize == army.kings();
        forbidden = if is_last_king { 0 } else { (forbidden | attacked) & to_come };
        Some(RuleState::from(kings) | RuleState::from(forbidden) << FILES)
    }

    fn accepts(&self, _: RuleState, _: &Army) -> bool {
        true
    }

    fn validate(&self, army: &Army) -> Result<(), String> {
        if army.kings() == 0 && army.gaze().fixed_king(army.side()).is_none() {
            return Err("there is no king".to_string());
        }
        Ok(())
    }
}

impl fmt::Display for NoCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no king in check before the first move")
    }
}

/// What of White's rank decides which ranks of Black's go with it without a check: the files of its kings that some piece
/// of Black's could attack, and the files of Black's rank that its pieces attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CheckClass {
    pub(crate) kings: Files,
    pub(crate) attacked: Files,
}

impl CheckClass {
    const START: Self = Self { kings: 0, attacked: 0 };

    /// The class of a beginning of White's rank after one more piece.
    fn with(self, file: File, letter: Letter, army: &Army) -> Self {
        let is_king = army.gaze().is_king(letter) && army.reach_of_checks(Side::Black) >> file.0 & 1 != 0;
        Self {
            kings: self.kings | Files::from(is_king) << file.0,
            attacked: self.attacked | army.attacks().of(Side::White, letter, file.0.into()),
        }
    }

    /// All classes that arrangements of an army have, or `None` if they are too many.
    pub(crate) fn all(army: &Army) -> Option<Vec<Self>> {
        const MAX_CLASSES: usize = 1 << 10;
        const MAX_PREFIXES: usize = 1 << 20;
        let all: Vec<usize> = army.kinds().iter().map(|kind| kind.1).collect();
        let mut prefixes = std::collections::BTreeSet::from([(all, Self::START)]);
        for file in army.files() {
            let with_piece = |(left, class): &(Vec<usize>, Self)| {
                let (left, class) = (left.clone(), *class);
                let kinds = army.kinds().iter().enumerate();
                kinds.filter_map(move |(kind, &(letter, _))| {
                    let mut left = left.clone();
                    left[kind] = left[kind].checked_sub(1)?;
                    Some((left, class.with(file, letter, army)))
                })
            };
            prefixes = prefixes.iter().flat_map(with_piece).collect();
            if prefixes.len() > MAX_PREFIXES {
                return None;
            }
        }
        let classes: std::collections::BTreeSet<Self> = prefixes.into_iter().map(|prefix| prefix.1).collect();
        (classes.len() <= MAX_CLASSES).then(|| classes.into_iter().collect())
    }
}

/// White's rank is of a class.
pub(crate) struct IsOfClass(pub(crate) CheckClass);

impl Rule for IsOfClass {
    fn holds(&self, rank: &FirstRank, army: &Army) -> bool {
        rank.pieces().fold(CheckClass::START, |class, (file, letter)| class.with(file, letter, army))
            == self.0
    }

    fn start(&self, _: &Army) -> RuleState {
        0
    }

    fn step(&self, state: RuleState, file: File, letter: Letter, army: &Army) -> Option<RuleState> {
        let before = CheckClass { kings: state as Files, attacked: (state >> FILES) as Files };
        let CheckClass { kings, attacked } = before.with(file, letter, army);
        if gives_or_is_in_check(Side::White, file, letter, army) {
            return None;
        }
        let is_beginning = kings & !self.0.kings == 0 && attacked & !self.0.attacked == 0;
        is_beginning.then(|| RuleState::from(kings) | RuleState::from(attacked) << FILES)
    }

    fn accepts(&self, state: RuleState, _: &Army) -> bool {
        state == RuleState::from(self.0.kings) | RuleState::from(self.0.attacked) << FILES
    }

    fn validate(&self, _: &Army) -> Result<(), String> {
        Ok(())
    }
}

/// Whether a piece of a side's rank gives check to a king that is fixed, or is a king that what is fixed attacks.
fn gives_or_is_in_check(side: Side, file: File, letter: Letter, army: &Army) -> bool {
    let attacks = army.attacks();
    let is_attacked = attacks.of_fixed(side.other()) >> file.0 & 1 != 0;
    attacks.hits_fixed_king(side, letter, file)
        || army.gaze().is_king(letter) && is_attacked
        || attacks.fixed_in_check()
}

/// Black's rank goes without a check with White's ranks of a class.
pub(crate) struct GoesWith(pub(crate) CheckClass);

impl Rule for GoesWith {
    fn holds(&self, rank: &FirstRank, army: &Army) -> bool {
        rank.pieces().all(|(file, letter)| self.step(0, file, letter, army).is_some())
    }

    fn start(&self, _: &Army) -> RuleState {
        0
    }

    fn step(&self, state: RuleState, file: File, letter: Letter, army: &Army) -> Option<RuleState> {
        let is_in_check = army.gaze().is_king(letter) && self.0.attacked >> file.0 & 1 != 0;
        let gives_check = army.attacks().of(Side::Black, letter, file.0.into()) & self.0.kings != 0;
        let with_fixed = gives_or_is_in_check(Side::Black, file, letter, army);
        (!is_in_check && !gives_check && !with_fixed).then_some(state)
    }

    fn accepts(&self, _: RuleState, _: &Army) -> bool {
        true
    }

    fn validate(&self, _: &Army) -> Result<(), String> {
        Ok(())
    }
}
