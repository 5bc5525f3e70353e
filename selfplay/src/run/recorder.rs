//! Writing down what is played, and going on where an earlier run ended.

use std::fmt::Write;

use thiserror::Error;

use super::{Played, Recorded, Run, Tally, Work};
use crate::study::{GamesReader, GamesWriter, StudyDirectory, StudyError};

/// So many games in a row that end with the failure of a player end the run.
const FAILURES_IN_A_ROW: u32 = 3;

/// Why a game could not be recorded, or no more games should be played.
#[derive(Debug, Error)]
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
    next: u64,
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
    /// When a row is not a game of the study: the error names its line, and the file is left as it is. When games are
    /// missing and the file is compressed.
    pub fn resume(directory: StudyDirectory, run: &Run<'_, '_>) -> Result<Self, StudyError> {
        let games = StudyDirectory::games(directory.path());
        let mut tally = Tally::new(run.study);
        let path = StudyDirectory::recorded(directory.path())?.unwrap_or_else(|| games.clone());
        let recorded = if path.exists() {
            run.read(GamesReader::open(&path, run.study)?, |record| tally.add(record))?
        } else {
            Recorded { next: run.study.range().start, end: 0 }
        };
        let (next, work) = (recorded.next, Default::default());
        let compressed = path != games;
        if compressed && next < run.study.range().end {
            return Err(StudyError::Compressed { path, next, all: run.study.all_games() });
        }
        let writer = (!compressed).then(|| GamesWriter::resume(&path, recorded.end)).transpose()?;
        Ok(Self { directory, writer, next, tally, work, failures_in_a_row: 0 })
    }

    /// The number of the next game.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// All results, those of earlier runs too.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// What the study's White did in this run, and its Black.
    pub fn work(&self) -> [Work; 2] {
        self.work
    }

    /// Writes down the next game.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or when it is the third in a row in which a player failed.
    pub fn add(&mut self, played: &Played) -> Result<(), RecordError> {
        if let Some(failure) = &played.failure {
            let mut text = format!("game {}: {}: {}\n", played.record.game, failure.name, failure.problem);
            for line in &failure.last_lines {
                writeln!(text, "    {line}").expect("a string takes it");
            }
            self.directory.log_failure(&text)?;
        }
        if let Some(writer) = &mut self.writer {
            writer.write(&played.record)?;
        }
        self.next += 1;
        self.tally.add(&played.record);
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
        Ok(())
    }
}
