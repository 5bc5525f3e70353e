//! Positions that need no look at each move.

use backrank_rules::Position;

use super::picker::Quiets;
use super::tree::Tree;
use crate::score::FORCED_WIN;

impl Tree<'_, '_> {
    /// Reverse futility, razoring and null move: a score without looking at each move, where that is safe enough.
    #[expect(clippy::too_many_arguments, reason = "the state of one node, which nothing else shares")]
    pub(super) fn prune_node(
        &mut self,
        position: &Position<'_>,
        ply: usize,
        depth: i32,
        alpha: i32,
        beta: i32,
        evaluation: i32,
        improving: bool,
    ) -> Option<i32> {
        if beta.abs() >= FORCED_WIN {
            return None;
        }
        // Reverse futility: so far above the window that a shallow search will not bring it back.
        if depth <= 7 && evaluation - 85 * (depth - i32::from(improving)) >= beta {
            return Some((evaluation + beta) / 2);
        }
        // Razoring: so far below it that only a capture could help.
        if depth <= 3 && evaluation + 220 * depth < alpha {
            let score = self.quiesce(position, ply, alpha, alpha + 1, Quiets::Checks);
            if score <= alpha {
                return Some(score);
            }
        }
        // Null move: if passing is good enough, a move is.
        if depth >= 3
            && evaluation >= beta
            && !self.has_just_passed(ply)
            && position.has_pieces(position.side_to_move())
        {
            let reduction = 3 + depth / 4 + ((evaluation - beta) / 200).min(3);
            let next = self.pass(position, ply);
            let score = -self.search::<false>(&next, ply + 1, depth - reduction, -beta, 1 - beta, true);
            self.leave();
            if self.is_stopped() {
                return Some(0);
            }
            if score >= beta {
                return Some(if score >= FORCED_WIN { beta } else { score });
            }
        }
        None
    }
}
