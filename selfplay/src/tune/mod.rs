//! Fitting the weights of the evaluation to recorded games.

mod fit;
mod model;
mod samples;

use std::collections::BTreeMap;
use std::path::PathBuf;

use backrank_rules::{PieceKind, Rules, VariantError};
use thiserror::Error;

use crate::study::{StudyDirectory, StudyError};
use crate::weights::Weights;
pub use fit::Losses;
use fit::{Fit, SCALE};
pub(crate) use fit::{best_scale, cross_entropy, expected};
use model::EvalModel;
pub(crate) use samples::{Became, Hindsight, Selection, TrainingGames};

/// How weights are fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TuneSettings {
    /// What the position a ply later counts for, from 0 to 1, in what a position is expected to come to; the rest is what
    /// the search's score says, where it was recorded. With 1 the game's result is all that counts, with 0 the score.
    pub lambda: f64,
    /// Whether the values of pieces stay as they are.
    pub keep_values: bool,
}

/// How well weights predict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// The losses in predicting what positions came to, as [`TuneSettings::lambda`] mixes results and scores.
    pub mixed: Losses,
    /// The losses in predicting results alone.
    pub results: Losses,
}

/// Weights that were fitted.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The weights; with the values of pieces if those were not kept.
    pub weights: Weights,
    /// The quiet positions that they were fitted to.
    pub positions: usize,
    /// Those of the games that were left out.
    pub test_positions: usize,
    /// The scale of the weights at the start: a score of so many centipawns expects 1/(1 + 1/e) = 73 %.
    pub scale: f64,
    /// By how many centipawns the weights have changed the score of a position: the root of the mean square.
    pub moved: f64,
    /// How well the weights at the start predict.
    pub before: Prediction,
    /// How well the fitted weights predict.
    pub after: Prediction,
}

/// Why nothing could be fitted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TuneError {
    /// A study cannot be read.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// The game of a study makes no sense.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// There is nothing to learn from.
    #[error(
        "the studies have {0} quiet positions; at least {FEWEST} are needed, and better a hundred thousand"
    )]
    TooFew(usize),
}

/// Positions below which nothing is fitted.
const FEWEST: usize = 100;

/// How often weights and their scale are fitted in turn where the values of pieces are kept; more moves neither.
const RESCALINGS: usize = 3;

/// Fits weights to the games of studies, from some weights at the start: by logistic regression on quiet positions, where
/// each weight is held a little where it was. Each tenth game is left out of the fit, to see how well the weights predict it.
///
/// The same studies give the same weights with any number of threads. `report` is told of the losses after each step.
///
/// # Errors
///
/// When a study cannot be read, or there are too few positions.
pub fn tune(
    studies: &[PathBuf],
    start: &Weights,
    settings: TuneSettings,
    mut report: impl FnMut(usize, Losses),
) -> Result<Tuned, TuneError> {
    let mut games = Vec::new();
    for path in studies {
        let study = StudyDirectory::read(path)?;
        let rules = Rules::new(&study.variant()?);
        games.push((rules, TrainingGames::read(path, &study)?));
    }
    let scores: Vec<(f64, f64)> = games.iter().flat_map(|(_, games)| games.scores_and_results()).collect();
    let hindsight = Hindsight { scale: best_scale(&scores), lambda: settings.lambda };
    let mut model = EvalModel::new(start);
    let mut values = BTreeMap::new();
    let mut samples = Vec::new();
    for (rules, games) in &games {
        let mut weights = start.clone();
        weights.set_game(rules);
        let values = *values
            .entry(rules.variant().key.clone())
            .or_insert_with(|| model.add_game(rules, &weights, !settings.keep_values));
        samples.append(&mut games.tuning_samples(rules, &weights, values, hindsight)?);
    }
    if samples.len() < FEWEST {
        return Err(TuneError::TooFew(samples.len()));
    }
    let mut fit = Fit { model: &model, samples: &samples, scale: SCALE };
    let scale = fit.best_scale(model.parameters());
    let mut parameters = model.parameters().to_vec();
    for _ in 0..if settings.keep_values { RESCALINGS } else { 1 } {
        // Where the values of pieces are kept, they say what a centipawn is.
        if settings.keep_values {
            fit.scale = fit.best_scale(&parameters);
        }
        parameters = fit.solve(&mut report);
    }
    let prediction = |parameters: &[f64], scale: f64| Prediction {
        mixed: fit.losses(parameters, scale),
        results: fit.losses_by_result(parameters, scale),
    };

    let mut weights = start.clone();
    model.put(&parameters, &mut weights);
    if !settings.keep_values {
        for (rules, _) in &games {
            let values = values[&rules.variant().key];
            let pieces = rules.variant().pieces.iter().filter(|piece| !piece.royal);
            let kinds = pieces.filter_map(|piece| rules.kind_of(piece.letter));
            let value = |kind: PieceKind| {
                (char::from(rules.letter_of(kind)), parameters[values.of(kind)].round() as f32)
            };
            weights.values.insert(rules.variant().key.clone(), kinds.map(value).collect());
        }
    }
    let test_positions = samples.iter().filter(|sample| sample.is_test).count();
    Ok(Tuned {
        weights,
        positions: samples.len() - test_positions,
        test_positions,
        scale,
        moved: fit.distance(model.parameters(), &parameters),
        before: prediction(model.parameters(), scale),
        after: prediction(&parameters, fit.scale),
    })
}
