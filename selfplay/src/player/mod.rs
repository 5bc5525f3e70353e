//! Who plays: the embedded engine, or another program that speaks UCI.

mod builtin;
mod fingerprint;
mod uci;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use backrank_endgames::EndgameTables;
use backrank_rules::{Game, Move, Rules};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::limits::{Clock, Limits};
use crate::score::Score;
use crate::search::NoMemory;
use crate::weights::Weights;
use builtin::Builtin;
pub use fingerprint::fingerprint;
use uci::UciPlayer;
pub(crate) use uci::has_orthodox_pieces;

/// The command that means the embedded engine.
pub const BUILTIN: &str = "builtin";

/// Who is to play, and how it is set up: enough to start it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerSpec {
    /// What games call it.
    pub name: String,
    /// `builtin`, or the command line of a UCI engine.
    pub command: String,
    /// The size of its transposition table in mebibytes.
    pub hash: u32,
    /// UCI options beside those it is always given, in the order they are set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<UciOption>,
    /// What it said it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported: Option<String>,
    /// Which state of the embedded engine it is, by [`fingerprint`]; none for a program, and in studies from before there
    /// were fingerprints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
}

/// A UCI option and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UciOption {
    /// Its name.
    pub name: String,
    /// Its value; empty for a button.
    pub value: String,
}

impl Default for PlayerSpec {
    /// The embedded engine.
    fn default() -> Self {
        let builtin = BUILTIN.to_string();
        Self {
            name: builtin.clone(),
            command: builtin,
            hash: 16,
            options: Vec::new(),
            reported: None,
            fingerprint: None,
        }
    }
}

impl PlayerSpec {
    /// Whether it is the embedded engine.
    pub fn is_builtin(&self) -> bool {
        self.command == BUILTIN
    }

    /// The weights that the embedded engine plays a game with: its own, or those of the file that its option `WeightsFile`
    /// names.
    ///
    /// # Errors
    ///
    /// When there is another option, or the file is no file of weights.
    pub fn weights(&self, rules: &Rules) -> Result<Weights, PlayerError> {
        let wrong = |problem| PlayerError::Option { name: self.name.clone(), problem };
        let mut weights = Weights::new(rules);
        for UciOption { name, value } in &self.options {
            if !name.eq_ignore_ascii_case("WeightsFile") {
                return Err(wrong(format!("no option `{name}`; the embedded engine has WeightsFile alone")));
            }
            let text = std::fs::read_to_string(value)
                .map_err(|error| wrong(format!("no weights in `{value}`: {error}")))?;
            weights = Weights::parse(&text, rules)
                .map_err(|error| wrong(format!("no weights in `{value}`: {}", error.message())))?;
        }
        Ok(weights)
    }
}

/// A move that was chosen, and what the choice took.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The move.
    pub played: Move,
    /// The player's score for its side, where it said one.
    pub score: Option<Score>,
    /// The depth of its search in plies; 0 where it did not say.
    pub depth: u32,
    /// Nodes searched, as the player counts them.
    pub nodes: u64,
    /// The time from the question to the answer.
    pub time: Duration,
}

/// Why a player gave no move.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// A program that cannot be started.
    #[error("cannot start `{command}`: {error}")]
    Start {
        /// Its command line.
        command: String,
        /// What the operating system said.
        error: std::io::Error,
    },
    /// A command line that is none.
    #[error("`{command}` is not a command line: {problem}")]
    Command {
        /// As given.
        command: String,
        /// What is wrong with it.
        problem: String,
    },
    /// It cannot play this game.
    #[error("{name} cannot play {variant}: {problem}")]
    Variant {
        /// What it is called.
        name: String,
        /// The variant's key.
        variant: String,
        /// Why not.
        problem: String,
    },
    /// It has no such option, or not with this value.
    #[error("{name} has {problem}")]
    Option {
        /// What it is called.
        name: String,
        /// What there is instead.
        problem: String,
    },
    /// It ended, or closed its output.
    #[error("it ended before it said `{awaited}`")]
    Ended {
        /// What was waited for.
        awaited: &'static str,
    },
    /// It said nothing that ends the wait.
    #[error("it did not say `{awaited}` within {seconds} s")]
    Silent {
        /// What was waited for.
        awaited: &'static str,
        /// How long.
        seconds: u64,
    },
    /// It said what makes no sense.
    #[error("it said `{said}`, which {problem}")]
    Nonsense {
        /// What it said.
        said: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The embedded engine has no memory for its table.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// The search was told to stop from outside.
    #[error("stopped")]
    Stopped,
}

