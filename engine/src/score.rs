//! Scores of a search.

use std::fmt;
use std::ops::Neg;

/// The score of a position for the side to move: centipawns, or the distance to a mate.
///
/// ```
/// use backrank_engine::Score;
///
/// assert_eq!(Score::centipawns(35).to_string(), "cp 35");
/// // Mate on the third ply from here, by the side to move's second move.
/// assert_eq!(Score::mate_in(3).to_string(), "mate 2");
/// assert_eq!(Score::mated_in(2).to_string(), "mate -1");
/// // A side can also lose by its own next move, where a bare king loses.
/// assert_eq!(Score::mated_in(1).to_string(), "mate -1");
/// assert_eq!(Score::mated_in(0).to_string(), "mate 0");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub(crate) i32);

/// Larger than any score.
pub(crate) const INFINITE: i32 = 32_000;
/// The score of a win that has happened; a win that is n plies away has n less.
pub(crate) const WIN: i32 = 31_000;
/// The smallest score that means a forced win. Larger ones differ only in the distance.
pub(crate) const FORCED_WIN: i32 = WIN - 1_000;

impl Score {
    /// A number beyond those of all scores: the ends of an open search window.
    pub const INFINITE: i32 = INFINITE;

    /// A draw.
    pub const DRAW: Self = Self(0);

    /// A score in hundredths of a pawn, limited to less than a forced win.
    pub fn centipawns(centipawns: i32) -> Self {
        Self(centipawns.clamp(1 - FORCED_WIN, FORCED_WIN - 1))
    }

    /// A forced win in a number of plies.
    pub fn mate_in(plies: i32) -> Self {
        Self(WIN - plies)
    }

    /// A forced loss in a number of plies.
    pub fn mated_in(plies: i32) -> Self {
        Self(plies - WIN)
    }

    /// The score as a single number, for a window of scores or a file: centipawns, and 31,000 - n for a win in n plies.
    pub fn to_number(self) -> i32 {
        self.0
    }

    /// The score in centipawns, unless the game is decided.
    pub fn as_centipawns(self) -> Option<i32> {
        (self.0.abs() < FORCED_WIN).then_some(self.0)
    }

    /// The number of plies to a forced win, or, negative, to a forced loss.
    pub fn as_plies_to_end(self) -> Option<i32> {
        match self.0 {
            score if score >= FORCED_WIN => Some(WIN - score),
            score if score <= -FORCED_WIN => Some(-WIN - score),
            _ => None,
        }
    }

    /// The number of the winner's moves to a forced win, or, negative, to a forced loss.
    pub fn as_moves_to_mate(self) -> Option<i32> {
        self.as_plies_to_end().map(|plies| (plies.abs() + 1) / 2 * plies.signum())
    }
}

/// The same for the other side.
impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Score {
    /// Written as in UCI: `cp 35`, or `mate` and the number of moves, negative for the side that is mated.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            score if score >= FORCED_WIN => write!(f, "mate {}", (WIN - score + 1) / 2),
            score if score <= -FORCED_WIN => write!(f, "mate {}", -(WIN + score + 1) / 2),
            score => write!(f, "cp {score}"),
        }
    }
}
