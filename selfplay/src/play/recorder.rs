//! Recording games as they are played, and resuming an interrupted study.

use std::convert::Infallible;
use std::fmt::Write;
use std::ops::{ControlFlow, Range};
use std::path::Path;

use backrank_rules::printable;
use thiserror::Error;

use super::{PlayedGame, Run, StudyProgress, Tally, Work};
use crate::player::PlayerSpec;
use crate::store::{DirectoryKind, StoreError};
use crate::study::{
    GameRecord, GameScores, GamesReader, GamesWriter, ScoresWriter, Sprt, SprtVerdict, Study, StudyDirectory,
};

/// The run ends after this many failures of players in a row.
const FAILURES_IN_A_ROW: u32 = 3;

/// Why a game could not be recorded, or why the run should end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The study's directory cannot be read or written.
    #[error(transparent)]
    Study(#[from] StoreError),
    /// Players failed in several games in a row.
    #[error(
        "{FAILURES_IN_A_ROW} games in a row ended because a player failed, the last time {name}: {problem} \
         (failures.log holds the last output of the players; run the same command again to continue)"
    )]
    Failing {
        /// The player that failed last.
        name: String,
        /// What went wrong.
        problem: String,
    },
}

/// The record of a study: the games so far, and the files to which further games are added.
#[derive(Debug)]
pub struct Recorder {
    directory: StudyDirectory,
    /// `None` if the games are in a compressed file.
    writer: Option<GamesWriter>,
    /// `None` if the study records no scores, or if no game can be added.
    scores: Option<ScoresWriter>,
    next: u64,
    /// One past the number of the study's last game.
    end: u64,
    sprt: Option<Sprt>,
    tally: Tally,
    work: [Work; 2],
    failures_in_a_row: u32,
}

impl Recorder {
    /// Reads the games played so far, checks each against the study and the rules, and cuts off a last line that a
    /// crash left incomplete.
    ///
    /// # Errors
    ///
    /// When a row is not a game of the study (the error names its line, and the file is left as it is), when a file is not
    /// what it was when an earlier run ended, when there are games after the pair that decided the study's sequential test,
    /// or when games are missing and the file is compressed.
    pub fn resume(directory: StudyDirectory, run: &Run<'_, '_>) -> Result<Self, StoreError> {
        Self::resume_reading(directory, run, |_| ())
    }

    /// The same, and passes each game that is there to `each`.
    ///
    /// # Errors
    ///
    /// As of [`Self::resume`].
    pub fn resume_reading(
        mut directory: StudyDirectory,
        run: &Run<'_, '_>,
        mut each: impl FnMut(&GameRecord),
    ) -> Result<Self, StoreError> {
        let games = StudyDirectory::games(directory.path());
        let Range { start, end } = run.study.range();
        let sprt = run.study.sprt;
        let (mut tally, mut decided_at, mut first) = (Tally::new(run.study), None, Vec::new());
        let path = StudyDirectory::recorded(directory.path())?.unwrap_or_else(|| games.clone());
        let recorded = if path.exists() {
            let read = run.read(GamesReader::open_to_continue(&path, run.study)?, |record| {
                each(record);
                let completes_pair = tally.add(record);
                if completes_pair && decided_at.is_none() && is_decided(sprt, &tally) {
                    decided_at = Some(record.game);
                }
                if directory.is_torn() && first.len() < COMPARED {
                    first.push(record.clone());
                }
            });
            read.map_err(|error| go_on_before(error, run.study))?
        } else {
            StudyProgress { next: start, end: 0, scores_end: 0 }
        };
        if let Some(last) = decided_at.filter(|last| last + 1 < recorded.next) {
            let problem = format!("game {last} decided the sequential test, so no game can follow it");
            return Err(StoreError::Row { path, line: last - start + 3, problem });
        }
        let (next, work) = (recorded.next, Default::default());
        let compressed = path != games;
        if compressed && next < end && decided_at.is_none() {
            return Err(StoreError::Compressed {
                what: DirectoryKind::Study,
                path,
                next,
                all: run.study.all_games(),
            });
        }
        if directory.is_torn() {
            check_first(&first, run, directory.path())?;
            directory.write_again()?;
        }
        let writer =
            (!compressed).then(|| GamesWriter::resume(&path, recorded.end, run.study)).transpose()?;
        let scores = (run.study.scores && !compressed).then(|| {
            let path = StudyDirectory::scores(directory.path());
            ScoresWriter::resume(&path, recorded.scores_end, run.study)
        });
        let scores = scores.transpose()?;
        if recorded.end == 0 {
            // Whatever becomes of the rows, no crash takes one file away and leaves the other.
            directory.sync()?;
        }
        Ok(Self { directory, writer, scores, next, end, sprt, tally, work, failures_in_a_row: 0 })
    }

