//! Studies of games that were played elsewhere and imported.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Where the games of a study were imported from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportedGames {
    /// The files, relative to the directory in which they were imported.
    pub files: Vec<PathBuf>,
    /// The lowest rating that both players must have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_elo: Option<u16>,
    /// The largest number of games that are imported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// The number of games that were read.
    pub read: u64,
    /// The number of games in which a player has a lower rating, or none.
    pub below_min_elo: u64,
    /// The numbers of games that could not be imported, by the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rejected: BTreeMap<String, u64>,
}
