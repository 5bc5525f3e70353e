//! The cluster bootstrap: the same fit to clusters that are drawn with replacement.
//!
//! Source: Cameron, Gelbach and Miller, "Bootstrap-Based Improvements for Inference with Clustered Errors", 2008.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::newton::Fit;
use super::newton::{ParameterLayout, fit};
use super::observations::Observations;

/// The number of replicates and their seed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resampling {
    pub replicates: u32,
    pub seed: u64,
}

/// The parameters of each replicate's fit; `None` if its likelihood has no maximum.
///
/// Each replicate has its own random stream, so the number of threads does not matter. Every fit starts from the fit to
/// all clusters, which is close.
pub(crate) fn bootstrap(
    observations: &Observations,
    fitted: &Fit,
    resampling: Resampling,
    progress: &(dyn Fn(u64) + Sync),
) -> Vec<Option<Vec<f64>>> {
    let clusters = observations.clusters() as u32;
    let layout: &ParameterLayout = &fitted.layout;
    (0..resampling.replicates)
        .into_par_iter()
        .map(|replicate| {
            let mut chance = ChaCha8Rng::seed_from_u64(resampling.seed);
            chance.set_stream(u64::from(replicate));
            let mut times = vec![0_u32; clusters as usize];
            for _ in 0..clusters {
                times[chance.random_range(0..clusters) as usize] += 1;
            }
            let weights = observations.weights(|cluster| f64::from(times[cluster as usize]));
            let parameters = fit(layout, &observations.patterns, &weights, Some(&fitted.parameters));
            progress(1);
            parameters.ok().map(|fitted| fitted.parameters)
        })
        .collect()
}
