//! From the parameters of a regression to ratios and Elo, by the delta method.

use nalgebra::DMatrix;

use crate::fit::{Fit, expected_score, expected_score_slopes};
use crate::stats::{Estimate, Interval, NORMAL_975, elo, elo_slope, percentile};

/// The ratio of two coefficients by the delta method: with r = β / π, var r = (var β − 2·r·cov(β, π) + r²·var π) / π².
///
/// If the denominator does not differ significantly from zero, no interval of the ratio is bounded (Fieller, 1954).
pub(super) fn ratio(fitted: &Fit, covariance: &DMatrix<f64>, index: usize, to: usize) -> Estimate {
    let unit = fitted.parameters[to];
    let ratio = fitted.parameters[index] / unit;
    if index == to {
        return Estimate::exact(1.0);
    }
    if unit.abs() <= NORMAL_975 * covariance[(to, to)].sqrt() {
        return Estimate { value: ratio, interval: Interval::UNBOUNDED };
    }
    let variance = covariance[(index, index)] - 2.0 * ratio * covariance[(index, to)]
        + ratio * ratio * covariance[(to, to)];
    Estimate::normal(ratio, variance.max(0.0).sqrt() / unit.abs())
}

pub(super) fn bootstrap_of_ratio(
    replicates: &[Option<Vec<f64>>],
    index: usize,
    to: usize,
    delta: Estimate,
) -> Interval {
    if index == to || !delta.interval.is_finite() {
        return delta.interval;
    }
    let ratio = |parameters: &Vec<f64>| parameters[index] / parameters[to];
    let ratios: Vec<f64> =
        replicates.iter().map(|parameters| parameters.as_ref().map_or(f64::NAN, ratio)).collect();
    percentile(&ratios)
}

/// Converts coefficients to Elo, with half the distance between the cut-points and the middle between them.
pub(super) struct EloScale<'a> {
    fitted: &'a Fit,
    middle: f64,
    half: f64,
}

impl<'a> EloScale<'a> {
    pub fn of(fitted: &'a Fit) -> Self {
        let [lower, upper] = fitted.layout.cut_indices().map(|index| fitted.parameters[index]);
        Self { fitted, middle: 0.5 * (lower + upper), half: 0.5 * (upper - lower) }
    }

    /// The proportion of draws if η is in the middle between the cut-points.
    pub fn draws(&self) -> f64 {
        (0.5 * self.half).tanh()
    }

    /// The Elo of η, and its derivatives with respect to η and to half the distance.
    pub fn elo_of(&self, eta: f64) -> (f64, [f64; 2]) {
        let score = expected_score(eta, self.half);
        let slope = elo_slope(score);
        (elo(score), expected_score_slopes(eta, self.half).map(|by| by * slope))
    }

    pub fn elo(&self, index: usize, covariance: &DMatrix<f64>) -> Estimate {
        let (value, [by_eta, by_half]) = self.elo_of(self.fitted.parameters[index]);
        self.estimate(value, &[(index, by_eta)], by_half, covariance)
    }

    /// White's advantage of moving first: the negative of the middle, which is added to White's η.
    pub fn white(&self, covariance: &DMatrix<f64>) -> Estimate {
        let (value, [by_eta, by_half]) = self.elo_of(-self.middle);
        let cuts = self.fitted.layout.cut_indices().map(|index| (index, -0.5 * by_eta));
        self.estimate(value, &cuts, by_half, covariance)
    }

    /// The delta method, with half the distance between the cut-points as one of the parameters.
    fn estimate(
        &self,
        value: f64,
        slopes: &[(usize, f64)],
        by_half: f64,
        covariance: &DMatrix<f64>,
    ) -> Estimate {
        let [lower, upper] = self.fitted.layout.cut_indices();
        let mut gradient = vec![0.0; self.fitted.layout.size()];
        slopes.iter().for_each(|&(index, slope)| gradient[index] += slope);
        gradient[lower] -= 0.5 * by_half;
        gradient[upper] += 0.5 * by_half;
        let mut variance = 0.0;
        for (row, left) in gradient.iter().enumerate() {
            for (column, right) in gradient.iter().enumerate() {
                variance += left * right * covariance[(row, column)];
            }
        }
        Estimate::normal(value, variance.max(0.0).sqrt())
    }
}
