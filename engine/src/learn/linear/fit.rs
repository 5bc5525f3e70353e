//! Logistic regression by the method of Gauss and Newton, damped as Levenberg and Marquardt do it.

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::LinearSample;
use super::model::{EvalModel, Gradient};
use crate::learn::{Losses, best_scale, cross_entropy, sigmoid};

/// Samples a chunk: sums are the same with any number of threads.
const CHUNK: usize = 4096;

/// The design effect of sampling games: how many positions of a game, which share its result, tell as much as one independent
/// position would.
const DESIGN_EFFECT: f64 = 8.0;

/// The scale of weights that are fitted together with the values of pieces: an advantage of so many centipawns expects
/// 1/(1 + 1/e) = 73 %.
///
/// It keeps the centipawn what it is. The search has margins in centipawns, and from results alone the scale of all weights
/// would drift with the strength of the players.
pub(super) const SCALE: f64 = 290.0;

/// A logistic regression: the sigmoid of the evaluation, divided by a scale, against the labels.
pub(super) struct Fit<'s> {
    pub model: &'s EvalModel,
    pub samples: &'s [LinearSample],
    /// The scale of the weights to be found.
    pub scale: f64,
}

impl Fit<'_> {
    /// The mean loss by `target` of the samples that are held out, or of the others; NaN if there are none.
    fn mean_loss(
        &self,
        parameters: &[f64],
        scale: f64,
        is_test: bool,
        target: impl Fn(&LinearSample) -> f64 + Sync,
    ) -> f64 {
        let of_chunk = |chunk: &[LinearSample]| {
            let mut sum = (0.0, 0.0);
            for sample in chunk.iter().filter(|sample| sample.label.is_test == is_test) {
                let score = self.model.score(parameters, &sample.features, sample.values, None);
                sum.0 += cross_entropy(target(sample), score / scale);
                sum.1 += 1.0;
            }
            sum
        };
        let chunks: Vec<(f64, f64)> = self.samples.par_chunks(CHUNK).map(of_chunk).collect();
        let (loss, number) = chunks.into_iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        loss / number
    }

    /// The losses in predicting the labels' targets, by scores of a scale.
    pub fn losses(&self, parameters: &[f64], scale: f64) -> Losses {
        let loss = |is_test| self.mean_loss(parameters, scale, is_test, |sample| sample.label.target);
        Losses { fit: loss(false), test: loss(true) }
    }

    /// The losses in predicting the results alone.
    pub fn losses_by_result(&self, parameters: &[f64], scale: f64) -> Losses {
        let loss = |is_test| self.mean_loss(parameters, scale, is_test, |sample| sample.label.result);
        Losses { fit: loss(false), test: loss(true) }
    }

    /// The scale with which the evaluation best predicts the labels' targets.
    pub fn best_scale(&self, parameters: &[f64]) -> f64 {
        let score = |sample: &LinearSample| {
            (self.model.score(parameters, &sample.features, sample.values, None), sample.label.target)
        };
        let fitted = self.samples.par_iter().filter(|sample| !sample.label.is_test);
        best_scale(&fitted.map(score).collect::<Vec<_>>())
    }

    /// The root mean square of the differences between the scores by two sets of parameters, in centipawns.
    pub fn distance(&self, some: &[f64], others: &[f64]) -> f64 {
        let square = |sample: &LinearSample| {
            let score =
                |parameters: &[f64]| self.model.score(parameters, &sample.features, sample.values, None);
            (score(some) - score(others)).powi(2)
        };
        let sum: f64 = self.samples.iter().map(square).sum();
        (sum / self.samples.len() as f64).sqrt()
    }

    /// The parameters with the least penalised loss; `report` is told of each step.
    pub fn solve(&self, mut report: impl FnMut(usize, Losses)) -> Vec<f64> {
        let start = self.model.parameters();
        let number = self.samples.iter().filter(|sample| !sample.label.is_test).count().max(1) as f64;
        // The precision of each parameter's prior, in the units of the mean loss.
        let ridge: Vec<f64> = (0..start.len())
            .map(|parameter| {
                let change = self.model.prior_deviation(parameter).unwrap_or(1.0);
                DESIGN_EFFECT / (number * change * change)
            })
            .collect();
        let penalty = |parameters: &[f64]| -> f64 {
            let terms = parameters.iter().zip(start).zip(&ridge);
            terms.map(|((now, first), ridge)| ridge * (now - first).powi(2) / 2.0).sum()
        };
        let objective = |parameters: &[f64]| self.losses(parameters, self.scale).fit + penalty(parameters);
        let mut parameters = start.to_vec();
        let mut best = objective(&parameters);
        let mut damping = 0.01;
        for step in 1..=MAX_STEPS {
            let (mut normal, mut gradient) = self.normal_equations(&parameters);
            for (index, &ridge) in ridge.iter().enumerate() {
                normal[(index, index)] += ridge;
                gradient[index] += ridge * (start[index] - parameters[index]);
            }
            let mut better = None;
            while damping < 1e6 {
                let mut damped = normal.clone();
                (0..parameters.len()).for_each(|index| damped[(index, index)] *= 1.0 + damping);
                if let Some(factors) = damped.cholesky() {
                    let change = factors.solve(&gradient);
                    let next: Vec<f64> =
                        parameters.iter().zip(change.iter()).map(|(now, change)| now + change).collect();
                    let loss = objective(&next);
                    if loss < best {
                        damping *= 0.2;
                        better = Some((next, loss));
                        break;
                    }
                }
                damping *= 6.0;
            }
            let Some((next, loss)) = better else { break };
            let gain = best - loss;
            (parameters, best) = (next, loss);
            report(step, self.losses(&parameters, self.scale));
            if gain < TOLERANCE {
                break;
            }
        }
        parameters
    }

    /// The matrix and the right side of the equations for the next step.
    fn normal_equations(&self, parameters: &[f64]) -> (DMatrix<f64>, DVector<f64>) {
        let size = parameters.len();
        let of_chunk = |chunk: &[LinearSample]| {
            let mut normal = vec![0.0; size * size];
            let mut right = vec![0.0; size];
            let mut gradient = Gradient::new();
            let mut number = 0.0;
            for sample in chunk.iter().filter(|sample| !sample.label.is_test) {
                let score =
                    self.model.score(parameters, &sample.features, sample.values, Some(&mut gradient));
                let now = sigmoid(score / self.scale);
                let residual = (sample.label.target - now) / self.scale;
                let curvature = now * (1.0 - now) / (self.scale * self.scale);
                for &(row, by) in &gradient {
                    right[row] += residual * by;
                    let by = curvature * by;
                    let row = &mut normal[row * size..(row + 1) * size];
                    gradient.iter().for_each(|&(column, other)| row[column] += by * other);
                }
                number += 1.0;
            }
            (normal, right, number)
        };
        let mut normal = vec![0.0; size * size];
        let mut right = vec![0.0; size];
        let mut number: f64 = 0.0;
        // A few chunks at a time, for each has a matrix of its own.
        for chunks in self.samples.chunks(CHUNK * 16) {
            let parts: Vec<_> = chunks.par_chunks(CHUNK).map(of_chunk).collect();
            for (part, part_right, part_number) in parts {
                normal.iter_mut().zip(part).for_each(|(sum, one)| *sum += one);
                right.iter_mut().zip(part_right).for_each(|(sum, one)| *sum += one);
                number += part_number;
            }
        }
        let number = number.max(1.0);
        (DMatrix::from_vec(size, size, normal) / number, DVector::from_vec(right) / number)
    }
}

