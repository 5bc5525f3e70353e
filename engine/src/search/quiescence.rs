//! Quiescence search: captures, promotions and answers to checks, until the position is quiet.

use backrank_rules::Position;

use super::MAX_PLY;
use super::picker::{MoveClass, MovePicker, QuietMoves};
use super::searcher::Searcher;
use super::see::{gain, see_ge};
use super::table::{Bound, TableEntry};
use crate::score::{FORCED_WIN, INFINITE, WIN};

impl Searcher<'_, '_> {
    /// Whether the captures that began at depth 0 have taken so many nodes that no more are searched. On boards on
    /// which every piece can capture several others, their number has no bound.
    fn is_quiescence_over(&mut self, depth: i32) -> bool {
        if depth == 0 {
            self.quiescence_start = self.nodes();
        }
        self.nodes() - self.quiescence_start > self.params.quiescence_nodes
    }

    /// The score of a position for the side to move once it is quiet. `depth` is 0 where the main search ends, and one
    /// less for each further ply. Quiet checks are tried at depth 0 only.
    pub(super) fn quiescence(
        &mut self,
        position: &Position<'_>,
        ply: usize,
        depth: i32,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        self.reach(ply);
        if self.must_stop() {
            return 0;
        }
        if let Some(score) = self.ended(position, ply) {
            return score;
        }
        if ply >= MAX_PLY - 1 || self.is_quiescence_over(depth) {
            return self.evaluate(position, ply);
        }
        let entry = self.table.probe(position.key(), ply as i32);
        if let Some(entry) = &entry
            && beta - alpha == 1
            && entry.cuts(alpha, beta)
        {
            return entry.score;
        }
        let check_info = self.check_info(ply);
        let in_check = check_info.is_check();
        let mut evaluation = None;
        let mut best_score = -INFINITE;
        if !in_check {
            // Stand pat.
            let known = entry.and_then(|entry| entry.evaluation);
            best_score = known.unwrap_or_else(|| self.evaluate(position, ply));
            evaluation = Some(best_score);
            if best_score >= beta {
                // Another path to this position then need not evaluate it again.
                if entry.is_none() {
                    let entry = TableEntry {
                        best: None,
                        score: best_score,
                        evaluation,
                        depth: 0,
                        bound: Bound::Lower,
                    };
                    self.table.store(position.key(), ply as i32, entry);
                }
                return best_score;
            }
            alpha = alpha.max(best_score);
        }
        let hash_move = entry.and_then(|entry| entry.best);
        let list = self.take_list(ply);
        let delta_margin = self.params.delta_margin;
        let last_target = self.last_target(ply);
        let mut picker = if in_check {
            MovePicker::new(position, check_info, hash_move, list)
        } else {
            // Delta pruning. If a mate is known, every capture is tried.
            let min_gain = match best_score > -FORCED_WIN {
                true => alpha - best_score - delta_margin + 1,
                false => i32::MIN,
            };
            let quiets = if depth == 0 { QuietMoves::Checks } else { QuietMoves::None };
            MovePicker::quiescence(position, check_info, hash_move, list, quiets, min_gain)
        };
        let mut best = None;
        let mut tried = 0;
        let mut searched = 0;
        while let Some((played, class)) = picker.next(position, &self.move_order(ply)) {
            tried += 1;
            if best_score > -FORCED_WIN {
                // A capture that loses material does not help, and late quiet answers to a check are not worth
                // searching.
                let late_evasion =
                    in_check && class == MoveClass::Quiet && tried > self.params.quiet_evasions;
                if class == MoveClass::BadCapture || late_evasion {
                    continue;
                }
                if !in_check && class != MoveClass::Quiet && !played.is_promotion() {
                    if best_score + gain(self.evaluator, position, played) + delta_margin <= alpha {
                        continue;
                    }
                    // Late captures on other squares than that of the last move are left out.
                    if searched >= self.params.quiescence_captures && Some(played.to) != last_target {
                        continue;
                    }
                }
            }
            self.table.prefetch(position.likely_key_after(played));
            if !in_check && class == MoveClass::Quiet && !see_ge(self.evaluator, position, played, 0) {
                continue;
            }
            searched += 1;
            let score = {
                let mut next = *position;
                self.play(position, &mut next, played, ply);
                let score = -self.quiescence(&next, ply + 1, depth - 1, -beta, -alpha);
                self.undo();
                score
            };
            if self.is_stopped() {
                self.return_list(ply, picker.into_list());
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
        self.return_list(ply, picker.into_list());
        if in_check && tried == 0 {
            return ply as i32 - WIN;
        }
        let bound = if best_score >= beta { Bound::Lower } else { Bound::Upper };
        let entry = TableEntry { best, score: best_score, evaluation, depth: 0, bound };
        self.table.store(position.key(), ply as i32, entry);
        best_score
    }
}
