//! Fitting the weights of the evaluation, by penalised logistic regression.

mod fit;
mod model;

use std::collections::BTreeMap;

use backrank_rules::{PieceKind, Position, Rules};
use thiserror::Error;

use super::{Label, Losses};
use crate::eval::{EvalFeatures, FeatureExtractor};
use crate::weights::Weights;
use fit::{Fit, SCALE};
use model::{EvalModel, GameValues};

/// A quiet position, as the regression sees it.
#[derive(Debug)]
pub struct LinearSample {
    features: EvalFeatures,
    values: GameValues,
    label: Label,
}

/// How well weights predict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightsLoss {
    /// The losses in predicting the labels' targets.
    pub mixed: Losses,
    /// The losses in predicting results alone.
    pub results: Losses,
}

/// Weights that were fitted.
#[derive(Clone, Debug)]
pub struct FittedWeights {
    /// The weights; with the values of pieces if those were not kept.
    pub weights: Weights,
    /// The quiet positions that they were fitted to.
    pub positions: usize,
    /// The quiet positions of held-out games.
    pub test_positions: usize,
    /// The scale of the weights at the start: a score of so many centipawns expects 1/(1 + 1/e) = 73 %.
    pub scale: f64,
    /// By how many centipawns the weights have changed the score of a position: the root of the mean square.
    pub moved: f64,
    /// How well the weights at the start predict.
    pub before: WeightsLoss,
    /// How well the fitted weights predict.
    pub after: WeightsLoss,
}

/// There are too few positions to fit weights to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there are {0} quiet positions; at least {FEWEST} are needed, and better a hundred thousand")]
pub struct TooFewPositions(pub usize);

/// Positions below which nothing is fitted.
const FEWEST: usize = 100;

/// How often weights and their scale are fitted in turn where the values of pieces are kept; more rounds move neither.
const RESCALINGS: usize = 3;

/// A fit of weights to the positions of one or several games.
///
/// The weights are shared by all games; the values of pieces are each game's own. A ridge prior keeps each weight near where it
/// was at the start.
pub struct LinearFit<'w> {
    start: &'w Weights,
    keep_values: bool,
    model: EvalModel,
    games: BTreeMap<String, FittedGame>,
    samples: Vec<LinearSample>,
}

/// A game whose positions are fitted: what is known of it before.
#[derive(Clone, Debug)]
pub struct FittedGame {
    rules: Rules,
    weights: Weights,
    values: GameValues,
}

impl FittedGame {
    /// The weights at the start, with this game's values of pieces.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Makes samples of its positions. It is slow to make and quick to use.
    pub fn sampler(&self) -> impl FnMut(&Position<'_>, Label) -> Option<LinearSample> + use<> {
        let mut extractor = FeatureExtractor::new(&self.rules, &self.weights);
        let values = self.values;
        move |position, label| Some(LinearSample { features: extractor.extract(position)?, values, label })
    }
}

impl<'w> LinearFit<'w> {
    /// A fit that starts from some weights, and changes the values of pieces unless these are to be kept.
    pub fn new(start: &'w Weights, keep_values: bool) -> Self {
        let model = EvalModel::new(start);
        Self { start, keep_values, model, games: BTreeMap::new(), samples: Vec::new() }
    }

    /// Adds a game, unless it is there already. Games are told apart by the keys of their variants.
    pub fn add_game(&mut self, rules: &Rules) -> FittedGame {
        let key = &rules.variant().key;
        if let Some(game) = self.games.get(key) {
            return game.clone();
        }
        let mut weights = self.start.clone();
        weights.set_game(rules);
        let values = self.model.add_game(rules, &weights, !self.keep_values);
        let game = FittedGame { rules: rules.clone(), weights, values };
        self.games.insert(key.clone(), game.clone());
        game
    }

    /// Adds positions, which the [`sampler`](FittedGame::sampler) of a game has made.
    pub fn add_samples(&mut self, mut samples: Vec<LinearSample>) {
        self.samples.append(&mut samples);
    }

    /// Fits the weights. The same samples give the same weights with any number of threads. `report` is told the number of
    /// each step, from 1, and the losses after it.
    ///
    /// # Errors
    ///
    /// When there are too few positions.
    pub fn solve(&self, mut report: impl FnMut(usize, Losses)) -> Result<FittedWeights, TooFewPositions> {
        let Self { model, samples, .. } = self;
        if samples.len() < FEWEST {
            return Err(TooFewPositions(samples.len()));
        }
        let mut fit = Fit { model, samples, scale: SCALE };
        let scale = fit.best_scale(model.parameters());
        let mut parameters = model.parameters().to_vec();
        for _ in 0..if self.keep_values { RESCALINGS } else { 1 } {
            // Where the values of pieces are kept, they say what a centipawn is.
            if self.keep_values {
                fit.scale = fit.best_scale(&parameters);
            }
            parameters = fit.solve(&mut report);
        }
        let loss = |parameters: &[f64], scale: f64| WeightsLoss {
            mixed: fit.losses(parameters, scale),
            results: fit.losses_by_result(parameters, scale),
        };
        let test_positions = samples.iter().filter(|sample| sample.label.is_test).count();
        Ok(FittedWeights {
            weights: self.weights(&parameters),
            positions: samples.len() - test_positions,
            test_positions,
            scale,
            moved: fit.distance(model.parameters(), &parameters),
            before: loss(model.parameters(), scale),
            after: loss(&parameters, fit.scale),
        })
    }

    /// The weights with some parameters.
    fn weights(&self, parameters: &[f64]) -> Weights {
        let mut weights = self.start.clone();
        self.model.put(parameters, &mut weights);
        if !self.keep_values {
            for (key, FittedGame { rules, values, .. }) in &self.games {
                let pieces = rules.variant().pieces.iter().filter(|piece| !piece.royal);
                let kinds = pieces.filter_map(|piece| rules.kind_of(piece.letter));
                let value = |kind: PieceKind| {
                    (rules.letter_of(kind).as_char(), parameters[values.of(kind)].round() as f32)
                };
                weights.values.insert(key.clone(), kinds.map(value).collect());
            }
        }
        weights
    }
}
