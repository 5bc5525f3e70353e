//! How far riders get, along all their lines at once.
//!
//! Towards higher squares the first piece in the way is the lowest set bit on the line, and `x ^ (x - 1)` is everything
//! up to it. Towards lower squares it is the highest set bit, which is the lowest when the bits are reversed. So one
//! calculation on twice as many bits serves both directions of a line.

use super::lines::RiderLine;
use crate::bitboard::{Bitboard, BitboardPair};

/// A line as riders go along it from their own square: the squares of higher indices, and those of lower indices in
/// reverse order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ways(BitboardPair);

impl Ways {
    pub fn along(line: RiderLine) -> Self {
        Self(BitboardPair::new(line.upper, Bitboard::from_bits(line.lower.bits().reverse_bits())))
    }
}

/// The occupied squares, prepared for asking how far riders get.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occupied {
    pub squares: Bitboard,
    ways: BitboardPair,
}

impl Occupied {
    #[inline(always)]
    pub fn new(squares: Bitboard) -> Self {
        Self { squares, ways: BitboardPair::and_reversed(squares) }
    }

    /// The squares of some lines up to the first occupied one, which is included.
    #[inline(always)]
    pub fn reached(&self, lines: &[Ways]) -> Bitboard {
        let along = |&Ways(line): &Ways| line & (line & self.ways).up_to_lowest();
        let reached = match lines {
            // This is by far the most common case, and it is faster without a loop.
            [one, other] => along(one) | along(other),
            lines => {
                lines.iter().fold(BitboardPair::both(Bitboard::EMPTY), |reached, line| reached | along(line))
            }
        };
        reached.or_reversed()
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines::{LineShape, squares_along};
    use super::*;
    use crate::betza::{Passage, Ray};
    use crate::board::Board;
    use crate::square::Square;

    /// Walks a ray square by square.
    fn walked(board: Board, square: Square, step: (i8, i8), range: u8, occupied: Bitboard) -> Bitboard {
        let mut reached = Bitboard::EMPTY;
        for steps in 1..=range {
            let far = squares_along(board, square, step, steps);
            if far == reached {
                break;
            }
            let newest = far & !reached;
            reached = far;
            if !newest.is_disjoint(occupied) {
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
                for square in board.all_squares() {
                    let both = [(dx, dy), (-dx, -dy)].map(|(dx, dy)| Ray {
                        dx,
                        dy,
                        range,
                        moves: true,
                        captures: true,
                        first_move_only: false,
                        passage: Passage::Free,
                    });
                    let [shape] = LineShape::of(&both)[..] else { panic!("opposite rays are one line") };
                    let line = shape.through(board, square);
                    for _ in 0..20 {
                        let random = next() | next() << 32 | next() << 64 | next() << 96;
                        let occupied =
                            Bitboard(random & (next() | next() << 32 | next() << 64 | next() << 96));
                        let expected = walked(board, square, (dx, dy), range, occupied)
                            | walked(board, square, (-dx, -dy), range, occupied);
                        assert_eq!(
                            Occupied::new(occupied).reached(&[Ways::along(line)]),
                            expected,
                            "{board} {square:?} {dx} {dy} {range}"
                        );
                    }
                }
            }
        }
    }
}
