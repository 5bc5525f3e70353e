//! How far pieces get, on an empty board and on a crowded one.

use super::Rules;
use super::lines::squares_along;
use super::paths::PathTable;
use crate::betza::{Betza, Passage, Ray};
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::letter::Letter;
use crate::square::Square;

impl Rules {
    /// For each square, the mean number of squares that a piece can reach from it if every other square is occupied
    /// with probability `density` by a piece that can be captured. A step always reaches its square; a ride goes on as
    /// long as the squares before are empty, and a lame, jumping, hopping or bent one as the squares in between allow.
    ///
    /// It counts the capturing moves of White's piece, without those of a first move; none for a letter without a piece.
    ///
    /// Source: Ralph Betza, "About the Values of Chess Pieces", crowded-board mobility.
    pub fn mobility(&self, letter: Letter, density: f64) -> Vec<f64> {
        let rays = self.variant().piece(letter).map_or(&[][..], |piece| piece.betza.rays());
        mobility(self.board, rays.iter().filter(|ray| ray.captures), density)
    }

    /// The mean of [`Rules::mobility`] over the squares of the board.
    ///
    /// ```
    /// use backrank_rules::{Letter, Rules, Variant};
    ///
    /// let chess = Rules::new(&Variant::find("chess")?);
    /// assert_eq!(chess.mean_mobility(Letter::N, 0.5), 5.25);
    /// assert_eq!(chess.mean_mobility(Letter::R, 0.0), 14.0);
    /// # Ok::<(), backrank_rules::FindError>(())
    /// ```
    pub fn mean_mobility(&self, letter: Letter, density: f64) -> f64 {
        self.mobility(letter, density).iter().sum::<f64>() / self.board.squares() as f64
    }
}

impl Betza {
    /// The mean number of squares that a piece reaches on a board, as [`Rules::mobility`] counts them: those to which it may go
    /// if they are empty, and those on which it may capture.
    ///
    /// ```
    /// use backrank_rules::{Betza, Board};
    ///
    /// let board = Board::new(8, 8)?;
    /// let cannon: Betza = "mRcpR".parse()?;
    /// let [moves, captures] = cannon.mean_mobility(board, 0.0);
    /// assert_eq!((moves, captures), (14.0, 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mean_mobility(&self, board: Board, density: f64) -> [f64; 2] {
        let purposes: [fn(&Ray) -> bool; 2] = [|ray| ray.moves, |ray| ray.captures];
        purposes.map(|serves| self.mean_mobility_of(board, density, serves))
    }

    /// The mean number of squares that a piece reaches by some of its rays, such as those that go forwards.
    ///
    /// ```
    /// use backrank_rules::{Betza, Board};
    ///
    /// let rook: Betza = "R".parse()?;
    /// assert_eq!(rook.mean_mobility_of(Board::new(8, 8)?, 0.0, |ray| ray.dy > 0), 3.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mean_mobility_of(&self, board: Board, density: f64, chosen: impl Fn(&Ray) -> bool) -> f64 {
        self.mobility_of(board, density, chosen).iter().sum::<f64>() / board.squares() as f64
    }

    /// For each square, the mean number of squares that a piece reaches from it by some of its rays, as [`Rules::mobility`] counts
    /// them.
    pub fn mobility_of(&self, board: Board, density: f64, chosen: impl Fn(&Ray) -> bool) -> Vec<f64> {
        mobility(board, self.rays().iter().filter(|ray| chosen(ray)), density)
    }

    /// The squares that a piece comes to from a square by some of its rays, each with the probability that the way is open if every
    /// other square is occupied with probability `density`. Moves of an unmoved piece are left out. A square that several rays lead
    /// to is there several times.
    ///
    /// ```
    /// use backrank_rules::{Betza, Board};
    ///
    /// let board = Board::new(8, 8)?;
    /// let [a1, c1] = ["a1", "c1"].map(|name| board.parse_square(name).unwrap());
    /// let rook: Betza = "R".parse()?;
    /// assert!(rook.chances(board, a1, 0.25, |_| true).contains(&(c1, 0.75)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn chances(
        &self,
        board: Board,
        from: Square,
        density: f64,
        chosen: impl Fn(&Ray) -> bool,
    ) -> Vec<(Square, f64)> {
        let rays = self.rays().iter().filter(|ray| !ray.first_move_only && chosen(ray));
        rays.flat_map(|ray| ray.chances(board, from, density)).collect()
    }

    /// The squares that a piece comes to from a square in any number of moves, whatever stands in between, the square itself among
    /// them. Moves of an unmoved piece are left out.
    ///
    /// ```
    /// use backrank_rules::{Betza, Board};
    ///
    /// let board = Board::new(8, 8)?;
    /// let from = board.parse_square("d4").unwrap();
    /// let reached = |text: &str| text.parse().map(|betza: Betza| betza.squares_in_reach(board, from).count());
    /// assert_eq!((reached("N")?, reached("B")?, reached("D")?, reached("A")?), (64, 32, 16, 8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn squares_in_reach(&self, board: Board, from: Square) -> Bitboard {
        let mut reached = Bitboard::from(from);
        let mut new = reached;
        while !new.is_empty() {
            let next: Bitboard = new
                .iter()
                .flat_map(|square| {
                    let rays = self.rays().iter().filter(|ray| !ray.first_move_only);
                    rays.flat_map(move |ray| ray.way_out(board, square)).map(|(square, _)| square)
                })
                .collect();
            new = next & !reached;
            reached |= next;
        }
        reached
    }
}

/// For each square, the mean number of squares that a piece with some of these rays reaches; those of a first move do not count.
fn mobility<'r>(board: Board, rays: impl Iterator<Item = &'r Ray>, density: f64) -> Vec<f64> {
    let (free, passing): (Vec<Ray>, Vec<Ray>) =
        rays.filter(|ray| !ray.first_move_only).partition(|ray| ray.passage == Passage::Free);
    let paths = PathTable::new(board, &passing);
    let mut directions: Vec<_> = free.iter().map(|ray| ((ray.dx, ray.dy), ray.range)).collect();
    directions.sort_unstable();
    // A step that is also the first step of a ride counts once.
    directions.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 = kept.1.max(next.1);
        }
        same
    });
    let from = |square: Square| -> f64 {
        let along = |&(step, range)| {
            let reached = squares_along(board, square, step, range).count() as usize;
            // The probability that the squares before are empty is built one factor at a time, so that every
            // machine gets the same.
            let chances = std::iter::successors(Some(1.0), |chance| Some(chance * (1.0 - density)));
            chances.take(reached).sum::<f64>()
        };
        let passing: f64 = paths.at(square).iter().map(|path| path.chance(density)).sum();
        // The sum of nothing is −0 in Rust.
        directions.iter().map(along).sum::<f64>() + passing + 0.0
    };
    board.all_squares().iter().map(from).collect()
}
