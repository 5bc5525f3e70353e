//! Players: the embedded engine, or another program that speaks UCI.
//!
//! A [`PlayerSpec`] names the player and its options, as `study.toml` writes them. [`Player::start`] starts it; a program is told
//! the rules of the game, and refused if it cannot play them. [`Player::choose`] asks for a move, a [`Choice`] with its score. The
//! [`fingerprint`](fingerprint()) of the embedded engine tells builds apart that play differently.

mod analyst;
mod builtin;
mod fingerprint;
mod uci;

use std::fmt;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use backrank_endgames::EndgameTables;
use backrank_engine::{Clock, Limits, NetChoice, NoMemory, Score, Weights};
use backrank_rules::{Game, Move, Rules};
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub(crate) use analyst::Analyst;
use builtin::Builtin;
pub use fingerprint::fingerprint;
use uci::UciProgram;
pub(crate) use uci::has_orthodox_pieces;
pub use uci::kill_engines;

/// The command that means the embedded engine.
pub const BUILTIN: &str = "builtin";

/// The specification of a player, from which it can be launched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerSpec {
    /// Its name in the records of games.
    pub name: String,
    /// `builtin`, or the command line of a UCI engine.
    pub command: String,
    /// The size of its transposition table in mebibytes.
    pub hash: u32,
    /// UCI options in addition to those that are always set, in the order in which they are set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<UciOption>,
    /// The name that it gives itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported: Option<String>,
    /// The [`fingerprint`] of the embedded engine; `None` for other programs, and in studies of versions without
    /// fingerprints.
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

    /// What the embedded engine evaluates a game's positions by: its own weights and net, or the weights of the file in
    /// its option `WeightsFile`, without a net. The option `NetFile` has the path of another net, or `own`, `general` or `none`.
    ///
    /// # Errors
    ///
    /// When there is any other option, or a file is not valid.
    pub fn weights(&self, rules: &Rules) -> Result<Weights, PlayerError> {
        let wrong = |problem| PlayerError::Option { name: self.name.clone(), problem };
        let mut weights = Weights::new(rules);
        let mut chosen_net = None;
        for UciOption { name, value } in &self.options {
            if name.eq_ignore_ascii_case("WeightsFile") {
                let text = Weights::read_text(value.as_ref())
                    .map_err(|error| wrong(format!("no weights in `{value}`: {error}")))?;
                weights = Weights::parse(&text, rules)
                    .map_err(|error| wrong(format!("no weights in `{value}`: {}", error.message())))?;
            } else if name.eq_ignore_ascii_case("NetFile") {
                let net = NetChoice::read(value).and_then(|choice| choice.net(rules));
                chosen_net = Some(net.map_err(|error| wrong(format!("no net in `{value}`: {error}")))?);
            } else {
                return Err(wrong(format!(
                    "no option `{name}`; the embedded engine has only WeightsFile and NetFile"
                )));
            }
        }
        if let Some(net) = chosen_net {
            weights.net = net.map(Arc::new);
        }
        Ok(weights)
    }
}

/// The move that a player chose, with its score and the work it took.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The move.
    pub played: Move,
    /// The player's score for its side, if it gave one.
    pub score: Option<Score>,
    /// The depth of its search in plies; 0 if it did not give it.
    pub depth: u32,
    /// The number of nodes searched, as the player counts them.
    pub nodes: u64,
    /// The time from the request to the answer.
    pub time: Duration,
}

