//! The optimiser.

use rayon::prelude::*;

use super::model::MAX_WEIGHT;

/// AdamW: the optimiser of Kingma and Ba (2015) with decoupled weight decay (Loshchilov and Hutter 2019), and cosine annealing
/// of the learning rate (Loshchilov and Hutter 2017).
#[derive(Debug)]
pub(super) struct AdamW {
    /// The number of steps so far, and how many there will be.
    steps: usize,
    all_steps: usize,
    means: Vec<f32>,
    squares: Vec<f32>,
}

/// The learning rate at the start.
const LEARNING_RATE: f32 = 0.001;
const WEIGHT_DECAY: f32 = 0.01;
const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;

/// Parameters a chunk.
const CHUNK: usize = 4_096;

impl AdamW {
    /// For so many parameters, and so many steps.
    pub fn new(parameters: usize, all_steps: usize) -> Self {
        let zeros = vec![0.0; parameters];
        Self { steps: 0, all_steps, means: zeros.clone(), squares: zeros }
    }

    /// Changes the parameters by the gradients, which are sums over so many positions in all.
    pub fn step(&mut self, parameters: &mut [f32], gradients: &[Vec<f32>], positions: usize) {
        let done = self.steps as f32 / self.all_steps as f32;
        let rate = LEARNING_RATE * (1.0 + (std::f32::consts::PI * done).cos()) / 2.0;
        self.steps += 1;
        let [mean_correction, square_correction] =
            [BETA1, BETA2].map(|beta| 1.0 - beta.powi(self.steps.min(100_000) as i32));
        let chunks = parameters.par_chunks_mut(CHUNK);
        let chunks = chunks.zip(self.means.par_chunks_mut(CHUNK)).zip(self.squares.par_chunks_mut(CHUNK));
        chunks.enumerate().for_each(|(chunk, ((parameters, means), squares))| {
            let mut sums = [0.0; CHUNK];
            for gradient in gradients {
                let gradient = &gradient[chunk * CHUNK..][..parameters.len()];
                sums.iter_mut().zip(gradient).for_each(|(sum, one)| *sum += one);
            }
            let values = parameters.iter_mut().zip(means).zip(squares).zip(&sums);
            for (((parameter, mean), square), sum) in values {
                let gradient = sum / positions as f32;
                *mean = BETA1 * *mean + (1.0 - BETA1) * gradient;
                *square = BETA2 * *square + (1.0 - BETA2) * gradient * gradient;
                let step = *mean / mean_correction / ((*square / square_correction).sqrt() + 1e-8);
                *parameter =
                    (*parameter - rate * (step + WEIGHT_DECAY * *parameter)).clamp(-MAX_WEIGHT, MAX_WEIGHT);
            }
        });
    }
}
