//! Search: iterative deepening over a principal variation search.

mod exchange;
mod history;
mod picker;
mod prune;
mod quiescence;
mod reductions;
mod table;
mod tree;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use backrank_rules::{Game, Move, Rules};

use crate::eval::{Evaluator, PawnCache};
use crate::limits::Limits;
use crate::score::{FORCED_WIN, INFINITE, Score};
use crate::weights::Weights;
use history::History;
use table::Table;
use tree::Tree;

/// The most plies a search goes from its root.
pub(crate) const MOST_PLIES: usize = 128;

/// A player of one game's rules: its evaluation, and what it remembers from search to search.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use backrank_rules::{Game, Position, Rules, Variant};
/// use backrank_selfplay::{Engine, Limits, Score, Weights};
///
/// let rules = Rules::new(&Variant::find("pmrc")?);
/// // A lone prime minister mates: here at once.
/// let start = Position::from_fen(&rules, "k8/9/1K7/9/3M5/9/9/9/9 w - - 0 1 -")?;
/// let mut engine = Engine::new(&rules, &Weights::new(&rules), 1);
/// let found = engine.search(&Game::new(start), &Limits::of_depth(6), &AtomicBool::new(false), |_| ());
/// assert_eq!(found.score, Score::mate_in(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine<'r> {
    evaluator: Evaluator,
    memory: Memory,
    rules: &'r Rules,
}

/// What a search leaves behind for the next.
struct Memory {
    table: Table,
    history: History,
    /// Says the same as the evaluation without it, only sooner: no need to clear it.
    pawns: PawnCache,
}

/// What a search has found so far.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The plies searched in full.
    pub depth: u32,
    /// The most plies any line was followed.
    pub selective_depth: u32,
    /// The score for the side to move.
    pub score: Score,
    /// Positions reached by a move.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// The best line of play found.
    pub line: Vec<Move>,
    /// How full the table is, in thousandths.
    pub table_permille: u32,
}

/// What a search has found in the end.
#[derive(Clone, Debug)]
pub struct Found {
    /// The best move; none where there is no legal move.
    pub best: Option<Move>,
    /// The score for the side to move.
    pub score: Score,
    /// The plies searched in full.
    pub depth: u32,
    /// Positions reached by a move.
    pub nodes: u64,
    /// The best line of play found.
    pub line: Vec<Move>,
}

impl<'r> Engine<'r> {
    /// An engine with a table of so many mebibytes.
    pub fn new(rules: &'r Rules, weights: &Weights, mebibytes: usize) -> Self {
        Self {
            evaluator: Evaluator::new(rules, weights),
            memory: Memory {
                table: Table::new(mebibytes),
                history: History::new(rules),
                pawns: PawnCache::default(),
            },
            rules,
        }
    }

    /// Forgets all it has learnt, as before a new game.
    pub fn clear(&mut self) {
        self.memory.table.clear();
        self.memory.history.clear();
    }

    /// The rules it plays by.
    pub fn rules(&self) -> &'r Rules {
        self.rules
    }

    /// Its evaluation.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// The score of a game's position for the side to move, in centipawns, after a search of so many plies and their
    /// captures; at the ends of the window or beyond them it is only a bound.
    pub(crate) fn score_within(&mut self, game: &Game<'r>, depth: u32, alpha: i32, beta: i32) -> i32 {
        let (limits, never) = (Limits::default(), AtomicBool::new(false));
        let mut tree = Tree::new(&self.evaluator, &mut self.memory, game, &limits, &never, Instant::now());
        tree.search_root(game.position(), depth as i32, alpha, beta)
    }

    /// Searches a game's position until a limit is reached or `stop` is set; `report` hears of each depth.
    pub fn search(
        &mut self,
        game: &Game<'r>,
        limits: &Limits,
        stop: &AtomicBool,
        mut report: impl FnMut(&Progress),
    ) -> Found {
        let start = Instant::now();
        let root = *game.position();
        self.memory.table.grow_older();
        let root_moves = limits.root_moves(&root);
        let mut tree = Tree::new(&self.evaluator, &mut self.memory, game, limits, stop, start);
        let mut found = Found {
            best: root_moves.first().copied(),
            score: Score::DRAW,
            depth: 0,
            nodes: 0,
            line: Vec::new(),
        };
        if found.best.is_none() {
            found.score = if root.is_check() { Score::mated_in(0) } else { Score::DRAW };
            return found;
        }
        let deepest = limits.depth.unwrap_or(u32::MAX).clamp(1, MOST_PLIES as u32 - 1);
        for depth in 1..=deepest {
            let score = aspire(&mut tree, &root, depth as i32, found.score.0);
            // A depth that was cut short still counts for the moves it got through.
            if let Some(&best) = tree.best_line().first() {
                found.best = Some(best);
                found.line = tree.best_line().to_vec();
                found.score = Score(tree.best_score());
            }
            if tree.is_stopped() {
                break;
            }
            found.score = Score(score);
            found.depth = depth;
            report(&Progress {
                depth,
                selective_depth: tree.selective_depth() as u32,
                score: found.score,
                nodes: tree.nodes(),
                elapsed: start.elapsed(),
                line: found.line.clone(),
                table_permille: tree.table_permille(),
            });
            if tree.is_time_for_no_more_depth() || limits.is_mate_found(found.score) {
                break;
            }
            // With nothing but a depth or nodes to go by, a mate that is shorter than what is searched is the end.
            let decided = score.abs() >= FORCED_WIN
                && Score(score).as_plies_to_end().is_some_and(|plies| plies.unsigned_abs() * 2 < depth);
            if decided && limits.clock.is_some() {
                break;
            }
        }
        found.nodes = tree.nodes();
        found
    }
}

/// Searches one depth in a window around the score of the last, widened until the score lies inside.
fn aspire(tree: &mut Tree<'_, '_>, root: &backrank_rules::Position<'_>, depth: i32, last: i32) -> i32 {
    let mut width = 25;
    let (mut alpha, mut beta) = if depth < 5 || last.abs() >= FORCED_WIN {
        (-INFINITE, INFINITE)
    } else {
        (last - width, last + width)
    };
    loop {
        let score = tree.search_root(root, depth, alpha, beta);
        if tree.is_stopped() || (score > alpha && score < beta) {
            return score;
        }
        if score <= alpha {
            beta = (alpha + beta) / 2;
            alpha = (score - width).max(-INFINITE);
        } else {
            beta = (score + width).min(INFINITE);
        }
        width += width;
        if width > 800 {
            (alpha, beta) = (-INFINITE, INFINITE);
        }
    }
}