/// More steps are hardly ever taken.
const MAX_STEPS: usize = 40;

/// The iteration ends with the step that reduces the mean loss by less than this.
const TOLERANCE: f64 = 2e-6;

#[cfg(test)]
mod tests {
    use backrank_rules::{Game, PieceKind, Position, Rules, Variant};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::super::model::GameValues;
    use super::*;
    use crate::eval::FeatureExtractor;
    use crate::learn::Label;
    use crate::weights::Weights;

    /// Positions of random games of chess from its start, with results drawn as some weights expect them.
    fn simulated(
        model: &EvalModel,
        values: GameValues,
        rules: &Rules,
        weights: &Weights,
    ) -> Vec<LinearSample> {
        const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let mut extractor = FeatureExtractor::new(rules, weights);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut samples = Vec::new();
        while samples.len() < 12_000 {
            let mut game = Game::new(Position::from_fen(rules, START).unwrap());
            while game.outcome().is_none() && game.moves().len() < 120 {
                let moves = game.position().legal_moves();
                game.play(moves[rng.random_range(0..moves.len())]);
                if rng.random_bool(0.1)
                    && let Some(features) = extractor.extract(game.position())
                {
                    let score = model.score(model.parameters(), &features, values, None);
                    let result = f64::from(u8::from(rng.random_bool(sigmoid(score / SCALE))));
                    let label = Label { result, target: result, is_test: rng.random_bool(0.1) };
                    samples.push(LinearSample { features, values, label });
                }
            }
        }
        samples
    }

    #[test]
    fn known_weights_are_found_again() {
        let rules = Rules::new(&Variant::find("chess").unwrap());
        let known = Weights::new(&rules).without_net();
        let mut known_model = EvalModel::new(&known);
        let values = known_model.add_game(&rules, &known, true);
        let samples = simulated(&known_model, values, &rules, &known);

        let text = include_str!("../../../start.toml");
        let mut start = Weights::parse(text, &rules).unwrap();
        start.material = known.material;
        let mut model = EvalModel::new(&start);
        assert_eq!(model.add_game(&rules, &start, true).of(PieceKind::PAWN), values.of(PieceKind::PAWN));
        let fit = Fit { model: &model, samples: &samples, scale: SCALE };
        let fitted = fit.solve(|_, _| ());
        let (before, after) = (
            fit.distance(model.parameters(), known_model.parameters()),
            fit.distance(&fitted, known_model.parameters()),
        );
        println!("{before:.1} centipawns off before, {after:.1} after");
        assert!(after < 0.5 * before, "{before:.1} centipawns off before, {after:.1} after");
        let (ours, best) = (fit.losses(&fitted, SCALE), fit.losses(known_model.parameters(), SCALE));
        assert!(ours.test < best.test + 0.01, "{ours:?}, {best:?}");
    }

    #[test]
    fn the_scale_is_that_of_the_results() {
        let rules = Rules::new(&Variant::find("chess").unwrap());
        let weights = Weights::new(&rules).without_net();
        let mut model = EvalModel::new(&weights);
        let values = model.add_game(&rules, &weights, true);
        let samples = simulated(&model, values, &rules, &weights);
        let fit = Fit { model: &model, samples: &samples, scale: 1.0 };
        let scale = fit.best_scale(model.parameters());
        assert!((275.0..305.0).contains(&scale), "{scale}");
    }
}
