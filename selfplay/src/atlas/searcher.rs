//! Searching a position for its best moves, by the embedded engine or another.

use std::sync::atomic::{AtomicBool, Ordering};

use backrank_engine::{Engine, Limits, Score};
use backrank_rules::{Game, Move, Rules};

use super::definition::Atlas;
use crate::player::{Analyst, PlayerError};

/// An engine that searches positions by some rules.
pub(super) struct Searcher<'r> {
    rules: &'r Rules,
    engine: Judging<'r>,
}

enum Judging<'r> {
    Builtin(Box<Engine<'r>>),
    Uci(Analyst),
}

/// The result of a search of one position.
pub(super) struct BestMoves {
    /// The best moves and their scores in descending order, all searched to the same depth.
    pub best: Vec<(Move, Score)>,
    pub depth: u32,
    /// The best score, as a mean of the last two depths.
    pub score: i32,
    /// The same after a quarter of the nodes.
    pub quarter: Option<i32>,
}

impl<'r> Searcher<'r> {
    /// Starts the engine of an atlas.
    pub fn start(atlas: &Atlas, rules: &'r Rules, stop: &AtomicBool) -> Result<Self, PlayerError> {
        let engine = match &atlas.engine {
            None => Judging::Builtin(Box::new(Engine::try_new(
                rules,
                &atlas.weights(rules),
                atlas.hash as usize,
            )?)),
            Some(engine) => Judging::Uci(engine.start(atlas.hash, rules, stop)?),
        };
        Ok(Self { rules, engine })
    }

    pub fn rules(&self) -> &'r Rules {
        self.rules
    }

    /// Forgets everything that was searched.
    pub fn clear(&mut self, stop: &AtomicBool) -> Result<(), PlayerError> {
        match &mut self.engine {
            Judging::Builtin(engine) => {
                engine.clear();
                Ok(())
            }
            Judging::Uci(engine) => engine.clear(stop),
        }
    }

    /// Searches a position that has legal moves.
    ///
    /// The evaluation favours the side to move, and so does a search of an even number of plies. The mean of two depths in a row
    /// favours neither.
    pub fn search(
        &mut self,
        game: &Game<'r>,
        nodes: u64,
        lines: usize,
        stop: &AtomicBool,
    ) -> Result<BestMoves, PlayerError> {
        let found = match &mut self.engine {
            Judging::Builtin(engine) => by_builtin(engine, game, nodes, lines, stop),
            Judging::Uci(engine) => {
                let depths = engine.depths(game, nodes, lines, stop)?;
                let mut scores = Means::new(nodes);
                for depth in &depths {
                    scores.add(depth.best[0].1, depth.nodes);
                }
                let last = depths.into_iter().next_back().expect("an analyst tells at least one depth");
                scores.with(last.best, last.depth)
            }
        };
        if stop.load(Ordering::Relaxed) { Err(PlayerError::Stopped) } else { Ok(found) }
    }
}

fn by_builtin<'r>(
    engine: &mut Engine<'r>,
    game: &Game<'r>,
    nodes: u64,
    lines: usize,
    stop: &AtomicBool,
) -> BestMoves {
    let wanted = lines.min(game.position().legal_moves().len());
    let (mut best, mut scores) = (None, Means::new(nodes));
    let limits = Limits { lines, ..Limits::of_nodes(nodes) };
    let result = engine.search(game, &limits, stop, |progress| {
        best = if progress.rank == 1 { Some(progress.score) } else { best.max(Some(progress.score)) };
        if let (true, Some(best)) = (progress.rank == wanted, best) {
            scores.add(best, progress.nodes);
        }
    });
    let first = result.best.expect("a position with legal moves has a best one");
    let others = result.others.iter().map(|line| (line.first(), line.score));
    scores.with(std::iter::once((first, result.score)).chain(others).collect(), result.depth)
}

/// The best scores of the depths of a search, as means of two in a row.
struct Means {
    /// A quarter of the nodes of the search.
    quarter_nodes: u64,
    before: Option<Score>,
    score: Option<i32>,
    quarter: Option<i32>,
}

impl Means {
    fn new(nodes: u64) -> Self {
        Self { quarter_nodes: nodes / 4, before: None, score: None, quarter: None }
    }

    /// Adds the best score of the next depth, which was finished after so many nodes.
    fn add(&mut self, best: Score, nodes: u64) {
        self.score = Some(mean_score(best, self.before));
        self.before = Some(best);
        if nodes <= self.quarter_nodes {
            self.quarter = self.score;
        }
    }

    fn with(self, best: Vec<(Move, Score)>, depth: u32) -> BestMoves {
        let score = self.score.unwrap_or(best[0].1.to_number());
        BestMoves { best, depth, score, quarter: self.quarter }
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
