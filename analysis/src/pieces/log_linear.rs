//! Linear models of the logarithms of values.

use nalgebra::{DMatrix, DVector};

use crate::stats::{Estimate, Interval, student_975};

/// A linear model of logarithms that were measured, each with its own error, and spread around the model besides.
///
/// Source of the estimator of the spread: Paule and Mandel, "Consensus values and weighting factors", 1982.
#[derive(Clone, Debug)]
pub(super) struct LogLinear {
    pub coefficients: DVector<f64>,
    pub covariance: DMatrix<f64>,
    /// The standard deviation around the model, without the errors of measurement.
    pub spread: f64,
    /// The number of what was measured minus that of terms.
    degrees: f64,
}

/// What was measured of one piece.
#[derive(Clone, Debug)]
pub(super) struct LogRow {
    pub terms: Vec<f64>,
    pub logarithm: f64,
    /// Its standard error.
    pub error: f64,
}

/// What a coefficient is taken to be before there are measurements: a normal distribution.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prior {
    pub mean: f64,
    /// The inverse of its variance; 0 where nothing is known.
    pub precision: f64,
}

impl LogLinear {
    /// Fits the model, with a prior for each of the terms. `None` if there are no more rows than terms.
    pub fn fit(rows: &[LogRow], priors: &[Prior]) -> Option<Self> {
        let terms = priors.len();
        let degrees = rows.len().checked_sub(terms).filter(|&degrees| degrees > 0)? as f64;
        let precisions = priors.iter().map(|prior| prior.precision);
        let precision = DMatrix::from_diagonal(&DVector::from_iterator(terms, precisions));
        let usual = DVector::from_iterator(terms, priors.iter().map(|prior| prior.mean));
        let x = DMatrix::from_fn(rows.len(), terms, |row, column| rows[row].terms[column]);
        let y = DVector::from_iterator(rows.len(), rows.iter().map(|row| row.logarithm));
        let solve = |spread: f64| {
            let weights = rows.iter().map(|row| 1.0 / (row.error.powi(2) + spread.powi(2)));
            let weights = DVector::from_iterator(rows.len(), weights);
            let weighted =
                DMatrix::from_fn(x.nrows(), x.ncols(), |row, column| weights[row] * x[(row, column)]);
            let covariance = (x.transpose() * &weighted + &precision).try_inverse()?;
            let coefficients = &covariance * (weighted.transpose() * &y + &precision * &usual);
            let residuals = &y - &x * &coefficients;
            let chi_square: f64 =
                residuals.iter().zip(&weights).map(|(residual, weight)| weight * residual.powi(2)).sum();
            Some((coefficients, covariance, chi_square))
        };
        // The spread by which the squares are what they should be.
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..40 {
            let middle = (low + high) / 2.0;
            if solve(middle)?.2 > degrees { low = middle } else { high = middle }
        }
        let (coefficients, covariance, _) = solve(high)?;
        Some(Self { coefficients, covariance, spread: high, degrees })
    }

    /// What it says of another piece with these terms, with the interval of a single one.
    pub fn predict(&self, terms: &[f64]) -> Estimate {
        let terms = DVector::from_row_slice(terms);
        let logarithm = terms.dot(&self.coefficients);
        let error = ((terms.transpose() * &self.covariance * &terms)[0] + self.spread.powi(2)).sqrt();
        let within = self.quantile() * error;
        let interval = Interval { low: (logarithm - within).exp(), high: (logarithm + within).exp() };
        Estimate { value: logarithm.exp(), interval }
    }

    /// A coefficient.
    pub fn coefficient(&self, index: usize) -> Estimate {
        let (value, error) = (self.coefficients[index], self.covariance[(index, index)].sqrt());
        let within = self.quantile() * error;
        Estimate { value, interval: Interval { low: value - within, high: value + within } }
    }

    /// How many standard errors the intervals are wide to either side.
    pub fn quantile(&self) -> f64 {
        student_975(self.degrees)
    }
}
