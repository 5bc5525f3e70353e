//! The state of one search: the current line, what is known of its positions, and when to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use backrank_endgames::EndgameValue;
use backrank_rules::{CheckInfo, Game, GameResult, Move, Outcome, PieceKind, Position, Rules, Square};

use super::history::{Continuation, History, PieceTo};
use super::params::SearchParams;
use super::picker::{MoveOrder, ScoredMove};
use super::table::TranspositionTable;
use super::{Line, MAX_PLY, Memory};
use crate::eval::{EvalCache, EvalState, Evaluator};
use crate::limits::{Limits, Times};
use crate::score::{Score, WIN};

/// What is known of one ply of the current line: an entry of the search stack.
#[derive(Clone, Debug)]
pub(super) struct Ply {
    /// The static evaluation, in centipawns for the side to move; `None` in check.
    static_eval: Option<i32>,
    /// The move that led here; `None` after a null move.
    piece_to: PieceTo,
    killers: [Option<Move>; 2],
    /// The checks and pins.
    check_info: CheckInfo,
    /// The incremental part of the evaluation.
    eval: EvalState,
    /// The best line from here, if the node is of the principal variation.
    line: Vec<Move>,
    /// A list of moves that is reused.
    moves: Vec<ScoredMove>,
}

/// The number of stack entries before the root, which have no moves.
const BEFORE_ROOT: usize = 2;

/// One search of a game's position.
pub(super) struct Searcher<'t, 'r> {
    pub evaluator: &'t Evaluator,
    pub params: &'t SearchParams,
    pub table: &'t mut TranspositionTable,
    pub history: &'t mut History,
    eval_cache: &'t mut EvalCache,
    /// The keys of the positions of the game and of the line; the last is that of the current position's predecessor.
    keys: Vec<u64>,
    /// The number of keys from before the root.
    keys_before_root: usize,
    stack: &'t mut Vec<Ply>,
    root_score: i32,
    nodes: u64,
    /// The number of nodes when the current search of the root began, and the nodes that it spent on its best move.
    root_start: u64,
    best_nodes: u64,
    /// The number of nodes when the current quiescence search began.
    pub quiescence_start: u64,
    selective_depth: usize,
    max_nodes: u64,
    times: Times,
    start: Instant,
    stop: &'t AtomicBool,
    stopped: bool,
    /// The only moves that are considered at the root; all moves if it is empty.
    root_moves: Vec<Move>,
    /// Whether this holds even for the best line.
    is_restricted: bool,
    rules: &'r Rules,
}

