//! Telling copies of games from other games.

use std::hash::{DefaultHasher, Hash, Hasher};

use backrank_selfplay::{GameRecord, Study};

/// What the games of a study have in common with their copies, in whichever directory these are.
pub(super) struct Identity {
    /// The definition, without how many games there are and what is recorded of them.
    definition: String,
    /// Whether two games of one number can differ, so that their moves have to be compared as well.
    by_moves: bool,
}

impl Identity {
    pub fn of(study: &Study) -> Self {
        let by_moves = study.import.is_some()
            || study.limits.time.is_some()
            || study.limits.clock.is_some()
            || !study.white.is_builtin()
            || !study.black.is_builtin();
        let definition = Study {
            version: String::new(),
            setups: String::new(),
            setup_ids: Vec::new(),
            constraints: Vec::new(),
            numbering: String::new(),
            number_of_setups: 0,
            games: 0,
            shard: None,
            scores: false,
            without_moves: false,
            sprt: None,
            plan: None,
            import: None,
            ..study.clone()
        };
        Self { definition: definition.to_toml(), by_moves: by_moves && !study.without_moves }
    }

    /// Two hashes of 64 bits with different initial states. Among a million games, two that differ have the same
    /// identity with a probability of about 10⁻²⁷.
    pub fn of_game(&self, record: &GameRecord) -> u128 {
        let GameRecord { game, fen, odds, plies, moves, .. } = record;
        let moves = if self.by_moves { moves.as_str() } else { "" };
        let end = (record.result_text(), record.termination.to_string(), plies);
        let hash = |begin: u8| {
            let mut hasher = DefaultHasher::new();
            (begin, &self.definition, game, odds, fen, moves, &end).hash(&mut hasher);
            u128::from(hasher.finish())
        };
        hash(0) << 64 | hash(1)
    }
}
