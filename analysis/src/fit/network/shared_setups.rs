//! Errors that matches have in common because they start from the same setups.
//!
//! Rows are clusters, which the random effects stand for, and so are setups, across the rows. The covariance is that by rows, plus that
//! by setups, minus that by both, so that what is added are the products of the scores that different rows have of the same setup.
//!
//! Source: Cameron, Gelbach and Miller, "Robust Inference With Multiway Clustering", 2011.

use std::collections::BTreeMap;

use nalgebra::DMatrix;

use super::problem::{NetworkProblem, Point};
use crate::stats::{NORMAL_975, student_975};

/// Of fewer setups no variance between setups can be told.
const LEAST: usize = 10;

/// What rows have in common.
#[derive(Clone, Debug)]
pub(crate) struct SharedSetups {
    /// The number of setups.
    setups: usize,
    /// For two different rows, the sum over setups of the products of their scores with respect to η.
    products: DMatrix<f64>,
}

impl SharedSetups {
    /// What rows have in common at a fit; `None` if they share no setups, or too few.
    pub(super) fn of(problem: &NetworkProblem<'_>, point: &Point, deviation: f64) -> Option<Self> {
        let (white, half) = (point.parameters[0], problem.half(&point.parameters));
        let mut by_setup: BTreeMap<u64, Vec<(usize, f64)>> = BTreeMap::new();
        for (row, found) in problem.rows.iter().enumerate() {
            let slopes = problem.pair_slopes(problem.eta(&point.parameters, row, deviation), white, half);
            // What the row as a whole is off by is its random effect, and nothing of its setups.
            let sum: f64 = found.of_setups.iter().map(|&(_, outcomes)| slopes[usize::from(outcomes)]).sum();
            let mean = sum / found.of_setups.len() as f64;
            for &(setup, outcomes) in &found.of_setups {
                let score = (slopes[usize::from(outcomes)] - mean) / problem.design_effects[row];
                let of_setup = by_setup.entry(setup).or_default();
                match of_setup.last_mut() {
                    Some((last, sum)) if *last == row => *sum += score,
                    _ => of_setup.push((row, score)),
                }
            }
        }
        if by_setup.len() < LEAST || by_setup.values().all(|rows| rows.len() == 1) {
            return None;
        }
        let mut products = DMatrix::zeros(problem.rows.len(), problem.rows.len());
        for scores in by_setup.values() {
            for &(row, score) in scores {
                for &(other, of_other) in scores.iter().filter(|(other, _)| *other != row) {
                    products[(row, other)] += score * of_other;
                }
            }
        }
        Some(Self { setups: by_setup.len(), products })
    }

    /// What is added to the covariance of numbers that these scores move by so much; a line for each number.
    pub fn added(&self, moved: &DMatrix<f64>) -> DMatrix<f64> {
        let setups = self.setups as f64;
        moved * &self.products * moved.transpose() * (setups / (setups - 1.0))
    }

    /// By how much errors are multiplied because there are only so many setups: the quantile of Student's distribution over that of
    /// the normal one.
    pub fn widening(&self) -> f64 {
        student_975(self.setups as f64 - 1.0) / NORMAL_975
    }
}

/// The matrix with its negative eigenvalues replaced by zero: a covariance by clusters of two kinds may have some.
pub(crate) fn positive_semidefinite(matrix: DMatrix<f64>) -> DMatrix<f64> {
    let decomposed = (0.5 * (&matrix + matrix.transpose())).symmetric_eigen();
    if decomposed.eigenvalues.iter().all(|&value| value >= 0.0) {
        return matrix;
    }
    let kept = DMatrix::from_diagonal(&decomposed.eigenvalues.map(|value| value.max(0.0)));
    &decomposed.eigenvectors * kept * decomposed.eigenvectors.transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negative_eigenvalue_becomes_zero_and_the_others_stay() {
        // Eigenvalues 3 and −1, along (1, 1) and (1, −1).
        let found = positive_semidefinite(DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 2.0, 1.0]));
        assert!((found - DMatrix::from_element(2, 2, 1.5)).amax() < 1e-12);
        let right = DMatrix::from_row_slice(2, 2, &[2.0, 1.0, 1.0, 2.0]);
        assert_eq!(positive_semidefinite(right.clone()), right);
    }
}
