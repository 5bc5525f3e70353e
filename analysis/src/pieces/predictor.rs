//! What a piece should be worth by what can be seen of it, as pieces that were measured tell.

use backrank_rules::Board;
use nalgebra::{DMatrix, DVector};

use super::features::PieceFeatures;
use super::measured::MeasuredPiece;
use super::shipped::{all_shipped_pieces, shipped_pieces};
use crate::stats::{Estimate, Interval, student_975};
use crate::values::Unit;

/// The terms of the logarithm of a value, with what each counts.
pub const TERMS: [&str; 9] = [
    "constant",
    "logarithm of mobility",
    "forwards",
    "colour-bound",
    "far captures",
    "logarithm of how much an empty board adds",
    "captures beyond its moves",
    "moves beyond its captures",
    "squares out of reach",
];

/// The indices of two terms.
const CONSTANT: usize = 0;
const MOBILITY: usize = 1;

/// The standard deviation of the normal prior of each coefficient but the constant.
const PRIOR_ERROR: f64 = 0.5;

/// A linear model of the logarithm of values. Each coefficient but the constant has a normal prior, around 1 for mobility and 0 for the
/// others, so that few pieces say little rather than anything.
///
/// Source of the estimator of the spread: Paule and Mandel, "Consensus values and weighting factors", 1982.
#[derive(Clone, Debug)]
pub struct Predictor {
    coefficients: DVector<f64>,
    covariance: DMatrix<f64>,
    /// The standard deviation of the logarithms of values around the model, without the errors of measurement.
    pub spread: f64,
    /// The number of pieces minus that of terms.
    degrees: f64,
    /// The number of pieces by which it was fitted.
    pub pieces: usize,
}

/// A piece that was measured.
#[derive(Clone, Copy, Debug)]
pub struct Observation {
    /// What can be seen of it.
    pub features: PieceFeatures,
    /// Its value.
    pub value: Estimate,
}

impl MeasuredPiece {
    /// What it tells of other pieces; `None` if its value is not known, is that of a later stage of the game, or has no logarithm: a piece
    /// that is in its side's way is worth less than nothing.
    pub fn observation(&self) -> Option<Observation> {
        let value = self.value.filter(|value| self.is_of_full_army() && value.value > 0.0)?;
        Some(Observation { features: self.features, value })
    }
}

impl Observation {
    /// The logarithm of the value, and its standard error; `None` for a value that is not known to be above 0.
    fn logarithm(&self) -> Option<(f64, f64)> {
        let Estimate { value, interval: Interval { low, high } } = self.value;
        (value > 0.0 && low.is_finite() && high.is_finite())
            .then(|| (value.ln(), (high - low) / (2.0 * 1.96 * value)))
    }
}

fn terms(features: &PieceFeatures) -> [f64; TERMS.len()] {
    let captures = features.captures.max(0.1);
    let beyond = (features.captures - features.moves) / (features.captures + features.moves).max(0.1);
    [
        1.0,
        features.mobility().max(0.1).ln(),
        features.forward - 0.5,
        f64::from(features.colour_bound),
        features.far_captures / captures,
        (features.captures_when_empty.max(0.1) / captures).ln(),
        beyond.max(0.0),
        (-beyond).max(0.0),
        // A colour-bound piece has a term of its own.
        1.0 - features.reach * if features.colour_bound { 2.0 } else { 1.0 },
    ]
}

impl Predictor {
    /// The model by the pieces that come with the program, in a unit of the knight's: on 8×8 by those that were measured there, and on
    /// the other boards where some were by those of all boards, since they are few. `None` for another unit or board.
    pub fn shipped(unit: Unit, board: Board) -> Option<Self> {
        let there = shipped_pieces(unit, board)?;
        let pieces = if (board.files(), board.ranks()) == (8, 8) { there } else { all_shipped_pieces(unit)? };
        let observations: Vec<Observation> = pieces.iter().filter_map(MeasuredPiece::observation).collect();
        Self::fit(&observations)
    }

    /// Fits the model. `None` if there are no more pieces than terms.
    pub fn fit(observations: &[Observation]) -> Option<Self> {
        let known = observations.iter().filter_map(|observation| {
            let (logarithm, error) = observation.logarithm()?;
            Some((terms(&observation.features), logarithm, error))
        });
        let known: Vec<_> = known.collect();
        let degrees = known.len().checked_sub(TERMS.len()).filter(|&degrees| degrees > 0)? as f64;
        // What the coefficients are taken to be before there are pieces: those of a value in proportion to mobility.
        let precision = DMatrix::from_fn(TERMS.len(), TERMS.len(), |row, column| {
            if row == column && row != CONSTANT { PRIOR_ERROR.powi(-2) } else { 0.0 }
        });
        let usual = DVector::from_fn(TERMS.len(), |row, _| f64::from(row == MOBILITY));
        let x = DMatrix::from_fn(known.len(), TERMS.len(), |row, column| known[row].0[column]);
        let y = DVector::from_iterator(known.len(), known.iter().map(|known| known.1));
        let solve = |spread: f64| {
            let weights = known.iter().map(|known| 1.0 / (known.2.powi(2) + spread.powi(2)));
            let weights = DVector::from_iterator(known.len(), weights);
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
        Some(Self { coefficients, covariance, spread: high, degrees, pieces: known.len() })
    }

    /// The value of a piece, with the interval of a single prediction.
    pub fn predict(&self, features: &PieceFeatures) -> Estimate {
        let terms = DVector::from_row_slice(&terms(features));
        let logarithm = terms.dot(&self.coefficients);
        let error = ((terms.transpose() * &self.covariance * &terms)[0] + self.spread.powi(2)).sqrt();
        let within = self.quantile() * error;
        let interval = Interval { low: (logarithm - within).exp(), high: (logarithm + within).exp() };
        Estimate { value: logarithm.exp(), interval }
    }

    /// The coefficients of [`TERMS`].
    pub fn coefficients(&self) -> Vec<Estimate> {
        let of = |index: usize| {
            let (value, error) = (self.coefficients[index], self.covariance[(index, index)].sqrt());
            let within = self.quantile() * error;
            Estimate { value, interval: Interval { low: value - within, high: value + within } }
        };
        (0..TERMS.len()).map(of).collect()
    }

    /// The covariance of the coefficients, by rows.
    pub(super) fn covariance(&self) -> Vec<Vec<f64>> {
        self.covariance.row_iter().map(|row| row.iter().copied().collect()).collect()
    }

    /// How many standard errors the intervals are wide to either side.
    pub(super) fn quantile(&self) -> f64 {
        student_975(self.degrees)
    }
}

/// The prediction of each piece by the others, in their order; `None` where there is none.
pub fn cross_validated(observations: &[Observation]) -> Vec<Option<Estimate>> {
    let of = |index: usize| {
        let mut others = observations.to_vec();
        let left_out = others.remove(index);
        Predictor::fit(&others).map(|predictor| predictor.predict(&left_out.features))
    };
    (0..observations.len()).map(of).collect()
}
