//! One ordered model of all games at odds: the value of each kind of piece, and how much each imbalance deviates from
//! the sum of values.
//!
//! A game at imbalance i has η = x·β + uᵢ, the advantage of the side that has the pieces named first, plus White's
//! advantage if that side is White, or minus it if it is Black. The cut-points are −h and h. The effects uᵢ are normal
//! with the standard deviation τ. For a given τ the parameters and the effects maximise the penalised likelihood, and τ
//! maximises Laplace's approximation of the restricted likelihood, in which all of them are integrated out (REML),
//! times a prior around a typical τ, because a few imbalances determine τ poorly.
//!
//! The two games of a pair are correlated, so each imbalance's likelihood is divided by its design effect, the ratio of
//! the variance of the pairs' scores to that of independent games.
//!
//! Sources: Breslow and Clayton, "Approximate Inference in Generalized Linear Mixed Models", 1993; Rao and Scott, "A
//! Simple Method for the Analysis of Clustered Binary Data", 1992.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::likelihood::{Link, Terms};
use crate::stats::{ChiSquareTest, NORMAL_975};

/// Pairs of games at one imbalance.
#[derive(Clone, Debug)]
pub(crate) struct NetworkRow {
    /// The number of each kind that the first side has more than the other.
    pub difference: Vec<f64>,
    /// The numbers of pairs by the first side's outcomes, from 0 for a loss to 2 for a win: in the game in which it is
    /// White, then in the one in which it is Black.
    pub pairs: [[u64; 3]; 3],
}

impl NetworkRow {
    fn number(&self) -> f64 {
        self.pairs.iter().flatten().sum::<u64>() as f64
    }
}

/// The fit of a network of imbalances.
#[derive(Clone, Debug)]
pub(crate) struct NetworkFit {
    /// White's advantage, on the scale of η.
    pub white: f64,
    /// Half the distance between the cut-points.
    pub half: f64,
    /// The coefficient of each kind: infinite if results are separated, and NaN if no chain of imbalances determines
    /// it.
    pub coefficients: Vec<f64>,
    /// The covariance of the coefficients, which includes the random effects.
    pub covariance: DMatrix<f64>,
    /// The variance of White's advantage.
    pub white_variance: f64,
    /// The standard deviation of the imbalances' own effects.
    pub deviation: f64,
    /// The degrees of freedom: the number of imbalances beyond those that determine the coefficients.
    pub freedom: usize,
    /// The test of whether values add up.
    pub additive: Option<ChiSquareTest>,
    /// The rows, in the order given.
    pub rows: Vec<RowFit>,
    /// The variance of η after one pair near equality.
    pub pair_variance: f64,
}

/// The fit of a row, on the scale of η. All fields are NaN for a row without pairs and for one that is separated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowFit {
    /// The sum of its coefficients.
    pub expected: f64,
    /// The difference between its own results and that sum.
    pub residual: f64,
    /// The standard error of the residual.
    pub error: f64,
    /// The variance of η by its own results alone.
    pub variance: f64,
}

impl NetworkFit {
    /// The half-width of a 95 % interval in standard errors: the quantile of Student's distribution whose degrees of
    /// freedom are those of the fit plus the imbalances for which the prior counts.
    pub fn critical(&self) -> f64 {
        let freedom = self.freedom as f64 + PRIOR_IMBALANCES;
        StudentsT::new(0.0, 1.0, freedom).map_or(NORMAL_975, |t| t.inverse_cdf(0.975))
    }
}

/// The parameters, in order: White's advantage, half the distance between the cut-points unless no game was drawn, the
/// coefficients of the basis, and for each row its effect divided by the deviation.
#[derive(Clone, Debug)]
struct Point {
    parameters: DVector<f64>,
    log: f64,
    decomposed: Cholesky<f64, Dyn>,
}

/// The likelihood to be maximised.
struct NetworkProblem<'r> {
    rows: Vec<&'r NetworkRow>,
    /// The design matrix: a line for each row, in a basis without collinear columns.
    design: DMatrix<f64>,
    /// The design effect of each row.
    design_effects: Vec<f64>,
    drawn: bool,
    link: Link,
}

