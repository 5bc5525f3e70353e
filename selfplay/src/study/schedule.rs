//! Which game of a study is which: its setup, its pair and who sits where.

use backrank_rules::{Position, Rules, Setup};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::definition::Study;
use super::odds::{MissingPawns, Odds};

/// A game's place in its study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The index of its setup among the study's.
    pub setup: u64,
    /// The stream of random numbers that it draws from: the same for both games of a pair.
    pub stream: u64,
    /// Whether it is the second game of a pair.
    pub reversed: bool,
}

impl Place {
    pub fn of(study: &Study, number: u64) -> Self {
        Self {
            setup: number / study.games,
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

    /// The starting positions of the games that share an opening, in the order of the games; this game's is the one of
    /// [`Place::start`]. Both games of a pair get the same ones, for what is drawn depends on all of them.
    pub fn starts<'r>(
        self,
        study: &Study,
        rules: &'r Rules,
        setup: &Setup,
        rng: &mut ChaCha8Rng,
    ) -> Vec<Position<'r>> {
        let Some(odds) = &study.odds else {
            return vec![Position::new(rules, setup).expect("a space's setups can be played")];
        };
        let pawns = match study.pawns_in_turn {
            true => MissingPawns::InTurn { seed: study.seed, pair: self.stream },
            false => MissingPawns::Drawn,
        };
        odds.starts(rules, setup, pawns, rng).to_vec()
    }

    /// This game's starting position among those.
    pub fn start<'r>(self, starts: &[Position<'r>]) -> Position<'r> {
        starts[self.reversed as usize % starts.len()]
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
