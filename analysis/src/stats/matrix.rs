//! Small symmetric matrices, with as many rows as a model has parameters.

use nalgebra::{DMatrix, DVector};

/// A symmetric matrix that is a sum of products.
#[derive(Clone, Debug)]
pub(crate) struct Symmetric(pub DMatrix<f64>);

impl Symmetric {
    pub fn zeros(size: usize) -> Self {
        Self(DMatrix::zeros(size, size))
    }

    /// Adds weight · x · xᵀ.
    pub fn add(&mut self, weight: f64, x: &[f64]) {
        for (column, &right) in x.iter().enumerate().filter(|(_, right)| **right != 0.0) {
            for (row, &left) in x.iter().enumerate() {
                self.0[(row, column)] += weight * left * right;
            }
        }
    }

    /// The solution s of matrix · s = vector, if the matrix is positive definite.
    pub fn solve(&self, vector: &[f64]) -> Option<Vec<f64>> {
        let solved = self.scaled()?;
        let scales = self.scales();
        let right = DVector::from_iterator(vector.len(), vector.iter().zip(&scales).map(|(v, s)| v / s));
        let solution = solved.solve(&right);
        Some(solution.iter().zip(&scales).map(|(value, scale)| value / scale).collect())
    }

    /// The inverse, if the matrix is positive definite.
    pub fn inverse(&self) -> Option<DMatrix<f64>> {
        let scales = self.scales();
        let mut inverse = self.scaled()?.inverse();
        for row in 0..scales.len() {
            for column in 0..scales.len() {
                inverse[(row, column)] /= scales[row] * scales[column];
            }
        }
        Some(inverse)
    }

    fn scales(&self) -> Vec<f64> {
        self.0.diagonal().iter().map(|value| value.sqrt()).collect()
    }

    /// The decomposition after scaling to a diagonal of ones, so that near-singularity is detected regardless of units.
    fn scaled(&self) -> Option<nalgebra::Cholesky<f64, nalgebra::Dyn>> {
        let scales = self.scales();
        if scales.iter().any(|scale| !(scale.is_finite() && *scale > 0.0)) {
            return None;
        }
        let mut matrix = self.0.clone();
        for row in 0..scales.len() {
            for column in 0..scales.len() {
                matrix[(row, column)] /= scales[row] * scales[column];
            }
        }
        let decomposed = nalgebra::Cholesky::new(matrix)?;
        let least = decomposed.l_dirty().diagonal().iter().copied().fold(f64::INFINITY, f64::min);
        (least > 1e-7).then_some(decomposed)
    }
}

/// The columns that are not linear combinations of a constant and the columns before them, from weighted rows.
pub(crate) fn independent_columns<'a>(
    columns: usize,
    rows: impl Iterator<Item = (&'a [f64], f64)> + Clone,
) -> Vec<bool> {
    let total: f64 = rows.clone().map(|(_, weight)| weight).sum();
    let mut means = vec![0.0; columns];
    for (x, weight) in rows.clone() {
        means.iter_mut().zip(x).for_each(|(mean, value)| *mean += weight * value / total);
    }
    let mut spread = DMatrix::<f64>::zeros(columns, columns);
    for (x, weight) in rows {
        for row in 0..columns {
            for column in 0..columns {
                spread[(row, column)] += weight / total * (x[row] - means[row]) * (x[column] - means[column]);
            }
        }
    }
    // The variance of each column that the columns before it do not explain, by Gaussian elimination.
    let before = spread.diagonal();
    let mut independent = vec![false; columns];
    for pivot in 0..columns {
        let left = spread[(pivot, pivot)];
        if !(left > 1e-10 * before[pivot].max(1e-300) && left > 1e-14) {
            continue;
        }
        independent[pivot] = true;
        for row in pivot + 1..columns {
            let factor = spread[(row, pivot)] / left;
            for column in pivot + 1..columns {
                spread[(row, column)] -= factor * spread[(pivot, column)];
            }
        }
    }
    independent
}
