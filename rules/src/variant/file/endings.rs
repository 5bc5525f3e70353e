//! `[endings]`.

use super::Problem;
use super::letters::PieceLetters;
use super::tables::{EndingsTable, GoalTable};
use crate::bitboard::Bitboard;
use crate::letter::Letter;
use crate::variant::{Goal, Stalemate};

/// The most checks that a game may need.
const MAX_CHECKS: u8 = 9;

impl EndingsTable {
    /// What stalemate is for the side that cannot move.
    pub fn stalemate(&self) -> Result<Stalemate, Problem> {
        match self.stalemate.as_ref().map(|text| (text.get_ref().as_str(), text.span())) {
            None | Some(("draw", _)) => Ok(Stalemate::Draw),
            Some(("loss", _)) => Ok(Stalemate::Loss),
            Some(("win", _)) => Ok(Stalemate::Win),
            Some((other, span)) => {
                let problem = format!(
                    "`{other}`: stalemate is a `draw`, a `loss` or a `win` for the side that cannot move"
                );
                Err((span, problem))
            }
        }
    }

    /// Whether the third occurrence of a position is a draw.
    pub fn repetition_draws(&self) -> Result<bool, Problem> {
        match self.repetition.as_ref().map(|text| (text.get_ref().as_str(), text.span())) {
            None | Some(("draw", _)) => Ok(true),
            Some(("none", _)) => Ok(false),
            Some((other, span)) => {
                let problem = format!(
                    "`{other}`: the third occurrence of a position is a `draw`, or `none` ends the game"
                );
                Err((span, problem))
            }
        }
    }

    /// The number of checks that win; 0 where only mate does.
    pub fn checks(&self) -> Result<u8, Problem> {
        match &self.checks {
            None => Ok(0),
            Some(checks) if (1..=MAX_CHECKS).contains(checks.get_ref()) => Ok(*checks.get_ref()),
            Some(checks) => Err((checks.span(), format!("a game is won by 1 to {MAX_CHECKS} checks"))),
        }
    }
}

impl PieceLetters<'_> {
    pub fn goal(&self, table: &GoalTable) -> Result<Goal, Problem> {
        let piece = match table.piece.get_ref().as_str() {
            "P" => Letter::PAWN,
            _ => self.letter(&table.piece)?,
        };
        let mut squares = [Bitboard::EMPTY; 2];
        for (squares, names) in squares.iter_mut().zip(table.squares.get_ref().each()) {
            for name in names.split([' ', ',']).filter(|name| !name.is_empty()) {
                let square = self.board.parse_square(name).ok_or_else(|| {
                    (table.squares.span(), format!("`{name}` is not a square of a board of {}", self.board))
                })?;
                *squares |= square.into();
            }
            if squares.is_empty() {
                let problem = "a goal has squares, as in \"d4 e4 d5 e5\", for each side if the sides differ";
                return Err((table.squares.span(), problem.to_string()));
            }
        }
        Ok(Goal { piece, squares })
    }
}
