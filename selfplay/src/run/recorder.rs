//! Writing down what is played, and going on where an earlier run ended.

use std::fmt::Write;
use std::ops::{ControlFlow, Range};

use thiserror::Error;

use super::{Played, Recorded, Run, Tally, Work};
use crate::study::{
    GameScores, GamesReader, GamesWriter, ScoresWriter, Sprt, SprtVerdict, StudyDirectory, StudyError,
};

/// So many games in a row that end with the failure of a player end the run.
const FAILURES_IN_A_ROW: u32 = 3;

/// Why a game could not be recorded, or no more games should be played.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The directory gives trouble.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// A player fails again and again.
    #[error(
        "{FAILURES_IN_A_ROW} games in a row ended with a failure, the last one of {name}: {problem} (failures.log has \
         what was said; run the same command again to continue)"
    )]
    Failing {
        /// The player that failed last.
        name: String,
        /// How.
        problem: String,
    },
}

/// The record of a study: its games so far, and room for the next.
#[derive(Debug)]
pub struct Recorder {
    directory: StudyDirectory,
    /// None where all games are in a compressed file.
    writer: Option<GamesWriter>,
    /// None where the study does not ask for scores, or no game can be added.
    scores: Option<ScoresWriter>,
    next: u64,
    /// After the last game of the study.
    end: u64,
    sprt: Option<Sprt>,
    tally: Tally,
    work: [Work; 2],
    failures_in_a_row: u32,
}

impl Recorder {
    /// Reads what has been played, holds every game against the study and the rules, and cuts off a last line that a
    /// crash has torn.
    ///
    /// # Errors
    ///
    /// When a row is not a game of the study: the error names its line, and the file is left as it is. When there are games
    /// after the pair that decided the study's sequential test. When games are missing and the file is compressed. When the
    /// study asks for scores and those of a game are missing.
    pub fn resume(directory: StudyDirectory, run: &Run<'_, '_>) -> Result<Self, StudyError> {
        let games = StudyDirectory::games(directory.path());
        let Range { start, end } = run.study.range();
        let sprt = run.study.sprt;
        let (mut tally, mut decided_at) = (Tally::new(run.study), None);
        let path = StudyDirectory::recorded(directory.path())?.unwrap_or_else(|| games.clone());
        let recorded = if path.exists() {
            run.read(GamesReader::open(&path, run.study)?, |record| {
                let completes_pair = tally.add(record);
                if completes_pair && decided_at.is_none() && is_decided(sprt, &tally) {
                    decided_at = Some(record.game);
                }
            })?
        } else {
            Recorded { next: start, end: 0, scores_end: 0 }
        };
        if let Some(last) = decided_at.filter(|last| last + 1 < recorded.next) {
            let problem = format!("game {last} decided the sequential test, and no game can come after it");
            return Err(StudyError::Row { path, line: last - start + 3, problem });
        }
        let (next, work) = (recorded.next, Default::default());
        let compressed = path != games;
        if compressed && next < end && decided_at.is_none() {
            return Err(StudyError::Compressed { path, next, all: run.study.all_games() });
        }
        let writer =
            (!compressed).then(|| GamesWriter::resume(&path, recorded.end, run.study)).transpose()?;
        let scores = (run.study.scores && !compressed).then(|| {
            let path = StudyDirectory::scores(directory.path());
            ScoresWriter::resume(&path, recorded.scores_end, run.study)
        });
        let scores = scores.transpose()?;
        Ok(Self { directory, writer, scores, next, end, sprt, tally, work, failures_in_a_row: 0 })
    }

    /// The number of the next game.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Whether no game is left to play: all are there, or the study's sequential test is decided.
    pub fn is_complete(&self) -> bool {
        self.next == self.end || is_decided(self.sprt, &self.tally)
    }

    /// All results, those of earlier runs too.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// What the study's White did in this run, and its Black.
    pub fn work(&self) -> [Work; 2] {
        self.work
    }

    /// Writes down the next game; breaks off when it decides the study's sequential test. No game that comes after it is
    /// of the study.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or when it is the third in a row in which a player failed.
    pub fn add(&mut self, played: &Played) -> Result<ControlFlow<()>, RecordError> {
        if let Some(failure) = &played.failure {
            let mut text = format!("game {}: {}: {}\n", played.record.game, failure.name, failure.problem);
            for line in &failure.last_lines {
                writeln!(text, "    {line}").expect("a string takes it");
            }
            self.directory.log_failure(&text)?;
        }
        // First, so that no game is without its scores.
        if let Some(scores) = &mut self.scores {
            scores.write(&GameScores::new(played.record.game, &played.scores))?;
        }
        if let Some(writer) = &mut self.writer {
            writer.write(&played.record)?;
        }
        self.next += 1;
        let completes_pair = self.tally.add(&played.record);
        for (sum, work) in self.work.iter_mut().zip(played.work) {
            sum.moves += work.moves;
            sum.nodes += work.nodes;
            sum.time += work.time;
        }
        match &played.failure {
            None => self.failures_in_a_row = 0,
            Some(failure) => {
                self.failures_in_a_row += 1;
                if self.failures_in_a_row == FAILURES_IN_A_ROW {
                    let (name, problem) = (failure.name.clone(), failure.problem.clone());
                    return Err(RecordError::Failing { name, problem });
                }
            }
        }
        let is_over = completes_pair && is_decided(self.sprt, &self.tally);
        Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}

/// Whether the results so far decide a sequential test.
fn is_decided(sprt: Option<Sprt>, tally: &Tally) -> bool {
    sprt.is_some_and(|test| test.verdict(&tally.pairs) != SprtVerdict::Undecided)
}
