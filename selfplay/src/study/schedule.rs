//! The schedule of a study: the start, the pair and the colours of each game.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::odds::Odds;
use super::spec::StudySpec;

/// A game in the schedule of its study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScheduledGame {
    /// The index of its start among those of the study: of its setup, opening or recorded position.
    pub start: u64,
    /// The random number stream from which it draws, the same for both games of a pair.
    pub stream: u64,
    /// Whether it is the second game of a pair.
    pub reversed: bool,
}

impl ScheduledGame {
    pub fn of(study: &StudySpec, number: u64) -> Self {
        Self {
            start: number / study.games,
            stream: if study.pairs { number / 2 } else { number },
            reversed: Self::is_reversed(study.pairs, number),
        }
    }

    /// A generator at the beginning of this game's stream, with the study's seed.
    pub fn rng(self, study: &StudySpec) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(study.seed);
        rng.set_stream(self.stream);
        rng
    }

    /// The pieces that White and Black lack in this game.
    pub fn odds(self, study: &StudySpec) -> Option<Odds> {
        study.odds.as_ref().map(|odds| if self.reversed { odds.swapped() } else { odds.clone() })
    }

    /// Whether the players have swapped colours.
    pub fn is_reversed(pairs: bool, number: u64) -> bool {
        pairs && number % 2 == 1
    }
}
