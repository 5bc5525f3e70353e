//! How far pieces get, on an empty board and on a crowded one.

use super::Rules;
use super::lines::squares_along;
use super::paths::PathTable;
use crate::betza::{Passage, Ray};
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
        let capturing = rays.iter().filter(|ray| ray.captures && !ray.first_move_only);
        let (free, passing): (Vec<Ray>, Vec<Ray>) = capturing.partition(|ray| ray.passage == Passage::Free);
        let paths = PathTable::new(self.board, &passing);
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
                let reached = squares_along(self.board, square, step, range).count() as usize;
                // The probability that the squares before are empty is built one factor at a time, so that every
                // machine gets the same.
                let chances = std::iter::successors(Some(1.0), |chance| Some(chance * (1.0 - density)));
                chances.take(reached).sum::<f64>()
            };
            let passing: f64 = paths.at(square).iter().map(|path| path.chance(density)).sum();
            directions.iter().map(along).sum::<f64>() + passing
        };
        self.board.all_squares().iter().map(from).collect()
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