/// Why a player did not give a move.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// The program cannot be started.
    #[error("cannot start `{command}`: {error}")]
    Start {
        /// Its command line.
        command: String,
        /// What the operating system said.
        error: std::io::Error,
    },
    /// The command line is not valid.
    #[error("`{command}` is not a command line: {problem}")]
    Command {
        /// The command line as given.
        command: String,
        /// What is wrong with it.
        problem: String,
    },
    /// It cannot play this game.
    #[error("{name} cannot play {variant}: {problem}")]
    Variant {
        /// The player's name.
        name: String,
        /// The variant's key.
        variant: String,
        /// Why it cannot.
        problem: String,
    },
    /// It does not have an option, or not with this value.
    #[error("{name} has {problem}")]
    Option {
        /// The player's name.
        name: String,
        /// What it has instead.
        problem: String,
    },
    /// It ended, or closed its output.
    #[error("it ended before it said `{awaited}`")]
    Ended {
        /// The awaited answer.
        awaited: &'static str,
    },
    /// It did not give the awaited answer in time.
    #[error("it did not say `{awaited}` within {seconds} s")]
    Silent {
        /// The awaited answer.
        awaited: &'static str,
        /// The number of seconds that it was given.
        seconds: u64,
    },
    /// It gave an invalid answer.
    #[error("it said `{said}`, which {problem}")]
    Nonsense {
        /// What it said.
        said: String,
        /// What is wrong with it.
        problem: String,
    },
    /// There is not enough memory for the embedded engine's transposition table.
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
    Uci(Box<UciProgram>),
}

impl<'r> Player<'r> {
    /// Starts a player, without endgame tables. A program must answer each command within `timeout`, and choose a move
    /// within its time for the move plus `timeout`.
    ///
    /// # Errors
    ///
    /// When a program cannot be started, does not answer, or cannot play by these rules, or when `stop` is set.
    pub fn start(
        spec: &PlayerSpec,
        rules: &'r Rules,
        timeout: Duration,
        stop: &AtomicBool,
    ) -> Result<Self, PlayerError> {
        let mut player = Self::launch(spec, rules, timeout, None)?;
        player.prepare(spec, rules, Some(stop))?;
        Ok(player)
    }

    /// Starts a player, which must then be prepared. If that fails, its last lines are still available. The tables are
    /// for the embedded engine.
    pub(crate) fn launch(
        spec: &PlayerSpec,
        rules: &'r Rules,
        timeout: Duration,
        tables: Option<&Arc<EndgameTables>>,
    ) -> Result<Self, PlayerError> {
        let kind = if spec.is_builtin() {
            PlayerKind::Builtin(Box::new(Builtin::new(rules, &spec.weights(rules)?, spec.hash, tables)?))
        } else {
            PlayerKind::Uci(Box::new(UciProgram::launch(spec, timeout)?))
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

    /// Reads what a UCI engine has written before, such as a log of its output, as a running engine is read: its options
    /// up to `uciok`, `readyok` twice, and what it says of the game's position up to `bestmove`. Returns the name that it
    /// gives itself, or else its command, and its choice.
    ///
    /// ```
    /// use backrank_rules::{Game, Position, Rules, Variant};
    /// use backrank_selfplay::player::{Player, PlayerSpec};
    ///
    /// let rules = Rules::new(&Variant::find("chess")?);
    /// let game = Game::new(Position::from_fen(&rules, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")?);
    /// let begin = "id name Mine\nuciok\nreadyok\nreadyok\n";
    /// let heard = |end: &str| Player::heard(&PlayerSpec::default(), &game, format!("{begin}{end}").as_bytes());
    /// let (name, choice) = heard("info depth 3 score cp 90 nodes 70\nbestmove e2e4\n")?;
    /// assert_eq!((name.as_str(), choice.played.uci(rules.board()).as_str()), ("Mine", "e2e4"));
    /// assert_eq!((choice.depth, choice.nodes), (3, 70));
    /// let error = heard("bestmove e2e5\n").unwrap_err().to_string();
    /// assert!(error.starts_with("it said `bestmove e2e5`, which is not legal in 4k3/"), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a running engine that writes this would fail, or the output ends before it is read.
    pub fn heard(
        spec: &PlayerSpec,
        game: &Game<'_>,
        output: impl Read,
    ) -> Result<(String, Choice), PlayerError> {
        uci::heard(output, spec, game)
    }

    /// The name that a program gives itself.
    pub fn reported(&self) -> Option<&str> {
        match &self.kind {
            PlayerKind::Builtin(_) => None,
            PlayerKind::Uci(engine) => Some(engine.reported()),
        }
    }

    /// The last lines of a program's output.
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

    /// Chooses a move in a game that is not over. With clocks, `opponent` is that of the other side.
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
