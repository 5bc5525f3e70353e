//! The best lines of a position, as a UCI engine tells them.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use backrank_engine::{Limits, Score};
use backrank_rules::{Game, Move};

use super::conversation::Conversation;
use super::{InfoLine, LONGEST_ANSWER, PlayerError, UciPlayer, go_command, position_command};

/// What an engine has found when it has finished a depth.
#[derive(Clone, Debug)]
pub(crate) struct FinishedDepth {
    /// The depth in plies.
    pub depth: u32,
    /// The nodes searched so far, as the engine counts them.
    pub nodes: u64,
    /// The best moves and their scores for the side to move, in descending order.
    pub best: Vec<(Move, Score)>,
}

/// An engine that searches fewer nodes in a second than this is given up.
const SLOWEST: u64 = 1_000;

impl<C: Conversation> UciPlayer<C> {
    /// Searches a position that has legal moves, and returns what was found at each depth that was finished for all of the
    /// best `lines`.
    ///
    /// An engine may tell its lines at any time, so that those of two depths are mixed. Only what it tells of one depth in a
    /// row, from the best line to the last, is a finished depth: that does not depend on how fast the machine is.
    pub fn depths(
        &mut self,
        game: &Game<'_>,
        nodes: u64,
        lines: usize,
        stop: &AtomicBool,
    ) -> Result<Vec<FinishedDepth>, PlayerError> {
        if lines != self.lines {
            self.conversation.say(&format!("setoption name MultiPV value {lines}"));
            self.lines = lines;
        }
        let position = game.position();
        let mut told = Told::new(lines.min(position.legal_moves().len()));
        let patience = self.timeout.saturating_add(Duration::from_secs(nodes / SLOWEST));
        self.conversation.say(&position_command(game, self.knows_unmoved, self.chess960));
        self.conversation.say(&go_command(&Limits::of_nodes(nodes), None, position.side_to_move()));
        let answer = self
            .conversation
            .wait_for("bestmove", patience, Some(stop), |line| told.note(&InfoLine::read(line)))?;
        let nonsense = |said: &str, problem: String| PlayerError::Nonsense {
            said: said.chars().take(LONGEST_ANSWER).collect(),
            problem,
        };
        if told.depths.is_empty() && !told.latest.is_empty() {
            // With so few nodes not even one depth was finished.
            told.depths.push((told.latest_depth, nodes, std::mem::take(&mut told.latest)));
        }
        if told.depths.is_empty() {
            let problem = format!(
                "comes before it has told the score of any move in {}; it takes more nodes, or tells none",
                position.to_fen()
            );
            return Err(nonsense(&answer, problem));
        }
        told.depths
            .into_iter()
            .map(|(depth, nodes, best)| {
                let mut moves = best
                    .into_iter()
                    .map(|(text, score)| {
                        let read = position.parse_uci(&text);
                        read.map(|read| (read, score)).map_err(|error| {
                            nonsense(&text, format!("is not legal in {}: {error}", position.to_fen()))
                        })
                    })
                    .collect::<Result<Vec<_>, _>>()?;
                moves.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
                Ok(FinishedDepth { depth, nodes, best: moves })
            })
            .collect()
    }
}

/// The first move of a line, and its score.
type ToldLine = (String, Score);

/// What an engine has told.
struct Told {
    /// The number of lines that make a depth complete.
    wanted: usize,
    /// The depth of the lines that are being told.
    depth: u32,
    lines: Vec<ToldLine>,
    /// What it told last in a row, from the best line on, whether all lines followed or not; and at which depth.
    latest: Vec<ToldLine>,
    latest_depth: u32,
    /// The depth, the nodes and the lines of each finished depth.
    depths: Vec<(u32, u64, Vec<ToldLine>)>,
}

impl Told {
    fn new(wanted: usize) -> Self {
        Self { wanted, depth: 0, lines: Vec::new(), latest: Vec::new(), latest_depth: 0, depths: Vec::new() }
    }

    fn note(&mut self, info: &InfoLine<'_>) {
        let (Some(score), Some(depth), Some(first)) = (info.score, info.depth, info.first) else { return };
        if info.rank == 1 {
            self.lines.clear();
            self.depth = depth;
        }
        if depth != self.depth || info.rank != self.lines.len() + 1 {
            return self.lines.clear();
        }
        self.lines.push((first.to_string(), score));
        if self.depths.is_empty() && self.lines.len() >= self.latest.len() {
            self.latest.clone_from(&self.lines);
            self.latest_depth = depth;
        }
        if self.lines.len() == self.wanted {
            // An engine may tell a depth twice.
            self.depths.retain(|(other, ..)| *other < depth);
            self.depths.push((depth, info.nodes.unwrap_or(0), std::mem::take(&mut self.lines)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_depths_that_are_told_in_a_row_count() {
        let mut told = Told::new(2);
        for line in [
            "info depth 1 multipv 1 score cp 10 nodes 20 pv e2e4",
            "info depth 1 multipv 2 score cp 5 nodes 20 pv d2d4 d7d5",
            "info depth 2 currmove e2e4 currmovenumber 1",
            "info depth 2 multipv 1 score cp 30 lowerbound nodes 30 pv e2e4",
            // Told after three seconds, in the middle of a depth.
            "info depth 2 multipv 1 score cp 31 nodes 40 pv e2e4",
            "info depth 1 multipv 2 score cp 5 nodes 40 pv d2d4",
            "info depth 2 multipv 1 score cp 31 nodes 50 pv e2e4",
            "info depth 2 multipv 2 score cp 7 nodes 50 pv g1f3",
            "info depth 3 multipv 1 score cp 12 nodes 90 pv c2c4",
            "info depth 2 multipv 2 score cp 31 nodes 90 pv e2e4",
            "info depth 3 multipv 2 score cp 12 nodes 90 pv c2c4",
        ] {
            told.note(&InfoLine::read(line));
        }
        let texts =
            |depth: usize| told.depths[depth].2.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>();
        assert_eq!(
            told.depths.iter().map(|(depth, nodes, _)| (*depth, *nodes)).collect::<Vec<_>>(),
            [(1, 20), (2, 50)]
        );
        assert_eq!((texts(0), texts(1)), (vec!["e2e4", "d2d4"], vec!["e2e4", "g1f3"]));
    }
}