/// A row's likelihood as a function of its η, of White's advantage, and of half the distance between the cut-points.
#[derive(Default)]
struct Local {
    log: f64,
    /// The derivatives with respect to η, White's advantage and half the distance.
    gradient: [f64; 3],
    /// Minus the second derivatives.
    information: [[f64; 3]; 3],
    /// The variance of the pairs' derivatives with respect to η.
    spread: f64,
}

impl NetworkProblem<'_> {
    fn columns(&self) -> usize {
        self.design.ncols()
    }

    /// The index of the first coefficient.
    fn first(&self) -> usize {
        1 + usize::from(self.drawn)
    }

    fn size(&self) -> usize {
        self.first() + self.columns() + self.rows.len()
    }

    fn half(&self, parameters: &DVector<f64>) -> f64 {
        if self.drawn { parameters[1] } else { 0.0 }
    }

    /// The sum of a row's coefficients.
    fn fixed(&self, parameters: &DVector<f64>, row: usize) -> f64 {
        (0..self.columns()).map(|column| self.design[(row, column)] * parameters[self.first() + column]).sum()
    }

    /// A row's η without White's advantage.
    fn eta(&self, parameters: &DVector<f64>, row: usize, deviation: f64) -> f64 {
        self.fixed(parameters, row) + deviation * parameters[self.first() + self.columns() + row]
    }

    fn local(&self, row: usize, eta: f64, white: f64, half: f64) -> Local {
        let pairs = &self.rows[row].pairs;
        let terms = [1.0, -1.0]
            .map(|side| Terms::of(self.link, -half - eta - side * white, half - eta - side * white));
        let slope = |terms: &Terms| -(terms.first[0] + terms.first[1]);
        let mut local = Local::default();
        let (mut number, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for (as_white, counts) in pairs.iter().enumerate() {
            for (as_black, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                let count = count as f64;
                let both = slope(&terms[0][as_white]) + slope(&terms[1][as_black]);
                number += count;
                sum += count * both;
                squares += count * both * both;
                for (terms, side) in [(&terms[0][as_white], 1.0), (&terms[1][as_black], -1.0)] {
                    let [lower, upper] = terms.first;
                    let [aa, ab, bb] = terms.second;
                    let by = [slope(terms), side * slope(terms), upper - lower];
                    let (twice, mixed) = (aa + 2.0 * ab + bb, aa - bb);
                    let second = [
                        [twice, side * twice, mixed],
                        [side * twice, twice, side * mixed],
                        [mixed, side * mixed, aa - 2.0 * ab + bb],
                    ];
                    local.log += count * terms.log;
                    for index in 0..3 {
                        local.gradient[index] += count * by[index];
                        for (sum, part) in local.information[index].iter_mut().zip(second[index]) {
                            *sum -= count * part;
                        }
                    }
                }
            }
        }
        local.spread = (squares - sum * sum / number).max(0.0) / (number - 1.0).max(1.0);
        local
    }

    /// The penalised likelihood with its gradient and minus its second derivatives.
    fn slopes(&self, parameters: &DVector<f64>, deviation: f64) -> (f64, DVector<f64>, DMatrix<f64>) {
        let (first, columns, size) = (self.first(), self.columns(), self.size());
        let (white, half) = (parameters[0], self.half(parameters));
        let (mut log, mut gradient, mut information) =
            (0.0, DVector::zeros(size), DMatrix::zeros(size, size));
        for row in 0..self.rows.len() {
            let eta = self.eta(parameters, row, deviation);
            let local = self.local(row, eta, white, half);
            let weight = 1.0 / self.design_effects[row];
            let own = first + columns + row;
            // Which parameters move η, White's advantage and the cut-points, and how much.
            let mut moves: Vec<(usize, usize, f64)> = vec![(0, 1, 1.0)];
            if self.drawn {
                moves.push((1, 2, 1.0));
            }
            moves.extend((0..columns).map(|column| (first + column, 0, self.design[(row, column)])));
            moves.push((own, 0, deviation));
            log += weight * local.log - 0.5 * parameters[own].powi(2);
            gradient[own] -= parameters[own];
            information[(own, own)] += 1.0;
            for &(index, of, by) in &moves {
                gradient[index] += weight * by * local.gradient[of];
                for &(other, of_other, by_other) in &moves {
                    information[(index, other)] += weight * by * by_other * local.information[of][of_other];
                }
            }
        }
        (log, gradient, information)
    }

    /// Newton's method from a starting point.
    fn maximise(&self, deviation: f64, start: &DVector<f64>) -> Result<Point, NetworkFitError> {
        let mut parameters = start.clone();
        let (mut log, mut gradient, mut information) = self.slopes(&parameters, deviation);
        for _ in 0..MAX_STEPS {
            let decomposed = Cholesky::new(information).ok_or(NetworkFitError::Singular)?;
            let step = decomposed.solve(&gradient);
            if step.amax() < 1e-8 {
                return Ok(Point { parameters, log, decomposed });
            }
            let mut share = 1.0;
            loop {
                let next = &parameters + share * &step;
                if !self.drawn || next[1] > 0.0 {
                    let there = self.slopes(&next, deviation);
                    if there.0 >= log - 1e-10 * log.abs() {
                        parameters = next;
                        (log, gradient, information) = there;
                        break;
                    }
                }
                share *= 0.5;
                if share < 1e-9 {
                    return Err(NetworkFitError::Singular);
                }
            }
            let far = (0..self.rows.len()).any(|row| self.fixed(&parameters, row).abs() > MAX_ETA);
            if far && step.amax() > 0.2 {
                let rows = (0..self.rows.len()).map(|row| self.fixed(&step, row) * share);
                let longest = rows.clone().map(f64::abs).fold(f64::MIN_POSITIVE, f64::max);
                return Err(NetworkFitError::Separated(rows.map(|by| (by / longest).abs() > 0.1).collect()));
            }
        }
        Err(NetworkFitError::Singular)
    }

    /// The logarithm of Laplace's approximation of the restricted likelihood of a deviation, plus that of the prior: a
    /// scaled inverse χ² distribution of the variance.
    fn restricted(point: &Point, deviation: f64) -> f64 {
        let diagonal = point.decomposed.l_dirty().diagonal();
        let usual = (USUAL_DEVIATION / deviation).powi(2);
        let prior = 0.5 * PRIOR_IMBALANCES * (usual.ln() - usual);
        point.log - diagonal.iter().map(|value| value.ln()).sum::<f64>() + prior
    }

    /// The deviation that maximises this likelihood, and the fit at it.
    fn with_deviation(&self, without: Point) -> Result<(f64, Point), NetworkFitError> {
        let mut best = (f64::NEG_INFINITY, 0.0, without);
        let attempt = |deviation: f64, best: &mut (f64, f64, Point)| -> Result<f64, NetworkFitError> {
            let point = self.maximise(deviation, &best.2.parameters)?;
            let likelihood = Self::restricted(&point, deviation);
            if likelihood > best.0 {
                *best = (likelihood, deviation, point);
            }
            Ok(likelihood)
        };
        for deviation in DEVIATIONS {
            attempt(deviation, &mut best)?;
        }
        // Golden section between the neighbours of the best, in equal ratios.
        let at = DEVIATIONS.iter().position(|&deviation| deviation == best.1).unwrap_or(0);
        let ends = [at.saturating_sub(1), (at + 1).min(DEVIATIONS.len() - 1)];
        let [mut low, mut high] = ends.map(|end| DEVIATIONS[end].ln());
        let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
        while high - low > 0.01 {
            let [left, right] = [high - golden * (high - low), low + golden * (high - low)];
            if attempt(left.exp(), &mut best)? >= attempt(right.exp(), &mut best)? {
                high = right;
            } else {
                low = left;
            }
        }
        Ok((best.1, best.2))
    }
}

