//! The squares a rider passes, and how far it gets.

use crate::betza::Ray;
use crate::board::Board;
use crate::square::Square;

/// A line through a square: the squares before it and after it, as far as a rider's range goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    /// Squares of lower numbers.
    pub lower: u128,
    /// Squares of higher numbers.
    pub upper: u128,
}

impl Line {
    /// Every square of the line.
    #[inline(always)]
    pub fn all(self) -> u128 {
        self.lower | self.upper
    }

    /// The squares between this line's own square and another on it.
    #[inline(always)]
    pub fn between(self, other: Square) -> u128 {
        let bit = other.bit();
        if self.upper & bit != 0 { self.upper & (bit - 1) } else { self.lower & !(bit | (bit - 1)) }
    }
}

/// What distinguishes a line: one step towards higher squares, and how many steps each way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LineShape {
    step: (i8, i8),
    down: u8,
    up: u8,
}

impl LineShape {
    /// The lines of some rays; opposite rays share one.
    pub fn of(rays: &[Ray]) -> Vec<Self> {
        let mut shapes: Vec<Self> = Vec::new();
        for ray in rays {
            let rises = (ray.dy, ray.dx) > (0, 0);
            let step = if rises { (ray.dx, ray.dy) } else { (-ray.dx, -ray.dy) };
            let index = shapes.iter().position(|shape| shape.step == step).unwrap_or_else(|| {
                shapes.push(Self { step, down: 0, up: 0 });
                shapes.len() - 1
            });
            let range = if rises { &mut shapes[index].up } else { &mut shapes[index].down };
            *range = ray.range.max(*range);
        }
        shapes
    }

    /// Lines next to each other in a queen lie next to each other in a rook and a bishop.
    pub fn order(self) -> impl Ord {
        let (dx, dy) = self.step;
        let (near, far) = (dx.abs().min(dy.abs()), dx.abs().max(dy.abs()));
        (far, near, self)
    }

    /// The line of this shape through a square.
    pub fn through(self, board: Board, square: Square) -> Line {
        let (dx, dy) = self.step;
        Line {
            lower: squares_along(board, square, (-dx, -dy), self.down),
            upper: squares_along(board, square, (dx, dy), self.up),
        }
    }
}

/// The squares at most `range` steps away in one direction.
pub(crate) fn squares_along(board: Board, square: Square, (dx, dy): (i8, i8), range: u8) -> u128 {
    let mut squares = 0;
    let (mut file, mut rank) = (board.file_of(square).0 as i32, board.rank_of(square) as i32);
    for _ in 0..range {
        file += i32::from(dx);
        rank += i32::from(dy);
        if !(0..board.files() as i32).contains(&file) || !(0..board.ranks() as i32).contains(&rank) {
            break;
        }
        squares |= 1 << (rank * board.files() as i32 + file);
    }
    squares
}
