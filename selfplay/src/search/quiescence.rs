//! Quiescence: captures, promotions and answers to checks until nothing hangs.

use backrank_rules::Position;

use super::MOST_PLIES;
use super::exchange::wins_at_least;
use super::picker::{Picker, Quiets, Reason, gain};
use super::table::{Bound, Found};
use super::tree::{Tree, exactly};
use crate::eval::Evaluation;
use crate::score::{FORCED_WIN, INFINITE, WIN};

/// A capture is left out when even this much beyond what it takes does not reach the window.
const DELTA_MARGIN: i32 = 180;

impl Tree<'_, '_> {
    /// The score of a position once nothing hangs in it, for the side to move; `quiets` says whether quiet checks are
    /// tried.
    pub(super) fn quiesce(
        &mut self,
        position: &Position<'_>,
        ply: usize,
        mut alpha: i32,
        beta: i32,
        quiets: Quiets,
    ) -> i32 {
        self.reach(ply);
        if self.must_stop() {
            return 0;
        }
        if let Some(score) = self.ended(position, ply) {
            return score;
        }
        if ply >= MOST_PLIES - 1 {
            return self.evaluate(position, ply, alpha, beta).score;
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
        let check_info = self.check_info(ply);
        let check = check_info.is_check();
        let mut evaluated = None;
        let mut best_score = -INFINITE;
        if !check {
            let exact =
                known.and_then(|known| known.evaluation).map(|score| Evaluation { score, exact: true });
            let evaluation = exact.unwrap_or_else(|| self.evaluate(position, ply, alpha, beta));
            evaluated = Some(evaluation);
            best_score = evaluation.score;
            if best_score >= beta {
                // Another way here need not work out the same again.
                if known.is_none() && evaluation.exact {
                    let found = Found {
                        best: None,
                        score: best_score,
                        evaluation: Some(best_score),
                        depth: 0,
                        bound: Bound::Lower,
                    };
                    self.table.store(position.key(), ply as i32, found);
                }
                return best_score;
            }
            alpha = alpha.max(best_score);
        }
        let known_best = known.and_then(|known| known.best);
        let list = std::mem::take(&mut self.lists[ply]);
        let mut moves = if check {
            Picker::new(position, check_info, known_best, list)
        } else {
            // Nothing is mated yet: what is known or given up at once is no capture that is left out.
            let least_gain = match best_score > -FORCED_WIN {
                true => alpha - best_score - DELTA_MARGIN + 1,
                false => i32::MIN,
            };
            Picker::tactical(position, check_info, known_best, list, quiets, least_gain)
        };
        let mut best = None;
        let mut tried = 0;
        while let Some((played, reason)) = moves.next(position, &self.orders(ply)) {
            tried += 1;
            if best_score > -FORCED_WIN {
                // A capture that loses is no way out, and among late quiet answers to a check there is nothing to find.
                if reason == Reason::Losing || (check && reason == Reason::Quiet && tried > 4) {
                    continue;
                }
                if !check
                    && reason != Reason::Quiet
                    && !played.is_promotion()
                    && best_score + gain(self.evaluator, position, played) + DELTA_MARGIN <= alpha
                {
                    continue;
                }
            }
            self.table.prefetch(position.likely_key_after(played));
            if !check && reason == Reason::Quiet && !wins_at_least(self.evaluator, position, played, 0) {
                continue;
            }
            let score = {
                let mut next = *position;
                self.enter(position, &mut next, played, ply);
                let score = -self.quiesce(&next, ply + 1, -beta, -alpha, Quiets::None);
                self.leave();
                score
            };
            if self.is_stopped() {
                self.lists[ply] = moves.list();
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
        self.lists[ply] = moves.list();
        if check && tried == 0 {
            return ply as i32 - WIN;
        }
        let bound = if best_score >= beta { Bound::Lower } else { Bound::Upper };
        self.table.store(
            position.key(),
            ply as i32,
            Found { best, score: best_score, evaluation: exactly(evaluated), depth: 0, bound },
        );
        best_score
    }
}
