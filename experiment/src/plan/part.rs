//! Parts of a plan and of its tasks, and the directories of their studies.

use std::fmt;
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};

use backrank_analysis::findings::CONFIRMATORY;
use backrank_selfplay::study::{Odds, Study};
use serde::{Deserialize, Serialize};

use crate::design::EXPLORATORY;

/// The path of the games from all setups.
pub const ALL_SETUPS: &str = ".";

/// The games of one part of the experiment that one round has, whose numbers are in a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedPart {
    /// The round, from 1.
    pub round: u64,
    /// The directory of its study below that of the experiment: `.` for the games from all setups, or for example
    /// `odds/Q-2N+4P`.
    pub path: PartPath,
    /// What the sides start without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub odds: Option<Odds>,
    /// The seed of the study.
    pub seed: u64,
    /// The number of the first game, which is even.
    pub start: u64,
    /// The number after that of the last game, which is even.
    pub end: u64,
}

/// What a task plays of one study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskPart<'p> {
    /// The part of the plan.
    pub part: &'p PlannedPart,
    /// The numbers of the games.
    pub games: Range<u64>,
}

/// The directory of a part below that of its experiment: `.`, `odds/NAME` or `fixed/NAME`, where the name is made of odds. No
/// such path leads out of the experiment's directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PartPath(String);

impl TryFrom<String> for PartPath {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let is_name = |name: &str| {
            (1..=100).contains(&name.len())
                && name.bytes().all(|letter| letter.is_ascii_alphanumeric() || b"+-=".contains(&letter))
        };
        let is_below = || {
            text.split_once('/')
                .is_some_and(|(at, name)| [EXPLORATORY, CONFIRMATORY].contains(&at) && is_name(name))
        };
        if text == ALL_SETUPS || is_below() {
            return Ok(Self(text));
        }
        Err(format!(
            "`{}` is no directory of a plan: these are `.`, `odds/NAME` and `fixed/NAME`",
            text.escape_debug()
        ))
    }
}

impl From<PartPath> for String {
    fn from(path: PartPath) -> Self {
        path.0
    }
}

impl Deref for PartPath {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PartPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl PartialEq<PartPath> for String {
    fn eq(&self, other: &PartPath) -> bool {
        *self == other.0
    }
}

impl PartPath {
    /// The directory below this one, which is that of an experiment or of a task.
    pub fn below(&self, path: &Path) -> PathBuf {
        if self.0 == ALL_SETUPS { path.to_path_buf() } else { path.join(&self.0) }
    }
}

impl PlannedPart {
    /// The directory of its study below that of an experiment or of a task.
    pub fn below(&self, path: &Path) -> PathBuf {
        self.path.below(path)
    }

    /// The whole study of which it is a part; `first` is that of the games from all setups.
    pub fn study(&self, first: &Study) -> Study {
        first.part(self.odds.clone(), self.seed)
    }
}

impl TaskPart<'_> {
    /// The study of these games alone.
    pub fn study(&self, first: &Study) -> Study {
        self.part.study(first).with_games(self.games.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_directories_of_parts_alone() {
        for right in [".", "odds/Q-2N+4P", "fixed/2N=2W"] {
            let path = PartPath::try_from(right.to_string()).unwrap();
            assert_eq!(
                path.below(Path::new("runs")),
                Path::new("runs").join(right).components().collect::<PathBuf>()
            );
        }
        for wrong in
            ["", "/", "..", "odds", "odds/", "odds/..", "odds/a/b", "odds/a b", "./odds/Q-M", "tasks/1"]
        {
            assert!(PartPath::try_from(wrong.to_string()).is_err(), "{wrong}");
        }
    }
}
