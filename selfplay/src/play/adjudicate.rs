//! Ending games early, as other match runners do.

use backrank_endgames::EndgameTables;
use backrank_engine::Score;
use backrank_rules::{GameResult, Position, Side};

use crate::study::Adjudication;

/// The number of plies without a capture or a pawn move after which a game is drawn, unless the last of them ends it
/// otherwise.
const FIFTY_MOVES: u32 = 100;

/// Decides by the players' scores and by endgame tables whether a game ends early.
#[derive(Debug)]
pub(super) struct Adjudicator<'t> {
    rule: Adjudication,
    tables: Option<&'t EndgameTables>,
    /// For White and Black, the number of its moves in a row with a losing score.
    hopeless: [u32; 2],
    /// The number of plies in a row whose mover had an even score.
    even: u32,
}

impl<'t> Adjudicator<'t> {
    /// Tables are probed only if the study's adjudication says so.
    pub fn new(rule: Adjudication, tables: Option<&'t EndgameTables>) -> Self {
        let tables = tables.filter(|_| rule.tables);
        Self { rule, tables, hopeless: [0; 2], even: 0 }
    }

    /// Records the score of the player that has just chosen a move. A player that gives no score never resigns or
    /// agrees to a draw.
    pub fn record_score(&mut self, side: Side, score: Option<Score>) {
        let score = score.map(|score| i64::from(score.to_number()));
        if let Some(resign) = self.rule.resign {
            let hopeless = &mut self.hopeless[side as usize];
            let lost = score.is_some_and(|score| score <= -i64::from(resign.score));
            *hopeless = if lost { *hopeless + 1 } else { 0 };
        }
        if let Some(draw) = self.rule.draw {
            let even = score.is_some_and(|score| score.abs() <= i64::from(draw.score));
            self.even = if even { self.even + 1 } else { 0 };
        }
    }

    /// The result, if the game is to end here: after this number of plies, before move `move_number`.
    pub fn result(&self, plies: u32, move_number: u32) -> Option<GameResult> {
        if let Some(resign) = self.rule.resign {
            for side in [Side::White, Side::Black] {
                if self.hopeless[side as usize] >= resign.moves {
                    return Some(GameResult::Win(side.other()));
                }
            }
        }
        let is_draw = self.rule.draw.is_some_and(|draw| {
            // The move with this number has not been played yet.
            move_number > draw.from_move && self.even >= 2 * draw.moves
        });
        let is_long = self.rule.max_plies.is_some_and(|most| plies >= most);
        (is_draw || is_long).then_some(GameResult::Draw)
    }

    /// The result, if the tables know it. A win counts if it takes no longer than the fifty-move rule allows without a
    /// capture or a pawn move; if it takes longer, the game is played on.
    pub fn known_result(&self, position: &Position<'_>) -> Option<GameResult> {
        let value = self.tables?.probe(position)?;
        let Some(winner) = value.winner(position.side_to_move()) else { return Some(GameResult::Draw) };
        let plies = value.plies().map_or(0, u32::from);
        (u32::from(position.halfmove_clock()) + plies <= FIFTY_MOVES).then_some(GameResult::Win(winner))
    }
}

#[cfg(test)]
mod tests {
    use backrank_rules::{Rules, Variant};

    use super::*;
    use crate::study::{DrawRule, ResignRule};

    #[test]
    fn a_side_resigns_after_enough_lost_scores() {
        let resign = Some(ResignRule { score: 600, moves: 2 });
        let mut game = Adjudicator::new(Adjudication { resign, ..Adjudication::default() }, None);
        let lost = Some(Score::centipawns(-600));
        for (side, score, result) in [
            (Side::Black, lost, None),
            (Side::White, Some(Score::centipawns(900)), None),
            (Side::Black, Some(Score::centipawns(-599)), None),
            (Side::Black, lost, None),
            (Side::Black, None, None),
            (Side::Black, lost, None),
            (Side::Black, Some(Score::mated_in(4)), Some(GameResult::Win(Side::White))),
        ] {
            game.record_score(side, score);
            assert_eq!(game.result(50, 25), result, "{side:?} {score:?}");
        }
    }

    #[test]
    fn a_draw_needs_both_sides_and_a_late_move() {
        let draw = Some(DrawRule { from_move: 40, moves: 2, score: 10 });
        let mut game = Adjudicator::new(Adjudication { draw, ..Adjudication::default() }, None);
        for side in [Side::White, Side::Black, Side::White] {
            game.record_score(side, Some(Score::centipawns(-10)));
            assert_eq!(game.result(90, 45), None);
        }
        game.record_score(Side::Black, Some(Score::centipawns(3)));
        assert_eq!(game.result(80, 40), None, "move 40 is still to be played");
        assert_eq!(game.result(82, 41), Some(GameResult::Draw));
        game.record_score(Side::White, Some(Score::centipawns(11)));
        assert_eq!(game.result(82, 41), None);
    }

    #[test]
    fn a_limit_of_plies_is_a_draw() {
        let game = Adjudicator::new(Adjudication { max_plies: Some(20), ..Adjudication::default() }, None);
        assert_eq!((game.result(19, 10), game.result(20, 11)), (None, Some(GameResult::Draw)));
    }

    #[test]
    fn table_results_respect_the_fifty_move_rule() {
        let rules = Rules::new(&Variant::find("chess").unwrap());
        let tables = EndgameTables::three_men(&rules);
        let by_tables = Adjudication { tables: true, ..Adjudication::default() };
        let [on, off] =
            [by_tables, Adjudication::default()].map(|rule| Adjudicator::new(rule, Some(&tables)));
        let white = Some(GameResult::Win(Side::White));
        for (fen, result) in [
            // Mate in one move, at the last moment.
            ("k7/8/1K6/8/8/8/8/6Q1 w - - 99 90", white),
            ("8/8/1K6/8/8/8/8/k6Q b - - 0 90", white),
            ("k7/8/8/8/8/8/8/K5Q1 w - - 95 90", None),
            ("k7/8/8/8/8/8/8/K5Q1 w - - 20 90", white),
            ("K7/8/8/8/8/8/8/k5q1 b - - 20 90", Some(GameResult::Win(Side::Black))),
            ("8/8/8/3k4/8/3K4/3P4/8 w - - 0 90", Some(GameResult::Draw)),
            ("k7/8/8/8/8/8/8/K4QQ1 w - - 0 90", None),
        ] {
            let position = Position::from_fen(&rules, fen).unwrap();
            assert_eq!(on.known_result(&position), result, "{fen}");
            assert_eq!(off.known_result(&position), None, "{fen}");
        }
    }
}
