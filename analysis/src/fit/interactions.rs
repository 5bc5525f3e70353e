//! A network of imbalances in which what a piece is worth depends on the others: sums of coefficients, and of interactions that are
//! shrunk towards zero.
//!
//! Each row has the η of its own results, with a variance v. It is x·β + z·γ + u, where u is normal with the variance τ², and each γ with
//! the variance s². For a given τ and s, β and γ are a mixed model's (Henderson's equations). They are integrated over both by the
//! restricted likelihood, times priors that are half-normal.
//!
//! Source: Searle, Casella and McCulloch, "Variance Components", 1992, chapters 6 and 7.

use nalgebra::{DMatrix, DVector};

use super::network::{Mixture, SharedSetups, positive_semidefinite, usual_deviation};

/// What the rows have shown by themselves.
pub(crate) struct Measured {
    pub eta: Vec<f64>,
    pub variance: Vec<f64>,
    /// The Elo of one η near equality.
    pub elo: f64,
}

/// The scale of the prior of s, a half-normal distribution, in Elo.
const USUAL: f64 = 15.0;

/// The ranges of τ and s that are integrated over, in Elo, and the number of each.
const RANGES: [[f64; 2]; 2] = [[0.5, 80.0], [0.25, 60.0]];
const NUMBER: usize = 12;

/// The fit of all rows, or of some.
pub(crate) struct Interacting {
    /// The logarithm of the probability of the results: of two sets of interactions, the one with more of it is more probable.
    pub evidence: f64,
    parts: Vec<Part>,
}

/// The fit at one τ and s.
struct Part {
    weight: f64,
    /// β, then γ.
    effects: DVector<f64>,
    covariance: DMatrix<f64>,
}

impl Interacting {
    /// Fits some rows of a design, whose first columns are x, of which none are collinear, and the others z. What the rows share by
    /// their setups widens the covariance; it is of all rows of the design. `None` if they are no more than the columns of x, or too
    /// nearly collinear.
    pub fn of(
        measured: &Measured,
        rows: &[usize],
        design: &DMatrix<f64>,
        fixed: usize,
        shared: Option<&SharedSetups>,
    ) -> Option<Self> {
        if rows.len() <= fixed {
            return None;
        }
        let (design, random) = (design.select_rows(rows), design.ncols() - fixed);
        let mut found: Vec<(f64, Part)> = Vec::new();
        let steps = |[low, high]: [f64; 2]| {
            (0..NUMBER).map(move |step| low * (high / low).powf(step as f64 / (NUMBER - 1) as f64))
        };
        // Each number stands for the same part of the logarithm of the range.
        let part_of = |[low, high]: [f64; 2]| ((high / low).ln() / (NUMBER - 1) as f64).ln();
        let half_normal = |scale: f64| (2.0 / std::f64::consts::PI).sqrt().ln() - scale.ln();
        let shrinkages: Vec<f64> = if random > 0 { steps(RANGES[1]).collect() } else { vec![1.0] };
        for deviation in steps(RANGES[0]) {
            for &shrinkage in &shrinkages {
                let of_deviation = usual_deviation(deviation) + deviation.ln();
                let of_shrinkage = match random {
                    0 => 0.0,
                    _ => {
                        half_normal(USUAL) - 0.5 * (shrinkage / USUAL).powi(2)
                            + shrinkage.ln()
                            + part_of(RANGES[1])
                    }
                };
                let at = [deviation, shrinkage].map(|elo| elo / measured.elo);
                let (log, part) = at_one(measured, rows, &design, fixed, at, shared)?;
                found.push((log + of_deviation + of_shrinkage, part));
            }
        }
        let most = found.iter().map(|(log, _)| *log).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = found.iter().map(|(log, _)| (log - most).exp()).sum();
        let parts =
            found.into_iter().map(|(log, part)| Part { weight: (log - most).exp() / sum, ..part }).collect();
        Some(Self { evidence: most + sum.ln(), parts })
    }

    /// The mean of each β and γ.
    pub fn mean(&self) -> DVector<f64> {
        let zero = DVector::zeros(self.parts[0].effects.len());
        self.parts.iter().fold(zero, |sum, part| sum + part.weight * &part.effects)
    }

