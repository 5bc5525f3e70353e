//! How long a search may take.

use std::time::Duration;

use backrank_rules::{Move, Position};

use crate::score::Score;

/// Where a search stops; the first limit that is reached counts. Without any it goes on until it is told to stop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The number of nodes: positions reached by a move.
    pub nodes: Option<u64>,
    /// The number of plies that are searched in full.
    pub depth: Option<u32>,
    /// The time for this move.
    pub move_time: Option<Duration>,
    /// What is left on the clock.
    pub clock: Option<Clock>,
    /// A forced win found within so many moves of the side to move.
    pub mate: Option<u32>,
    /// How many lines are found, the best and those that begin with other moves; 0 is read as 1.
    pub lines: usize,
    /// The only moves that are considered in the position itself; all of them where this has none that is legal.
    pub only: Vec<Move>,
}

/// A clock, as the side to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The time left.
    pub left: Duration,
    /// The time added after each move.
    pub increment: Duration,
    /// The number of moves before the clock is set again; none where it never is.
    pub moves_to_go: Option<u32>,
}

/// Time lost between an engine's answer and its clock being stopped.
const OVERHEAD: Duration = Duration::from_millis(10);

/// The times at which a search ends.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Times {
    /// After this no further depth is begun.
    pub soft: Option<Duration>,
    /// At this the search stops wherever it is.
    pub hard: Option<Duration>,
}

impl Limits {
    /// A limit of nodes alone.
    pub fn of_nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// A limit of depth alone, in plies.
    pub fn of_depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// The moves that are considered in the position itself.
    pub(crate) fn root_moves(&self, root: &Position<'_>) -> Vec<Move> {
        let legal = root.legal_moves();
        let only: Vec<Move> = legal.iter().copied().filter(|played| self.only.contains(played)).collect();
        if only.is_empty() { legal } else { only }
    }

    /// Whether a score is the mate that was asked for.
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

impl Clock {
    /// A share of what is left, at most a part of it whatever happens.
    fn times(self) -> Times {
        let usable = self.left.saturating_sub(OVERHEAD);
        let moves = self.moves_to_go.map_or(30, |moves| moves.clamp(1, 30));
        let share = usable / moves + self.increment * 3 / 4;
        let most = if moves == 1 { usable * 9 / 10 } else { usable * 2 / 5 };
        let least = Duration::from_millis(1);
        Times {
            soft: Some((share * 3 / 5).min(most).max(least)),
            hard: Some((share * 5 / 2).min(most).max(least)),
        }
    }
}
