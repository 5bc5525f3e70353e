//! Moves that depend on more than the first piece in their way: lame, jumping, hopping and bent ones.
//!
//! Such a move is a path: the square where it ends, the squares that it passes, and how many pieces must stand there. Paths are
//! looked up one by one, which is slower than the bitboards of leapers and riders, but serves all these movers alike; games
//! without them do not pay for them.

use super::lines::squares_along;
use crate::betza::{Passage, Ray};
use crate::bitboard::Bitboard;
use crate::board::{Board, MAX_SQUARES};
use crate::square::Square;

/// A move from a given square, or to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    /// Where it ends; in a table of origins, where it begins.
    pub end: Square,
    /// The squares in between.
    through: Bitboard,
    /// Those of them that must be occupied, whatever the number.
    hurdle: Bitboard,
    /// The least and the greatest number of pieces on the squares in between.
    pieces: (u32, u32),
}

impl Path {
    /// Whether it can be gone when these squares are occupied.
    #[inline]
    pub fn is_open(&self, occupied: Bitboard) -> bool {
        let (least, most) = self.pieces;
        (least..=most).contains(&(self.through & occupied).count()) && (self.hurdle & !occupied).is_empty()
    }

    /// The probability that it can be gone if each square is occupied with a probability.
    pub fn chance(&self, density: f64) -> f64 {
        let given = self.hurdle.count();
        let free = self.through.count() - given;
        let (least, most) = self.pieces;
        // Factors one at a time, so that every machine gets the same.
        let power = |base: f64, times: u32| (0..times).fold(1.0, |product, _| product * base);
        let ways = |chosen: u32| {
            (0..chosen).fold(1.0, |ways, index| ways * f64::from(free - index) / f64::from(index + 1))
        };
        let exactly =
            |number: u32| ways(number) * power(density, number) * power(1.0 - density, free - number);
        let numbers = least.saturating_sub(given)..=most.saturating_sub(given).min(free);
        power(density, given) * numbers.map(exactly).sum::<f64>()
    }
}

/// For each square, the paths from it; or, in a table of origins, those to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathTable(Vec<Vec<Path>>);

impl PathTable {
    /// A table without paths.
    pub fn empty() -> Self {
        Self(vec![Vec::new(); MAX_SQUARES])
    }

    /// The paths of some rays; those of leapers and riders have none.
    pub fn new(board: Board, rays: &[Ray]) -> Self {
        let mut table = Self::empty();
        for square in board.all_squares() {
            for ray in rays {
                for path in paths(board, square, ray) {
                    if !table.0[square.index()].contains(&path) {
                        table.0[square.index()].push(path);
                    }
                }
            }
        }
        table
    }

    /// The same paths, by where they end.
    pub fn origins(&self, board: Board) -> Self {
        let mut origins = Self::empty();
        for square in board.all_squares() {
            for path in self.at(square) {
                origins.0[path.end.index()].push(Path { end: square, ..*path });
            }
        }
        origins
    }

    /// The paths of a square.
    #[inline]
    pub fn at(&self, square: Square) -> &[Path] {
        &self.0[square.index()]
    }

    /// The ends of the open paths of a square.
    #[inline]
    pub fn open(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.at(square).iter().filter(|path| path.is_open(occupied)).map(|path| path.end).collect()
    }
}

/// The paths of a ray from a square.
fn paths(board: Board, from: Square, ray: &Ray) -> Vec<Path> {
    let mut paths = Vec::new();
    let mut push = |end: Option<Square>, through: Bitboard, hurdle: Bitboard, pieces: (u32, u32)| {
        paths.extend(end.map(|end| Path { end, through, hurdle, pieces }));
    };
    let step = (ray.dx, ray.dy);
    let mut through = Bitboard::EMPTY;
    match ray.passage {
        Passage::Free => {}
        Passage::Lame => {
            for (last, square) in steps(board, from, step, ray.range) {
                through |= way(board, last, step);
                push(Some(square), through, Bitboard::EMPTY, (0, 0));
                through |= square.into();
            }
        }
        Passage::Jump => {
            through = way(board, from, step);
            push(beside(board, from, step), through, Bitboard::EMPTY, (1, u32::MAX));
        }
        Passage::Hop => {
            for (last, square) in steps(board, from, step, ray.range) {
                if last != from {
                    through |= last.into();
                    push(Some(square), through, Bitboard::EMPTY, (1, 1));
                }
            }
        }
        Passage::Grasshopper => {
            for (last, square) in steps(board, from, step, ray.range) {
                if last != from {
                    through |= last.into();
                    push(Some(square), through, last.into(), (1, 1));
                }
            }
        }
        Passage::Bent { dx, dy } => {
            let Some(corner) = beside(board, from, step) else { return paths };
            for (last, square) in steps(board, corner, (dx, dy), ray.range) {
                through |= last.into();
                push(Some(square), through, Bitboard::EMPTY, (0, 0));
            }
        }
    }
    paths
}

