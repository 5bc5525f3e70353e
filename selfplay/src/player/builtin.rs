//! The embedded engine as a player.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use backrank_endgames::EndgameTables;
use backrank_engine::{Engine, Limits, NoMemory, Weights};
use backrank_rules::{Game, Rules};

use super::{Choice, PlayerError};

pub(super) struct Builtin<'r> {
    engine: Engine<'r>,
}

impl<'r> Builtin<'r> {
    pub fn new(
        rules: &'r Rules,
        weights: &Weights,
        hash: u32,
        tables: Option<&Arc<EndgameTables>>,
    ) -> Result<Self, NoMemory> {
        let engine = Engine::try_new(rules, weights, hash as usize)?;
        Ok(Self { engine: engine.with_tables(tables.cloned()) })
    }

    pub fn new_game(&mut self) {
        self.engine.clear();
    }

    pub fn choose(
        &mut self,
        game: &Game<'r>,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> Result<Choice, PlayerError> {
        let start = Instant::now();
        let found = self.engine.search(game, limits, stop, |_| ());
        let time = start.elapsed();
        if stop.load(Ordering::Relaxed) {
            return Err(PlayerError::Stopped);
        }
        let played = found.best.expect("a game that is not over has a legal move");
        Ok(Choice { played, score: Some(found.score), depth: found.depth, nodes: found.nodes, time })
    }
}
