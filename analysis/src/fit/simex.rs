//! Simulation and extrapolation (SIMEX): correcting coefficients for the measurement error of a column.
//!
//! Adding noise to the column moves the estimates further in the direction in which its own error has moved them. A
//! quadratic in the variance of the noise is fitted to estimates at several variances, and extrapolated to a column
//! without error.
//!
//! Source: Cook and Stefanski, "Simulation-Extrapolation Estimation in Parametric Measurement Error Models", 1994.

use nalgebra::{Matrix3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, Normal};

use super::newton::{Fit, fit};
use super::observations::Observations;

/// The added variances, as multiples of the variance of the error.
const ADDED: [f64; 4] = [0.5, 1.0, 1.5, 2.0];

/// The number of fits at each variance.
const REPEATED: u64 = 4;

/// The correction to be added to the parameters of a fit for a column's measurement error with this standard deviation.
/// `None` if a fit to noisier games does not converge.
pub(crate) fn correction(
    observations: &Observations,
    fitted: &Fit,
    column: usize,
    deviation: f64,
    seed: u64,
) -> Option<Vec<f64>> {
    let tasks: Vec<(usize, u64)> =
        (0..ADDED.len()).flat_map(|index| (0..REPEATED).map(move |number| (index, number))).collect();
    let noisier: Option<Vec<Vec<f64>>> = tasks
        .into_par_iter()
        .map(|(index, number)| {
            let mut chance = ChaCha8Rng::seed_from_u64(seed);
            chance.set_stream(1 << 40 | (index as u64) << 20 | number);
            let noise = observations.with_noise(column, ADDED[index].sqrt() * deviation, &mut chance);
            let weights = noise.weights(|_| 1.0);
            let fitted = fit(&fitted.layout, &noise.patterns, &weights, Some(&fitted.parameters));
            fitted.ok().map(|fitted| fitted.parameters)
        })
        .collect();
    let noisier = noisier?;
    let correction = (0..fitted.parameters.len()).map(|parameter| {
        let mean = |index: usize| {
            let begin = index * REPEATED as usize;
            let values = noisier[begin..begin + REPEATED as usize].iter();
            values.map(|parameters| parameters[parameter]).sum::<f64>() / REPEATED as f64
        };
        let here = (0.0, fitted.parameters[parameter]);
        let points: Vec<(f64, f64)> =
            std::iter::once(here).chain((0..ADDED.len()).map(|index| (ADDED[index], mean(index)))).collect();
        quadratic_at(&points, -1.0).map(|extrapolated| extrapolated - here.1)
    });
    correction.collect()
}

/// The value at x of the least-squares quadratic through these points.
fn quadratic_at(points: &[(f64, f64)], x: f64) -> Option<f64> {
    let powers = |x: f64| Vector3::new(1.0, x, x * x);
    let (mut normal, mut right) = (Matrix3::zeros(), Vector3::zeros());
    for &(x, y) in points {
        normal += powers(x) * powers(x).transpose();
        right += powers(x) * y;
    }
    normal.lu().solve(&right).map(|coefficients| coefficients.dot(&powers(x)))
}

impl Observations {
    /// The same games with noise of this standard deviation added to a column. All positions of a game get the same
    /// noise.
    fn with_noise(&self, column: usize, deviation: f64, chance: &mut ChaCha8Rng) -> Self {
        let normal = Normal::standard();
        let mut noisier = Self::default();
        for (game, rows) in self.iter() {
            // Not 0, of which the quantile is infinite.
            let noise = deviation * normal.inverse_cdf(chance.random_range(f64::EPSILON..1.0));
            let samples = rows.iter().map(|&(pattern, number)| {
                let mut difference = self.patterns[pattern as usize];
                difference[column] = (f64::from(difference[column]) + noise).round() as i8;
                (difference, number)
            });
            let samples: Vec<_> = samples.collect();
            noisier.push(&samples, game.outcome.into(), game.cluster.into());
        }
        noisier
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Model, ParameterLayout};
    use super::*;
    use crate::games::MAX_COLUMNS;

    #[test]
    fn a_coefficient_is_corrected_for_the_error_of_its_column() {
        let normal = Normal::standard();
        let mut chance = ChaCha8Rng::seed_from_u64(7);
        let mut draw = |deviation: f64| deviation * normal.inverse_cdf(chance.random_range(1e-9..1.0));
        let (truth, spread, error) = (0.1, 12.0, 6.0);
        let mut observations = Observations::default();
        for game in 0..40_000 {
            let true_difference = draw(spread);
            let mut seen = [0; MAX_COLUMNS];
            seen[1] = (true_difference + draw(error)).round() as i8;
            // The other column is correlated with the first, as material is with strength.
            seen[0] = (0.1 * true_difference + draw(1.0)).round() as i8;
            let eta = truth * true_difference + 0.5 * f64::from(seen[0]);
            let logistic = normal.cdf(draw(1.0)).clamp(1e-9, 1.0 - 1e-9);
            let latent = eta + (logistic / (1.0 - logistic)).ln();
            let outcome = if latent < -0.5 { 0 } else { 1 + usize::from(latent > 0.5) };
            observations.push(&[(seen, 1)], outcome, game);
        }
        let layout = ParameterLayout { columns: vec![0, 1], model: Model::Ordered };
        let weights = observations.weights(|_| 1.0);
        let fitted = fit(&layout, &observations.patterns, &weights, None).unwrap();
        let correction = correction(&observations, &fitted, 1, error, 1).unwrap();
        let naive = fitted.parameters[1];
        let corrected = naive + correction[1];
        // A quadratic falls short of the truth where the error is as large as half the spread.
        assert!(naive < 0.09, "the error shrinks the coefficient: {naive}");
        assert!((corrected - truth).abs() < 0.5 * (naive - truth).abs(), "{naive} {corrected}");
        let [before, after] = [0.0, correction[0]].map(|more| (fitted.parameters[0] + more - 0.5).abs());
        assert!(after < before, "what is correlated is corrected, too: {before} {after}");
    }

    #[test]
    fn a_quadratic_goes_through_its_points() {
        let points = [0.0, 1.0, 2.0, 3.0].map(|x| (x, 2.0 - 3.0 * x + 0.5 * x * x));
        assert!((quadratic_at(&points, -1.0).unwrap() - 5.5).abs() < 1e-9);
    }
}
