//! Whether a row of `games.csv` is a game of its study.

use backrank_rules::{Game, Position};

use super::Run;

use crate::study::{Ending, GameRecord, GamesReader, Place, StudyError};

/// How much of a study a `games.csv` holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The number of the next game.
    pub next: u64,
    /// The bytes of the whole lines; what comes after them was torn by a crash.
    pub end: u64,
}

impl Run<'_, '_> {
    /// Reads a `games.csv` and holds every game against the study and the rules, in the order of their numbers.
    ///
    /// # Errors
    ///
    /// When a row is not the next game of the study: the error names its line.
    pub fn read(
        &self,
        mut reader: GamesReader,
        mut each: impl FnMut(&GameRecord),
    ) -> Result<Recorded, StudyError> {
        let mut next = self.study.range().start;
        while let Some(record) = reader.next().transpose()? {
            if record.game != next {
                return Err(reader.wrong(format!("game {} stands where game {next} should", record.game)));
            }
            self.check(&record).map_err(|problem| reader.wrong(problem))?;
            each(&record);
            next += 1;
        }
        Ok(Recorded { next, end: reader.end() })
    }

    /// Plays a recorded game again: its setup, its players, its moves and its end must be what the study and the rules
    /// say.
    ///
    /// # Errors
    ///
    /// When they are not, what differs.
    pub fn check(&self, record: &GameRecord) -> Result<(), String> {
        let study = self.study;
        if !study.range().contains(&record.game) {
            return Err(format!("game {} is not one of this study", record.game));
        }
        let place = Place::of(study, record.game);
        let (id, setup) = (self.setup)(place.setup);
        let same = |column: &str, is: &str, should: &str| {
            if is == should {
                Ok(())
            } else {
                Err(format!("{column} is {is}, and this study has {should} there"))
            }
        };
        let mut players = [&study.white.name, &study.black.name];
        if place.reversed {
            players.reverse();
        }
        same("setup", &record.setup.to_string(), &id.to_string())?;
        same("white_rank", &record.white_rank, &setup.white.to_string())?;
        same("black_rank", &record.black_rank, &setup.black.to_string())?;
        same("white", &record.white, players[0])?;
        same("black", &record.black, players[1])?;
        let start = place.start(&place.starts(study, self.rules, &setup, &mut place.rng(study)));
        same("odds", &record.odds, &place.odds(study).map(|odds| odds.to_string()).unwrap_or_default())?;
        if record.opening_plies > record.plies.min(study.opening.plies) {
            return Err(format!("opening_plies is {}, and so many there cannot be", record.opening_plies));
        }
        // Written anew, for the same position has been written in more than one way.
        let recorded = Position::from_fen(self.rules, &record.fen).map_err(|error| error.to_string())?;
        same("fen", &recorded.to_fen(), &start.to_fen())?;
        let mut game = Game::new(start);
        for text in record.moves.split_ascii_whitespace() {
            if game.outcome().is_some() {
                return Err(format!("moves go on with {text} after the game is over"));
            }
            let played = game.position().parse_uci(text).map_err(|error| error.to_string())?;
            game.play(played);
        }
        match (record.termination, game.outcome()) {
            (Ending::Rules(_), None) => Err(format!("{}, and the game is not over", record.termination)),
            (Ending::Rules(termination), Some(outcome)) => {
                same("termination", &termination.to_string(), &outcome.termination.to_string())?;
                same("result", &record.result.to_string(), &outcome.result.to_string())
            }
            _ => Ok(()),
        }
    }
}
