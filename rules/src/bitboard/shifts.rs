//! Sets of squares moved over the board.

use super::pair::Shift;
use super::{Bitboard, BitboardPair};
use crate::board::{Board, File};
use crate::square::Side;
use crate::variant::PawnType;

/// Moves both sides' squares at once by files and ranks of a board, as each side sees them. Squares that leave the
/// board are lost.
///
/// ```
/// use backrank_rules::{Bitboard, BitboardPair, Board, Shifts};
///
/// let board = Board::new(9, 9)?;
/// let shifts = Shifts::new(board);
/// let at = |name| Bitboard::from(board.parse_square(name));
/// let kings = BitboardPair::new(at("e1"), at("a9"));
/// assert_eq!(shifts.forward(kings).halves(), [at("e2"), at("a8")]);
/// assert_eq!(shifts.beside(kings).halves(), [at("d1") | at("f1"), at("b9")]);
/// # Ok::<(), backrank_rules::BoardError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Shifts {
    files: u32,
    all: Bitboard,
    not_first_file: Bitboard,
    not_last_file: Bitboard,
    forward: Shift,
    backward: Shift,
    /// Whether pawns go diagonally and capture straight on.
    berolina: bool,
    /// Shifts by more and more ranks, forwards and backwards, until the whole board is crossed.
    further: Vec<[Shift; 2]>,
}

impl Shifts {
    /// The shifts of a board.
    pub fn new(board: Board) -> Self {
        let files = board.files() as u32;
        let both_ways = |ranks: u32| [true, false].map(|forwards| Shift::new(ranks * files, forwards));
        let [forward, backward] = both_ways(1);
        let mut further = Vec::new();
        let mut passed = 1;
        while passed + 1 < board.ranks() as u32 {
            let ranks = passed.min(63 / files);
            further.push(both_ways(ranks));
            passed += ranks;
        }
        Self {
            files,
            all: board.all_squares(),
            not_first_file: !board.file_squares(File(0)),
            not_last_file: !board.file_squares(File(files as u8 - 1)),
            forward,
            backward,
            berolina: false,
            further,
        }
    }

    /// The same for a game with such pawns.
    #[must_use]
    pub fn with_pawns(mut self, moves: PawnType) -> Self {
        self.berolina = moves == PawnType::Berolina;
        self
    }

    /// All squares one rank forwards.
    #[inline(always)]
    pub fn forward(&self, squares: BitboardPair) -> BitboardPair {
        self.forward.of(squares) & BitboardPair::both(self.all)
    }

    /// All squares one rank backwards.
    #[inline(always)]
    pub fn backward(&self, squares: BitboardPair) -> BitboardPair {
        self.backward.of(squares) & BitboardPair::both(self.all)
    }

    /// The squares of one side, one rank forwards.
    #[inline(always)]
    pub fn one_forward(&self, squares: Bitboard, side: Side) -> Bitboard {
        // The mask tells the compiler that the shift is short, which is faster.
        let files = self.files & 31;
        match side {
            Side::White => squares << files & self.all,
            Side::Black => squares >> files,
        }
    }

    /// The squares one file to the left and one to the right.
    #[inline(always)]
    pub fn beside(&self, squares: BitboardPair) -> BitboardPair {
        let [left, right] = self.left_and_right(squares);
        left | right
    }

    #[inline(always)]
    fn left_and_right(&self, squares: BitboardPair) -> [BitboardPair; 2] {
        let left = (squares & BitboardPair::both(self.not_first_file)).down_one();
        let right = (squares & BitboardPair::both(self.not_last_file)).up_one();
        [left, right]
    }

    /// For each square the three squares behind it on its file.
    #[inline(always)]
    pub fn behind_within_three(&self, squares: BitboardPair) -> BitboardPair {
        let behind = self.backward(squares);
        let behind = behind | self.backward(behind);
        behind | self.backward(behind)
    }

