//! Search: iterative deepening over a principal variation search.

mod alpha_beta;
mod history;
mod params;
mod patience;
mod picker;
mod prune;
mod quiescence;
mod searcher;
mod see;
mod table;

use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use backrank_endgames::EndgameTables;
use backrank_rules::{Game, GameResult, Move, Position, Rules};

use crate::eval::{EvalCache, Evaluator};
use crate::limits::Limits;
use crate::score::{FORCED_WIN, INFINITE, Score, WIN};
use crate::weights::Weights;
use history::History;
use params::SearchParams;
use patience::Patience;
use searcher::{Ply, Searcher};
use see::see_ge;
use table::TranspositionTable;

pub use see::is_quiet;
pub use table::NoMemory;

/// The largest number of plies from the root.
pub(crate) const MAX_PLY: usize = 128;

/// An engine for one game's rules: its evaluation, and what it remembers from search to search.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use backrank_rules::{Game, Position, Rules, Variant};
/// use backrank_engine::{Engine, Limits, Score, Weights};
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
    params: SearchParams,
    memory: Memory,
    rules: &'r Rules,
}

/// What a search leaves for the next one.
struct Memory {
    table: TranspositionTable,
    history: History,
    /// Caches results that do not depend on the search, so it need not be cleared.
    eval: EvalCache,
    /// Kept only to reuse its memory.
    stack: Vec<Ply>,
}

/// A line of play and its score, as a search found it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The score for the side to move at the root.
    pub score: Score,
    /// The moves; at least one.
    pub moves: Vec<Move>,
}

/// What a search has found so far.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The rank of the line: 1 for the best, 2 for the best of those that begin with another move, and so on.
    pub rank: usize,
    /// The number of plies that were searched in full.
    pub depth: u32,
    /// The largest number of plies in any line.
    pub selective_depth: u32,
    /// The score for the side to move.
    pub score: Score,
    /// The number of positions that were reached by a move.
    pub nodes: u64,
    /// The time since the search began.
    pub elapsed: Duration,
    /// The best line of play found.
    pub line: Vec<Move>,
    /// How full the table is, in thousandths.
    pub hashfull: u32,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The best move; `None` if there is no legal move.
    pub best: Option<Move>,
    /// The score for the side to move.
    pub score: Score,
    /// The number of plies that were searched in full.
    pub depth: u32,
    /// The number of positions that were reached by a move.
    pub nodes: u64,
    /// The best line of play found.
    pub line: Vec<Move>,
    /// The best lines that begin with other moves, the best first, if more lines than one were asked for. They and the
    /// best line are of the same depth, so that their scores can be compared.
    pub others: Vec<Line>,
}

impl<'r> Engine<'r> {
    /// An engine with a transposition table of this many mebibytes.
    ///
    /// # Panics
    ///
    /// When there is not enough memory.
    pub fn new(rules: &'r Rules, weights: &Weights, mebibytes: usize) -> Self {
        Self::try_new(rules, weights, mebibytes).unwrap_or_else(|error| panic!("{error}"))
    }

    /// An engine with a transposition table of this many mebibytes.
    ///
    /// # Errors
    ///
    /// When there is not enough memory.
    pub fn try_new(rules: &'r Rules, weights: &Weights, mebibytes: usize) -> Result<Self, NoMemory> {
        Ok(Self {
            evaluator: Evaluator::new(rules, weights),
            params: SearchParams::default(),
            memory: Memory {
                table: TranspositionTable::new(mebibytes)?,
                history: History::new(rules),
                eval: EvalCache::default(),
                stack: Vec::new(),
            },
            rules,
        })
    }

    /// The same engine with endgame tables of its rules. Positions that are in them are scored exactly, and bare kings
    /// are driven to where they can be mated. Engines share the tables; tables of other rules are never used.
    #[must_use]
    pub fn with_tables(mut self, tables: Option<Arc<EndgameTables>>) -> Self {
        self.set_tables(tables);
        self
    }

    /// Gives it endgame tables, or takes them away.
    pub(crate) fn set_tables(&mut self, tables: Option<Arc<EndgameTables>>) {
        self.evaluator.set_tables(tables);
    }

    /// Forgets everything that it has learnt, as before a new game.
    pub fn clear(&mut self) {
        self.memory.table.clear();
        self.memory.history.clear();
    }

