//! What can be wrong with the file of a net.

use thiserror::Error;

/// The first words of a net's first line.
pub(super) const MAGIC: &str = "backrank net 1";

/// Why there is no net for a game.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NetError {
    /// It does not begin as a net does.
    #[error("this is no net: it does not begin with `{}`", MAGIC)]
    NoNet,
    /// It is for another game, or from another version.
    #[error("this net is for `{found}`, and the game needs one for `{needed}`")]
    Other {
        /// What it says of itself.
        found: String,
        /// What would be right.
        needed: String,
    },
    /// It is too short or too long.
    #[error("this net has {found} bytes after its first line, not {needed}")]
    Length {
        /// Its length.
        found: usize,
        /// What would be right.
        needed: usize,
    },
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// A number is out of range.
    #[error("this net has a weight of the output that is not from -127 to 127: {0}")]
    Weight(i16),
}
