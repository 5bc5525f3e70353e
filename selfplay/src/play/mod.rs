//! Playing the games of a study, several at a time, in the order of their numbers.
//!
//! A [`Run`] has what the games need: the study, its starts, endgame tables, a number of threads. [`Run::play`] hands over each
//! finished game in its turn, and a [`Recorder`] writes it down; [`Run::read`] replays games that are there already, from which
//! the recorder goes on. A [`Tally`] counts results.
//!
//! ```
//! use std::sync::OnceLock;
//! use std::sync::atomic::AtomicBool;
//! use std::time::Duration;
//!
//! use backrank_rules::{Rules, Variant};
//! use backrank_selfplay::play::{Recorder, Run};
//! use backrank_selfplay::study::{SetupChoice, Study, StudyDirectory, StudySpec, StudyStarts};
//!
//! let chess960 = Variant::find("chess960")?;
//! let mut spec = StudySpec::new(&chess960, SetupChoice::Ids(518..520).into(), "scharnagl", 2);
//! spec.limits.nodes = Some(20);
//! spec.adjudication.max_plies = Some(20);
//! let (study, rules) = (Study::new(spec)?, Rules::new(&chess960));
//! let run = Run {
//!     study: &study,
//!     rules: &rules,
//!     starts: &StudyStarts::of(&study, &rules)?,
//!     tables: &OnceLock::new(),
//!     threads: 2,
//!     timeout: Duration::from_secs(10),
//!     stop: &AtomicBool::new(false),
//! };
//! let folder = tempfile::tempdir()?;
//! let mut recorder = Recorder::resume(StudyDirectory::create_or_open(folder.path(), &study)?, &run)?;
//! run.play(recorder.next()..2, |played| recorder.add(&played))?;
//! recorder.finish()?;
//! assert_eq!(StudyDirectory::read_games(folder.path(), &study)?.count(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adjudicate;
mod check;
mod game;
mod in_order;
mod opening;
mod recorder;
mod tally;
mod window;

use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use backrank_endgames::EndgameTables;
use backrank_rules::Rules;

use crate::study::{Study, StudySpec, StudyStarts};
use game::Seats;

pub use check::StudyProgress;
pub use game::{EngineFailure, PlayedGame, Work};
pub(crate) use in_order::in_order;
pub use in_order::{JudgeError, MOST_THREADS, RunError};
pub use recorder::{RecordError, Recorder};
pub use tally::Tally;

/// What is needed to play a study's games.
pub struct Run<'a, 'r> {
    /// The study.
    pub study: &'a Study,
    /// The rules of the study's variant.
    pub rules: &'r Rules,
    /// The positions from which the study's games start.
    pub starts: &'a StudyStarts,
    /// Endgame tables for these rules. They are built when the first game needs them, and other runs can share them.
    pub tables: &'a OnceLock<Arc<EndgameTables>>,
    /// The number of games played at a time.
    pub threads: usize,
    /// How long an external engine may take to answer a command, not counting the time it is given for a move.
    pub timeout: Duration,
    /// Set it to end the run early. Unfinished games are discarded.
    pub stop: &'a AtomicBool,
}

impl Run<'_, '_> {
    /// Builds the endgame tables that the games need, if they have not been built yet. Without this call they are built
    /// before the first game.
    pub fn make_tables(&self) {
        self.tables_needed();
    }

    /// Plays the games in a range of numbers and passes them to `each` in order, until `each` returns `Break`. Games
    /// that are still being played then, or wait for their turn, are discarded.
    ///
    /// # Errors
    ///
    /// When `each` fails, no thread can be started, or a player's file of weights cannot be read. Any other failure of a
    /// player is not an error: it is recorded as the end of the game.
    pub fn play<E>(
        &self,
        games: Range<u64>,
        each: impl FnMut(PlayedGame) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), RunError<E>> {
        let tables = if games.is_empty() { None } else { self.tables_needed() };
        let weights = self.study.opening_weights(self.rules).map_err(RunError::Weights)?;
        let worker = || {
            let mut seats = Seats::new(self, tables, &weights);
            move |number| seats.play(number)
        };
        in_order(games, self.threads, self.stop, worker, each)
    }

    /// The endgame tables, if the embedded engine or adjudication needs them.
    fn tables_needed(&self) -> Option<&Arc<EndgameTables>> {
        let StudySpec { white, black, adjudication, .. } = &**self.study;
        let needed = white.is_builtin() || black.is_builtin() || adjudication.tables;
        needed.then(|| self.tables.get_or_init(|| Arc::new(EndgameTables::for_play(self.rules))))
    }
}
