//! Quiescence: captures, promotions and answers to checks until nothing hangs.

use backrank_rules::Position;

use super::MOST_PLIES;
use super::exchange::wins_at_least;
use super::ordering::{Candidate, is_quiet, pick};
use super::table::{Bound, Found};
use super::tree::Tree;
use crate::score::{FORCED_WIN, INFINITE, WIN};

/// A capture is left out when even this much beyond what it takes does not reach the window.
const DELTA_MARGIN: i32 = 180;

impl Tree<'_, '_> {
    /// The score of a position once nothing hangs in it, for the side to move.
    pub(super) fn quiesce(&mut self, position: &Position<'_>, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        self.reach(ply);
        if self.must_stop() {
            return 0;
        }
        if let Some(score) = self.ended(position, ply) {
            return score;
        }
        if ply >= MOST_PLIES - 1 {
            return self.evaluator.evaluate(position);
        }
        let known = self.table.probe(position.key(), ply as i32);
        if let Some(known) = &known {
            let enough = match known.bound {
                Bound::Exact => true,
                Bound::Lower => known.score >= beta,
                Bound::Upper => known.score <= alpha,
            };
            if enough && beta - alpha == 1 {
                return known.score;
            }
        }
        let check = position.is_check();
        let mut evaluation = None;
        let mut best_score = -INFINITE;
        if !check {
            let static_score =
                known.and_then(|known| known.evaluation).unwrap_or_else(|| self.evaluator.evaluate(position));
            evaluation = Some(static_score);
            best_score = static_score;
            if best_score >= beta {
                return best_score;
            }
            alpha = alpha.max(best_score);
        }
        let known_best = known.and_then(|known| known.best);
        let mut candidates = std::mem::take(&mut self.lists[ply]);
        candidates.clear();
        let mut add = |played| {
            let order =
                if Some(played) == known_best { i32::MAX } else { self.capture_order(position, played) };
            candidates.push(Candidate { played, order });
        };
        if check {
            position.for_each_legal_move(&mut add);
        } else {
            position.for_each_tactical_move(&mut add);
        }
        let mut best = None;
        for next in 0..candidates.len() {
            let Candidate { played, .. } = pick(&mut candidates, next);
            if best_score > -FORCED_WIN {
                if !check {
                    let gain = self.tactical_gain(position, played);
                    if best_score + gain + DELTA_MARGIN <= alpha && played.promotion().is_none() {
                        continue;
                    }
                    if !wins_at_least(self.evaluator, position, played, 0) {
                        continue;
                    }
                } else if is_quiet(position, played) && next > 3 {
                    // One answer to a check that does not lose is enough to stop looking among the late quiet ones.
                    continue;
                }
            }
            let score = {
                let next = self.enter(position, played, ply);
                let score = -self.quiesce(&next, ply + 1, -beta, -alpha);
                self.leave();
                score
            };
            if self.is_stopped() {
                self.lists[ply] = candidates;
                return 0;
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    alpha = score;
                    best = Some(played);
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        let none = candidates.is_empty();
        self.lists[ply] = candidates;
        if check && none {
            return ply as i32 - WIN;
        }
        let bound = if best_score >= beta { Bound::Lower } else { Bound::Upper };
        self.table.store(
            position.key(),
            ply as i32,
            Found { best, score: best_score, evaluation, depth: 0, bound },
        );
        best_score
    }
}
