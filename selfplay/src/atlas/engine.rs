//! The engine that judges setups, if it is not the embedded one.

use std::sync::atomic::AtomicBool;

use backrank_rules::Rules;
use serde::{Deserialize, Serialize};

use crate::player::{Analyst, PlayerError, PlayerSpec, UciOption};

/// A UCI engine that judges the setups of an atlas, on one thread and by its own net if it has one.
///
/// Each setup is judged by an engine that has forgotten all others. Rows are then the same on every machine, and with any number
/// of threads, if the engine plays the same game at the same number of nodes, as Stockfish does.
///
/// ```
/// use backrank_rules::Variant;
/// use backrank_selfplay::atlas::{Atlas, JudgingEngine};
///
/// let mut atlas = Atlas::new(&Variant::find("chess960")?, 200_000)?;
/// atlas.judge_by(Some(JudgingEngine { command: "stockfish".to_string(), options: Vec::new(), reported: None }))?;
/// assert_eq!(atlas.judge(), "stockfish");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgingEngine {
    /// Its command line.
    pub command: String,
    /// UCI options in addition to those that are always set, in the order in which they are set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<UciOption>,
    /// The name and version that it gives itself; `None` as long as it was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported: Option<String>,
}

impl JudgingEngine {
    /// Starts it with a transposition table of this size in MiB.
    pub(super) fn start(&self, hash: u32, rules: &Rules, stop: &AtomicBool) -> Result<Analyst, PlayerError> {
        let spec = PlayerSpec {
            name: self.reported.as_ref().unwrap_or(&self.command).clone(),
            command: self.command.clone(),
            hash,
            options: self.options.clone(),
            reported: self.reported.clone(),
            fingerprint: None,
        };
        Analyst::start(&spec, rules, stop)
    }
}
