//! The tree below the root: principal variation search and what makes it small.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use arrayvec::ArrayVec;
use backrank_rules::{CheckInfo, Game, GameResult, Move, Position};

use super::exchange::wins_at_least;
use super::history::{Before, History, MOST_HISTORY, Went};
use super::picker::{Candidate, Orders, Picker, Quiets, Reason};
use super::reductions::REDUCTIONS;
use super::table::{Bound, Found, Table};
use super::{MOST_PLIES, Memory};
use crate::eval::{Evaluation, Evaluator, Known, PawnCache};
use crate::limits::{Limits, Times};
use crate::score::{FORCED_WIN, INFINITE, WIN};

/// What is remembered of one ply of the line that is being searched.
#[derive(Clone, Copy)]
struct Frame {
    /// What the evaluation says; nothing in check.
    evaluation: Option<i32>,
    /// The move that was played from here; nothing for a pass.
    went: Went,
    killers: [Option<Move>; 2],
}

/// One search: the line that is being followed, and what stops it.
pub(super) struct Tree<'t, 'r> {
    pub evaluator: &'t Evaluator,
    pub table: &'t mut Table,
    history: &'t mut History,
    pawns: &'t mut PawnCache,
    /// The keys of the game's positions and of the line's, the last being the current position's predecessor.
    keys: Vec<u64>,
    /// How many of them come before the root.
    before_root: usize,
    frames: Vec<Frame>,
    /// A list of moves for each ply, kept to be used again.
    pub lists: Vec<Vec<Candidate>>,
    lines: Vec<Vec<Move>>,
    /// What the evaluation knows of the position at each ply.
    known: Vec<Known>,
    /// Checks and pins of the position at each ply.
    check_info: Vec<CheckInfo>,
    best_score: i32,
    nodes: u64,
    selective_depth: usize,
    most_nodes: u64,
    times: Times,
    start: Instant,
    stop: &'t AtomicBool,
    stopped: bool,
    /// The only moves considered at the root; all where there are none.
    only: Vec<Move>,
    rules: &'r backrank_rules::Rules,
}

impl<'t, 'r> Tree<'t, 'r> {
    pub fn new(
        evaluator: &'t Evaluator,
        memory: &'t mut Memory,
        game: &Game<'r>,
        limits: &Limits,
        stop: &'t AtomicBool,
        start: Instant,
    ) -> Self {
        let Memory { table, history, pawns } = memory;
        let nothing = history.nothing();
        let keys = game.previous_keys().to_vec();
        Self {
            before_root: keys.len(),
            keys,
            frames: vec![Frame { evaluation: None, went: nothing, killers: [None; 2] }; MOST_PLIES + 5],
            lists: vec![Vec::new(); MOST_PLIES + 1],
            lines: vec![Vec::new(); MOST_PLIES + 2],
            known: vec![evaluator.known(game.position()); MOST_PLIES + 2],
            check_info: vec![game.position().check_info(); MOST_PLIES + 2],
            best_score: 0,
            nodes: 0,
            selective_depth: 0,
            most_nodes: limits.nodes.unwrap_or(u64::MAX),
            times: limits.times(),
            start,
            stop,
            stopped: false,
            only: if limits.only.is_empty() { Vec::new() } else { limits.root_moves(game.position()) },
            rules: game.position().rules(),
            evaluator,
            table,
            history,
            pawns,
        }
    }

    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    pub fn selective_depth(&self) -> usize {
        self.selective_depth
    }

    pub fn table_permille(&self) -> u32 {
        self.table.permille_full()
    }

    /// The line that is best so far at the root.
    pub fn best_line(&self) -> &[Move] {
        &self.lines[0]
    }

    /// Its score.
    pub fn best_score(&self) -> i32 {
        self.best_score
    }

    pub fn is_time_for_no_more_depth(&self) -> bool {
        self.times.soft.is_some_and(|soft| self.start.elapsed() >= soft)
    }

    pub(super) fn reach(&mut self, ply: usize) {
        self.selective_depth = self.selective_depth.max(ply);
    }

    /// Whether the search is over, by its limits or because it was told so.
    pub(super) fn must_stop(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        self.stopped = self.nodes >= self.most_nodes
            || (self.nodes & 1023 == 0
                && (self.stop.load(Ordering::Relaxed)
                    || self.times.hard.is_some_and(|hard| self.start.elapsed() >= hard)));
        self.stopped
    }

