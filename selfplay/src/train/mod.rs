//! Training a net on recorded games.

mod model;

use std::path::PathBuf;
use std::sync::Arc;

use backrank_rules::{Position, Rules, Side};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use thiserror::Error;

use crate::eval::{Evaluator, part_not_faded};
use crate::net::{Inputs, Net};
use crate::study::{StudyDirectory, StudyError};
use crate::tune::{Became, Hindsight, Losses, Selection, TrainingGames, best_scale, cross_entropy, expected};
use crate::weights::Weights;
use model::{Adam, NetModel};

/// How a net is trained.
#[derive(Clone, Debug)]
pub struct TrainSettings {
    /// What the position a ply later counts for, from 0 to 1, as in [`TuneSettings::lambda`](crate::TuneSettings::lambda).
    pub lambda: f64,
    /// How often each position is seen.
    pub epochs: usize,
    /// The net to begin with. Without one, a random net first learns what the engine's weights say.
    pub start: Option<Arc<Net>>,
}

/// A net that was trained.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The net.
    pub net: Arc<Net>,
    /// The quiet positions that it was trained on.
    pub positions: usize,
    /// Those of the games that were left out.
    pub test_positions: usize,
    /// A score of so many centipawns expects 1/(1 + 1/e) = 73 %.
    pub scale: f64,
    /// How well the engine's weights predict positions of the games that were left out.
    pub by_weights: PredictionOfNet,
    /// How well the net does.
    pub by_net: PredictionOfNet,
}

/// How well positions of games that were left out are predicted: the mean loss, in nats; NaN if there are no such positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictionOfNet {
    /// In predicting what the positions came to, as [`TrainSettings::lambda`] mixes results and scores.
    pub mixed: f64,
    /// In predicting results alone.
    pub results: f64,
}

/// What a net learns in an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lesson {
    /// What the engine's weights say of positions near those of the games.
    Weights,
    /// What became of the positions of the games.
    Games,
}

/// Why no net could be trained.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainError {
    /// A study cannot be read.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// The game of a study makes no sense.
    #[error(transparent)]
    Variant(#[from] backrank_rules::VariantError),
    /// The studies are of several games.
    #[error("a net is for one game: {0} has other pieces or another board than the study before it")]
    SeveralGames(String),
    /// The net to begin with is for another game.
    #[error("the net to begin with is for another game than the studies")]
    OtherStart,
    /// There is nothing to learn from.
    #[error("the studies have {0} quiet positions; at least {FEWEST} are needed, and better ten million")]
    TooFew(usize),
}

/// Positions below which nothing is trained.
const FEWEST: usize = 100;

/// How often a random net sees each position near those of the games.
const EPOCHS_OF_WEIGHTS: usize = 4;

/// Positions that are seen between two changes of the net.
const BATCH: usize = 16_384;

/// Positions that are worked on in one piece: sums are then the same with any number of threads.
const CHUNK: usize = 1_024;

/// A position, as the side to move sees it.
#[derive(Debug)]
struct TrainingSample {
    /// The inputs as the side to move sees them, and then those as the other side does, equally many.
    inputs: Box<[u16]>,
    stage: u8,
    /// The part of the score that is left after moves without progress.
    not_faded: f32,
    /// The result: 1, 0.5 or 0.
    result: f32,
    /// What is to be predicted, from 0 to 1.
    target: f32,
    /// The score by the engine's weights, in centipawns.
    score: f32,
}

impl TrainingSample {
    fn new(position: &Position<'_>, inputs: &Inputs, became: Became, score: i32) -> Self {
        let mover = position.side_to_move();
        let seen = [mover, mover.other()].into_iter().flat_map(|side| inputs.of(position, side));
        let for_mover =
            |for_white: f64| if mover == Side::White { for_white } else { 1.0 - for_white } as f32;
        Self {
            inputs: seen.collect(),
            stage: inputs.stage(position.occupied().count()) as u8,
            not_faded: part_not_faded(position),
            result: for_mover(became.result),
            target: for_mover(became.target),
            score: score as f32,
        }
    }
}

/// Trains a net on the games of studies, which must be of one game, by Adam (Kingma and Ba 2015). Each tenth game is left
/// out, to see how well the net predicts it.
///
/// Games alone have too few positions to teach a random net what a piece is worth in every place, so it first learns to score
/// positions near those of the games as the engine's weights do. Then it learns from quiet positions of the games what became
/// of them.
///
/// The same studies give the same net with any number of threads. `report` is told of each epoch: what was learnt, its
/// number from 1, and the losses.
///
/// # Errors
///
/// When a study cannot be read, is of another game than the others, or there are too few positions.
pub fn train(
    studies: &[PathBuf],
    settings: &TrainSettings,
    mut report: impl FnMut(Lesson, usize, Losses),
) -> Result<Trained, TrainError> {
    let games = GamesOfOne::read(studies, settings.lambda)?;
    let scale = games.hindsight.scale;
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let model = match &settings.start {
        Some(net) if net.inputs == games.inputs => NetModel::of(net, scale),
        Some(_) => return Err(TrainError::OtherStart),
        None => NetModel::new(games.inputs.len(), &mut rng),
    };
    let mut training = Training { model, rng, test: games.quiet_positions(true)? };
    if settings.start.is_none() {
        let mut nearby = games.positions_nearby()?;
        training
            .learn(&mut nearby, EPOCHS_OF_WEIGHTS, |epoch, losses| report(Lesson::Weights, epoch, losses));
    }
    // Only now, for all of these and those nearby would need a lot of memory at once.
    let mut known = games.quiet_positions(false)?;
    if known.len() < FEWEST {
        return Err(TrainError::TooFew(known.len()));
    }
    training.learn(&mut known, settings.epochs, |epoch, losses| report(Lesson::Games, epoch, losses));
    let Training { model, test, .. } = training;
    let net = model.quantised(games.inputs, scale);
    let rounded = NetModel::of(&net, scale);
    Ok(Trained {
        positions: known.len(),
        test_positions: test.len(),
        scale,
        by_weights: prediction(&test, |sample| sample.score / scale as f32),
        by_net: prediction(&test, |sample| rounded.output(sample)),
        net: Arc::new(net),
    })
}

