//! Judging setups, several at a time, in the order of their ids.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};

use backrank_engine::{Engine, Limits, Line, NoMemory, Score};
use backrank_rules::{Game, MoveKind, Position, Setup, Side};

use super::complexity::{Complexity, PLIES, gap};
use super::definition::Atlas;
use super::row::AtlasRow;
use super::run::AtlasRun;
use crate::play::{RunError, in_order};

/// The nodes of the first search are divided by this for each later position of the line.
const LINE_PART: u64 = 10;

/// The engines of one thread.
pub(super) struct Judge<'r> {
    run: &'r AtlasRun,
    engine: Engine<'r>,
    /// An engine that plays without the Bishop Adjustment; `None` if the game has none.
    without_adjustment: Option<Engine<'r>>,
}

/// The result of a search of one position.
struct BestLines {
    /// The best lines in descending order, all searched to the same depth.
    lines: Vec<Line>,
    depth: u32,
    /// The best score, as a mean of the last two depths.
    score: i32,
    /// The same after a quarter of the nodes.
    quarter: Option<i32>,
}

/// The line of best play, with the scores and gaps along it.
#[derive(Default)]
struct Walk {
    moves: Vec<String>,
    scores: Vec<String>,
    gaps: Vec<String>,
    adjustments: Vec<String>,
    complexity: Complexity,
}

impl<'r> Judge<'r> {
    pub fn new(run: &'r AtlasRun) -> Result<Self, NoMemory> {
        let engine = |rules| {
            let atlas = run.atlas();
            Engine::try_new(rules, &atlas.weights(rules), atlas.hash as usize)
        };
        let without_adjustment = run.without_adjustment().map(engine).transpose()?;
        Ok(Self { run, engine: engine(run.rules())?, without_adjustment })
    }

    /// The row of a setup; `None` if it was told to stop.
    pub fn judge(&mut self, id: u128, setup: &Setup, stop: &AtomicBool) -> Option<AtlasRow> {
        let atlas = self.run.atlas();
        // A row must not depend on earlier searches.
        self.engine.clear();
        let mut game = Game::new(start(self.engine.rules(), setup));
        let first = search(&mut self.engine, &game, atlas.nodes, atlas.best_moves, stop);
        let (score_cp, depth, quarter_cp) = (first.score, first.depth, first.quarter);
        let best_moves: Vec<String> = first
            .lines
            .iter()
            .map(|line| format!("{}/{}", line.first().uci(game.position().board()), line.score.to_number()))
            .collect();
        let walk = self.walk(&mut game, first, atlas, stop);
        let without_adjustment_cp = self.score_without_adjustment(setup, stop);
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let [low, expected, high] = atlas.expected_score.expected(score_cp).map(|share| rounded(share, 1e5));
        let [white, black] = [walk.complexity.white, walk.complexity.black].map(|bits| rounded(bits, 1e4));
        Some(AtlasRow {
            setup: id,
            white_rank: setup.white.to_string(),
            black_rank: setup.black.to_string(),
            score_cp,
            expected_score: expected,
            expected_score_low: low,
            expected_score_high: high,
            complexity_white: white,
            complexity_black: black,
            complexity: rounded(white + black, 1e4),
            asymmetry: rounded(black - white, 1e4),
            best_move: walk.moves.first().cloned().unwrap_or_default(),
            best_moves: best_moves.join(" "),
            depth,
            quarter_cp,
            line: walk.moves.join(" "),
            line_scores: walk.scores.join(" "),
            gaps: walk.gaps.join(" "),
            adjustments: walk.adjustments.join(" "),
            without_adjustment_cp,
            reflection: self.run.reflection(setup),
        })
    }

    /// Follows the line of best play from the start of a game, whose search gave `first`. The transposition table is
    /// kept from position to position, as in a game.
    fn walk(&mut self, game: &mut Game<'r>, first: BestLines, atlas: &Atlas, stop: &AtomicBool) -> Walk {
        let mut walk = Walk::default();
        let mut found = first;
        loop {
            let position = *game.position();
            let (side, best) = (position.side_to_move(), found.lines[0].first());
            let difference = found.lines.get(1).and_then(|second| gap(found.lines[0].score, second.score));
            walk.complexity.add(side, difference);
            let score = found.lines[0].score.to_number();
            walk.scores.push(if side == Side::White { score } else { -score }.to_string());
            walk.gaps.push(difference.map_or("-".to_string(), |gap| gap.to_string()));
            walk.moves.push(best.uci(position.board()));
            if best.kind == MoveKind::Adjustment {
                walk.adjustments.push(format!("{}:{}", walk.moves.len(), position.notation(best)));
            }
            game.play(best);
            if walk.moves.len() == PLIES || game.outcome().is_some() || stop.load(Ordering::Relaxed) {
                return walk;
            }
            found = search(&mut self.engine, game, (atlas.nodes / LINE_PART).max(1), 2, stop);
        }
    }