/// The maximum number of Newton steps; a fit takes about six.
const MAX_STEPS: usize = 50;

/// If the coefficients put a row further than this from equality and steps do not shrink, the likelihood has no
/// maximum.
const MAX_ETA: f64 = 12.0;

/// The deviations that are tried first, on the scale of η.
const DEVIATIONS: [f64; 7] = [0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6];

/// The typical deviation of the prior, about 10 Elo, and the number of imbalances for which the prior counts.
pub(crate) const USUAL_DEVIATION: f64 = 0.06;
const PRIOR_IMBALANCES: f64 = 4.0;

/// The weight of the pooled design effect against an imbalance's own, as a number of pairs.
const PRIOR_PAIRS: f64 = 20.0;

/// Why there is no fit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NetworkFitError {
    /// There are no pairs, or all games were drawn.
    Nothing,
    /// Each imbalance was won by the same side in every game. These are the coefficients: infinite, or NaN where no match
    /// says anything.
    Swept(Vec<f64>),
    /// In every match both sides lack the same.
    Equal,
    /// The likelihood has no maximum: it grows without bound along these rows, of those with pairs.
    Separated(Vec<bool>),
    /// Newton's method did not converge.
    Singular,
}

/// Fits rows of this number of kinds. If results are separated, the kinds along which they are get infinite
/// coefficients, and the others are fitted to the remaining rows.
pub(crate) fn fit_network(
    rows: &[NetworkRow],
    kinds: usize,
    link: Link,
) -> Result<NetworkFit, NetworkFitError> {
    let mut kept: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].number() > 0.0).collect();
    let mut swept: Vec<usize> = Vec::new();
    loop {
        if kept.is_empty() && !swept.is_empty() {
            let mut coefficients = vec![f64::NAN; kinds];
            swept.iter().for_each(|&row| mark_infinite(&rows[row], &mut coefficients));
            return Err(NetworkFitError::Swept(coefficients));
        }
        let found = fit_kept(rows, &kept, kinds, link);
        let Err(NetworkFitError::Separated(separated)) = found else {
            let mut found = found?;
            for &row in &swept {
                mark_infinite(&rows[row], &mut found.coefficients);
            }
            return Ok(found);
        };
        let (gone, left): (Vec<_>, Vec<_>) =
            kept.iter().zip(&separated).partition(|(_, separated)| **separated);
        swept.extend(gone.into_iter().map(|(&row, _)| row));
        kept = left.into_iter().map(|(&row, _)| row).collect();
    }
}

