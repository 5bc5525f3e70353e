//! A program that judges positions.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use backrank_rules::{Game, Rules};

use super::uci::{FinishedDepth, UciProgram};
use super::{PlayerError, PlayerSpec};

/// The time that a program has to answer whatever is no search.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A UCI engine that tells its best moves of positions, with their scores. Unlike a player it evaluates by its own net, if it
/// has one: it is asked for the best judgement that it can give.
pub(crate) struct Analyst {
    engine: Box<UciProgram>,
}

impl Analyst {
    /// Starts an engine.
    pub fn start(spec: &PlayerSpec, rules: &Rules, stop: &AtomicBool) -> Result<Self, PlayerError> {
        let mut engine = Box::new(UciProgram::launch_by_its_net(spec, TIMEOUT)?);
        engine.prepare(spec, rules, Some(stop))?;
        Ok(Self { engine })
    }

    /// The name that it gives itself.
    pub fn reported(&self) -> &str {
        self.engine.reported()
    }

    /// Lets it forget everything that it has searched.
    pub fn clear(&mut self, stop: &AtomicBool) -> Result<(), PlayerError> {
        self.engine.new_game(stop)
    }

    /// Searches a position that has legal moves; see [`UciPlayer::depths`](super::uci::UciPlayer::depths).
    pub fn depths(
        &mut self,
        game: &Game<'_>,
        nodes: u64,
        lines: usize,
        stop: &AtomicBool,
    ) -> Result<Vec<FinishedDepth>, PlayerError> {
        self.engine.depths(game, nodes, lines, stop)
    }
}
