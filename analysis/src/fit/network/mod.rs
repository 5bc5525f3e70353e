//! One ordered model of all games at odds: the value of each kind of piece, and how much each imbalance deviates from
//! the sum of values.
//!
//! A game at imbalance i has η = x·β + uᵢ, the advantage of the side that has the pieces named first, plus White's
//! advantage if that side is White, or minus it if it is Black. The cut-points are −h and h. The effects uᵢ are normal
//! with the standard deviation τ. For a given τ the parameters and the effects maximise the penalised likelihood. The fit is
//! integrated over τ, whose density is Laplace's approximation of the restricted likelihood, in which all of them are integrated out
//! (REML), times a weak prior, because a few imbalances determine τ poorly.
//!
//! The two games of a pair are correlated, so each imbalance's likelihood is divided by its design effect, the ratio of
//! the variance of the pairs' scores to that of independent games. Where imbalances share setups, covariances are clustered by setup
//! as well.
//!
//! Sources: Breslow and Clayton, "Approximate Inference in Generalized Linear Mixed Models", 1993; Rao and Scott, "A
//! Simple Method for the Analysis of Clustered Binary Data", 1992.

mod deviation;
mod mixture;
mod problem;
mod shared_setups;

use nalgebra::{DMatrix, DVector};

use super::likelihood::{Link, Terms};
use crate::stats::{ChiSquareTest, Interval, elo};
pub(crate) use deviation::usual_deviation;
use deviation::{FitAt, Integrated, q_profile};
pub(crate) use mixture::Mixture;
pub(crate) use problem::{NetworkFitError, NetworkRow};
use problem::{NetworkProblem, Point};
pub(crate) use shared_setups::{SharedSetups, positive_semidefinite};

/// The fit of a network of imbalances.
#[derive(Clone, Debug)]
pub(crate) struct NetworkFit {
    /// White's advantage, on the scale of η.
    pub white: Mixture,
    /// Half the distance between the cut-points.
    pub half: f64,
    /// The coefficient of each kind: infinite if results are separated, and NaN if no chain of imbalances determines
    /// it.
    pub coefficients: Vec<f64>,
    /// The covariance of the coefficients, which includes the random effects.
    pub covariance: DMatrix<f64>,
    /// The standard deviation of the imbalances' own effects: the median of its distribution.
    pub deviation: f64,
    /// Its interval by Q-profile, if there are more imbalances than those that determine the coefficients.
    pub deviation_interval: Option<Interval>,
    /// The test of whether values add up.
    pub additive: Option<ChiSquareTest>,
    /// The rows, in the order given.
    pub rows: Vec<RowFit>,
    /// The variance of η after one pair near equality.
    pub pair_variance: f64,
    /// What rows have in common because they share setups, if they do; the covariance contains it.
    pub shared: Option<SharedSetups>,
    /// The fit at each likely deviation.
    components: Vec<Component>,
}

/// The fit at one deviation.
#[derive(Clone, Debug)]
struct Component {
    weight: f64,
    coefficients: DVector<f64>,
    covariance: DMatrix<f64>,
    /// White's advantage and its variance.
    white: [f64; 2],
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
    /// What is known of the sum of some numbers of each kind.
    pub fn sum(&self, numbers: &[f64]) -> Mixture {
        let numbers = DVector::from_column_slice(numbers);
        Mixture::new(self.components.iter().map(|part| {
            [part.weight, part.coefficients.dot(&numbers), (&part.covariance * &numbers).dot(&numbers)]
        }))
    }

    /// What is known of the coefficient of one kind less a multiple of another's.
    pub fn difference(&self, kind: usize, multiple: f64, other: usize) -> Mixture {
        let mut numbers = vec![0.0; self.coefficients.len()];
        numbers[kind] += 1.0;
        numbers[other] -= multiple;
        self.sum(&numbers)
    }

    /// The interval of a coefficient.
    pub fn interval(&self, kind: usize) -> Interval {
        self.difference(kind, 0.0, kind).interval()
    }

