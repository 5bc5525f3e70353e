//! The line of best play, and the check of each of its moves by the position after it.

use std::sync::atomic::AtomicBool;

use backrank_engine::Score;
use backrank_rules::{Game, GameResult, Move, MoveKind, Position, Side};

use super::complexity::{Complexity, PLIES, gap};
use super::searcher::{BestMoves, Searcher};
use crate::player::PlayerError;

/// The nodes of the first search are divided by this for each later position of the line.
const LINE_PART: u64 = 10;

/// A move that costs its side more centipawns than this, by the search of the position after it, is searched again with all the
/// nodes of the first position; and once more if that chooses a move after which its side is mated, because then the transposition
/// table knows why.
const BLUNDER: i32 = 50;

/// The most moves of a line that are searched again. Each costs as much as the first position.
const MOST_AGAIN: usize = 10;

/// The line of best play, with the scores and gaps along it.
#[derive(Default)]
pub(super) struct Walk {
    pub moves: Vec<String>,
    pub scores: Vec<String>,
    pub gaps: Vec<String>,
    pub adjustments: Vec<String>,
    pub complexity: Complexity,
}

/// A position of the line.
struct Step {
    found: BestMoves,
    effort: Effort,
}

/// How a position of the line was searched.
#[derive(Clone, Copy)]
enum Effort {
    /// As the first one, whose score is the setup's.
    First,
    /// With a part of the nodes.
    Part,
    /// Again with all of them.
    Again,
}

impl Step {
    fn played(&self) -> Move {
        self.found.best[0].0
    }

    /// The score for the side that moves here.
    fn score(&self) -> Score {
        self.found.best[0].1
    }

    /// Whether this move loses, by what it is worth to its side in the position after it, and can be searched again.
    fn loses(&self, after: Score) -> bool {
        let can_be_better = match self.effort {
            Effort::First => false,
            Effort::Part => true,
            Effort::Again => after < Score::DRAW && after.as_centipawns().is_none(),
        };
        can_be_better && self.score().to_number() - after.to_number() > BLUNDER
    }
}

impl Walk {
    /// Follows the line of best play from a position, whose search with so many nodes gave `first`. The transposition table is
    /// kept from position to position, as in a game.
    ///
    /// Later positions are searched with a tenth of the nodes, which overlooks what the next search then sees. Such a move is
    /// searched again with all the nodes, until no mate follows it, and the line goes on from what is found. So no line ends in a mate
    /// that either side could have helped by the first search's standard.
    pub fn follow<'r>(
        searcher: &mut Searcher<'r>,
        start: &Position<'r>,
        first: BestMoves,
        nodes: u64,
        stop: &AtomicBool,
    ) -> Result<Self, PlayerError> {
        let mut steps = vec![Step { found: first, effort: Effort::First }];
        let mut again = 0;
        loop {
            let newest = steps.len() - 1;
            let game = after(start, &steps);
            let ended =
                game.outcome().map(|outcome| worth(outcome.result, game.position().side_to_move().other()));
            let blunder = match newest.checked_sub(1) {
                Some(before) if steps[before].loses(-steps[newest].score()) => Some(before),
                _ => ended.filter(|&after| steps[newest].loses(after)).map(|_| newest),
            };
            if let Some(index) = blunder.filter(|_| again < MOST_AGAIN) {
                again += 1;
                steps.truncate(index);
                let found = searcher.search(&after(start, &steps), nodes, 2, stop)?;
                steps.push(Step { found, effort: Effort::Again });
            } else if ended.is_some() || steps.len() == PLIES {
                return Ok(Self::of(start, &steps));
            } else {
                let found = searcher.search(&game, (nodes / LINE_PART).max(1), 2, stop)?;
                steps.push(Step { found, effort: Effort::Part });
            }
        }
    }

    fn of(start: &Position<'_>, steps: &[Step]) -> Self {
        let mut walk = Self::default();
        let mut position = *start;
        for step in steps {
            let (side, best) = (position.side_to_move(), step.played());
            let difference =
                step.found.best.get(1).and_then(|&(_, second)| gap(step.found.best[0].1, second));
            walk.complexity.add(side, difference);
            let score = if side == Side::White { step.score() } else { -step.score() };
            walk.scores.push(score.to_number().to_string());
            walk.gaps.push(difference.map_or("-".to_string(), |gap| gap.to_string()));
            walk.moves.push(best.uci(position.board()));
            if best.kind == MoveKind::Adjustment {
                walk.adjustments.push(format!("{}:{}", walk.moves.len(), position.notation(best)));
            }
            position.play(best);
        }
        walk
    }
}

/// The game after the moves of these positions.
fn after<'r>(start: &Position<'r>, steps: &[Step]) -> Game<'r> {
    let mut game = Game::new(*start);
    steps.iter().for_each(|step| game.play(step.played()));
    game
}

/// What a result is worth to a side.
fn worth(result: GameResult, side: Side) -> Score {
    match result {
        GameResult::Draw => Score::DRAW,
        GameResult::Win(winner) if winner == side => Score::mate_in(1),
        GameResult::Win(_) => Score::mated_in(0),
    }
}