/// A player that is ready for games by one set of rules.
pub struct Player<'r> {
    kind: PlayerKind<'r>,
}

enum PlayerKind<'r> {
    Builtin(Box<Builtin<'r>>),
    Uci(Box<UciPlayer>),
}

impl<'r> Player<'r> {
    /// Starts a player, without endgame tables. A program is given `timeout` for each thing it is asked, and for a move
    /// that much beyond the time it may take.
    ///
    /// # Errors
    ///
    /// When a program cannot be started, does not answer, or cannot play by these rules.
    pub fn start(spec: &PlayerSpec, rules: &'r Rules, timeout: Duration) -> Result<Self, PlayerError> {
        let mut player = Self::launch(spec, rules, timeout, None)?;
        player.prepare(spec, rules, None)?;
        Ok(player)
    }

    /// Starts a player that is then to be prepared: one that fails at that can still be asked for its last lines. The
    /// tables are for the embedded engine.
    pub(crate) fn launch(
        spec: &PlayerSpec,
        rules: &'r Rules,
        timeout: Duration,
        tables: Option<&Arc<EndgameTables>>,
    ) -> Result<Self, PlayerError> {
        let kind = if spec.is_builtin() {
            PlayerKind::Builtin(Box::new(Builtin::new(rules, &spec.weights(rules)?, spec.hash, tables)?))
        } else {
            PlayerKind::Uci(Box::new(UciPlayer::launch(spec, timeout)?))
        };
        Ok(Self { kind })
    }

    /// Makes a player ready for games by these rules.
    pub(crate) fn prepare(
        &mut self,
        spec: &PlayerSpec,
        rules: &Rules,
        stop: Option<&AtomicBool>,
    ) -> Result<(), PlayerError> {
        match &mut self.kind {
            PlayerKind::Builtin(_) => Ok(()),
            PlayerKind::Uci(engine) => engine.prepare(spec, rules, stop),
        }
    }

    /// What a program says it is called.
    pub fn reported(&self) -> Option<&str> {
        match &self.kind {
            PlayerKind::Builtin(_) => None,
            PlayerKind::Uci(engine) => Some(engine.reported()),
        }
    }

    /// The last lines a program said.
    pub fn last_lines(&self) -> Vec<String> {
        match &self.kind {
            PlayerKind::Builtin(_) => Vec::new(),
            PlayerKind::Uci(engine) => engine.last_lines(),
        }
    }

    /// Forgets the last game.
    ///
    /// # Errors
    ///
    /// When a program does not answer, or when `stop` is set.
    pub fn new_game(&mut self, stop: &AtomicBool) -> Result<(), PlayerError> {
        match &mut self.kind {
            PlayerKind::Builtin(builtin) => {
                builtin.new_game();
                Ok(())
            }
            PlayerKind::Uci(engine) => engine.new_game(stop),
        }
    }

    /// Chooses a move in a game that is not over. With clocks, `opponent` is the one of the other side.
    ///
    /// # Errors
    ///
    /// When a program does not answer with a legal move, or when `stop` is set.
    pub fn choose(
        &mut self,
        game: &Game<'r>,
        limits: &Limits,
        opponent: Option<Clock>,
        stop: &AtomicBool,
    ) -> Result<Choice, PlayerError> {
        match &mut self.kind {
            PlayerKind::Builtin(builtin) => builtin.choose(game, limits, stop),
            PlayerKind::Uci(engine) => engine.choose(game, limits, opponent, stop),
        }
    }
}

impl fmt::Debug for Player<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player").field("reported", &self.reported()).finish_non_exhaustive()
    }
}