    /// The interval of the ratio of the coefficients of two kinds, which are not infinite.
    pub fn ratio_interval(&self, kind: usize, to: usize) -> Interval {
        let ratio = self.coefficients[kind] / self.coefficients[to];
        Mixture::of_ratio(ratio, &self.difference(to, 0.0, to), |multiple| {
            self.difference(kind, multiple, to)
        })
    }
}

/// The weight of the pooled design effect against an imbalance's own, as a number of pairs.
const PRIOR_PAIRS: f64 = 20.0;

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
    let kept_rows = kept.iter().map(|&row| &fitted_rows[row]);
    let found: Vec<[f64; 2]> = kept_rows.map(|row| [row.expected + row.residual, row.variance]).collect();
    let deviation_interval = q_profile(&problem.design, &found);
    let integrated = Integrated::of(&problem, &point, elo_of_eta(&problem, &point))?;
    let likely = integrated.most_probable();
    let shared = SharedSetups::of(&problem, &likely.point, likely.deviation);
    let components: Vec<Component> =
        integrated.fits.iter().map(|fit| component(&problem, &basis, fit, shared.as_ref())).collect();
    let mut beta = DVector::zeros(kinds);
    components.iter().for_each(|part| beta += part.weight * &part.coefficients);
    let mut covariance = DMatrix::zeros(kinds, kinds);
    for part in &components {
        let off = &part.coefficients - &beta;
        covariance += part.weight * (&part.covariance + &off * off.transpose());
    }
    let reached = &basis * basis.transpose();
    let is_known = |kind: usize| (reached[(kind, kind)] - 1.0_f64).abs() < 1e-6;
    Ok(NetworkFit {
        white: Mixture::new(components.iter().map(|part| [part.weight, part.white[0], part.white[1]])),
        half: problem.half(&likely.point.parameters),
        coefficients: (0..kinds).map(|kind| if is_known(kind) { beta[kind] } else { f64::NAN }).collect(),
        covariance,
        deviation: integrated.median,
        deviation_interval,
        additive,
        rows: fitted_rows,
        pair_variance: pair_variance(&problem, &likely.point),
        shared,
        components,
    })
}

/// The coefficients and their covariance at one deviation.
fn component(
    problem: &NetworkProblem<'_>,
    basis: &DMatrix<f64>,
    fit: &FitAt,
    shared: Option<&SharedSetups>,
) -> Component {
    let FitAt { weight, deviation, ref point } = *fit;
    let (first, columns) = (problem.first(), problem.columns());
    // The columns of the inverse that are White's and the coefficients'.
    let wanted = DMatrix::from_fn(problem.size(), 1 + columns, |row, column| {
        f64::from(row == if column == 0 { 0 } else { first + column - 1 })
    });
    let inverse = point.decomposed.solve(&wanted);
    let by_coefficient = inverse.columns(1, columns);
    let mut covariance = by_coefficient.rows(first, columns).into_owned();
    let mut widening = 1.0;
    if let Some(shared) = shared {
        // How far a score of a row with respect to η moves each coefficient.
        let moved = DMatrix::from_fn(columns, problem.rows.len(), |column, row| {
            let own = deviation * by_coefficient[(first + columns + row, column)];
            let of_sum =
                |other: usize| problem.design[(row, other)] * by_coefficient[(first + other, column)];
            own + (0..columns).map(of_sum).sum::<f64>()
        });
        covariance = positive_semidefinite(covariance + shared.added(&moved));
        widening = shared.widening().powi(2);
    }
    Component {
        weight,
        coefficients: basis * point.parameters.rows(first, columns),
        covariance: widening * (basis * covariance * basis.transpose()),
        white: [point.parameters[0], inverse[(0, 0)]],
    }
}

/// The Elo of one η near equality.
fn elo_of_eta(problem: &NetworkProblem<'_>, point: &Point) -> f64 {
    let half = problem.half(&point.parameters);
    let [_, _, win] = Terms::of(problem.link, -half, half);
    let slope = -win.log.exp() * (win.first[0] + win.first[1]);
    elo(0.5 + 1e-4 * slope) / 1e-4
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
