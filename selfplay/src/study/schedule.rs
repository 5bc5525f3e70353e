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
    pub is_second: bool,
    /// Whether the players have swapped colours.
    pub swaps_players: bool,
    /// Whether the side begins that does not in the first game of the pair.
    pub swaps_sides: bool,
}

impl ScheduledGame {
    pub fn of(study: &StudySpec, number: u64) -> Self {
        let is_second = study.pairs && number % 2 == 1;
        Self {
            start: number / study.games,
            stream: if study.pairs { number / 2 } else { number },
            is_second,
            swaps_players: is_second && !study.swap_sides,
            swaps_sides: is_second && study.swap_sides,
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
        study.odds.as_ref().map(|odds| if self.is_second { odds.swapped() } else { odds.clone() })
    }
}