/// The square one step away, if it is on the board.
fn beside(board: Board, from: Square, step: (i8, i8)) -> Option<Square> {
    squares_along(board, from, step, 1).first()
}

/// The squares at most `range` steps away, each after the one before it.
fn steps(board: Board, from: Square, step: (i8, i8), range: u8) -> impl Iterator<Item = (Square, Square)> {
    let mut last = from;
    (0..range).map_while(move |_| {
        let next = beside(board, last, step)?;
        Some((std::mem::replace(&mut last, next), next))
    })
}

/// The squares between a square and the one a leap away: straight first, then diagonally.
fn way(board: Board, from: Square, (dx, dy): (i8, i8)) -> Bitboard {
    let (mut dx, mut dy) = (dx, dy);
    let mut square = Some(from);
    let mut way = Bitboard::EMPTY;
    loop {
        let (sideways, forwards) = (dx.abs() >= dy.abs(), dy.abs() >= dx.abs());
        let step = (if sideways { dx.signum() } else { 0 }, if forwards { dy.signum() } else { 0 });
        (dx, dy) = (dx - step.0, dy - step.1);
        if (dx, dy) == (0, 0) {
            return way;
        }
        square = square.and_then(|square| beside(board, square, step));
        way |= square.map_or(Bitboard::EMPTY, Bitboard::from);
    }
}

impl Ray {
    /// The squares along this ray from a square, each with the squares in between, whatever stands there.
    pub(crate) fn way_out(&self, board: Board, from: Square) -> Vec<(Square, Bitboard)> {
        if self.passage != Passage::Free {
            return paths(board, from, self).into_iter().map(|path| (path.end, path.through)).collect();
        }
        let mut through = Bitboard::EMPTY;
        let along = steps(board, from, (self.dx, self.dy), self.range);
        along
            .map(|(_, square)| {
                let before = through;
                through |= square.into();
                (square, before)
            })
            .collect()
    }

    /// The squares along this ray from a square, each with the probability that the way is open if each square is occupied with
    /// a probability.
    pub(crate) fn chances(&self, board: Board, from: Square, density: f64) -> Vec<(Square, f64)> {
        if self.passage != Passage::Free {
            let paths = paths(board, from, self).into_iter();
            return paths.map(|path| (path.end, path.chance(density))).collect();
        }
        // Factors one at a time, so that every machine gets the same.
        let chances = std::iter::successors(Some(1.0), |chance| Some(chance * (1.0 - density)));
        let along = steps(board, from, (self.dx, self.dy), self.range);
        along.map(|(_, square)| square).zip(chances).collect()
    }

    /// The squares that a piece reaches along this ray when these are occupied, including the first occupied one of a ride.
    ///
    /// It is plain and slow; [`Rules::attacks`](crate::Rules::attacks) is fast.
    pub fn reached(&self, board: Board, from: Square, occupied: Bitboard) -> Bitboard {
        if self.passage != Passage::Free {
            let open = paths(board, from, self).into_iter().filter(|path| path.is_open(occupied));
            return open.map(|path| path.end).collect();
        }
        let mut reached = Bitboard::EMPTY;
        for (_, square) in steps(board, from, (self.dx, self.dy), self.range) {
            reached |= square.into();
            if occupied.contains(square) {
                break;
            }
        }
        reached
    }
}
