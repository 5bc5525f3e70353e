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

    /// The squares up to the first piece on either side, that piece included.
    #[inline(always)]
    pub fn reached(self, occupied: u128) -> u128 {
        let below = (self.lower & occupied) | 1;
        let above = self.upper & occupied;
        // Everything from the highest piece below on, and everything up to the lowest above.
        let from_below = FROM_HIGHEST[below.leading_zeros() as usize & 127];
        let to_above = above ^ above.wrapping_sub(1);
        self.lower & from_below | self.upper & to_above
    }

    /// The squares between this line's own square and another on it.
    #[inline(always)]
    pub fn between(self, other: Square) -> u128 {
        let bit = other.bit();
        if self.upper & bit != 0 { self.upper & (bit - 1) } else { self.lower & !(bit | (bit - 1)) }
    }
}

/// By the number of leading zeros, the highest bit that is set and all above it. Shifting takes several times as long as
/// looking it up.
static FROM_HIGHEST: [u128; 128] = {
    let mut table = [0; 128];
    let mut zeros = 0;
    while zeros < 128 {
        table[zeros] = u128::MAX << (127 - zeros);
        zeros += 1;
    }
    table
};

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

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks a ray square by square.
    fn walked(board: Board, square: Square, step: (i8, i8), range: u8, occupied: u128) -> u128 {
        let mut reached = 0;
        for steps in 1..=range {
            let far = squares_along(board, square, step, steps);
            if far == reached {
                break;
            }
            let newest = far & !reached;
            reached = far;
            if newest & occupied != 0 {
                break;
            }
        }
        reached
    }

    #[test]
    fn riders_stop_at_the_first_piece_on_every_board() {
        let mut random = 1u64;
        let mut next = || {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            u128::from(random >> 32)
        };
        for (files, ranks) in [(8, 8), (9, 9), (11, 11), (16, 8), (2, 16), (12, 10)] {
            let board = Board::new(files, ranks).unwrap();
            for (dx, dy, range) in
                [(1, 0, 255), (0, 1, 255), (1, 1, 255), (-1, 1, 3), (2, 1, 255), (-1, 2, 2), (3, 0, 15)]
            {
                for square in (0..board.squares() as u8).map(Square) {
                    let both = [(dx, dy), (-dx, -dy)].map(|(dx, dy)| Ray {
                        dx,
                        dy,
                        range,
                        moves: true,
                        captures: true,
                        first_move_only: false,
                    });
                    let [shape] = LineShape::of(&both)[..] else { panic!("opposite rays are one line") };
                    let line = shape.through(board, square);
                    for _ in 0..20 {
                        let random = next() | next() << 32 | next() << 64 | next() << 96;
                        let occupied = random & (next() | next() << 32 | next() << 64 | next() << 96);
                        let expected = walked(board, square, (dx, dy), range, occupied)
                            | walked(board, square, (-dx, -dy), range, occupied);
                        assert_eq!(line.reached(occupied), expected, "{board} {square:?} {dx} {dy} {range}");
                    }
                }
            }
        }
    }
}
