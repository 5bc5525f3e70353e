//! The starting positions of a study's games.

use backrank_rules::{Position, Rules, Setup, SetupError};
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use super::book::{BookError, BookSchedule};
use super::definition::Study;
use super::odds::Odds;
use super::other_side::with_other_side_to_move;
use super::positions::FoundPosition;
use super::record::SourcePosition;
use super::schedule::ScheduledGame;
use super::setup_choice::SetupsError;
use super::setups::StudySetups;
use super::starts::Starts;
use crate::store::StoreError;

/// The starting positions of a study's games. They come from setups, with or without odds, from a book of openings, or from
/// positions of recorded games.
#[derive(Debug)]
pub struct StudyStarts(StartSource);

#[derive(Debug)]
enum StartSource {
    Setups(Box<StudySetups>),
    Book(BookSchedule, Vec<String>),
    Recorded(Vec<FoundPosition>),
}

/// Why the starts of a study cannot be found.
#[derive(Debug, Error)]
pub enum StartsError {
    /// The study does not have these setups.
    #[error(transparent)]
    Setups(#[from] SetupsError),
    /// The book of openings cannot be used.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The recorded games cannot be used.
    #[error(transparent)]
    Recorded(#[from] StoreError),
}

/// Why no game can start from a setup.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NoStart(String);

/// The start of a game, or of both games of a pair.
pub(crate) struct Start<'r> {
    /// The setup's id in the study's numbering, or the number of the opening in its book.
    pub setup: u128,
    /// The setup's first ranks, White's and Black's; empty for an opening of a book.
    pub ranks: [String; 2],
    /// The recorded position from which it was made.
    pub source: Option<SourcePosition>,
    /// The positions of the games that share a random opening, in the order of the games.
    pub positions: Vec<Position<'r>>,
}

impl StudyStarts {
    /// Gets the starts of a study. Books and recorded games are read from their files.
    ///
    /// # Errors
    ///
    /// When the study has no such setups, or a file cannot be read or has changed since the study was begun.
    pub fn of(study: &Study, rules: &Rules) -> Result<Self, StartsError> {
        let source = match (&study.starts, &study.odds) {
            (Starts::Book(book), _) => StartSource::Book(book.schedule(study.seed), book.load(rules)?),
            (Starts::Recorded(from), Some(odds)) => StartSource::Recorded(from.load(odds, study, rules)?),
            _ => {
                let setups = StudySetups::of_defined(study)?;
                setups.check_kings()?;
                StartSource::Setups(Box::new(setups))
            }
        };
        Ok(Self(source))
    }

    /// The start of a game. Both games of a pair must give the same random numbers.
    ///
    /// # Errors
    ///
    /// When no position is left without the pieces that the odds take away.
    pub(crate) fn get<'r>(
        &self,
        scheduled: ScheduledGame,
        study: &Study,
        rules: &'r Rules,
        rng: &mut ChaCha8Rng,
    ) -> Result<Start<'r>, NoStart> {
        let read = |fen: &String| Position::from_fen(rules, fen).expect("it was written from a position");
        Ok(match &self.0 {
            StartSource::Setups(setups) => {
                let (id, setup, positions) = match &study.odds {
                    None => {
                        let (id, setup) = setups.get(scheduled.start);
                        let no_start = |error| NoStart::of(&setup, None, error);
                        let start = Position::new(rules, &setup).map_err(no_start)?;
                        let positions = match study.swap_sides {
                            true => vec![start, with_other_side_to_move(&start).map_err(no_start)?],
                            false => vec![start],
                        };
                        (id, setup, positions)
                    }
                    Some(odds) => {
                        let start = setups.start_at_odds(scheduled, study, odds, rules, rng)?;
                        (start.id, start.setup, start.positions.to_vec())
                    }
                };
                let ranks = [setup.white, setup.black].map(|rank| rank.to_string());
                Start { setup: id, ranks, source: None, positions }
            }
            StartSource::Book(schedule, openings) => {
                let opening = schedule.opening(scheduled.start);
                let positions = vec![read(&openings[opening as usize])];
                Start { setup: opening.into(), ranks: Default::default(), source: None, positions }
            }
            StartSource::Recorded(found) => {
                let FoundPosition { source, setup, ranks, fens } = &found[scheduled.start as usize];
                let positions = fens.iter().map(read).collect();
                Start { setup: *setup, ranks: ranks.clone(), source: Some(*source), positions }
            }
        })
    }
}

impl NoStart {
    pub(super) fn of(setup: &Setup, odds: Option<&Odds>, error: SetupError) -> Self {
        let without = odds
            .map_or_else(String::new, |odds| format!(" without {odds}, whichever of its pieces are missing"));
        Self(format!("no game can start from {}/{}{without}: {error}", setup.white, setup.black))
    }
}

impl<'r> Start<'r> {
    /// The starting position of a game.
    pub fn position(&self, scheduled: ScheduledGame) -> Position<'r> {
        self.positions[scheduled.is_second as usize % self.positions.len()]
    }
}