/// A kind that occurs only in swept imbalances gets an infinite coefficient of the right sign.
fn mark_infinite(row: &NetworkRow, coefficients: &mut [f64]) {
    let [lost, won] = [0, 2].map(|end| row.pairs[end][end]);
    let unknown: Vec<usize> = (0..coefficients.len())
        .filter(|&kind| row.difference[kind] != 0.0 && coefficients[kind].is_nan())
        .collect();
    if let [kind] = unknown[..] {
        let sign = if won >= lost { 1.0 } else { -1.0 };
        coefficients[kind] = f64::INFINITY * sign * row.difference[kind].signum();
    }
}

fn fit_kept(
    rows: &[NetworkRow],
    kept: &[usize],
    kinds: usize,
    link: Link,
) -> Result<NetworkFit, NetworkFitError> {
    let used: Vec<&NetworkRow> = kept.iter().map(|&row| &rows[row]).collect();
    let all = |outcome: usize| -> u64 {
        used.iter()
            .map(|row| (0..3).map(|other| row.pairs[outcome][other] + row.pairs[other][outcome]).sum::<u64>())
            .sum()
    };
    if all(0) + all(2) == 0 {
        return Err(NetworkFitError::Nothing);
    }
    if used.iter().all(|row| row.difference.iter().all(|&difference| difference == 0.0)) {
        return Err(NetworkFitError::Equal);
    }
    let drawn = all(1) > 0;
    let x = DMatrix::from_fn(used.len(), kinds, |row, kind| used[row].difference[kind]);
    let basis = row_space(&x);
    let design_effects = vec![1.0; used.len()];
    let mut problem = NetworkProblem { rows: used, design: &x * &basis, design_effects, drawn, link };
    let mut start = DVector::zeros(problem.size());
    if drawn {
        start[1] = 0.3;
    }
    let point = problem.maximise(0.0, &start)?;
    problem.design_effects = design_effects_at(&problem, &point);
    let point = problem.maximise(0.0, &point.parameters)?;
    let freedom = problem.rows.len() - basis.ncols();
    let (additive, fitted_rows) = fitted_rows(&problem, &point, rows.len(), kept, freedom);
    let (deviation, point) = problem.with_deviation(point)?;
    let inverse = point.decomposed.inverse();
    let first = problem.first();
    let spread = inverse.view((first, first), (basis.ncols(), basis.ncols())).into_owned();
    let beta = &basis * point.parameters.rows(first, basis.ncols());
    let reached = &basis * basis.transpose();
    let is_known = |kind: usize| (reached[(kind, kind)] - 1.0_f64).abs() < 1e-6;
    let coefficients = (0..kinds).map(|kind| if is_known(kind) { beta[kind] } else { f64::NAN }).collect();
    let half = problem.half(&point.parameters);
    Ok(NetworkFit {
        white: point.parameters[0],
        half,
        coefficients,
        covariance: &basis * spread * basis.transpose(),
        white_variance: inverse[(0, 0)],
        deviation,
        freedom,
        additive,
        rows: fitted_rows,
        pair_variance: pair_variance(&problem, &point),
    })
}

