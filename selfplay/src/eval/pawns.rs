//! Pawns: passed, doubled, isolated, connected, and in front of their king.

use backrank_rules::{MAX_SQUARES, Position, Rules, Side, Square, Squares};

use super::prepared::Pair;
use super::shifts::Shifts;
use crate::weights::{Tapered, Weights};

/// A bitboard for each square.
type Masks = Box<[u128; MAX_SQUARES]>;

#[derive(Clone, Debug)]
pub(super) struct Pawns {
    shifts: Shifts,
    /// The two ranks in front of a king, on its file and the next, for each side.
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
        let mut king_files = Box::new([[0; 3]; MAX_SQUARES]);
        for (index, dx) in [-1, 0, 1].into_iter().enumerate() {
            let files = masks(&|other, _| other == dx);
            (0..MAX_SQUARES).for_each(|square| king_files[square][index] = files[square]);
        }
        let in_front = |dy: i32| dy == 1 || dy == 2;
        let start = (rules.variant().first_rank + 1) as f32;
        let last = (board.ranks() - 1) as f32;
        let on_the_way = |weight: Tapered| -> Vec<Pair> {
            let part = |rank: usize| ((rank as f32 - start) / (last - start)).max(0.0);
            (0..board.ranks()).map(|rank| Pair::of(weight, 0.1 + part(rank) * part(rank) * 1.6)).collect()
        };
        Self {
            shifts: Shifts::new(board),
            shield: [
                masks(&|dx, dy| dx.abs() <= 1 && in_front(dy)),
                masks(&|dx, dy| dx.abs() <= 1 && in_front(-dy)),
            ],
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
        let shifts = &self.shifts;
        let all = position.of_kind(Position::PAWN);
        let (own, enemy) = (all & position.pieces(side), all & position.pieces(side.other()));
        let number = |squares: u128| squares.count_ones() as i32;

        let behind_own = shifts.ahead(own, side.other());
        let doubled = own & behind_own;
        let beside_files =
            shifts.beside(shifts.ahead(own, Side::White) | shifts.ahead(own, Side::Black) | own);
        let isolated = own & !beside_files;
        let connected = own & shifts.beside(own | shifts.forward(own, side));
        let before_enemy = shifts.ahead(enemy, side.other());
        let passed = own & !(before_enemy | shifts.beside(before_enemy)) & !behind_own;

        let mut score = self.doubled * number(doubled)
            + self.isolated * number(isolated)
            + self.connected * number(connected);
        let free = shifts.forward(!position.occupied(), side.other());
        for square in Squares(passed) {
            let rank = square.0 as usize / self.files;
            let rank = if side == Side::White { rank } else { self.ranks - 1 - rank };
            score += self.passed[rank];
            if free >> square.0 & 1 != 0 {
                score += self.passed_free[rank];
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
