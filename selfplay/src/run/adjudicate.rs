//! Cutting games short, as other match runners do.

use backrank_rules::{GameResult, Side};

use crate::score::Score;
use crate::study::Adjudication;

/// What the players have thought of the game so far.
#[derive(Debug)]
pub(super) struct Adjudicator {
    rule: Adjudication,
    /// Moves in a row after which a side thought itself lost, White's and Black's.
    hopeless: [u32; 2],
    /// Plies in a row after which the mover thought the game even.
    even: u32,
}

impl Adjudicator {
    pub fn new(rule: Adjudication) -> Self {
        Self { rule, hopeless: [0; 2], even: 0 }
    }

    /// Hears what the player of a side thought when it chose a move. A player that says nothing never agrees.
    pub fn hear(&mut self, side: Side, score: Option<Score>) {
        let score = score.map(|score| i64::from(score.0));
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

    /// The result, when the game is to end here: after so many plies, and this many moves of the game.
    pub fn result(&self, plies: u32, move_number: u32) -> Option<GameResult> {
        if let Some(resign) = self.rule.resign {
            for side in [Side::White, Side::Black] {
                if self.hopeless[side as usize] >= resign.moves {
                    return Some(GameResult::Win(side.other()));
                }
            }
        }
        let is_draw = self.rule.draw.is_some_and(|draw| {
            // The move with this number is still to be played.
            move_number > draw.from_move && self.even >= 2 * draw.moves
        });
        let is_long = self.rule.max_plies.is_some_and(|most| plies >= most);
        (is_draw || is_long).then_some(GameResult::Draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{DrawRule, ResignRule};

    #[test]
    fn a_side_resigns_when_it_has_thought_itself_lost_long_enough() {
        let resign = Some(ResignRule { score: 600, moves: 2 });
        let mut game = Adjudicator::new(Adjudication { resign, ..Adjudication::default() });
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
            game.hear(side, score);
            assert_eq!(game.result(50, 25), result, "{side:?} {score:?}");
        }
    }

    #[test]
    fn a_draw_needs_both_sides_and_a_late_move() {
        let draw = Some(DrawRule { from_move: 40, moves: 2, score: 10 });
        let mut game = Adjudicator::new(Adjudication { draw, ..Adjudication::default() });
        for side in [Side::White, Side::Black, Side::White] {
            game.hear(side, Some(Score::centipawns(-10)));
            assert_eq!(game.result(90, 45), None);
        }
        game.hear(Side::Black, Some(Score::centipawns(3)));
        assert_eq!(game.result(80, 40), None, "move 40 is still to be played");
        assert_eq!(game.result(82, 41), Some(GameResult::Draw));
        game.hear(Side::White, Some(Score::centipawns(11)));
        assert_eq!(game.result(82, 41), None);
    }

    #[test]
    fn a_limit_of_plies_is_a_draw() {
        let game = Adjudicator::new(Adjudication { max_plies: Some(20), ..Adjudication::default() });
        assert_eq!((game.result(19, 10), game.result(20, 11)), (None, Some(GameResult::Draw)));
    }
}