    /// Plays a move in the line: `next` is the position still, and is that after the move then. So large a thing is not
    /// handed back.
    pub(super) fn enter<'p>(
        &mut self,
        position: &Position<'p>,
        next: &mut Position<'p>,
        played: Move,
        ply: usize,
    ) {
        self.frames[ply + 2].went = self.history.went(position, played);
        self.keys.push(position.key());
        self.nodes += 1;
        next.play(played);
        // Rights that went with the move change the key.
        self.table.prefetch(next.key());
        self.known[ply + 1] = self.evaluator.known_after(&self.known[ply], position, played, next);
        self.check_info[ply + 1] = next.check_info();
    }

    /// What the evaluation says of the position at a ply, exactly only near a window.
    pub(super) fn evaluate(
        &mut self,
        position: &Position<'_>,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> Evaluation {
        self.evaluator.evaluate_within(position, &mut self.known[ply], self.pawns, alpha, beta)
    }

    /// Passes in the line.
    pub(super) fn pass<'p>(&mut self, position: &Position<'p>, ply: usize) -> Position<'p> {
        let next = position.null_move();
        self.table.prefetch(next.key());
        self.frames[ply + 2].went = self.history.nothing();
        self.keys.push(position.key());
        self.nodes += 1;
        self.known[ply + 1] = self.known[ply];
        self.check_info[ply + 1] = next.check_info();
        next
    }

    /// Checks and pins of the position at a ply.
    pub(super) fn check_info(&self, ply: usize) -> CheckInfo {
        self.check_info[ply]
    }

    /// Whether the position at a ply came of a pass.
    pub(super) fn has_just_passed(&self, ply: usize) -> bool {
        self.frames[ply + 1].went == self.history.nothing()
    }

    /// Takes the last move of the line, or pass, back.
    pub(super) fn leave(&mut self) {
        self.keys.pop();
    }

    /// The score of a game that is over in this position, short of mate and stalemate.
    pub(super) fn ended(&self, position: &Position<'_>, ply: usize) -> Option<i32> {
        if ply == 0 {
            return None;
        }
        let few = position.occupied().count() <= 5;
        let fifty = position.halfmove_clock() >= 100;
        let bare = self.rules.variant().bare_king && position.has_bare_king();
        if bare || fifty || (few && position.is_insufficient_material()) {
            return position.outcome().map(|outcome| match outcome.result {
                GameResult::Draw => 0,
                GameResult::Win(side) if side == position.side_to_move() => WIN - ply as i32,
                GameResult::Win(_) => ply as i32 - WIN,
            });
        }
        self.repeats(position).then_some(0)
    }

    /// Whether the position has been in the line before, or twice in the game.
    fn repeats(&self, position: &Position<'_>) -> bool {
        let reversible = position.halfmove_clock() as usize;
        let key = position.key();
        let mut in_game = 0;
        // Two plies back another side is to move; four is the least for a repetition.
        for back in (4..=reversible.min(self.keys.len())).step_by(2) {
            let place = self.keys.len() - back;
            if self.keys[place] == key {
                in_game += 1;
                if place >= self.before_root || in_game == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// Searches the root.
    pub fn search_root(&mut self, root: &Position<'_>, depth: i32, alpha: i32, beta: i32) -> i32 {
        self.search::<true>(root, 0, depth, alpha, beta, false)
    }

    /// The score of a position for the side to move, searched to a depth within a window.
    pub(super) fn search<const PV: bool>(
        &mut self,
        position: &Position<'_>,
        ply: usize,
        mut depth: i32,
        mut alpha: i32,
        mut beta: i32,
        expects_cut: bool,
    ) -> i32 {
        let check = self.check_info[ply].is_check();
        // Check extension.
        if check {
            depth += 1;
        }
        if depth <= 0 {
            if PV {
                self.lines[ply].clear();
            }
            return self.quiesce(position, ply, alpha, beta, Quiets::Checks);
        }
        self.reach(ply);
        if self.must_stop() {
            return 0;
        }
        let root = ply == 0;
        if PV && !root {
            self.lines[ply].clear();
        }
        if !root {
            if let Some(score) = self.ended(position, ply) {
                return score;
            }
            if ply >= MOST_PLIES - 1 {
                return if check { 0 } else { self.evaluate(position, ply, alpha, beta).score };
            }
            // Mate distance: nothing here beats a mate already found nearer the root.
            alpha = alpha.max(ply as i32 - WIN);
            beta = beta.min(WIN - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        let known = self.table.probe(position.key(), ply as i32);
        if let Some(known) = &known
            && !PV
            && known.depth >= depth
        {
            let enough = match known.bound {
                Bound::Exact => true,
                Bound::Lower => known.score >= beta,
                Bound::Upper => known.score <= alpha,
            };
            if enough {
                return known.score;
            }
        }
        let known_best = known.and_then(|known| known.best);

        let exact = known.and_then(|known| known.evaluation).map(|score| Evaluation { score, exact: true });
        let evaluated = if check {
            None
        } else {
            Some(exact.unwrap_or_else(|| self.evaluate(position, ply, alpha, beta)))
        };
        let static_score = evaluated.map(|evaluated| evaluated.score);
        self.frames[ply + 2].evaluation = static_score;
        // What the table knows is better than the static score where it bounds it.
        let evaluation = static_score.map(|score| match &known {
            Some(known)
                if known.score.abs() < FORCED_WIN
                    && match known.bound {
                        Bound::Exact => true,
                        Bound::Lower => known.score > score,
                        Bound::Upper => known.score < score,
                    } =>
            {
                known.score
            }
            _ => score,
        });
        let improving = match (static_score, self.frames[ply].evaluation) {
            (Some(now), Some(before)) => now > before,
            _ => false,
        };

        if !PV
            && let Some(evaluation) = evaluation
            && let Some(score) = self.prune_node(position, ply, depth, alpha, beta, evaluation, improving)
        {
            return score;
        }

        // Internal iterative reduction: without a move to try first, a shallower search will find one.
        if depth >= 4 && known_best.is_none() && (PV || expects_cut) {
            depth -= 1;
        }

        self.search_moves::<PV>(
            position,
            ply,
            depth,
            alpha,
            beta,
            expects_cut,
            known_best,
            evaluated,
            check,
            improving,
        )
    }

    #[expect(clippy::too_many_arguments, reason = "the state of one node, which nothing else shares")]
    fn search_moves<const PV: bool>(
        &mut self,
        position: &Position<'_>,
        ply: usize,
        depth: i32,
        mut alpha: i32,
        beta: i32,
        expects_cut: bool,
        known_best: Option<Move>,
        evaluated: Option<Evaluation>,
        check: bool,
        improving: bool,
    ) -> i32 {
        let first_alpha = alpha;
        let static_score = evaluated.map(|evaluated| evaluated.score);
        let before: Before = [self.frames[ply + 1].went, self.frames[ply].went];
        self.frames[ply + 4].killers = [None; 2];
        let only_some = ply == 0 && !self.only.is_empty();
        let mut moves =
            Picker::new(position, self.check_info[ply], known_best, std::mem::take(&mut self.lists[ply]));
        let mut best_score = -INFINITE;
        let mut best = None;
        let mut tried = 0;
        let mut tried_quiets: ArrayVec<Move, 48> = ArrayVec::new();
        let mut tried_captures: ArrayVec<Move, 24> = ArrayVec::new();
        let mut seen = 0;
        loop {
            let reduction = REDUCTIONS[depth.min(63) as usize][tried.min(63)];
            let reduced_depth = (depth - reduction / 1024).max(0);
            if ply > 0 && best_score > -FORCED_WIN && !moves.skips_quiets() {
                // Late move pruning: enough moves have been tried. Futility: too far below the window for a quiet move.
                let enough = tried as i32 >= (3 + depth * depth) / (2 - i32::from(improving));
                let futile = |score| reduced_depth <= 6 && score + 110 + 95 * reduced_depth <= alpha;
                if enough || static_score.is_some_and(futile) {
                    moves.skip_quiets(position);
                }
            }
            let Some((played, reason)) = moves.next(position, &self.orders(ply)) else { break };
            if only_some && !self.only.contains(&played) {
                continue;
            }
            seen += 1;
            // The table's memory is slow: it is asked before anything else is done.
            self.table.prefetch(position.likely_key_after(played));
            let quiet = !position.is_tactical(played);
            // The first move is neither left out nor reduced.
            let history = match quiet && tried > 0 {
                true => self.history.quiets(position, &before).of(position, played),
                false => 0,
            };
            if ply > 0 && best_score > -FORCED_WIN {
                if quiet {
                    // A history so bad that the move will not be the one.
                    if depth <= 4 && history < -4_000 * depth {
                        continue;
                    }
                    if depth <= 8 && !wins_at_least(self.evaluator, position, played, -60 * reduced_depth) {
                        continue;
                    }
                } else if depth <= 7
                    && reason == Reason::Losing
                    && !wins_at_least(self.evaluator, position, played, -110 * depth)
                {
                    continue;
                }
            }

            let mut after = *position;
            self.enter(position, &mut after, played, ply);
            tried += 1;
            let new_depth = depth - 1;
            let mut score = alpha;
            let mut full = PV && tried == 1;
            if !full {
                // Late move reductions.
                let mut searched_depth = new_depth;
                if depth >= 3 && tried > 1 + usize::from(PV) {
                    let mut less = reduction;
                    if quiet {
                        less -= history * 1024 / (MOST_HISTORY * 2 / 3);
                        less += 1024 * i32::from(expects_cut);
                    } else {
                        less -= 1024;
                        less += 512 * i32::from(reason == Reason::Losing);
                    }
                    less -= 1024 * i32::from(PV);
                    less += 512 * i32::from(!improving);
                    less -= 1024 * i32::from(check);
                    searched_depth = (new_depth - less / 1024).clamp(1.min(new_depth), new_depth);
                }
                score = -self.search::<false>(&after, ply + 1, searched_depth, -alpha - 1, -alpha, true);
                if score > alpha && searched_depth < new_depth && !self.stopped {
                    score =
                        -self.search::<false>(&after, ply + 1, new_depth, -alpha - 1, -alpha, !expects_cut);
                }
                full = PV && score > alpha && !self.stopped;
            }
            if full {
                score = -self.search::<true>(&after, ply + 1, new_depth, -beta, -alpha, false);
            }
            self.leave();
            if self.stopped {
                self.lists[ply] = moves.list();
                return 0;
            }

            if score > best_score {
                best_score = score;
                if score > alpha {
                    best = Some(played);
                    if PV {
                        self.extend_line(ply, played, score);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
            // Further ones are as good as never learnt of.
            let _ = match quiet {
                true => tried_quiets.try_push(played),
                false => tried_captures.try_push(played),
            };
        }
        self.lists[ply] = moves.list();
        if seen == 0 {
            return if check { ply as i32 - WIN } else { 0 };
        }

        if best_score >= beta
            && let Some(best) = best
        {
            self.learn(position, ply, depth, best, &before, &tried_quiets, &tried_captures);
        }
        // What some of the moves are worth is not what the position is.
        if only_some {
            return best_score;
        }
        let bound = match best_score {
            score if score >= beta => Bound::Lower,
            score if score > first_alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        self.table.store(
            position.key(),
            ply as i32,
            Found { best, score: best_score, evaluation: exactly(evaluated), depth, bound },
        );
        best_score
    }

    /// Puts a move before the line that follows it.
    fn extend_line(&mut self, ply: usize, played: Move, score: i32) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        let line = &mut head[ply];
        line.clear();
        line.push(played);
        line.extend_from_slice(&tail[0]);
        if ply == 0 {
            self.best_score = score;
        }
    }

    /// What the order of moves depends on at a ply.
    pub(super) fn orders(&self, ply: usize) -> Orders<'_> {
        Orders {
            evaluator: self.evaluator,
            history: self.history,
            killers: self.frames[ply + 2].killers,
            before: [self.frames[ply + 1].went, self.frames[ply].went],
        }
    }

    /// Remembers a move that refuted its position, and those that did not.
    #[expect(clippy::too_many_arguments, reason = "the state of one node, which nothing else shares")]
    fn learn(
        &mut self,
        position: &Position<'_>,
        ply: usize,
        depth: i32,
        best: Move,
        before: &Before,
        quiets: &[Move],
        captures: &[Move],
    ) {
        let bonus = (150 * depth - 60).clamp(60, 1_600);
        if !position.is_tactical(best) {
            let killers = &mut self.frames[ply + 2].killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            self.history.reward_quiet(position, best, before, bonus);
            for other in quiets {
                self.history.reward_quiet(position, *other, before, -bonus);
            }
        } else {
            self.history.reward_capture(position, best, bonus);
        }
        for other in captures {
            self.history.reward_capture(position, *other, -bonus);
        }
    }
}

/// The score of an evaluation that is worth keeping.
pub(super) fn exactly(evaluated: Option<Evaluation>) -> Option<i32> {
    evaluated.filter(|evaluated| evaluated.exact).map(|evaluated| evaluated.score)
}
