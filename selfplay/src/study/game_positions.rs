//! The positions of a recorded game, one after the other.

use std::str::SplitAsciiWhitespace;

use backrank_rules::{Game, Move, Position, Rules};

use super::record::GameRecord;
use super::scores::MoveScore;

/// A position of a recorded game.
#[derive(Debug)]
pub struct GamePosition<'g, 'r> {
    /// The number of plies that were played before it.
    pub ply: u32,
    /// The game so far.
    pub game: &'g Game<'r>,
    /// The move that was played in it; `None` after the last move.
    pub played: Option<Move>,
    /// The score of that move for the side that played it, if it has one.
    pub score: Option<MoveScore>,
}

/// The positions of a recorded game, from its start to that after its last move.
#[derive(Debug)]
pub struct GamePositions<'s, 'r> {
    game: Game<'r>,
    /// The move that leads to the next position.
    next: Option<Move>,
    is_over: bool,
    moves: SplitAsciiWhitespace<'s>,
    scores: &'s [Option<MoveScore>],
}

impl GameRecord {
    /// The positions of the game, with the scores of its moves, of which there may be none.
    ///
    /// ```
    /// # use backrank_rules::{Position, Rules, Side, Variant};
    /// # use backrank_selfplay::study::{SetupChoice, StudyDirectory, StudySpec};
    /// # fn show(record: &backrank_selfplay::study::GameRecord, rules: &Rules) -> Result<(), String> {
    /// let mut positions = record.positions(rules, &[])?;
    /// while let Some(at) = positions.next()? {
    ///     println!("{} {}", at.ply, at.game.position());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// When the start is not a position of these rules, or the moves were not recorded.
    pub fn positions<'s, 'r>(
        &'s self,
        rules: &'r Rules,
        scores: &'s [Option<MoveScore>],
    ) -> Result<GamePositions<'s, 'r>, String> {
        self.positions_from(self.start(rules)?, scores)
    }

    /// The same from [its start](Self::start), where that is known already.
    ///
    /// # Errors
    ///
    /// When the moves were not recorded.
    pub fn positions_from<'s, 'r>(
        &'s self,
        start: Position<'r>,
        scores: &'s [Option<MoveScore>],
    ) -> Result<GamePositions<'s, 'r>, String> {
        if !self.has_moves() {
            return Err("the moves of this study were not recorded (without_moves); play it again with them"
                .to_string());
        }
        Ok(GamePositions {
            game: Game::new(start),
            next: None,
            is_over: false,
            moves: self.moves.split_ascii_whitespace(),
            scores,
        })
    }

    /// The position that the game started from.
    ///
    /// # Errors
    ///
    /// When its FEN is not a position of these rules.
    pub fn start<'r>(&self, rules: &'r Rules) -> Result<Position<'r>, String> {
        Position::from_fen(rules, &self.fen).map_err(|error| format!("fen: {error}"))
    }

    /// The game as it was played, from its start to its last move.
    ///
    /// # Errors
    ///
    /// When the start is not a position of these rules, a move is not legal, or the moves were not recorded. The text
    /// says which.
    pub fn replay<'r>(&self, rules: &'r Rules) -> Result<Game<'r>, String> {
        let mut positions = self.positions(rules, &[])?;
        while positions.next()?.is_some() {}
        Ok(positions.game)
    }
}

impl<'r> GamePositions<'_, 'r> {
    /// The next position; `None` after that of the last move.
    ///
    /// # Errors
    ///
    /// When the move that was played in it is not legal.
    #[allow(clippy::should_implement_trait, reason = "it lends the game, which no iterator can")]
    pub fn next(&mut self) -> Result<Option<GamePosition<'_, 'r>>, String> {
        if self.is_over {
            return Ok(None);
        }
        if let Some(played) = self.next.take() {
            self.game.play(played);
        }
        let ply = self.game.moves().len();
        let text = self.moves.next();
        let played = text.map(|text| self.game.position().parse_uci(text)).transpose();
        self.next = played.map_err(|error| format!("move {}: {error}", ply + 1))?;
        self.is_over = self.next.is_none();
        let score = self.scores.get(ply).copied().flatten();
        Ok(Some(GamePosition { ply: ply as u32, game: &self.game, played: self.next, score }))
    }
}
