//! Fitting the weights of the evaluation to the games of studies.

use std::path::PathBuf;

use backrank_engine::Weights;
use backrank_engine::learn::linear::{FittedWeights, LinearFit, TooFewPositions};
use backrank_engine::learn::{Losses, TdReturn, best_scale};
use backrank_rules::{Rules, VariantError};
use thiserror::Error;

use super::games::{Selection, TrainingGames};
use crate::store::StoreError;
use crate::study::StudyDirectory;

/// How weights are fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TuneSettings {
    /// λ of the positions' [`TdReturn`], from 0 to 1: with 1 only the game's result counts, with 0 only the search's score,
    /// where it was recorded.
    pub lambda: f64,
    /// Whether the values of pieces stay as they are.
    pub keep_values: bool,
}

/// Why nothing could be fitted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TuneError {
    /// A study cannot be read.
    #[error(transparent)]
    Study(#[from] StoreError),
    /// The game of a study makes no sense.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// There is nothing to learn from.
    #[error("the studies are too small: {0}")]
    TooFew(#[from] TooFewPositions),
}

/// Positions of a game that are looked at; fewer are quiet.
const POSITIONS_OF_A_GAME: f64 = 40.0;

/// Fits weights to the games of studies, from some weights at the start, by penalised logistic regression on quiet positions.
/// Each tenth game is held out of the fit, to see how well the weights predict it.
///
/// The same studies give the same weights with any number of threads. `report` is told the number of each step, from 1, and
/// the losses after it.
///
/// # Errors
///
/// When a study cannot be read, or there are too few positions.
pub fn tune(
    studies: &[PathBuf],
    start: &Weights,
    settings: TuneSettings,
    report: impl FnMut(usize, Losses),
) -> Result<FittedWeights, TuneError> {
    let mut games = Vec::new();
    for path in studies {
        let study = StudyDirectory::read(path)?;
        let rules = Rules::new(&study.variant()?);
        games.push((rules, TrainingGames::read(path, &study)?));
    }
    let scores: Vec<(f64, f64)> = games.iter().flat_map(|(_, games)| games.scores_and_results()).collect();
    let td_return = TdReturn { scale: best_scale(&scores), lambda: settings.lambda };
    let mut fit = LinearFit::new(start, settings.keep_values);
    for (rules, games) in &games {
        let game = fit.add_game(rules);
        let selection = Selection::OfEachGame(POSITIONS_OF_A_GAME);
        let sampler = || game.sampler();
        let samples = games.quiet_positions(rules, game.weights(), td_return, selection, sampler)?;
        fit.add_samples(samples);
    }
    Ok(fit.solve(report)?)
}
