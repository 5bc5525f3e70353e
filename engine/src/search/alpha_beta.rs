//! The search of one node: principal variation search (Marsland and Campbell 1982) in steps, one for each paragraph.

use arrayvec::ArrayVec;
use backrank_rules::{Move, Position, Stalemate};

use super::MAX_PLY;
use super::params::PLY;
use super::picker::{MoveClass, MovePicker};
use super::searcher::Searcher;
use super::table::{Bound, TableEntry};
use crate::score::{FORCED_WIN, INFINITE, WIN};

/// The data of one visit to a position, which its steps share.
#[derive(Clone, Copy)]
pub(super) struct Node<'n, 'r> {
    pub position: &'n Position<'r>,
    /// The number of plies from the root.
    pub ply: usize,
    /// The number of plies still to be searched.
    pub depth: i32,
    pub alpha: i32,
    pub beta: i32,
    /// Whether some move is expected to reach beta (Knuth and Moore's second type of node).
    pub cut_node: bool,
    pub in_check: bool,
    pub hash_move: Option<Move>,
    /// The static evaluation; `None` in check.
    pub evaluation: Option<i32>,
    /// Whether the static evaluation is better than two plies before.
    pub improving: bool,
}

/// The moves of a node so far, and the best of them.
struct Tried {
    moves: usize,
    quiets: ArrayVec<Move, 48>,
    captures: ArrayVec<Move, 24>,
    best: Option<Move>,
    best_score: i32,
}

/// A move that is about to be searched.
pub(super) struct Candidate {
    pub played: Move,
    pub class: MoveClass,
    pub quiet: bool,
    /// The history of a quiet move; 0 for other moves and for the first.
    pub history: i32,
    /// The late move reduction before anything about the move itself is known, in 1024ths of a ply.
    pub base_reduction: i32,
    /// The depth that is left after the move, in plies.
    pub reduced_depth: i32,
}

impl Searcher<'_, '_> {
    /// Searches the root and returns its score for the side to move.
    pub fn search_root(&mut self, root: &Position<'_>, depth: i32, alpha: i32, beta: i32) -> i32 {
        self.begin_root();
        self.search::<true>(root, 0, depth, alpha, beta, false)
    }

