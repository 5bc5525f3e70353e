//! The squares a rider passes, and how far it gets.

use crate::betza::Ray;
use crate::bitboard::Bitboard;
use crate::board::{Board, File};
use crate::square::Square;

/// A line through a square: the squares before it and after it, as far as a rider's range goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RiderLine {
    /// The squares of lower indices.
    pub lower: Bitboard,
    /// The squares of higher indices.
    pub upper: Bitboard,
}

impl RiderLine {
    /// Every square of the line.
    #[inline(always)]
    pub fn all(self) -> Bitboard {
        self.lower | self.upper
    }

    /// The squares between this line's own square and another on it.
    #[inline(always)]
    pub fn between(self, other: Square) -> Bitboard {
        let before = Bitboard::before(other);
        if self.upper.contains(other) { self.upper & before } else { self.lower & !(before | other.into()) }
    }
}

/// The shape of a line: one step towards higher squares, and the number of steps in each direction.
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

    /// A sort key that puts the lines of a rook and those of a bishop together, also among the lines of a queen.
    pub fn order(self) -> impl Ord {
        let (dx, dy) = self.step;
        let (near, far) = (dx.abs().min(dy.abs()), dx.abs().max(dy.abs()));
        (far, near, self)
    }

    /// The line of this shape through a square.
    pub fn through(self, board: Board, square: Square) -> RiderLine {
        let (dx, dy) = self.step;
        RiderLine {
            lower: squares_along(board, square, (-dx, -dy), self.down),
            upper: squares_along(board, square, (dx, dy), self.up),
        }
    }
}

/// The squares at most `range` steps away in one direction.
pub(crate) fn squares_along(board: Board, square: Square, (dx, dy): (i8, i8), range: u8) -> Bitboard {
    let mut squares = Bitboard::EMPTY;
    let (mut file, mut rank) = (board.file_of(square).0 as i32, board.rank_of(square) as i32);
    for _ in 0..range {
        file += i32::from(dx);
        rank += i32::from(dy);
        if !(0..board.files() as i32).contains(&file) || !(0..board.ranks() as i32).contains(&rank) {
            break;
        }
        squares |= board.square(File(file as u8), rank as usize).into();
    }
    squares
}
