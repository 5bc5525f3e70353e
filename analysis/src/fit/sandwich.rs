//! The sandwich estimator of a fit's covariance, by clusters.
//!
//! V = A⁻¹ (Σ_c s_c s_cᵀ) A⁻¹ · C / (C − 1), with the information matrix A and the sum s_c of the weighted scores of
//! the positions of cluster c. Sources: Huber, "The Behavior of Maximum Likelihood Estimates under Nonstandard
//! Conditions", 1967; Liang and Zeger, "Longitudinal Data Analysis Using Generalized Linear Models", 1986.

use nalgebra::DMatrix;

use super::likelihood::{Link, Terms};
use super::newton::Fit;
use super::observations::Observations;
use crate::stats::Symmetric;

/// The covariance of a fit's parameters; `None` with fewer than two clusters.
pub(crate) fn covariance(observations: &Observations, fitted: &Fit) -> Option<DMatrix<f64>> {
    let layout = &fitted.layout;
    let clusters = observations.clusters();
    let (size, columns) = (layout.size(), layout.columns.len());
    let [lower, upper] = layout.cut_indices();
    let terms: Vec<[Terms; 3]> = observations
        .patterns
        .iter()
        .map(|pattern| {
            let [a, b] = layout.distances(&fitted.parameters, pattern);
            Terms::of(Link::Logit, a, b)
        })
        .collect();
    let mut slopes = vec![0.0; clusters * size];
    for (game, rows) in observations.iter() {
        let at = game.cluster as usize * size;
        let slope = &mut slopes[at..at + size];
        for &(pattern, number) in rows {
            let weight = f64::from(number) / f64::from(game.positions);
            let [a, b] = terms[pattern as usize][game.outcome as usize].first.map(|slope| slope * weight);
            let difference = &observations.patterns[pattern as usize];
            for index in 0..columns {
                slope[index] -= (a + b) * f64::from(difference[layout.columns[index]]);
            }
            slope[lower] += a;
            slope[upper] += b;
        }
    }
    let mut between = Symmetric::zeros(size);
    slopes.chunks_exact(size).for_each(|slope| between.add(1.0, slope));
    let bread = fitted.information.inverse()?;
    let correction = clusters as f64 / (clusters as f64 - 1.0);
    (clusters > 1).then(|| &bread * between.0 * &bread * correction)
}