    /// The score of a position for the side to move, searched to a depth within a window. `PV` says whether the node
    /// may be of the principal variation; its window is then open.
    pub(super) fn search<const PV: bool>(
        &mut self,
        position: &Position<'_>,
        ply: usize,
        mut depth: i32,
        mut alpha: i32,
        mut beta: i32,
        cut_node: bool,
    ) -> i32 {
        let in_check = self.check_info(ply).is_check();
        // Check extension.
        if in_check {
            depth += 1;
        }
        if PV && (depth <= 0 || ply > 0) {
            self.clear_line(ply);
        }
        if depth <= 0 {
            return self.quiescence(position, ply, 0, alpha, beta);
        }
        self.reach(ply);
        if self.must_stop() {
            return 0;
        }
        if ply > 0 {
            if let Some(score) = self.ended(position, ply) {
                return score;
            }
            if ply >= MAX_PLY - 1 {
                return if in_check { 0 } else { self.evaluate(position, ply) };
            }
            // Mate distance pruning: nothing here is better than a mate already found nearer the root.
            alpha = alpha.max(ply as i32 - WIN);
            beta = beta.min(WIN - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        // Transposition table.
        let entry = self.table.probe(position.key(), ply as i32);
        if let Some(entry) = &entry
            && !PV
            && entry.depth >= depth
            && entry.cuts(alpha, beta)
        {
            if entry.score >= beta {
                self.reward_hash_move(position, ply, depth, entry.best);
            }
            return entry.score;
        }

        // Static evaluation.
        let evaluation = match (in_check, entry.and_then(|entry| entry.evaluation)) {
            (true, _) => None,
            (false, Some(known)) => Some(known),
            (false, None) => Some(self.evaluate(position, ply)),
        };
        let improving = self.note_static_eval(ply, evaluation);
        let mut node = Node {
            position,
            ply,
            depth,
            alpha,
            beta,
            cut_node,
            in_check,
            hash_move: entry.and_then(|entry| entry.best),
            evaluation,
            improving,
        };

        if !PV && let Some(score) = evaluation {
            let bounded = entry.map_or(score, |entry| entry.tighten(score));
            if let Some(score) = self.prune_node(&node, bounded) {
                return score;
            }
        }

        // Internal iterative reduction (Rebel): without a hash move, a shallower search will find one.
        if depth >= self.params.internal_reduction_min_depth && node.hash_move.is_none() && (PV || cut_node) {
            node.depth -= 1;
        }

        self.search_moves::<PV>(node)
    }

    /// Searches the moves of a node, updates the histories, and stores the result.
    fn search_moves<const PV: bool>(&mut self, node: Node<'_, '_>) -> i32 {
        let Node { position, ply, depth, mut alpha, beta, .. } = node;
        let continuation = self.continuation(ply);
        self.clear_grandchildren_killers(ply);
        let restricted = self.is_restricted(ply);
        let list = self.take_list(ply);
        let mut picker = MovePicker::new(position, self.check_info(ply), node.hash_move, list);
        let mut legal = 0;
        let mut tried = Tried {
            moves: 0,
            quiets: ArrayVec::new(),
            captures: ArrayVec::new(),
            best: None,
            best_score: -INFINITE,
        };
        loop {
            let base_reduction = self.params.base_reduction(depth, tried.moves);
            let reduced_depth = (depth - base_reduction / PLY).max(0);
            // Once some move does not lose by force, others may be left out.
            let may_prune = ply > 0 && tried.best_score > -FORCED_WIN;
            if may_prune
                && !picker.skips_quiets()
                && self.skips_quiets(&node, alpha, tried.moves, reduced_depth)
            {
                picker.skip_quiets(position);
            }
            let Some((played, class)) = picker.next(position, &self.move_order(ply)) else { break };
            if restricted && !self.considers(played) {
                continue;
            }
            legal += 1;
            // The memory of the table is slow, so the prefetch comes first.
            self.table.prefetch(position.likely_key_after(played));
            let quiet = !position.is_tactical(played);
            // The first move is neither left out nor reduced.
            let history = match quiet && tried.moves > 0 {
                true => self.history.quiets(position, &continuation).of(position, played),
                false => 0,
            };
            let candidate = Candidate { played, class, quiet, history, base_reduction, reduced_depth };
            if may_prune && self.prune_move(&node, &candidate) {
                continue;
            }

            let nodes_before = self.nodes();
            let mut after = *position;
            self.play(position, &mut after, played, ply);
            tried.moves += 1;
            let score = self.search_move::<PV>(&node, alpha, &after, &candidate, tried.moves);
            self.undo();
            if self.is_stopped() {
                self.return_list(ply, picker.into_list());
                return 0;
            }

            if score > tried.best_score {
                tried.best_score = score;
                if score > alpha {
                    tried.best = Some(played);
                    if PV {
                        self.extend_line(ply, played, score, self.nodes() - nodes_before);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
            // The histories learn from no more moves than these.
            let _ = match quiet {
                true => tried.quiets.try_push(played),
                false => tried.captures.try_push(played),
            };
        }
        self.return_list(ply, picker.into_list());

        // Checkmate and stalemate.
        if legal == 0 {
            let stalemate = position.rules().variant().stalemate;
            return match (node.in_check, stalemate) {
                (true, _) | (false, Stalemate::Loss) => ply as i32 - WIN,
                (false, Stalemate::Draw) => 0,
                (false, Stalemate::Win) => WIN - ply as i32,
            };
        }
        if tried.best_score >= beta {
            self.update_histories(&node, &tried);
        }
        // If moves were excluded, the result is not that of the position.
        if !restricted {
            let bound = Bound::of(tried.best_score, node.alpha, beta);
            let entry = TableEntry {
                best: tried.best,
                score: tried.best_score,
                evaluation: node.evaluation,
                depth,
                bound,
            };
            self.table.store(position.key(), ply as i32, entry);
        }
        tried.best_score
    }

    /// Searches one move: the first move of a node on the principal variation with the open window, all others with a
    /// null window and perhaps a reduced depth, and again if they turn out to be better than that.
    fn search_move<const PV: bool>(
        &mut self,
        node: &Node<'_, '_>,
        alpha: i32,
        after: &Position<'_>,
        candidate: &Candidate,
        number: usize,
    ) -> i32 {
        let (ply, depth) = (node.ply + 1, node.depth - 1);
        if PV && number == 1 {
            return -self.search::<true>(after, ply, depth, -node.beta, -alpha, false);
        }
        let reduced = depth - self.reduction::<PV>(node, candidate, number);
        let mut score = -self.search::<false>(after, ply, reduced, -alpha - 1, -alpha, true);
        if score > alpha && reduced < depth && !self.is_stopped() {
            score = -self.search::<false>(after, ply, depth, -alpha - 1, -alpha, !node.cut_node);
        }
        if PV && score > alpha && !self.is_stopped() {
            score = -self.search::<true>(after, ply, depth, -node.beta, -alpha, false);
        }
        score
    }

    /// Late move reductions (Romstad 2006): by how many plies a move is searched less deep at first.
    fn reduction<const PV: bool>(&self, node: &Node<'_, '_>, candidate: &Candidate, number: usize) -> i32 {
        let params = self.params;
        if node.depth < params.reduction_min_depth || number <= 1 + usize::from(PV) {
            return 0;
        }
        let mut reduction = candidate.base_reduction;
        if candidate.quiet {
            reduction -= candidate.history * PLY / params.reduction_history_divisor;
            reduction += params.reduction_cut_node * i32::from(node.cut_node);
        } else {
            reduction -= params.reduction_capture;
            reduction += params.reduction_bad_capture * i32::from(candidate.class == MoveClass::BadCapture);
        }
        reduction -= params.reduction_pv * i32::from(PV);
        reduction += params.reduction_not_improving * i32::from(!node.improving);
        reduction -= params.reduction_in_check * i32::from(node.in_check);
        // There is never an extension, and one ply is always left.
        let depth = node.depth - 1;
        depth - (depth - reduction / PLY).clamp(1.min(depth), depth)
    }

    /// Records a hash move that caused a cutoff by the table's score alone.
    fn reward_hash_move(&mut self, position: &Position<'_>, ply: usize, depth: i32, hash_move: Option<Move>) {
        // A position with the same key may have left a move in the table that is not legal here.
        if let Some(played) = hash_move
            && !position.is_tactical(played)
            && position.is_legal_with(&self.check_info(ply), played)
        {
            let bonus = self.params.history_bonus_at(depth);
            self.history.reward_quiet(position, played, &self.continuation(ply), bonus);
        }
    }

    /// Records the move that caused a cutoff, and those that did not.
    fn update_histories(&mut self, node: &Node<'_, '_>, tried: &Tried) {
        let Node { position, ply, depth, .. } = *node;
        let Some(best) = tried.best else { return };
        let bonus = self.params.history_bonus_at(depth);
        let continuation = self.continuation(ply);
        if !position.is_tactical(best) {
            self.add_killer(ply, best);
            self.history.reward_quiet(position, best, &continuation, bonus);
            for &other in &tried.quiets {
                self.history.reward_quiet(position, other, &continuation, -bonus);
            }
        } else {
            self.history.reward_capture(position, best, bonus);
        }
        for &other in &tried.captures {
            self.history.reward_capture(position, other, -bonus);
        }
    }
}
