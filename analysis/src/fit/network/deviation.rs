//! How far imbalances deviate from the sum of values: its distribution, over which the fit is integrated, and an interval of its own.
//!
//! Sources: Röver et al., "On Weakly Informative Prior Distributions for the Heterogeneity Parameter in Bayesian Random-Effects
//! Meta-Analysis", 2021 (half-normal prior); Viechtbauer, "Confidence Intervals for the Amount of Heterogeneity in Meta-Analysis",
//! 2007 (Q-profile).

use nalgebra::{DMatrix, DVector};
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::problem::{NetworkFitError, NetworkProblem, Point};
use crate::stats::Interval;

/// The scale of the prior, a half-normal distribution, in Elo: its median is 20, and 95 % of it are below 59. A half-Cauchy
/// distribution, whose tail is long, makes intervals endless where there are no more imbalances than kinds.
const USUAL: f64 = 30.0;

/// The logarithm of the prior's density, but for a constant, at a deviation in Elo.
pub(crate) fn usual_deviation(elo: f64) -> f64 {
    -0.5 * (elo / USUAL).powi(2)
}

/// The range of deviations over which the fit is integrated, in Elo.
const RANGE: [f64; 2] = [1.0, 150.0];

/// The number of deviations by which the likely range is found, and of those in that range.
const COARSE: usize = 8;
const FINE: usize = 25;

/// A deviation is likely if the logarithm of its density is less than this below the largest.
const LIKELY: f64 = 9.0;

/// The largest deviation that the interval may have on the scale of η.
const LARGEST: f64 = 8.0;

/// The fit at one deviation.
pub(super) struct FitAt {
    /// The probability of the deviation.
    pub weight: f64,
    pub deviation: f64,
    pub point: Point,
}

/// The fits at all likely deviations.
pub(super) struct Integrated {
    pub fits: Vec<FitAt>,
    /// The median deviation.
    pub median: f64,
}

impl Integrated {
    /// Fits a network at deviations in equal ratios. `without` is the fit without any, and `elo` the Elo of one η near equality.
    pub fn of(problem: &NetworkProblem<'_>, without: &Point, elo: f64) -> Result<Self, NetworkFitError> {
        let mut start = (without.parameters.clone(), 1.0);
        let first_effect = problem.first() + problem.columns();
        let mut fit_at = |log: f64| {
            let deviation = log.exp();
            // The effects stay what they are; parameters have them divided by the deviation.
            start.0.rows_mut(first_effect, problem.rows.len()).scale_mut(start.1 / deviation);
            start.1 = deviation;
            let point = problem.maximise(deviation, &start.0).ok()?;
            start.0.clone_from(&point.parameters);
            // Of the logarithm of the deviation.
            let prior = log + usual_deviation(deviation * elo);
            let density = restricted(&point) + prior;
            density.is_finite().then_some((density, FitAt { weight: 0.0, deviation, point }))
        };
        let grid = |low: f64, high: f64, number: usize| {
            (0..number).map(move |index| low + (high - low) * index as f64 / (number - 1) as f64)
        };
        let [low, high] = RANGE.map(|end| (end / elo).ln());
        let tried: Vec<(f64, f64)> =
            grid(low, high, COARSE).filter_map(|log| Some((log, fit_at(log)?.0))).collect();
        let most = tried.iter().map(|(_, density)| *density).fold(f64::NEG_INFINITY, f64::max);
        let is_likely = |(_, density): &(f64, f64)| *density > most - LIKELY;
        let first = tried.iter().position(is_likely).ok_or(NetworkFitError::Singular)?;
        let last = tried.iter().rposition(is_likely).ok_or(NetworkFitError::Singular)?;
        let [low, high] = [first.saturating_sub(1), (last + 1).min(tried.len() - 1)].map(|at| tried[at].0);
        let found: Vec<(f64, FitAt)> = grid(low, high, FINE).filter_map(&mut fit_at).collect();
        let most = found.iter().map(|(density, _)| *density).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = found.iter().map(|(density, _)| (density - most).exp()).sum();
        let fits: Vec<FitAt> = found
            .into_iter()
            .map(|(density, fit)| FitAt { weight: (density - most).exp() / sum, ..fit })
            .collect();
        let median = median(&fits).ok_or(NetworkFitError::Singular)?;
        Ok(Self { fits, median })
    }

