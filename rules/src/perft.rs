//! Perft: the number of sequences of legal moves of a given length.

use crate::moves::Move;
use crate::position::Position;

impl Position<'_> {
    /// The number of sequences of `depth` legal moves from this position. Of the endings only checkmate and stalemate
    /// cut a sequence short, because they leave no move.
    ///
    /// ```
    /// use backrank_rules::{Position, Rules, Setup, Variant};
    ///
    /// let variant = Variant::find("modern")?;
    /// let rules = Rules::new(&variant);
    /// let setup = Setup { white: variant.armies[0], black: variant.armies[0].reversed() };
    /// let position = Position::new(&rules, &setup)?;
    /// assert_eq!(position.perft(3), 23_679);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            // The last moves are counted without being played.
            1 => self.count_legal_moves() as u64,
            2 => self.count_two_plies(),
            _ => {
                let mut nodes = 0;
                self.for_each_legal_move(|played| {
                    let mut next = *self;
                    next.play_with_key::<false>(played);
                    nodes += next.perft(depth - 1);
                });
                nodes
            }
        }
    }

    /// Perft for each legal move: the number of sequences of `depth` moves that begin with it. Empty for a depth of 0.
    pub fn divide(&self, depth: u32) -> Vec<(Move, u64)> {
        let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
        self.legal_moves().into_iter().map(|played| (played, self.after(played).perft(rest))).collect()
    }
}
