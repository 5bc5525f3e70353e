//! Pruning: nodes whose score is clear enough, and moves that will hardly be the best, are not searched.

use super::alpha_beta::{Candidate, Node};
use super::picker::MoveClass;
use super::searcher::Searcher;
use super::see::see_ge;
use crate::score::FORCED_WIN;

impl Searcher<'_, '_> {
    /// A score without looking at each move, if that is safe enough. `eval` is the static evaluation, or a better
    /// estimate from the table.
    pub(super) fn prune_node(&mut self, node: &Node<'_, '_>, eval: i32) -> Option<i32> {
        if node.beta.abs() >= FORCED_WIN {
            return None;
        }
        self.reverse_futility(node, eval)
            .or_else(|| self.razor(node, eval))
            .or_else(|| self.null_move(node, eval))
    }

    /// Reverse futility pruning: the position is so far above beta that a shallow search will not bring it back.
    fn reverse_futility(&self, node: &Node<'_, '_>, eval: i32) -> Option<i32> {
        let params = self.params;
        let margin = params.reverse_futility_margin * (node.depth - i32::from(node.improving));
        let prunes = node.depth <= params.reverse_futility_max_depth && eval - margin >= node.beta;
        prunes.then_some((eval + node.beta) / 2)
    }

    /// Razoring (Birmingham and Kent 1977): the position is so far below alpha that only a capture could help.
    fn razor(&mut self, node: &Node<'_, '_>, eval: i32) -> Option<i32> {
        let params = self.params;
        if node.depth > params.razoring_max_depth || eval + params.razoring_margin * node.depth >= node.alpha
        {
            return None;
        }
        let score = self.quiescence(node.position, node.ply, 0, node.alpha, node.alpha + 1);
        (score <= node.alpha).then_some(score)
    }

    /// Null move pruning (Beal 1989): if doing nothing is good enough, some move is, too. Without pieces besides king
    /// and pawns zugzwang is likely.
    fn null_move(&mut self, node: &Node<'_, '_>, eval: i32) -> Option<i32> {
        let params = self.params;
        let Node { position, ply, depth, beta, .. } = *node;
        if depth < params.null_move_min_depth
            || eval < beta
            || self.is_after_null_move(ply)
            || !position.has_pieces(position.side_to_move())
        {
            return None;
        }
        let by_margin =
            ((eval - beta) / params.null_move_margin_divisor).min(params.null_move_max_margin_reduction);
        let reduction = params.null_move_reduction + depth / params.null_move_depth_divisor + by_margin;
        let after = self.play_null(position, ply);
        let score = -self.search::<false>(&after, ply + 1, depth - reduction, -beta, 1 - beta, true);
        self.undo();
        if self.is_stopped() {
            return Some(0);
        }
        // A mate after a null move is not reliable.
        (score >= beta).then_some(if score >= FORCED_WIN { beta } else { score })
    }

    /// Late move and futility pruning: whether the remaining quiet moves are left out, except those that give check.
    pub(super) fn skips_quiets(
        &self,
        node: &Node<'_, '_>,
        alpha: i32,
        tried: usize,
        reduced_depth: i32,
    ) -> bool {
        let params = self.params;
        let is_futile = |evaluation: i32| {
            reduced_depth <= params.futility_max_depth
                && evaluation + params.futility_base + params.futility_margin * reduced_depth <= alpha
        };
        tried as i32 >= params.late_move_count(node.depth, node.improving)
            || node.evaluation.is_some_and(is_futile)
    }

    /// Whether a move is left out because of what it loses in exchanges, or because of its history.
    pub(super) fn prune_move(&self, node: &Node<'_, '_>, candidate: &Candidate) -> bool {
        let params = self.params;
        let depth = node.depth;
        let loses = |margin: i32| !see_ge(self.evaluator, node.position, candidate.played, -margin);
        if candidate.quiet {
            (depth <= params.history_pruning_max_depth
                && candidate.history < -params.history_pruning_margin * depth)
                || (depth <= params.see_quiet_max_depth
                    && loses(params.see_quiet_margin * candidate.reduced_depth))
        } else {
            depth <= params.see_capture_max_depth
                && candidate.class == MoveClass::BadCapture
                && loses(params.see_capture_margin * depth)
        }
    }
}