    /// Puts the games so far on the disk.
    ///
    /// # Errors
    ///
    /// When that is not possible.
    pub fn sync(&mut self) -> Result<(), StoreError> {
        self.scores.as_mut().map_or(Ok(()), ScoresWriter::sync)?;
        self.writer.as_mut().map_or(Ok(()), GamesWriter::sync)
    }

    /// Ends this run: puts the games on the disk, and the checksums of their files beside them.
    ///
    /// # Errors
    ///
    /// When that is not possible.
    pub fn finish(&mut self) -> Result<(), StoreError> {
        self.scores.as_mut().map_or(Ok(()), ScoresWriter::finish)?;
        self.writer.as_mut().map_or(Ok(()), GamesWriter::finish)
    }

    /// The number of the next game.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Whether no game is left to play: all have been played, or the study's sequential test is decided.
    pub fn is_complete(&self) -> bool {
        self.next == self.end || is_decided(self.sprt, &self.tally)
    }

    /// All results, including those of earlier runs.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The work of the study's White and of its Black in this run, in this order.
    pub fn work(&self) -> [Work; 2] {
        self.work
    }

    /// Checks that the files to which games are added are still there.
    ///
    /// # Errors
    ///
    /// When one of them was removed or replaced meanwhile.
    pub fn check_files(&self) -> Result<(), StoreError> {
        self.writer.as_ref().map_or(Ok(()), GamesWriter::check_there)?;
        self.scores.as_ref().map_or(Ok(()), ScoresWriter::check_there)
    }

    /// Records the next game. Returns `Break` if the game decides the study's sequential test: no later game belongs to
    /// the study.
    ///
    /// # Errors
    ///
    /// When the game cannot be written, or when it is the third in a row in which a player failed.
    pub fn add(&mut self, played: &PlayedGame) -> Result<ControlFlow<()>, RecordError> {
        if let Some(failure) = &played.failure {
            let mut text = format!("game {}: {}: {}\n", played.record.game, failure.name, failure.problem);
            for line in &failure.last_lines {
                writeln!(text, "    {line}").expect("a string takes it");
            }
            // People look at it on a terminal.
            self.directory.log_failure(&printable(&text))?;
        }
        // Scores come first, so that after a crash no game lacks them.
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
            sum.nodes = sum.nodes.saturating_add(work.nodes);
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

/// Says of a damaged row how to go on, where its game can be played again.
fn go_on_before(error: StoreError, study: &Study) -> StoreError {
    match error {
        StoreError::Row { path, line, problem } if study.starts.imported().is_none() => StoreError::Row {
            path,
            line,
            problem: format!(
                "{problem}; if the file is damaged, remove this line and all that follow it, and their games are played again"
            ),
        },
        error => error,
    }
}

/// So many games say whether a definition that was lost is that of the games that are there.
const COMPARED: usize = 4;

/// Plays the first games of a study whose definition is lost, and holds them against those that are recorded, where they can
/// only be the same.
fn check_first(first: &[GameRecord], run: &Run<'_, '_>, path: &Path) -> Result<(), StoreError> {
    let study = run.study;
    let is_repeatable = [&study.white, &study.black].into_iter().all(PlayerSpec::is_builtin)
        && study.limits.time.is_none()
        && study.limits.clock.is_none();
    let (true, [one, ..]) = (is_repeatable, first) else { return Ok(()) };
    let mut recorded = first.iter();
    let mut other = None;
    let result = run.play(one.game..one.game + first.len() as u64, |PlayedGame { record, .. }| {
        let same = |of: &GameRecord| (of.plies, of.result, of.moves.clone());
        if recorded.next().is_none_or(|recorded| same(recorded) != same(&record)) {
            other.get_or_insert(record.game);
        }
        Ok::<_, Infallible>(ControlFlow::Continue(()))
    });
    let problem = match (result, other) {
        (Ok(()), None) => return Ok(()),
        (Ok(()), Some(game)) => format!("game {game} takes another course"),
        (Err(error), _) => error.to_string(),
    };
    Err(StoreError::RowsOfAnother { path: path.join("study.toml"), problem })
}

/// Whether the results so far decide the sequential test, if there is one.
fn is_decided(sprt: Option<Sprt>, tally: &Tally) -> bool {
    sprt.is_some_and(|test| test.verdict(&tally.pairs) != SprtVerdict::Undecided)
}
