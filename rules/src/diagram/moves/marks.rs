//! How a piece comes to each square.

use std::cmp::Ordering;

use crate::betza::{Betza, Passage, Ray};
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::square::Square;

/// How a piece comes to a square; the earlier ones ask for less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Manner {
    /// In one step, whatever is on the way.
    Leap,
    /// In several steps, over empty squares.
    Ride,
    /// If nothing stands on the way of its step.
    Lame,
    /// Over a piece.
    Over,
}

impl Manner {
    pub fn of(ray: &Ray) -> Self {
        match ray.passage {
            Passage::Free if ray.range == 1 => Self::Leap,
            Passage::Free | Passage::Bent { .. } => Self::Ride,
            Passage::Lame => Self::Lame,
            Passage::Jump | Passage::Hop | Passage::Grasshopper => Self::Over,
        }
    }
}

/// How a piece comes to a square without capturing, and to capture there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mark {
    pub moves: Option<Manner>,
    pub captures: Option<Manner>,
}

impl Mark {
    pub const NONE: Self = Self { moves: None, captures: None };

    /// Marks that move and capture alike come first, then those that only move, only capture, and do the two differently.
    fn order(self) -> impl Ord {
        let kind = match (self.moves, self.captures) {
            (moves, captures) if moves == captures => 0,
            (_, None) => 1,
            (None, _) => 2,
            _ => 3,
        };
        (kind, self.moves, self.captures)
    }

    fn add(&mut self, ray: &Ray) {
        let manner = Manner::of(ray);
        for (mark, serves) in [(&mut self.moves, ray.moves), (&mut self.captures, ray.captures)] {
            if serves {
                *mark = Some(mark.map_or(manner, |other| other.min(manner)));
            }
        }
    }
}

impl PartialOrd for Mark {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Mark {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order().cmp(&other.order())
    }
}

/// How a piece comes to a square: always, and on its first move only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SquareMarks {
    pub always: Mark,
    pub first: Mark,
}

impl SquareMarks {
    /// The marks of every square of a board, for a piece on one of them.
    pub fn of(betza: &Betza, board: Board, from: Square) -> Vec<Self> {
        let mut marks = vec![Self::default(); board.squares()];
        for ray in betza.rays() {
            for (square, _) in ray.way_out(board, from) {
                let marks = &mut marks[square.index()];
                if ray.first_move_only { &mut marks.first } else { &mut marks.always }.add(ray);
            }
        }
        for Self { always, first } in &mut marks {
            first.moves = first.moves.filter(|_| always.moves.is_none());
            first.captures = first.captures.filter(|_| always.captures.is_none());
        }
        marks
    }
}

/// The squares that must be empty for a lame leap.
pub(super) fn in_the_way(betza: &Betza, board: Board, from: Square) -> Bitboard {
    let lame = betza.rays().iter().filter(|ray| ray.passage == Passage::Lame && ray.range == 1);
    lame.flat_map(|ray| ray.way_out(board, from)).fold(Bitboard::EMPTY, |all, (_, through)| all | through)
}