    /// The fit at the most probable deviation.
    pub fn most_probable(&self) -> &FitAt {
        let by_weight = |one: &&FitAt, other: &&FitAt| one.weight.total_cmp(&other.weight);
        self.fits.iter().max_by(by_weight).expect("there is a median")
    }
}

/// The logarithm of Laplace's approximation of the likelihood, integrated over the parameters and the effects.
fn restricted(point: &Point) -> f64 {
    point.log - point.decomposed.l_dirty().diagonal().iter().map(|value| value.ln()).sum::<f64>()
}

/// The deviation that has half of the probability below it, half of each fit's own being on either side.
fn median(fits: &[FitAt]) -> Option<f64> {
    let mut sum = 0.0;
    let mut before: Option<(f64, f64)> = None;
    for fit in fits {
        let (here, log) = (sum + 0.5 * fit.weight, fit.deviation.ln());
        if here >= 0.5 {
            let Some((below, from)) = before else { return Some(fit.deviation) };
            return Some((from + (log - from) * (0.5 - below) / (here - below)).exp());
        }
        before = Some((here, log));
        sum += fit.weight;
    }
    fits.last().map(|fit| fit.deviation)
}

/// The 95 % interval of the deviation by Q-profile: all deviations at which the residuals are as large as they should be. `found` has
/// the η of each row by its own results, and its variance. It needs no prior. `None` if there are no more rows than columns.
pub(super) fn q_profile(design: &DMatrix<f64>, found: &[[f64; 2]]) -> Option<Interval> {
    let freedom = found.len().checked_sub(design.ncols()).filter(|&freedom| freedom > 0)?;
    let square_sum = |deviation: f64| {
        let weights: Vec<f64> =
            found.iter().map(|[_, variance]| 1.0 / (deviation.powi(2) + variance)).collect();
        let weighted = DMatrix::from_fn(design.nrows(), design.ncols(), |row, column| {
            weights[row] * design[(row, column)]
        });
        let eta = DVector::from_iterator(found.len(), found.iter().map(|[eta, _]| *eta));
        let beta = (weighted.transpose() * design).cholesky()?.solve(&(weighted.transpose() * &eta));
        let residuals = eta - design * beta;
        Some(residuals.iter().zip(&weights).map(|(residual, weight)| weight * residual.powi(2)).sum::<f64>())
    };
    let chi = ChiSquared::new(freedom as f64).ok()?;
    let end = |quantile: f64| {
        let (mut low, mut high) = (0.0, LARGEST);
        if square_sum(low)? <= quantile {
            return Some(0.0);
        }
        if square_sum(high)? > quantile {
            return Some(f64::INFINITY);
        }
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            if square_sum(middle)? > quantile { low = middle } else { high = middle }
        }
        Some(0.5 * (low + high))
    };
    Some(Interval { low: end(chi.inverse_cdf(0.975))?, high: end(chi.inverse_cdf(0.025))? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_variances_give_the_interval_of_a_variance() {
        // Ten numbers with a mean of 0 and 90 as the sum of squares, each with a variance of 1.
        let design = DMatrix::from_element(10, 1, 1.0);
        let found: Vec<[f64; 2]> = (0..10).map(|row| [if row % 2 == 0 { 3.0 } else { -3.0 }, 1.0]).collect();
        let Interval { low, high } = q_profile(&design, &found).unwrap();
        // 90 / (τ² + 1) is χ²'s quantile on 9 degrees of freedom: 19.0228 and 2.7004.
        assert!((low - (90.0_f64 / 19.022_77 - 1.0).sqrt()).abs() < 1e-4, "{low}");
        assert!((high - (90.0_f64 / 2.700_39 - 1.0).sqrt()).abs() < 1e-4, "{high}");
        assert_eq!(q_profile(&design.rows(0, 1).into_owned(), &found[..1]), None);
    }
}