/// Studies of one game.
struct GamesOfOne {
    inputs: Inputs,
    studies: Vec<(Rules, TrainingGames)>,
    hindsight: Hindsight,
}

impl GamesOfOne {
    fn read(paths: &[PathBuf], lambda: f64) -> Result<Self, TrainError> {
        let mut studies: Vec<(Rules, TrainingGames)> = Vec::new();
        for path in paths {
            let study = StudyDirectory::read(path)?;
            let rules = Rules::new(&study.variant()?);
            if studies.first().is_some_and(|(other, _)| Inputs::new(other) != Inputs::new(&rules)) {
                return Err(TrainError::SeveralGames(path.display().to_string()));
            }
            studies.push((rules, TrainingGames::read(path, &study)?));
        }
        let (first, _) = studies.first().ok_or(TrainError::TooFew(0))?;
        let inputs = Inputs::new(first);
        let scores: Vec<(f64, f64)> =
            studies.iter().flat_map(|(_, games)| games.scores_and_results()).collect();
        Ok(Self { inputs, studies, hindsight: Hindsight { scale: best_scale(&scores), lambda } })
    }

    /// The quiet positions of the games that are left out, or of the others, with what became of them.
    fn quiet_positions(&self, left_out: bool) -> Result<Vec<TrainingSample>, TrainError> {
        let mut samples = Vec::new();
        for (rules, games) in &self.studies {
            let weights = Weights::new(rules).without_net();
            let sampler = || {
                let evaluator = Evaluator::new(rules, &weights);
                move |position: &Position<'_>, became: Became| {
                    Some(TrainingSample::new(position, &self.inputs, became, evaluator.evaluate(position)))
                }
            };
            let selection = Selection::AllOf { left_out };
            let mut quiet = games.quiet_positions(rules, &weights, self.hindsight, selection, sampler)?;
            samples.append(&mut quiet);
        }
        Ok(samples)
    }

    /// Positions near those of the games, with what the engine's weights say of them.
    fn positions_nearby(&self) -> Result<Vec<TrainingSample>, TrainError> {
        let mut samples = Vec::new();
        for (rules, games) in &self.studies {
            let evaluator = Evaluator::new(rules, &Weights::new(rules).without_net());
            let sampler = |position: &Position<'_>| {
                let score = evaluator.evaluate(position);
                let for_white = if position.side_to_move() == Side::White { score } else { -score };
                let target = expected(f64::from(for_white) / self.hindsight.scale);
                let became = Became { result: target, target, is_test: false };
                TrainingSample::new(position, &self.inputs, became, score)
            };
            samples.append(&mut games.positions_nearby(rules, sampler)?);
        }
        Ok(samples)
    }
}

/// A net that is being trained.
struct Training {
    model: NetModel,
    rng: ChaCha8Rng,
    /// Positions that it does not see.
    test: Vec<TrainingSample>,
}

impl Training {
    fn learn(
        &mut self,
        samples: &mut [TrainingSample],
        epochs: usize,
        mut report: impl FnMut(usize, Losses),
    ) {
        if samples.is_empty() {
            return;
        }
        let model = &mut self.model;
        let mut adam = Adam::new(model, epochs * samples.len().div_ceil(BATCH));
        for epoch in 1..=epochs {
            samples.shuffle(&mut self.rng);
            let mut loss = 0.0;
            for batch in samples.chunks(BATCH) {
                let parts: Vec<(Vec<f32>, f64)> =
                    batch.par_chunks(CHUNK).map(|chunk| model.gradient(chunk)).collect();
                loss += parts.iter().map(|(_, loss)| loss).sum::<f64>();
                let gradients: Vec<Vec<f32>> = parts.into_iter().map(|(gradient, _)| gradient).collect();
                adam.step(model, &gradients, batch.len());
            }
            let fit = loss / samples.len() as f64;
            report(epoch, Losses { fit, test: prediction(&self.test, |sample| model.output(sample)).mixed });
        }
    }
}

/// How well some output predicts positions.
fn prediction(samples: &[TrainingSample], output: impl Fn(&TrainingSample) -> f32 + Sync) -> PredictionOfNet {
    let of_chunk = |chunk: &[TrainingSample]| {
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
    PredictionOfNet { mixed: mixed / number, results: results / number }
}

/// A net with random weights.
#[cfg(test)]
pub(crate) fn random_net(rules: &Rules, seed: u64) -> Net {
    let inputs = Inputs::new(rules);
    NetModel::new(inputs.len(), &mut ChaCha8Rng::seed_from_u64(seed)).quantised(inputs, 300.0)
}
