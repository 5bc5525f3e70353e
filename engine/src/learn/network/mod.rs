//! Training a net by gradient descent.

mod adamw;
mod model;

use std::sync::Arc;

use backrank_rules::{Position, Rules, Side};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use thiserror::Error;

use super::{Label, Losses, cross_entropy, sigmoid};
use crate::eval::{Evaluator, fifty_move_scale};
use crate::net::{Base, Inputs, Net};
use crate::weights::Weights;
use adamw::AdamW;
use model::NetModel;

/// The mean loss in predicting positions of held-out games, in nats; NaN if there are no such positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestLoss {
    /// In predicting the labels' targets.
    pub mixed: f64,
    /// In predicting results alone.
    pub results: f64,
}

/// A net that was trained.
#[derive(Clone, Debug)]
pub struct TrainedNet {
    /// The net.
    pub net: Arc<Net>,
    /// The quiet positions of held-out games.
    pub test_positions: usize,
    /// A score of so many centipawns expects 1/(1 + 1/e) = 73 %.
    pub scale: f64,
    /// How well the engine's weights predict positions of held-out games.
    pub by_weights: TestLoss,
    /// How well the net does.
    pub by_net: TestLoss,
}

/// The net to begin with is none that can be trained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WrongStart {
    /// It is for another game.
    #[error("the net to begin with is for another game than the studies")]
    OtherGame,
    /// It is one for every game, whose rows are computed.
    #[error(
        "the net to begin with is one for every game, which is trained by engine/nets/general/train.py; begin with one of a single game"
    )]
    AllGames,
}

/// Positions a minibatch: the net is changed after each.
const BATCH: usize = 16_384;

/// Positions a chunk: sums are the same with any number of threads.
const CHUNK: usize = 1_024;

/// A position, as the net sees it.
#[derive(Debug)]
pub struct NetSample {
    /// The inputs from the view of the side to move, followed by those from the other side's, equally many.
    inputs: Box<[u16]>,
    bucket: u8,
    /// The factor by which the score is scaled towards the fifty-move rule.
    fifty_move_scale: f32,
    /// The result for the side to move: 1, 0.5 or 0.
    result: f32,
    /// The target for the side to move, from 0 to 1.
    target: f32,
    /// The score by the engine's weights for the side to move, in centipawns.
    score: f32,
}

impl NetSample {
    fn new(position: &Position<'_>, inputs: &Inputs, label: Label, score: i32) -> Self {
        let mover = position.side_to_move();
        let seen = [mover, mover.other()].into_iter().flat_map(|side| inputs.of(position, side));
        let for_mover =
            |for_white: f64| if mover == Side::White { for_white } else { 1.0 - for_white } as f32;
        Self {
            inputs: seen.collect(),
            bucket: inputs.bucket(position.occupied().count()) as u8,
            fifty_move_scale: fifty_move_scale(position),
            result: for_mover(label.result),
            target: for_mover(label.target),
            score: score as f32,
        }
    }
}

/// Makes samples of a game's positions.
#[derive(Debug)]
pub struct NetSampler {
    evaluator: Evaluator,
    inputs: Inputs,
    scale: f64,
}

impl NetSampler {
    /// For a game, where a score of `scale` centipawns expects 73 %.
    pub fn new(rules: &Rules, scale: f64) -> Self {
        let evaluator = Evaluator::new(rules, &Weights::new(rules).without_net());
        Self { evaluator, inputs: Inputs::new(rules), scale }
    }

    /// A position with its label.
    pub fn labelled(&self, position: &Position<'_>, label: Label) -> NetSample {
        NetSample::new(position, &self.inputs, label, self.evaluator.evaluate(position))
    }

    /// A position with what the engine's weights expect of it.
    pub fn by_weights(&self, position: &Position<'_>) -> NetSample {
        let score = self.evaluator.evaluate(position);
        let for_white = if position.side_to_move() == Side::White { score } else { -score };
        let target = sigmoid(f64::from(for_white) / self.scale);
        NetSample::new(position, &self.inputs, Label { result: target, target, is_test: false }, score)
    }
}

