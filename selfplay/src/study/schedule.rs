//! Which game of a study is which: its start, its pair and who sits where.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::definition::Study;
use super::odds::Odds;

/// A game's place in its study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The index of its start among the study's: of its setup, its opening or its recorded position.
    pub start: u64,
    /// The stream of random numbers that it draws from: the same for both games of a pair.
    pub stream: u64,
    /// Whether it is the second game of a pair.
    pub reversed: bool,
}

impl Place {
    pub fn of(study: &Study, number: u64) -> Self {
        Self {
            start: number / study.games,
            stream: if study.pairs { number / 2 } else { number },
            reversed: Self::is_reversed(study.pairs, number),
        }
    }

    /// The random numbers of this game, from the first on: those of the study's seed and this game's stream.
    pub fn rng(self, study: &Study) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(study.seed);
        rng.set_stream(self.stream);
        rng
    }

    /// What White and Black lack.
    pub fn odds(self, study: &Study) -> Option<Odds> {
        study.odds.as_ref().map(|odds| if self.reversed { odds.swapped() } else { odds.clone() })
    }

    /// Whether the players have changed sides.
    pub fn is_reversed(pairs: bool, number: u64) -> bool {
        pairs && number % 2 == 1
    }
}
