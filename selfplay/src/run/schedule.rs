//! Which game of a study is which: its setup, its pair and who sits where.

use crate::study::Study;

/// A game's place in its study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The index of its setup among the study's.
    pub setup: u64,
    /// What its chance depends on beside the study's seed: the same for both games of a pair.
    pub lot: u64,
    /// Whether it is the second game of a pair.
    pub reversed: bool,
}

impl Place {
    pub fn of(study: &Study, number: u64) -> Self {
        Self {
            setup: number / study.games,
            lot: if study.pairs { number / 2 } else { number },
            reversed: study.pairs && number % 2 == 1,
        }
    }
}