/// An orthonormal basis of the space that the rows of a matrix span, as columns.
fn row_space(x: &DMatrix<f64>) -> DMatrix<f64> {
    let decomposed = (x.transpose() * x).symmetric_eigen();
    let largest = decomposed.eigenvalues.max();
    let columns: Vec<DVector<f64>> = decomposed
        .eigenvalues
        .iter()
        .zip(decomposed.eigenvectors.column_iter())
        .filter(|(value, _)| **value > 1e-9 * largest)
        .map(|(_, vector)| vector.into_owned())
        .collect();
    DMatrix::from_columns(&columns)
}

/// The design effect of each row, shrunk towards the pooled one: the variance of the pairs' derivatives divided by that
/// of independent games.
fn design_effects_at(problem: &NetworkProblem<'_>, point: &Point) -> Vec<f64> {
    let (white, half) = (point.parameters[0], problem.half(&point.parameters));
    let each: Vec<[f64; 3]> = (0..problem.rows.len())
        .map(|row| {
            let number = problem.rows[row].number();
            let local = problem.local(row, problem.fixed(&point.parameters, row), white, half);
            [number, local.spread, local.information[0][0] / number]
        })
        .collect();
    let sum = |of: fn(&[f64; 3]) -> f64| each.iter().map(of).sum::<f64>();
    // If each row has a single pair, no variance can be estimated.
    let pooled = match sum(|[number, ..]| number - 1.0) > 0.0 {
        true => {
            sum(|[number, spread, _]| (number - 1.0) * spread)
                / sum(|[number, _, each]| (number - 1.0) * each)
        }
        false => 1.0,
    };
    let pooled = if pooled > 0.0 { pooled } else { 1.0 };
    let own = |&[number, spread, information]: &[f64; 3]| {
        let own = (number - 1.0) * spread / information.max(f64::MIN_POSITIVE);
        (own + PRIOR_PAIRS * pooled) / (number - 1.0 + PRIOR_PAIRS)
    };
    each.iter().map(own).collect()
}

/// The variance of η after one pair near equality.
fn pair_variance(problem: &NetworkProblem<'_>, point: &Point) -> f64 {
    let half = problem.half(&point.parameters);
    let weights = Terms::of(problem.link, -half, half);
    let information: f64 = weights
        .iter()
        .map(|terms| -terms.log.exp() * (terms.second[0] + 2.0 * terms.second[1] + terms.second[2]))
        .filter(|part| part.is_finite())
        .sum();
    let mean = problem.design_effects.iter().sum::<f64>() / problem.design_effects.len() as f64;
    mean / (2.0 * information)
}

/// Rao's score test of the additive model, and the residual of each row: one Newton step for that row alone.
fn fitted_rows(
    problem: &NetworkProblem<'_>,
    point: &Point,
    rows: usize,
    kept: &[usize],
    freedom: usize,
) -> (Option<ChiSquareTest>, Vec<RowFit>) {
    let nothing = RowFit { expected: f64::NAN, residual: f64::NAN, error: f64::NAN, variance: f64::NAN };
    let mut fitted = vec![nothing; rows];
    let (first, columns) = (problem.first(), problem.columns());
    let inverse = point.decomposed.inverse();
    let spread = inverse.view((first, first), (columns, columns)).into_owned();
    let (white, half) = (point.parameters[0], problem.half(&point.parameters));
    let mut squares = 0.0;
    for (row, &at) in kept.iter().enumerate() {
        let expected = problem.fixed(&point.parameters, row);
        let local = problem.local(row, expected, white, half);
        let variance = problem.design_effects[row] / local.information[0][0];
        let residual = local.gradient[0] / local.information[0][0];
        let x = problem.design.row(row);
        let left = variance - (x * &spread * x.transpose())[(0, 0)];
        fitted[at] = RowFit { expected, residual, error: left.max(0.0).sqrt(), variance };
        squares += residual.powi(2) / variance;
    }
    (ChiSquareTest::new(squares, freedom), fitted)
}

#[cfg(test)]
mod tests;