    /// The score of a setup without the Bishop Adjustment; `None` if no side could play it.
    fn score_without_adjustment(&mut self, setup: &Setup, stop: &AtomicBool) -> Option<i32> {
        let position = start(self.run.rules(), setup);
        let engine = self.without_adjustment.as_mut()?;
        if ![Side::White, Side::Black].into_iter().any(|side| position.may_adjust(side)) {
            return None;
        }
        engine.clear();
        let game = Game::new(start(engine.rules(), setup));
        let atlas = self.run.atlas();
        Some(search(engine, &game, atlas.nodes, atlas.best_moves, stop).score)
    }
}

fn start<'r>(rules: &'r backrank_rules::Rules, setup: &Setup) -> Position<'r> {
    Position::new(rules, setup).expect("no king stands in check")
}

/// Searches a position that has legal moves.
///
/// The evaluation favours the side to move, and so does a search of an even number of plies. The mean of two depths in a row
/// favours neither.
fn search<'r>(
    engine: &mut Engine<'r>,
    game: &Game<'r>,
    nodes: u64,
    lines: usize,
    stop: &AtomicBool,
) -> BestLines {
    let wanted = lines.min(game.position().legal_moves().len());
    let (mut best, mut before) = (None, None);
    let (mut score, mut quarter) = (None, None);
    let limits = Limits { lines, ..Limits::of_nodes(nodes) };
    let result = engine.search(game, &limits, stop, |progress| {
        best = if progress.rank == 1 { Some(progress.score) } else { best.max(Some(progress.score)) };
        if progress.rank == wanted {
            score = best.map(|best| mean_score(best, before));
            before = best;
            if progress.nodes <= nodes / 4 {
                quarter = score;
            }
        }
    });
    let best = Line { score: result.score, moves: result.line };
    BestLines {
        lines: std::iter::once(best).chain(result.others).collect(),
        depth: result.depth,
        score: score.unwrap_or(result.score.to_number()),
        quarter,
    }
}

/// The mean of the scores of two depths in a row, in centipawns; the last score alone if there is none before it, or one of
/// them is a forced win.
fn mean_score(last: Score, before: Option<Score>) -> i32 {
    match (last.as_centipawns(), before.and_then(Score::as_centipawns)) {
        (Some(last), Some(before)) => (last + before) / 2,
        _ => last.to_number(),
    }
}

/// A number rounded to a multiple of 1 / `parts`, so that every machine writes the same digits.
fn rounded(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts
}

impl AtlasRun {
    /// Judges the setups in a range of indices and passes their rows to `each` in order, until `each` returns `Break`
    /// or `stop` is set.
    ///
    /// # Errors
    ///
    /// When `each` fails, no thread can be started, or there is not enough memory.
    pub fn judge<E>(
        &self,
        indices: Range<u64>,
        threads: usize,
        stop: &AtomicBool,
        each: impl FnMut(AtlasRow) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), RunError<E>> {
        let worker = || {
            let mut judge = None;
            move |index| {
                let judge: &mut Judge<'_> = match &mut judge {
                    Some(judge) => judge,
                    none => none.insert(Judge::new(self)?),
                };
                let (id, setup) = self.setup(index);
                Ok::<_, NoMemory>(judge.judge(id, &setup, stop))
            }
        };
        in_order(indices, threads, stop, worker, each)
    }
}

#[cfg(test)]
mod tests {
    use super::mean_score;
    use backrank_engine::Score;

    #[test]
    fn two_depths_have_a_mean_unless_one_is_forced() {
        let score = Score::centipawns(40);
        assert_eq!(mean_score(score, None), 40);
        assert_eq!(mean_score(score, Some(Score::centipawns(10))), 25);
        assert_eq!(mean_score(score, Some(Score::mated_in(4))), 40);
        let win = Score::mate_in(5);
        assert_eq!(mean_score(win, Some(score)), win.to_number());
    }
}
