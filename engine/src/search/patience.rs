//! How long a search on a clock is worth continuing.

use backrank_rules::Move;

/// What the depths searched so far say about the time that a move deserves: more while the best move changes, while its
/// score falls and while other moves take much of the effort, and less once all is settled.
#[derive(Debug, Default)]
pub(super) struct Patience {
    best: Option<Move>,
    /// The number of depths in a row that did not change the best move.
    unchanged: i32,
    /// The score of each depth, in centipawns.
    scores: Vec<i32>,
    /// The share of the nodes of the last depth that were spent on its best move.
    share: f64,
}

impl Patience {
    /// Notes what a depth found.
    pub fn note(&mut self, best: Move, score: i32, share: f64) {
        self.unchanged = if self.best == Some(best) { self.unchanged + 1 } else { 0 };
        self.best = Some(best);
        self.scores.push(score);
        self.share = share;
    }

    /// The part of a move's usual time after which no further depth is begun.
    pub fn part(&self) -> f64 {
        let unsettled = (1.5 * 0.9_f64.powi(self.unchanged)).max(0.6);
        let before = self.scores.iter().rev().skip(1).take(3).max();
        let fall = before.zip(self.scores.last()).map_or(0, |(before, now)| before - now);
        let falling = (1.0 + f64::from(fall) / 60.0).clamp(0.8, 1.8);
        0.6 * unsettled * falling * (1.5 - 0.8 * self.share)
    }
}

#[cfg(test)]
mod tests {
    use backrank_rules::{Position, Rules, Variant};

    use super::*;

    #[test]
    fn patience_lasts_longer_while_the_search_is_not_settled() {
        let variant = Variant::find("chess").unwrap();
        let rules = Rules::new(&variant);
        let start = Position::new(&rules, &variant.written_setup()).unwrap();
        let moves = start.legal_moves();
        let after = |depths: &[(Move, i32, f64)]| {
            let mut patience = Patience::default();
            depths.iter().for_each(|&(best, score, share)| patience.note(best, score, share));
            patience.part()
        };
        let settled = [(moves[0], 20, 0.6); 8];
        let with_last = |last| after(&[&settled[..7], &[last]].concat());
        assert!(with_last((moves[1], 20, 0.6)) > 1.5 * after(&settled));
        assert!(with_last((moves[0], -40, 0.6)) > 1.5 * after(&settled));
        assert!(with_last((moves[0], 20, 0.1)) > 1.2 * after(&settled));
        assert!(with_last((moves[0], 20, 1.0)) < 0.8 * after(&settled));
    }
}