    /// The rules of its game.
    pub fn rules(&self) -> &'r Rules {
        self.rules
    }

    /// Its evaluation.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// The score of a game's position for the side to move, in centipawns, after a search of a number of plies and the
    /// captures after them. At the ends of the window or beyond them it is only a bound. The numbers are those of
    /// [`Score::to_number`].
    pub fn score_within(&mut self, game: &Game<'r>, depth: u32, alpha: i32, beta: i32) -> i32 {
        let (limits, never) = (Limits::default(), AtomicBool::new(false));
        let mut searcher = Searcher::new(
            &self.evaluator,
            &self.params,
            &mut self.memory,
            game,
            &limits,
            &never,
            Instant::now(),
        );
        searcher.search_root(game.position(), depth as i32, alpha, beta)
    }

    /// Searches a game's position until a limit is reached or `stop` is set; `report` is called after each depth.
    pub fn search(
        &mut self,
        game: &Game<'r>,
        limits: &Limits,
        stop: &AtomicBool,
        mut report: impl FnMut(&Progress),
    ) -> SearchResult {
        let start = Instant::now();
        let root = *game.position();
        self.memory.table.grow_older();
        let root_moves = limits.root_moves(&root);
        if root_moves.is_empty() {
            let score = if root.is_check() { Score::mated_in(0) } else { Score::DRAW };
            return SearchResult {
                best: None,
                score,
                depth: 0,
                nodes: 0,
                line: Vec::new(),
                others: Vec::new(),
            };
        }
        let mut searcher =
            Searcher::new(&self.evaluator, &self.params, &mut self.memory, game, limits, stop, start);
        let mut lines: Vec<Line> = Vec::new();
        let mut finished_lines: Vec<Line> = Vec::new();
        let mut finished = 0;
        let mut patience = Patience::default();
        let max_depth = limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_PLY as u32 - 1);
        'deepening: for depth in 1..=max_depth {
            // Each further line leaves out the first moves of those before it.
            for rank in 0..limits.lines.clamp(1, root_moves.len()) {
                let better: Vec<Move> = lines[..rank].iter().map(Line::first).collect();
                searcher.leave_out(&root_moves, &better);
                let last = lines.get(rank).map_or(0, |line| line.score.0);
                aspire(&mut searcher, &root, depth as i32, last);
                // A depth that was cut short still counts for the moves that it has searched, unless other lines are to
                // be compared with the best.
                if searcher.is_stopped() && limits.lines > 1 && !finished_lines.is_empty() {
                    (lines, finished) = (finished_lines, depth - 1);
                    break 'deepening;
                }
                if let Some(line) = searcher.best_line() {
                    lines.truncate(limits.lines.max(1));
                    // The line that was here moves on, unless it begins with the same move.
                    lines.retain(|other| better.contains(&other.first()) || other.first() != line.first());
                    lines.insert(rank, line);
                }
                if searcher.is_stopped() {
                    break 'deepening;
                }
                finished = depth;
                report(&Progress {
                    rank: rank + 1,
                    depth,
                    selective_depth: searcher.selective_depth() as u32,
                    score: lines[rank].score,
                    nodes: searcher.nodes(),
                    elapsed: start.elapsed(),
                    line: lines[rank].moves.clone(),
                    hashfull: searcher.hashfull(),
                });
            }
            lines.truncate(limits.lines.max(1));
            lines.sort_by_key(|line| Reverse(line.score));
            finished_lines.clone_from(&lines);
            let score = lines[0].score;
            patience.note(lines[0].first(), score.0, searcher.share_of_best());
            let is_forced = root_moves.len() == 1 && limits.clock.is_some();
            if is_forced || searcher.is_past(patience.part()) || limits.is_mate_found(score) {
                break;
            }
            // A mate that is much shorter than the searched depth ends the search, unless a depth or a mate was asked
            // for.
            let is_decided = score.as_plies_to_end().is_some_and(|plies| plies.unsigned_abs() * 2 < depth);
            if is_decided && limits.mate.is_none() && (limits.clock.is_some() || limits.nodes.is_some()) {
                break;
            }
        }
        lines.truncate(limits.lines.max(1));
        let nodes = searcher.nodes();
        if finished == 0 && lines.first().is_none_or(|line| line.score.0 < FORCED_WIN) {
            // No search was completed that could be relied upon.
            lines = vec![self.line_without_search(&root, &root_moves)];
        }
        let mut lines = lines.into_iter();
        let best = lines.next().expect("a line for a position with moves");
        SearchResult {
            best: Some(best.first()),
            score: best.score,
            depth: finished,
            nodes,
            line: best.moves,
            others: lines.collect(),
        }
    }

    /// The move that looks best without a search: one that mates, or else loses nothing in exchanges and leads to the
    /// best static evaluation.
    fn line_without_search(&self, root: &Position<'_>, moves: &[Move]) -> Line {
        let mut cache = EvalCache::default();
        let mut score = |played: Move| {
            let after = root.after(played);
            let score = match after.outcome().map(|outcome| outcome.result) {
                Some(GameResult::Win(_)) => WIN - 1,
                Some(GameResult::Draw) => 0,
                None => -self.evaluator.evaluate_from(&after, &mut self.evaluator.state(&after), &mut cache),
            };
            (score.abs() >= FORCED_WIN || see_ge(&self.evaluator, root, played, 0), score)
        };
        let (best, (_, score)) = moves
            .iter()
            .map(|&played| (played, score(played)))
            .reduce(|best, other| if other.1 > best.1 { other } else { best })
            .expect("a position with moves");
        Line { score: Score(score), moves: vec![best] }
    }
}

impl Line {
    /// The first move of the line.
    pub fn first(&self) -> Move {
        self.moves[0]
    }
}

/// Aspiration windows: searches one depth with a window around the previous score, which is widened until it contains
/// the score.
fn aspire(searcher: &mut Searcher<'_, '_>, root: &Position<'_>, depth: i32, last: i32) -> i32 {
    let params = searcher.params;
    let mut width = params.aspiration_width;
    let (mut alpha, mut beta) = if depth < params.aspiration_min_depth || last.abs() >= FORCED_WIN {
        (-INFINITE, INFINITE)
    } else {
        (last - width, last + width)
    };
    loop {
        let score = searcher.search_root(root, depth, alpha, beta);
        if searcher.is_stopped() || (score > alpha && score < beta) {
            return score;
        }
        if score <= alpha {
            beta = (alpha + beta) / 2;
            alpha = (score - width).max(-INFINITE);
        } else {
            beta = (score + width).min(INFINITE);
        }
        width += width;
        if width > params.aspiration_max_width {
            (alpha, beta) = (-INFINITE, INFINITE);
        }
    }
}
