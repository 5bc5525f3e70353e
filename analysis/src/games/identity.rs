//! Telling copies of games from other games.

use std::hash::{DefaultHasher, Hash, Hasher};

use backrank_selfplay::study::{GameRecord, SetupChoice, Starts, Study, StudySpec};

/// What the games of a study have in common with their copies, in whichever directory these are.
pub(super) struct Identity {
    /// A hash of the definition, without how many games there are and what is recorded of them.
    definition: u128,
    /// Whether two games of one number can differ, so that their moves have to be compared as well.
    by_moves: bool,
}

impl Identity {
    pub fn of(study: &Study) -> Self {
        let by_moves = study.starts.imported().is_some()
            || study.limits.time.is_some()
            || study.limits.clock.is_some()
            || !study.white.is_builtin()
            || !study.black.is_builtin();
        let starts = match &study.starts {
            starts @ (Starts::Book(_) | Starts::Recorded(_)) => starts.clone(),
            Starts::Setups(_) | Starts::Imported(_) => Starts::Setups(SetupChoice::All),
        };
        let definition = StudySpec {
            version: String::new(),
            starts,
            constraints: Vec::new(),
            numbering: String::new(),
            number_of_setups: 0,
            games: 0,
            shard: None,
            scores: false,
            without_moves: false,
            sprt: None,
            ..StudySpec::clone(study)
        };
        Self { definition: hash(&definition.to_toml()), by_moves: by_moves && !study.without_moves }
    }

    /// The identity of a game: two games have the same one if one is a copy of the other.
    pub fn of_game(&self, record: &GameRecord) -> u128 {
        let GameRecord { game, fen, odds, plies, moves, .. } = record;
        let moves = if self.by_moves { moves.as_str() } else { "" };
        let end = (record.result_text(), record.termination.to_string(), plies);
        hash(&(self.definition, game, odds, fen, moves, end))
    }
}

/// Two hashes of 64 bits with different initial states. Among a million games, two that differ have the same one with a
/// probability of about 10⁻²⁷.
fn hash(what: &impl Hash) -> u128 {
    let [high, low] = [0_u8, 1].map(|begin| {
        let mut hasher = DefaultHasher::new();
        (begin, what).hash(&mut hasher);
        u128::from(hasher.finish())
    });
    high << 64 | low
}