    /// What is known of a sum of effects, given by how often each β and γ is in it.
    pub fn sum(&self, numbers: &DVector<f64>) -> Mixture {
        Mixture::new(
            self.parts.iter().map(|part| {
                [part.weight, part.effects.dot(numbers), (&part.covariance * numbers).dot(numbers)]
            }),
        )
    }
}

/// The logarithm of the restricted likelihood at one τ and s on the scale of η, and the fit.
fn at_one(
    measured: &Measured,
    rows: &[usize],
    design: &DMatrix<f64>,
    fixed: usize,
    [deviation, shrinkage]: [f64; 2],
    shared: Option<&SharedSetups>,
) -> Option<(f64, Part)> {
    let variance = |row: usize| measured.variance[rows[row]] + deviation.powi(2);
    let weighted =
        DMatrix::from_fn(rows.len(), design.ncols(), |row, column| design[(row, column)] / variance(row));
    let eta = DVector::from_fn(rows.len(), |row, _| measured.eta[rows[row]]);
    let mut information = weighted.transpose() * design;
    for column in fixed..design.ncols() {
        information[(column, column)] += shrinkage.powi(-2);
    }
    let decomposed = information.cholesky()?;
    let effects = decomposed.solve(&(weighted.transpose() * &eta));
    let residual = &eta - design * &effects;
    let squares: f64 = (0..rows.len()).map(|row| eta[row] * residual[row] / variance(row)).sum();
    let random = (design.ncols() - fixed) as f64;
    let determinant: f64 = (0..rows.len()).map(|row| variance(row).ln()).sum::<f64>()
        + 2.0 * random * shrinkage.ln()
        + 2.0 * decomposed.l_dirty().diagonal().iter().map(|value| value.ln()).sum::<f64>();
    let mut covariance = decomposed.inverse();
    if let Some(shared) = shared {
        // How far a score of a row with respect to η moves each effect.
        let moved = DMatrix::from_fn(weighted.nrows(), weighted.ncols(), |row, column| {
            weighted[(row, column)] * measured.variance[rows[row]]
        });
        let added = shared.added(&(&covariance * moved.transpose()));
        covariance = shared.widening().powi(2) * positive_semidefinite(covariance + added);
    }
    Some((-0.5 * (determinant + squares), Part { weight: 0.0, effects, covariance }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_restricted_likelihood_is_that_of_the_marginal_covariance() {
        let (x, z) = (
            DMatrix::from_row_slice(5, 1, &[1.0, 2.0, 1.0, 3.0, 2.0]),
            DMatrix::from_row_slice(5, 2, &[0.5, 1.0, -1.0, 0.3, 2.0, 0.1, 0.7, -0.4, 1.0, 1.5]),
        );
        let measured = Measured {
            eta: vec![0.3, 0.5, 0.1, 0.9, 0.2],
            variance: vec![0.1, 0.2, 0.1, 0.3, 0.2],
            elo: 1.0,
        };
        let rows: Vec<usize> = (0..5).collect();
        let at = |deviation: f64, shrinkage: f64| {
            let design = DMatrix::from_fn(
                5,
                3,
                |row, column| {
                    if column == 0 { x[(row, 0)] } else { z[(row, column - 1)] }
                },
            );
            let (log, part) = at_one(&measured, &rows, &design, 1, [deviation, shrinkage], None).unwrap();
            let marginal = DMatrix::from_diagonal(&DVector::from_iterator(
                5,
                measured.variance.iter().map(|v| v + deviation.powi(2)),
            )) + shrinkage.powi(2) * &z * z.transpose();
            let inverse = marginal.clone().try_inverse().unwrap();
            let eta = DVector::from_column_slice(&measured.eta);
            let information = (x.transpose() * &inverse * &x)[(0, 0)];
            let beta = (x.transpose() * &inverse * &eta)[(0, 0)] / information;
            let residual = &eta - &x * beta;
            let expected = -0.5
                * (marginal.determinant().ln()
                    + information.ln()
                    + (residual.transpose() * &inverse * &residual)[(0, 0)]);
            assert!((part.effects[0] - beta).abs() < 1e-9, "{} and {beta}", part.effects[0]);
            assert!((part.covariance[(0, 0)] - 1.0 / information).abs() < 1e-9);
            log - expected
        };
        assert!(at(0.2, 0.5).abs() < 1e-9 && at(0.5, 0.1).abs() < 1e-9, "{} {}", at(0.2, 0.5), at(0.5, 0.1));
    }
}
