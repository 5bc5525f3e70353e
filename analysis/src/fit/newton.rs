//! Maximum likelihood by Newton's method; the log-likelihood is concave.
//!
//! Source: Pratt, "Concavity of the Log Likelihood", 1981.

use super::likelihood::{Link, Terms};
use super::model::Model;
use super::observations::PatternWeights;
use crate::games::Difference;
use crate::stats::Symmetric;

/// The order of the parameters of a fit: the coefficients of the columns, then the cut-points.
#[derive(Clone, Debug)]
pub(crate) struct ParameterLayout {
    /// The columns of a [`Difference`] that have a coefficient.
    pub columns: Vec<usize>,
    pub model: Model,
}

/// A fit that converged.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    pub layout: ParameterLayout,
    /// The coefficients, then the lower and the upper cut-point, or the only one.
    pub parameters: Vec<f64>,
    /// The negative Hessian of the log-likelihood.
    pub information: Symmetric,
}

/// Why the likelihood has no maximum, or not a unique one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FitError {
    /// The likelihood increases without bound in this direction of the coefficients: results are separated along it.
    Separated(Vec<f64>),
    /// Not all outcomes that the model describes have occurred.
    Outcomes,
    /// Columns are collinear.
    Singular,
}

impl ParameterLayout {
    /// The number of cut-points.
    pub fn cuts(&self) -> usize {
        match self.model {
            Model::Ordered => 2,
            Model::Decided => 1,
        }
    }

    /// The number of parameters.
    pub fn size(&self) -> usize {
        self.columns.len() + self.cuts()
    }

    /// The indices of the two cut-points, which can be the same.
    pub fn cut_indices(&self) -> [usize; 2] {
        [self.columns.len(), self.size() - 1]
    }

    /// The distances of the cut-points from the η of a pattern.
    pub fn distances(&self, parameters: &[f64], pattern: &Difference) -> [f64; 2] {
        let eta: f64 = self
            .columns
            .iter()
            .zip(parameters)
            .map(|(&column, beta)| f64::from(pattern[column]) * beta)
            .sum();
        self.cut_indices().map(|index| parameters[index] - eta)
    }

    /// The starting point: cut-points from the shares of the outcomes, and coefficients of zero.
    fn start(&self, weights: &PatternWeights) -> Option<Vec<f64>> {
        let mut totals = [0.0; 3];
        weights.iter().for_each(|pattern| (0..3).for_each(|outcome| totals[outcome] += pattern[outcome]));
        let all: f64 = totals.iter().sum();
        let needed: &[usize] = if self.model == Model::Ordered { &[0, 1, 2] } else { &[0, 2] };
        if needed.iter().any(|&outcome| totals[outcome] <= 0.0) {
            return None;
        }
        let mut parameters = vec![0.0; self.columns.len()];
        let logit = |share: f64| (share / (1.0 - share)).ln();
        parameters.push(logit(totals[0] / all));
        if self.model == Model::Ordered {
            parameters.push(logit((totals[0] + totals[1]) / all));
        }
        Some(parameters)
    }

    fn is_ordered(&self, parameters: &[f64]) -> bool {
        let [lower, upper] = self.cut_indices();
        lower == upper || parameters[lower] < parameters[upper]
    }
}

/// The log-likelihood with its derivatives at some parameters.
struct Slope {
    log: f64,
    gradient: Vec<f64>,
    information: Symmetric,
}

