//! The limits of a search.

use std::time::Duration;

use backrank_rules::{Move, Position};

use crate::score::Score;

/// The limits of a search, which ends at the first one that is reached. Without limits, the search continues until it
/// is told to stop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The number of nodes, which are positions reached by a move.
    pub nodes: Option<u64>,
    /// The number of plies that are searched in full.
    pub depth: Option<u32>,
    /// The time for this move.
    pub move_time: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// The number of moves of the side to move within which a forced win is to be found.
    pub mate: Option<u32>,
    /// The number of lines to find: the best one, and the best of those that begin with other moves; 0 is read as 1.
    pub lines: usize,
    /// The only moves to consider in the root position; all moves if this has no legal one.
    pub only: Vec<Move>,
}

/// A clock, as it is for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The time left.
    pub left: Duration,
    /// The time added after each move.
    pub increment: Duration,
    /// The number of moves until the clock is set again; `None` if it never is.
    pub moves_to_go: Option<u32>,
}

/// The time between an engine's answer and the stopping of its clock.
const OVERHEAD: Duration = Duration::from_millis(10);

/// The times at which a search ends.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Times {
    /// The usual time for such a move; the search decides how much more or less of it this move deserves.
    pub usual: Option<Duration>,
    /// At this time the search stops wherever it is.
    pub hard: Option<Duration>,
}

impl Limits {
    /// A limit of nodes only.
    pub fn of_nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// A limit of depth only, in plies.
    pub fn of_depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// The moves to consider in the root position.
    pub(crate) fn root_moves(&self, root: &Position<'_>) -> Vec<Move> {
        let legal = root.legal_moves();
        let only: Vec<Move> = legal.iter().copied().filter(|played| self.only.contains(played)).collect();
        if only.is_empty() { legal } else { only }
    }

    /// Whether a score is the mate that is to be found.
    pub(crate) fn is_mate_found(&self, score: Score) -> bool {
        let moves =
            score.as_plies_to_end().filter(|&plies| plies > 0).map(|plies| (plies as u32).div_ceil(2));
        self.mate.zip(moves).is_some_and(|(asked, found)| found <= asked)
    }

    pub(crate) fn times(&self) -> Times {
        let mut times = self.clock.map_or_else(Times::default, Clock::times);
        if let Some(move_time) = self.move_time {
            let hard = move_time.saturating_sub(Duration::from_millis(1)).max(Duration::from_millis(1));
            times.hard = Some(times.hard.map_or(hard, |other| other.min(hard)));
        }
        times
    }
}

/// The number of moves among which the time that is left is divided. A game lasts longer, but what a move leaves is divided
/// again, so that the first moves, which decide most, get most.
const MOVES_AHEAD: u32 = 22;

impl Clock {
    /// A share of the time that is left, and never more than a fixed part of it.
    fn times(self) -> Times {
        let left = self.left.saturating_sub(OVERHEAD);
        let moves = self.moves_to_go.map_or(MOVES_AHEAD, |moves| moves.clamp(1, MOVES_AHEAD));
        let usual = left / moves + self.increment * 4 / 5;
        let most = if moves == 1 { left * 9 / 10 } else { left * 2 / 5 };
        let least = Duration::from_millis(1);
        Times { usual: Some(usual.min(most).max(least)), hard: Some((usual * 3).min(most).max(least)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The usual and the last time for a move, in milliseconds.
    fn times(limits: &Limits) -> [Option<u128>; 2] {
        let times = limits.times();
        [times.usual, times.hard].map(|time| time.map(|time| time.as_millis()))
    }

    fn of_clock(left: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        let [left, increment] = [left, increment].map(Duration::from_millis);
        Limits { clock: Some(Clock { left, increment, moves_to_go }), ..Limits::default() }
    }

    #[test]
    fn a_clock_is_divided_among_the_moves_that_are_left() {
        for (left, increment, moves_to_go, usual, hard) in [
            (2_210, 0, None, 100, 300),
            (2_210, 100, None, 180, 540),
            (1_010, 0, Some(10), 100, 300),
            // Never more than two fifths of it, or nine tenths for the last move before the clock is set again.
            (3_010, 0, Some(2), 1_200, 1_200),
            (1_010, 10_000, None, 400, 400),
            (1_010, 0, Some(1), 900, 900),
            // A clock that has run out, or is about to.
            (0, 0, None, 1, 1),
            (10, 0, Some(0), 1, 1),
        ] {
            let found = times(&of_clock(left, increment, moves_to_go));
            assert_eq!(found, [Some(usual), Some(hard)], "{left} + {increment}, {moves_to_go:?}");
        }
    }

    #[test]
    fn a_time_for_the_move_is_not_exceeded_and_never_nothing() {
        for (move_time, hard) in [(200, 199), (2, 1), (1, 1), (0, 1)] {
            let limits = Limits { move_time: Some(Duration::from_millis(move_time)), ..Limits::default() };
            assert_eq!(times(&limits), [None, Some(hard)]);
            // The shorter of the two counts.
            let both = Limits { move_time: limits.move_time, ..of_clock(2_210, 0, None) };
            assert_eq!(times(&both), [Some(100), Some(hard.min(300))]);
        }
    }
}
