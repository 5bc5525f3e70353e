//! Judging setups, several at a time, in the order of their ids.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

use backrank_rules::{Game, Position, Setup, Side};

use super::row::AtlasRow;
use super::run::AtlasRun;
use super::searcher::Searcher;
use super::walk::Walk;
use crate::play::{JudgeError, RunError, in_order};
use crate::player::PlayerError;

/// The engines of one thread.
struct Judge<'r> {
    run: &'r AtlasRun,
    searcher: Searcher<'r>,
    /// An engine that plays without the Bishop Adjustment; `None` if the game has none.
    without_adjustment: Option<Searcher<'r>>,
}

impl<'r> Judge<'r> {
    fn new(run: &'r AtlasRun, stop: &AtomicBool) -> Result<Self, PlayerError> {
        let start = |rules| Searcher::start(run.atlas(), rules, stop);
        let without_adjustment = run.without_adjustment().map(start).transpose()?;
        Ok(Self { run, searcher: start(run.rules())?, without_adjustment })
    }

    /// The row of a setup.
    fn judge(&mut self, id: u128, setup: &Setup, stop: &AtomicBool) -> Result<AtlasRow, PlayerError> {
        let atlas = self.run.atlas();
        // A row must not depend on earlier searches.
        self.searcher.clear(stop)?;
        let game = Game::new(start(self.searcher.rules(), setup));
        let first = self.searcher.search(&game, atlas.nodes, atlas.best_moves, stop)?;
        let (score_cp, depth, quarter_cp) = (first.score, first.depth, first.quarter);
        let best_moves: Vec<String> = first
            .best
            .iter()
            .map(|(played, score)| format!("{}/{}", played.uci(game.position().board()), score.to_number()))
            .collect();
        let walk = Walk::follow(&mut self.searcher, game.start(), first, atlas.nodes, stop)?;
        let without_adjustment_cp = self.score_without_adjustment(setup, stop)?;
        let [low, expected, high] = atlas.expected_score.expected(score_cp).map(|share| rounded(share, 1e5));
        let complexity = walk.complexity.of_ten_moves();
        let [white, black] = [complexity.white, complexity.black].map(|bits| rounded(bits, 1e4));
        Ok(AtlasRow {
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

    /// The score of a setup without the Bishop Adjustment; `None` if no side could play it.
    fn score_without_adjustment(
        &mut self,
        setup: &Setup,
        stop: &AtomicBool,
    ) -> Result<Option<i32>, PlayerError> {
        let position = start(self.run.rules(), setup);
        let Some(searcher) = self.without_adjustment.as_mut() else { return Ok(None) };
        if ![Side::White, Side::Black].into_iter().any(|side| position.may_adjust(side)) {
            return Ok(None);
        }
        searcher.clear(stop)?;
        let game = Game::new(start(searcher.rules(), setup));
        let atlas = self.run.atlas();
        Ok(Some(searcher.search(&game, atlas.nodes, atlas.best_moves, stop)?.score))
    }
}

fn start<'r>(rules: &'r backrank_rules::Rules, setup: &Setup) -> Position<'r> {
    Position::new(rules, setup).expect("no king stands in check")
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
    /// When `each` fails, no thread can be started, there is not enough memory, or another program judges, and cannot be
    /// started or does not answer.
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
                let (id, setup) = self.setup(index);
                let begun = match &mut judge {
                    Some(judge) => Ok(judge),
                    none => Judge::new(self, stop).map(|judge| none.insert(judge)),
                };
                match begun.and_then(|judge: &mut Judge<'_>| judge.judge(id, &setup, stop)) {
                    Ok(row) => Ok(Some(row)),
                    Err(PlayerError::Stopped) => Ok(None),
                    Err(error) => Err(JudgeError { setup: id, error }),
                }
            }
        };
        in_order(indices, threads, stop, worker, each)
    }
}