/// The log-likelihood and its derivatives, summed up over the patterns.
fn slope(
    layout: &ParameterLayout,
    patterns: &[Difference],
    weights: &PatternWeights,
    parameters: &[f64],
) -> Slope {
    let columns = layout.columns.len();
    let [lower, upper] = layout.cut_indices();
    let size = layout.size();
    let mut gradient = vec![0.0; size];
    // Only the upper half of each row is summed up; the lower half follows by symmetry.
    let mut half = vec![0.0; size * size];
    let mut log = 0.0;
    let mut x = vec![0.0; columns];
    for (pattern, weight) in patterns.iter().zip(weights) {
        if *weight == [0.0; 3] {
            continue;
        }
        let [a, b] = layout.distances(parameters, pattern);
        let mut sum = Terms::default();
        for (terms, &weight) in
            Terms::of(Link::Logit, a, b).iter().zip(weight).filter(|(_, weight)| **weight > 0.0)
        {
            sum.log += weight * terms.log;
            (0..2).for_each(|index| sum.first[index] += weight * terms.first[index]);
            (0..3).for_each(|index| sum.second[index] += weight * terms.second[index]);
        }
        log += sum.log;
        let [a, b] = sum.first;
        let [aa, ab, bb] = sum.second;
        for (value, &column) in x.iter_mut().zip(&layout.columns) {
            *value = f64::from(pattern[column]);
        }
        let (eta, both) = (-(a + b), -(aa + 2.0 * ab + bb));
        for row in 0..columns {
            if x[row] == 0.0 {
                continue;
            }
            gradient[row] += eta * x[row];
            let line = &mut half[row * size..(row + 1) * size];
            let scaled = both * x[row];
            for column in row..columns {
                line[column] += scaled * x[column];
            }
            line[lower] += (aa + ab) * x[row];
            line[upper] += (bb + ab) * x[row];
        }
        gradient[lower] += a;
        gradient[upper] += b;
        if lower == upper {
            half[lower * size + lower] -= aa + 2.0 * ab + bb;
        } else {
            half[lower * size + lower] -= aa;
            half[lower * size + upper] -= ab;
            half[upper * size + upper] -= bb;
        }
    }
    let mut information = Symmetric::zeros(size);
    for row in 0..size {
        for column in row..size {
            information.0[(row, column)] = half[row * size + column];
            information.0[(column, row)] = half[row * size + column];
        }
    }
    Slope { log, gradient, information }
}

/// The largest number of Newton steps; a fit converges in about ten.
const MAX_STEPS: usize = 60;

/// If a coefficient is larger than this and steps do not get shorter, the likelihood has no maximum.
const MAX_COEFFICIENT: f64 = 12.0;

/// Fits the parameters, starting from the shares of the outcomes or from a fit to similar data.
///
/// # Errors
///
/// When the likelihood has no maximum, or not a unique one.
pub(crate) fn fit(
    layout: &ParameterLayout,
    patterns: &[Difference],
    weights: &PatternWeights,
    from: Option<&[f64]>,
) -> Result<Fit, FitError> {
    let start = layout.start(weights).ok_or(FitError::Outcomes)?;
    let mut parameters = from.map_or(start, <[f64]>::to_vec);
    let total: f64 = weights.iter().flatten().sum();
    let mut here = slope(layout, patterns, weights, &parameters);
    for _ in 0..MAX_STEPS {
        let Some(step) = here.information.solve(&here.gradient) else {
            return Err(if is_far(layout, &parameters) {
                separated(layout, &parameters)
            } else {
                FitError::Singular
            });
        };
        let gain: f64 = step.iter().zip(&here.gradient).map(|(step, slope)| step * slope).sum();
        let longest = step.iter().fold(0.0_f64, |longest, step| longest.max(step.abs()));
        if gain <= 1e-13 * total && longest < 1e-6 {
            let information = here.information;
            return Ok(Fit { layout: layout.clone(), parameters, information });
        }
        let mut share = 1.0;
        loop {
            let next: Vec<f64> =
                parameters.iter().zip(&step).map(|(number, step)| number + share * step).collect();
            if layout.is_ordered(&next) {
                let there = slope(layout, patterns, weights, &next);
                if there.log >= here.log - 1e-12 * total {
                    (parameters, here) = (next, there);
                    break;
                }
            }
            share *= 0.5;
            if share < 1e-9 {
                return Err(FitError::Singular);
            }
        }
        if longest > 0.2 && is_far(layout, &parameters) {
            return Err(FitError::Separated(direction(layout, &step)));
        }
    }
    Err(separated(layout, &parameters))
}

fn is_far(layout: &ParameterLayout, parameters: &[f64]) -> bool {
    parameters[..layout.columns.len()].iter().any(|beta| beta.abs() > MAX_COEFFICIENT)
}

fn separated(layout: &ParameterLayout, parameters: &[f64]) -> FitError {
    FitError::Separated(direction(layout, parameters))
}

/// The part of a step that belongs to the columns, scaled so that its largest component is 1.
fn direction(layout: &ParameterLayout, step: &[f64]) -> Vec<f64> {
    let step = &step[..layout.columns.len()];
    let longest = step.iter().fold(f64::MIN_POSITIVE, |longest, step| longest.max(step.abs()));
    step.iter().map(|step| step / longest).collect()
}
