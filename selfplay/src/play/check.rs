//! Checking recorded games by replaying them.

use super::Run;
use crate::store::StoreError;
use crate::study::{Ending, GameRecord, GamesReader, ScheduledGame, ScoresReader, SourcePosition, same};

/// How much of a study its `games.csv` holds, and its `scores.csv` if it records scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StudyProgress {
    /// The number of the next game.
    pub next: u64,
    /// The length of the complete lines, in bytes. Anything after them is a line that a crash cut short.
    pub end: u64,
    /// The same for `scores.csv`; 0 if the study records no scores.
    pub scores_end: u64,
}

impl Run<'_, '_> {
    /// Reads the `games.csv` of this run's study, replays every game and passes it to `each`, in the order of game
    /// numbers. If the study records scores, the first game without a row in the `scores.csv` beside it is not there, nor
    /// are those after it.
    ///
    /// # Errors
    ///
    /// When a row is not the next game of the study, or does not hold the scores of its moves. The error names the
    /// line.
    pub fn read(
        &self,
        mut reader: GamesReader,
        mut each: impl FnMut(&GameRecord),
    ) -> Result<StudyProgress, StoreError> {
        let mut next = self.study.range().start;
        let (mut end, mut scores_end) = (reader.end(), 0);
        let path = reader.path().with_file_name("scores.csv");
        let mut scores: Option<ScoresReader> = None;
        while let Some(record) = reader.next().transpose()? {
            self.check(&record).map_err(|problem| reader.wrong(problem))?;
            if self.study.scores {
                let scores = match &mut scores {
                    Some(scores) => scores,
                    None if !path.exists() => return Err(StoreError::NoScores(path)),
                    none => none.insert(ScoresReader::open_as(&path, reader.is_continued())?),
                };
                if scores.next_scores_of(&record)?.is_none() {
                    break;
                }
                scores_end = scores.end();
            }
            each(&record);
            next += 1;
            end = reader.end();
        }
        scores.as_mut().map_or(Ok(()), ScoresReader::verify)?;
        Ok(StudyProgress { next, end, scores_end })
    }

    /// Replays a recorded game. Its start must be the one that the study gives it, its moves must be legal, and its end
    /// must agree with the rules.
    fn check(&self, record: &GameRecord) -> Result<(), String> {
        let study = self.study;
        let scheduled = ScheduledGame::of(study, record.game);
        let start = self.starts.get(scheduled, study, self.rules, &mut scheduled.rng(study));
        let start = start.map_err(|error| error.to_string())?;
        let source = |source: Option<SourcePosition>| {
            source.map_or("none".to_string(), |source| format!("ply {} of game {}", source.ply, source.game))
        };
        same("the source", &source(record.source), &source(start.source))?;
        let start = start.position(scheduled);
        // Earlier versions wrote the same position as a different FEN, so compare both in today's form.
        same("fen", &record.start(self.rules)?.to_fen(), &start.to_fen())?;
        if study.without_moves {
            return Ok(());
        }
        let mut positions = record.positions_from(start, &[])?;
        let mut end = None;
        while let Some(at) = positions.next()? {
            end = at.game.outcome();
            if at.played.is_some() && end.is_some() {
                return Err(format!("the game is over after {} of {} plies", at.ply, record.plies));
            }
        }
        match (record.termination, end) {
            (Ending::Rules(_), None) => Err(format!(
                "the termination is {}, but the game is not over after its last move",
                record.termination
            )),
            (Ending::Rules(termination), Some(outcome)) => {
                same("termination", &termination.to_string(), &outcome.termination.to_string())?;
                same("result", &record.result_text(), &outcome.result.to_string())
            }
            _ => Ok(()),
        }
    }
}
