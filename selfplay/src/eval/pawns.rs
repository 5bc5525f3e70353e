//! Pawns: passed, doubled, isolated, connected, and in front of their king.

use backrank_rules::{MAX_SQUARES, Position, Rules, Side, Square, Squares};

use super::prepared::Pair;
use crate::weights::Weights;

/// A bitboard for each square.
type Masks = Box<[u128; MAX_SQUARES]>;

#[derive(Clone, Debug)]
pub(super) struct Pawns {
    /// The squares ahead on a pawn's file and the files beside it, for each side.
    ahead: [Masks; 2],
    /// The squares ahead on a pawn's own file.
    file_ahead: [Masks; 2],
    /// The files beside a square's.
    beside: Masks,
    /// The squares beside a pawn and those from which a pawn of its side protects it.
    support: [Masks; 2],
    /// The two ranks in front of a king, on its file and the next.
    shield: [Masks; 2],
    /// The files a king looks at: its own and those beside it.
    king_files: Box<[[u128; 3]; MAX_SQUARES]>,
    /// By rank as its side sees it.
    passed: Vec<Pair>,
    passed_free: Vec<Pair>,
    doubled: Pair,
    isolated: Pair,
    connected: Pair,
    king_shelter: Pair,
    king_open_file: Pair,
    files: usize,
    ranks: usize,
}

impl Pawns {
    pub fn new(rules: &Rules, weights: &Weights) -> Self {
        let board = rules.board();
        let place = |square: Square| (board.file_of(square).0 as i32, board.rank_of(square) as i32);
        // For each square, the squares at a distance that a condition on (dx, dy) picks; dy counts up the board.
        let masks = |holds: &dyn Fn(i32, i32) -> bool| -> Masks {
            let mut masks = Box::new([0; MAX_SQUARES]);
            for from in (0..board.squares() as u8).map(Square) {
                for to in (0..board.squares() as u8).map(Square) {
                    let ((x, y), (to_x, to_y)) = (place(from), place(to));
                    if holds(to_x - x, to_y - y) {
                        masks[from.0 as usize] |= 1 << to.0;
                    }
                }
            }
            masks
        };
        let for_sides = |holds: &dyn Fn(i32, i32) -> bool| [masks(holds), masks(&|dx, dy| holds(dx, -dy))];
        let mut king_files = Box::new([[0; 3]; MAX_SQUARES]);
        for (index, dx) in [-1, 0, 1].into_iter().enumerate() {
            let files = masks(&|other, _| other == dx);
            (0..MAX_SQUARES).for_each(|square| king_files[square][index] = files[square]);
        }
        let start = variant_pawn_rank(rules) as f32;
        let last = (board.ranks() - 1) as f32;
        let on_the_way = |weight| {
            let part = |rank: usize| ((rank as f32 - start) / (last - start)).max(0.0);
            (0..board.ranks()).map(|rank| Pair::of(weight, 0.1 + part(rank) * part(rank) * 1.6)).collect()
        };
        Self {
            ahead: for_sides(&|dx, dy| dx.abs() <= 1 && dy > 0),
            file_ahead: for_sides(&|dx, dy| dx == 0 && dy > 0),
            beside: masks(&|dx, _| dx.abs() == 1),
            support: for_sides(&|dx, dy| dx.abs() == 1 && (dy == 0 || dy == -1)),
            shield: for_sides(&|dx, dy| dx.abs() <= 1 && (dy == 1 || dy == 2)),
            king_files,
            passed: on_the_way(weights.passed),
            passed_free: on_the_way(weights.passed_free),
            doubled: Pair::of(weights.doubled, 1.0),
            isolated: Pair::of(weights.isolated, 1.0),
            connected: Pair::of(weights.connected, 1.0),
            king_shelter: Pair::of(weights.king_shelter, 1.0),
            king_open_file: Pair::of(weights.king_open_file, 1.0),
            files: board.files(),
            ranks: board.ranks(),
        }
    }

    /// White's pawns minus Black's.
    pub fn evaluate(&self, position: &Position<'_>) -> Pair {
        self.side(position, Side::White) - self.side(position, Side::Black)
    }

    fn side(&self, position: &Position<'_>, side: Side) -> Pair {
        let us = side as usize;
        let all = position.of_kind(Position::PAWN);
        let (own, enemy) = (all & position.pieces(side), all & position.pieces(side.other()));
        let mut score = Pair::ZERO;
        for square in Squares(own) {
            let at = square.0 as usize;
            let behind_another = self.file_ahead[us][at] & own != 0;
            if behind_another {
                score += self.doubled;
            }
            if self.beside[at] & own == 0 {
                score += self.isolated;
            } else if self.support[us][at] & own != 0 {
                score += self.connected;
            }
            if self.ahead[us][at] & enemy == 0 && !behind_another {
                let rank = at / self.files;
                let rank = if side == Side::White { rank } else { self.ranks - 1 - rank };
                score += self.passed[rank];
                let next = if side == Side::White { at + self.files } else { at - self.files };
                if position.occupied() >> next & 1 == 0 {
                    score += self.passed_free[rank];
                }
            }
        }
        score
    }

    /// What stands between a side's king and the enemy.
    pub fn shelter(&self, position: &Position<'_>, side: Side) -> Pair {
        let king = position.king(side).0 as usize;
        let own = position.of_kind(Position::PAWN) & position.pieces(side);
        let shield = (self.shield[side as usize][king] & own).count_ones() as i32;
        let open = self.king_files[king].iter().filter(|&&file| file != 0 && file & own == 0).count() as i32;
        self.king_shelter * shield.min(3) + self.king_open_file * open
    }
}

/// The rank that pawns start on, counted from 0.
fn variant_pawn_rank(rules: &Rules) -> usize {
    rules.variant().first_rank + 1
}
