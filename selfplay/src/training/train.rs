//! Training a net on the games of studies.

use std::path::PathBuf;
use std::sync::Arc;

use backrank_engine::learn::network::{NetSample, NetSampler, NetTraining, TrainedNet, WrongStart};
use backrank_engine::learn::{Losses, TdReturn, best_scale};
use backrank_engine::{Net, Weights};
use backrank_rules::{Position, Rules, VariantError};
use thiserror::Error;

use super::games::{Selection, TrainingGames};
use crate::store::StoreError;
use crate::study::StudyDirectory;

/// How a net is trained.
#[derive(Clone, Debug)]
pub struct TrainSettings {
    /// λ of the positions' [`TdReturn`], as in [`TuneSettings::lambda`](super::TuneSettings::lambda).
    pub lambda: f64,
    /// How often each position is seen.
    pub epochs: usize,
    /// The net to begin with. Without one, a random net first learns what the engine's weights say.
    pub start: Option<Arc<Net>>,
}

/// A phase of the training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainPhase {
    /// Distillation: the targets are what the engine's weights say of positions near those of the games.
    Weights,
    /// The targets are the TD(λ) returns of the games' positions.
    Games,
}

/// Why no net could be trained.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainError {
    /// A study cannot be read.
    #[error(transparent)]
    Study(#[from] StoreError),
    /// The game of a study makes no sense.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// The studies are of several games.
    #[error("a net is for one game: {0} has other pieces or another board than the study before it")]
    SeveralGames(String),
    /// The net to begin with cannot be trained on.
    #[error(transparent)]
    WrongStart(#[from] WrongStart),
    /// There is nothing to learn from.
    #[error("the studies have {0} quiet positions; at least {FEWEST} are needed, and better ten million")]
    TooFew(usize),
}

/// Positions below which nothing is trained.
const FEWEST: usize = 100;

/// Epochs of the distillation.
const EPOCHS_OF_WEIGHTS: usize = 4;

/// Trains a net on the games of studies, which must be of one game. Each tenth game is held out, to see how well the net
/// predicts it. Returns it with the number of positions that it was trained on.
///
/// Games alone have too few positions to teach a random net what a piece is worth in every place, so it first learns to score
/// positions near those of the games as the engine's weights do. Then it learns from quiet positions of the games what they
/// came to.
///
/// The same studies give the same net with any number of threads. `report` is told the phase, the number of each epoch in it,
/// from 1, and the losses.
///
/// # Errors
///
/// When a study cannot be read, is of another game than the others, or there are too few positions.
pub fn train(
    studies: &[PathBuf],
    settings: &TrainSettings,
    mut report: impl FnMut(TrainPhase, usize, Losses),
) -> Result<(TrainedNet, usize), TrainError> {
    let games = GamesOfOne::read(studies, settings.lambda)?;
    let rules = games.rules();
    let test = games.quiet_positions(true)?;
    let mut training = NetTraining::new(rules, games.td_return.scale, settings.start.as_deref(), test)?;
    if settings.start.is_none() {
        let mut nearby = games.positions_nearby()?;
        training.train(&mut nearby, EPOCHS_OF_WEIGHTS, |epoch, losses| {
            report(TrainPhase::Weights, epoch, losses);
        });
    }
    // Only now, for all of these and those nearby would need a lot of memory at once.
    let mut known = games.quiet_positions(false)?;
    if known.len() < FEWEST {
        return Err(TrainError::TooFew(known.len()));
    }
    training.train(&mut known, settings.epochs, |epoch, losses| report(TrainPhase::Games, epoch, losses));
    Ok((training.finish(), known.len()))
}

/// Studies of one game.
struct GamesOfOne {
    studies: Vec<(Rules, TrainingGames)>,
    td_return: TdReturn,
}

impl GamesOfOne {
    fn read(paths: &[PathBuf], lambda: f64) -> Result<Self, TrainError> {
        let mut studies: Vec<(Rules, TrainingGames)> = Vec::new();
        for path in paths {
            let study = StudyDirectory::read(path)?;
            let rules = Rules::new(&study.variant()?);
            if studies.first().is_some_and(|(other, _)| !Net::same_game(other, &rules)) {
                return Err(TrainError::SeveralGames(path.display().to_string()));
            }
            studies.push((rules, TrainingGames::read(path, &study)?));
        }
        if studies.is_empty() {
            return Err(TrainError::TooFew(0));
        }
        let scores: Vec<(f64, f64)> =
            studies.iter().flat_map(|(_, games)| games.scores_and_results()).collect();
        Ok(Self { studies, td_return: TdReturn { scale: best_scale(&scores), lambda } })
    }

    /// The rules of the first study. Those of the others give a net the same inputs.
    fn rules(&self) -> &Rules {
        &self.studies[0].0
    }

    /// The quiet positions of the held-out games, or of the others, with what they came to.
    fn quiet_positions(&self, held_out: bool) -> Result<Vec<NetSample>, TrainError> {
        let mut samples = Vec::new();
        for (rules, games) in &self.studies {
            let weights = Weights::new(rules).without_net();
            let sampler = || {
                let sampler = NetSampler::new(rules, self.td_return.scale);
                move |position: &Position<'_>, label| Some(sampler.labelled(position, label))
            };
            let selection = Selection::AllOf { held_out };
            let mut quiet = games.quiet_positions(rules, &weights, self.td_return, selection, sampler)?;
            samples.append(&mut quiet);
        }
        Ok(samples)
    }

    /// Positions near those of the games, with what the engine's weights say of them.
    fn positions_nearby(&self) -> Result<Vec<NetSample>, TrainError> {
        let mut samples = Vec::new();
        for (rules, games) in &self.studies {
            let sampler = NetSampler::new(rules, self.td_return.scale);
            samples.append(&mut games.positions_nearby(rules, |position| sampler.by_weights(position))?);
        }
        Ok(samples)
    }
}