    /// Every square ahead of these on their files.
    pub fn ahead(&self, squares: BitboardPair) -> BitboardPair {
        let all = BitboardPair::both(self.all);
        self.further.iter().fold(self.forward(squares), |ahead, [further, _]| ahead | further.of(ahead) & all)
    }

    /// Every square behind these on their files.
    pub fn behind(&self, squares: BitboardPair) -> BitboardPair {
        let all = BitboardPair::both(self.all);
        self.further
            .iter()
            .fold(self.backward(squares), |behind, [_, further]| behind | further.of(behind) & all)
    }

    /// The squares pawns attack towards the first file, and those towards the last; those straight on, and none, where they
    /// capture so.
    #[inline(always)]
    pub fn pawn_attacks_by_file(&self, pawns: BitboardPair) -> [BitboardPair; 2] {
        let ahead = self.forward(pawns);
        if self.berolina {
            return [ahead, BitboardPair::both(Bitboard::EMPTY)];
        }
        self.left_and_right(ahead)
    }

    /// The squares pawns attack.
    #[inline(always)]
    pub fn pawn_attacks(&self, pawns: BitboardPair) -> BitboardPair {
        let ahead = self.forward(pawns);
        if self.berolina { ahead } else { self.beside(ahead) }
    }

    /// The squares a step of pawns ahead, where these may be empty or not.
    #[inline(always)]
    pub fn pawn_steps(&self, pawns: BitboardPair) -> BitboardPair {
        let ahead = self.forward(pawns);
        if self.berolina { self.beside(ahead) } else { ahead }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::square::Square;

    #[test]
    fn nothing_wraps_around_the_board() {
        let board = Board::new(9, 9).unwrap();
        let shifts = Shifts::new(board);
        let squares = |names: &str| {
            names.split_whitespace().map(|name| board.parse_square(name).unwrap()).collect::<Bitboard>()
        };
        let two = |white: &str, black: &str| BitboardPair::new(squares(white), squares(black));
        assert_eq!(shifts.beside(two("a4 i4", "e2")), two("b4 h4", "d2 f2"));
        assert_eq!(shifts.forward(two("c9 a1", "c1 a9")), two("a2", "a8"));
        assert_eq!(shifts.backward(two("c1 a2", "c9 a8")), two("a1", "a9"));
        assert_eq!(shifts.one_forward(squares("c9 a1"), Side::White), squares("a2"));
        assert_eq!(shifts.one_forward(squares("c1 a9"), Side::Black), squares("a8"));
        assert_eq!(shifts.ahead(two("e7", "e3")), two("e8 e9", "e2 e1"));
        assert_eq!(shifts.behind(two("e3", "e7")), two("e2 e1", "e8 e9"));
        assert_eq!(shifts.behind_within_three(two("e3", "e3")), two("e2 e1", "e4 e5 e6"));
        assert_eq!(shifts.pawn_attacks(two("a2", "i8")), two("b3", "h7"));
        assert_eq!(shifts.pawn_steps(two("a2", "i8")), two("a3", "i7"));
        let berolina = shifts.clone().with_pawns(PawnType::Berolina);
        assert_eq!(berolina.pawn_attacks(two("a2", "i8")), two("a3", "i7"));
        assert_eq!(berolina.pawn_steps(two("a2", "i8")), two("b3", "h7"));
        // On the widest and the tallest board no shift is too long, and none too short.
        for (files, ranks) in [(16, 8), (8, 16), (9, 9), (2, 16)] {
            let board = Board::new(files, ranks).unwrap();
            let shifts = Shifts::new(board);
            let [first, last] = [0, board.squares() - 1].map(|index| Bitboard::from(Square::new(index)));
            assert_eq!(shifts.ahead(BitboardPair::new(first, last)).counts(), [ranks as i32 - 1; 2]);
            assert_eq!(shifts.behind(BitboardPair::new(last, first)).counts(), [ranks as i32 - 1; 2]);
        }
    }
}
