//! What a setup is called.

use serde::Serialize;

/// The identity of a setup.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct SetupName {
    /// Its id in the study's numbering.
    pub id: u128,
    /// White's first rank.
    pub white: String,
    /// Black's first rank.
    pub black: String,
}