impl<'t, 'r> Searcher<'t, 'r> {
    pub fn new(
        evaluator: &'t Evaluator,
        params: &'t SearchParams,
        memory: &'t mut Memory,
        game: &Game<'r>,
        limits: &Limits,
        stop: &'t AtomicBool,
        start: Instant,
    ) -> Self {
        let Memory { table, history, eval: eval_cache, stack } = memory;
        let root = game.position();
        let (check_info, eval) = (root.check_info(), evaluator.state(root));
        let ply = |line: Vec<Move>, moves: Vec<ScoredMove>| Ply {
            static_eval: None,
            piece_to: history.no_move(),
            killers: [None; 2],
            check_info,
            eval,
            line,
            moves,
        };
        // The lists of the previous search are reused.
        stack.iter_mut().for_each(|before| {
            *before = ply(std::mem::take(&mut before.line), std::mem::take(&mut before.moves));
        });
        // A node clears the killers of the entry two plies further on.
        stack.resize_with(BEFORE_ROOT + MAX_PLY + 3, || ply(Vec::new(), Vec::new()));
        let keys = game.previous_keys().to_vec();
        Self {
            keys_before_root: keys.len(),
            keys,
            stack,
            root_score: 0,
            nodes: 0,
            root_start: 0,
            best_nodes: 0,
            quiescence_start: 0,
            selective_depth: 0,
            max_nodes: limits.nodes.unwrap_or(u64::MAX),
            times: limits.times(),
            start,
            stop,
            stopped: false,
            root_moves: Vec::new(),
            is_restricted: !limits.only.is_empty(),
            rules: root.rules(),
            evaluator,
            params,
            table,
            history,
            eval_cache,
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

    /// How full the table is, in thousandths.
    pub fn hashfull(&self) -> u32 {
        self.table.hashfull()
    }

    /// The best line at the root so far, at the depth that is being searched.
    pub fn best_line(&self) -> Option<Line> {
        let moves = self.at(0).line.clone();
        (!moves.is_empty()).then_some(Line { score: Score(self.root_score), moves })
    }

    /// Considers only some moves at the root, without those with which better lines begin.
    pub fn leave_out(&mut self, moves: &[Move], better: &[Move]) {
        self.clear_line(0);
        self.root_moves.clear();
        if self.is_restricted || !better.is_empty() {
            self.root_moves.extend(moves.iter().filter(|&played| !better.contains(played)));
        }
    }

    /// Whether more than a part of the usual time for this move is over.
    pub fn is_past(&self, part: f64) -> bool {
        self.times.usual.is_some_and(|usual| self.start.elapsed() >= usual.mul_f64(part))
    }

    /// Notes that a search of the root begins.
    pub fn begin_root(&mut self) {
        self.root_start = self.nodes;
        self.best_nodes = 0;
    }

    /// The share of the nodes of the last search of the root that were spent on the best move.
    pub fn share_of_best(&self) -> f64 {
        self.best_nodes as f64 / (self.nodes - self.root_start).max(1) as f64
    }

    /// Whether the search is over, by its limits or because it was told to stop.
    pub fn must_stop(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        self.stopped = self.nodes >= self.max_nodes
            || (self.nodes & 1023 == 0
                && (self.stop.load(Ordering::Relaxed)
                    || self.times.hard.is_some_and(|hard| self.start.elapsed() >= hard)));
        self.stopped
    }

    pub fn reach(&mut self, ply: usize) {
        self.selective_depth = self.selective_depth.max(ply);
    }

    /// Whether only some moves are considered at this ply, which is possible only at the root.
    pub fn is_restricted(&self, ply: usize) -> bool {
        ply == 0 && !self.root_moves.is_empty()
    }

    /// Whether a move is considered at the root.
    pub fn considers(&self, played: Move) -> bool {
        self.root_moves.contains(&played)
    }

    #[inline]
    fn at(&self, ply: usize) -> &Ply {
        &self.stack[BEFORE_ROOT + ply]
    }

    #[inline]
    fn at_mut(&mut self, ply: usize) -> &mut Ply {
        &mut self.stack[BEFORE_ROOT + ply]
    }

    /// Plays a move in the line: `next` must be the current position, and becomes the one after the move. It is not
    /// returned, because it is large.
    pub fn play<'p>(&mut self, position: &Position<'p>, next: &mut Position<'p>, played: Move, ply: usize) {
        let piece_to = self.history.piece_to(position, played);
        self.keys.push(position.key());
        self.nodes += 1;
        next.play(played);
        // The key was guessed before the move; if rights were lost, it is different.
        self.table.prefetch(next.key());
        let eval = self.evaluator.state_after(&self.at(ply).eval, position, played, next);
        let check_info = next.check_info();
        let after = self.at_mut(ply + 1);
        after.piece_to = piece_to;
        after.eval = eval;
        after.check_info = check_info;
    }

    /// Plays a null move in the line.
    pub fn play_null<'p>(&mut self, position: &Position<'p>, ply: usize) -> Position<'p> {
        let next = position.null_move();
        self.table.prefetch(next.key());
        self.keys.push(position.key());
        self.nodes += 1;
        let (piece_to, eval, check_info) = (self.history.no_move(), self.at(ply).eval, next.check_info());
        let after = self.at_mut(ply + 1);
        after.piece_to = piece_to;
        after.eval = eval;
        after.check_info = check_info;
        next
    }

    /// Takes back the last move or null move of the line.
    pub fn undo(&mut self) {
        self.keys.pop();
    }

    /// The checks and pins of the position at a ply.
    pub fn check_info(&self, ply: usize) -> CheckInfo {
        self.at(ply).check_info
    }

    /// Whether the position at a ply is the root or came from a null move.
    pub fn is_after_null_move(&self, ply: usize) -> bool {
        self.at(ply).piece_to == self.history.no_move()
    }

    /// The static evaluation of the position at a ply.
    pub fn evaluate(&mut self, position: &Position<'_>, ply: usize) -> i32 {
        let state = &mut self.stack[BEFORE_ROOT + ply].eval;
        self.evaluator.evaluate_from(position, state, self.eval_cache)
    }

    /// Stores the static evaluation at a ply. Returns whether it is better than two plies before.
    pub fn note_static_eval(&mut self, ply: usize, static_eval: Option<i32>) -> bool {
        self.at_mut(ply).static_eval = static_eval;
        let before = self.stack[BEFORE_ROOT + ply - 2].static_eval;
        static_eval.zip(before).is_some_and(|(now, before)| now > before)
    }

    /// The target square of the last move before a ply; `None` after a null move and at the root.
    pub fn last_target(&self, ply: usize) -> Option<Square> {
        self.history.target(self.at(ply).piece_to)
    }

    /// The two moves that led to a ply, the last first.
    pub fn continuation(&self, ply: usize) -> Continuation {
        [self.stack[BEFORE_ROOT + ply].piece_to, self.stack[BEFORE_ROOT + ply - 1].piece_to]
    }

    /// The data that decide the order of moves at a ply.
    pub fn move_order(&self, ply: usize) -> MoveOrder<'_> {
        MoveOrder {
            evaluator: self.evaluator,
            history: self.history,
            killers: self.at(ply).killers,
            continuation: self.continuation(ply),
        }
    }

    /// Remembers a quiet move that caused a cutoff at a ply.
    pub fn add_killer(&mut self, ply: usize, killer: Move) {
        let killers = &mut self.at_mut(ply).killers;
        if killers[0] != Some(killer) {
            *killers = [Some(killer), killers[0]];
        }
    }

    /// Forgets the killers two plies further on, which belong to another part of the tree.
    pub fn clear_grandchildren_killers(&mut self, ply: usize) {
        self.at_mut(ply + 2).killers = [None; 2];
    }

    /// Lends the list of moves of a ply.
    pub fn take_list(&mut self, ply: usize) -> Vec<ScoredMove> {
        std::mem::take(&mut self.at_mut(ply).moves)
    }

    /// Takes back a lent list.
    pub fn return_list(&mut self, ply: usize, list: Vec<ScoredMove>) {
        self.at_mut(ply).moves = list;
    }

    /// Clears the best line from a ply.
    pub fn clear_line(&mut self, ply: usize) {
        self.at_mut(ply).line.clear();
    }

    /// Puts a move, on which some nodes were spent, before the best line of the next ply.
    pub fn extend_line(&mut self, ply: usize, played: Move, score: i32, nodes: u64) {
        let (head, tail) = self.stack.split_at_mut(BEFORE_ROOT + ply + 1);
        let line = &mut head[BEFORE_ROOT + ply].line;
        line.clear();
        line.push(played);
        line.extend_from_slice(&tail[0].line);
        if ply == 0 {
            self.root_score = score;
            self.best_nodes = nodes;
        }
    }

    /// The score of a game that is over in this position other than by mate or stalemate, or whose result the tables
    /// know.
    pub fn ended(&self, position: &Position<'_>, ply: usize) -> Option<i32> {
        if ply == 0 {
            return None;
        }
        let over = |outcome: Outcome| match outcome.result {
            GameResult::Draw => 0,
            GameResult::Win(side) if side == position.side_to_move() => WIN - ply as i32,
            GameResult::Win(_) => ply as i32 - WIN,
        };
        if let Some(outcome) = position.early_outcome() {
            return Some(over(outcome));
        }
        let few = position.occupied().count() <= 5;
        let fifty = position.halfmove_clock() >= 100;
        let bare = self.rules.variant().bare_king && position.has_bare_king();
        if bare || fifty || (few && position.is_insufficient_material()) {
            return position.outcome().map(over);
        }
        if self.rules.variant().repetition_draws && self.repeats(position) {
            return Some(0);
        }
        self.probe_tables(position, ply)
    }

    /// The score of a position that is in the endgame tables.
    fn probe_tables(&self, position: &Position<'_>, ply: usize) -> Option<i32> {
        let value = self.evaluator.tables()?.probe(position)?;
        let plies = value.plies().map_or(0, i32::from);
        // A capture can end the win of the last piece, and a pawn move starts the count of moves anew.
        let in_time = i32::from(position.halfmove_clock()) + plies <= 100
            || !position.of_kind(PieceKind::PAWN).is_empty();
        Some(match value {
            EndgameValue::Win { .. } if in_time => WIN - ply as i32 - plies,
            EndgameValue::Loss { .. } if in_time => ply as i32 + plies - WIN,
            _ => 0,
        })
    }

    /// Whether the position has occurred in the line before, or twice in the game.
    fn repeats(&self, position: &Position<'_>) -> bool {
        let reversible = position.halfmove_clock() as usize;
        let key = position.key();
        let mut in_game = 0;
        // No position comes back after two plies: four are the shortest repetition.
        for back in (4..=reversible.min(self.keys.len())).step_by(2) {
            let index = self.keys.len() - back;
            if self.keys[index] == key {
                in_game += 1;
                if index >= self.keys_before_root || in_game == 2 {
                    return true;
                }
            }
        }
        false
    }
}