/// The training of a net for one game.
#[derive(Debug)]
pub struct NetTraining {
    inputs: Inputs,
    model: NetModel,
    scale: f64,
    rng: ChaCha8Rng,
    test: Vec<NetSample>,
}

impl NetTraining {
    /// Begins with a net, or else with a random one. `test` holds the positions for the test loss, which it is not trained on.
    ///
    /// # Errors
    ///
    /// When the net to begin with is for another game, or for every game.
    pub fn new(
        rules: &Rules,
        scale: f64,
        start: Option<&Net>,
        test: Vec<NetSample>,
    ) -> Result<Self, WrongStart> {
        let inputs = Inputs::new(rules);
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let model = match start {
            Some(net) if net.base != Base::Nothing => return Err(WrongStart::AllGames),
            Some(net) if net.inputs == inputs => NetModel::of(net, scale),
            Some(_) => return Err(WrongStart::OtherGame),
            None => NetModel::new(inputs.len(), &mut rng),
        };
        Ok(Self { inputs, model, scale, rng, test })
    }

    /// Trains on samples, each of which is seen once an epoch, by AdamW. The same samples give the same net with any number of
    /// threads. `report` is told the number of each epoch, from 1, and the losses.
    pub fn train(&mut self, samples: &mut [NetSample], epochs: usize, mut report: impl FnMut(usize, Losses)) {
        if samples.is_empty() {
            return;
        }
        let model = &mut self.model;
        let mut optimiser = AdamW::new(model.parameters.len(), epochs * samples.len().div_ceil(BATCH));
        for epoch in 1..=epochs {
            samples.shuffle(&mut self.rng);
            let mut loss = 0.0;
            for batch in samples.chunks(BATCH) {
                let parts: Vec<(Vec<f32>, f64)> =
                    batch.par_chunks(CHUNK).map(|chunk| model.gradient(chunk)).collect();
                loss += parts.iter().map(|(_, loss)| loss).sum::<f64>();
                let gradients: Vec<Vec<f32>> = parts.into_iter().map(|(gradient, _)| gradient).collect();
                optimiser.step(&mut model.parameters, &gradients, batch.len());
            }
            let fit = loss / samples.len() as f64;
            report(epoch, Losses { fit, test: test_loss(&self.test, |sample| model.output(sample)).mixed });
        }
    }

    /// The net as it is now, in whole numbers.
    pub fn finish(self) -> TrainedNet {
        let Self { inputs, model, scale, test, .. } = self;
        let net = model.quantised(inputs, scale);
        let rounded = NetModel::of(&net, scale);
        TrainedNet {
            test_positions: test.len(),
            scale,
            by_weights: test_loss(&test, |sample| sample.score / scale as f32),
            by_net: test_loss(&test, |sample| rounded.output(sample)),
            net: Arc::new(net),
        }
    }
}

/// How well some output predicts positions.
fn test_loss(samples: &[NetSample], output: impl Fn(&NetSample) -> f32 + Sync) -> TestLoss {
    let of_chunk = |chunk: &[NetSample]| {
        chunk.iter().fold((0.0, 0.0), |(mixed, results), sample| {
            let output = f64::from(output(sample));
            (
                mixed + cross_entropy(f64::from(sample.target), output),
                results + cross_entropy(f64::from(sample.result), output),
            )
        })
    };
    let parts: Vec<(f64, f64)> = samples.par_chunks(CHUNK).map(of_chunk).collect();
    let number = samples.len() as f64;
    let (mixed, results) = parts.into_iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    TestLoss { mixed: mixed / number, results: results / number }
}

/// A net with random weights.
#[cfg(test)]
pub(crate) fn random_net(rules: &Rules, seed: u64) -> Net {
    let inputs = Inputs::new(rules);
    NetModel::new(inputs.len(), &mut ChaCha8Rng::seed_from_u64(seed)).quantised(inputs, 300.0)
}
