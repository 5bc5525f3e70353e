//! The complexity of a line of play.

use backrank_engine::Score;
use backrank_rules::Side;

/// The complexity of a line of best play, in bits.
///
/// Each move adds log₂(1 + exp(−Δ/Δ₀)) bits to the side that plays it, where Δ is the difference between the best move
/// and the second best in centipawns and Δ₀ = 10. This is one bit if two moves are equally good, and almost nothing if
/// one stands out. Ten moves of each side count, so a side has at most 10 bits and both together 20.
///
/// Where the source is silent: the only legal move adds nothing. If just one of the two moves leads to a forced mate,
/// the move adds nothing either; two moves that both force mate, or are both mated by force, are equally good. Of a line
/// that ends before the twentieth ply, [`Complexity::of_ten_moves`] takes what its moves add in the mean.
///
/// Source: Barthelemy, "Not all Chess960 positions are equally complex", arXiv 2512.14319 v3, 2026.
///
/// ```
/// use backrank_rules::Side;
/// use backrank_selfplay::atlas::Complexity;
///
/// let mut complexity = Complexity::default();
/// complexity.add(Side::White, Some(0));
/// complexity.add(Side::Black, Some(10));
/// complexity.add(Side::White, None);
/// assert_eq!(complexity.white, 1.0);
/// assert!((complexity.black - (1.0 + (-1.0_f64).exp()).log2()).abs() < 1e-12);
/// assert!((complexity.asymmetry() - (complexity.black - 1.0)).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complexity {
    /// The complexity of White's moves, in bits.
    pub white: f64,
    /// The complexity of Black's moves, in bits.
    pub black: f64,
    /// The number of White's moves.
    pub white_moves: u32,
    /// The number of Black's moves.
    pub black_moves: u32,
}

/// The number of plies of a line that count.
pub(super) const PLIES: usize = 20;

/// The Δ₀ of the formula, in centipawns.
const SCALE: f64 = 10.0;

impl Complexity {
    /// Adds a move of a side. `gap` is the number of centipawns by which its best move is better than the second best;
    /// `None` for a move without an alternative.
    pub fn add(&mut self, side: Side, gap: Option<i32>) {
        let bits = gap.map_or(0.0, |gap| (-f64::from(gap) / SCALE).exp().ln_1p() / std::f64::consts::LN_2);
        let (sum, moves) = match side {
            Side::White => (&mut self.white, &mut self.white_moves),
            Side::Black => (&mut self.black, &mut self.black_moves),
        };
        *sum += bits;
        *moves += 1;
    }

    /// As if the line had gone on as it went for ten moves of each side: ten times what a move adds in the mean. A side without
    /// a move has 0.
    ///
    /// ```
    /// use backrank_rules::Side;
    /// use backrank_selfplay::atlas::Complexity;
    ///
    /// let mut mated = Complexity::default();
    /// for (side, gap) in [(Side::White, Some(0)), (Side::Black, Some(0)), (Side::White, None)] {
    ///     mated.add(side, gap);
    /// }
    /// assert_eq!((mated.white, mated.black), (1.0, 1.0));
    /// let mated = mated.of_ten_moves();
    /// assert_eq!((mated.white, mated.black), (5.0, 10.0));
    /// ```
    pub fn of_ten_moves(&self) -> Self {
        const MOVES: u32 = PLIES as u32 / 2;
        let ten = |bits: f64, moves: u32| {
            if moves == MOVES { bits } else { bits * f64::from(MOVES) / f64::from(moves.max(1)) }
        };
        Self {
            white: ten(self.white, self.white_moves),
            black: ten(self.black, self.black_moves),
            white_moves: MOVES,
            black_moves: MOVES,
        }
    }

    /// The complexity of both sides' moves, in bits.
    pub fn total(&self) -> f64 {
        self.white + self.black
    }

    /// Black's complexity minus White's, in bits.
    pub fn asymmetry(&self) -> f64 {
        self.black - self.white
    }
}

/// The number of centipawns by which the best move is better than the second best. `None` if only one of them leads to
/// a forced mate, because then there is no choice.
pub(super) fn gap(best: Score, second: Score) -> Option<i32> {
    match (best.as_centipawns(), second.as_centipawns()) {
        (Some(best), Some(second)) => Some((best - second).max(0)),
        (None, None) if (best > Score::DRAW) == (second > Score::DRAW) => Some(0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: log2(1 + e^-x) is 1 at 0, 0.451941 at 1, 0.183118 at 2 and 0.009688 at 5.
    #[test]
    fn complexity_follows_the_formula() {
        let mut found = Complexity::default();
        let gaps = [Some(0), Some(10), Some(20), Some(50), None, Some(0)];
        for (gap, side) in gaps.into_iter().zip([Side::White, Side::Black].into_iter().cycle()) {
            found.add(side, gap);
        }
        assert!((found.white - (1.0 + 0.183_118)).abs() < 1e-5, "{found:?}");
        assert!((found.black - (0.451_941 + 0.009_688 + 1.0)).abs() < 1e-5, "{found:?}");
        assert!((found.total() - 2.644_748).abs() < 1e-5 && (found.asymmetry() - 0.278_511).abs() < 1e-5);
    }

    #[test]
    fn ten_equal_choices_are_ten_bits_a_side() {
        let mut found = Complexity::default();
        for _ in 0..PLIES / 2 {
            found.add(Side::White, Some(0));
            found.add(Side::Black, Some(0));
        }
        assert_eq!((found.total(), found.asymmetry()), (20.0, 0.0));
    }

    #[test]
    fn mates_leave_nothing_to_choose_or_everything() {
        let even = Score::DRAW;
        assert_eq!(gap(Score::centipawns(31), Score::centipawns(24)), Some(7));
        assert_eq!(gap(Score::centipawns(24), Score::centipawns(31)), Some(0));
        assert_eq!(gap(Score::mate_in(3), even), None);
        assert_eq!(gap(even, Score::mated_in(2)), None);
        assert_eq!(gap(Score::mate_in(3), Score::mated_in(2)), None);
        assert_eq!(gap(Score::mate_in(3), Score::mate_in(9)), Some(0));
        assert_eq!(gap(Score::mated_in(8), Score::mated_in(2)), Some(0));
    }
}
