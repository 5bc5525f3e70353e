//! Which results a model describes, and which observations may be correlated.

use serde::Serialize;

/// The results that a model describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Ordered logit of loss, draw and win.
    Ordered,
    /// Logit of loss and win; drawn games are left out.
    Decided,
}

/// The groups of observations that may be correlated, by which standard errors are clustered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clustering {
    /// The positions of a game.
    #[default]
    Game,
    /// The games of a setup.
    Setup,
}
