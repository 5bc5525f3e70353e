//! What a piece should be worth by what can be seen of it, as pieces that were measured tell.

use backrank_rules::{Board, PieceFeatures};

use super::log_linear::{LogLinear, LogRow, Prior};
use super::measured::MeasuredPiece;
use super::shipped::{all_shipped_pieces, shipped_pieces};
use crate::stats::{Estimate, Interval};
use crate::values::Unit;

/// The number of terms.
const TERMS: usize = PieceFeatures::TERMS.len();

/// The indices of two terms.
const CONSTANT: usize = 0;
const MOBILITY: usize = 1;

/// The standard deviation of the normal prior of each coefficient but the constant.
pub(super) const PRIOR_ERROR: f64 = 0.5;

/// A linear model of the logarithm of values. Each coefficient but the constant has a normal prior, around 1 for mobility and 0 for the
/// others, so that few pieces say little rather than anything.
#[derive(Clone, Debug)]
pub struct Predictor {
    fit: LogLinear,
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
    /// What it tells of other pieces at the same stage of a game; `None` if its value is not known, or has no logarithm: a piece that is in
    /// its side's way is worth less than nothing.
    pub fn observation(&self) -> Option<Observation> {
        let value = self.value.filter(|value| value.value > 0.0)?;
        Some(Observation { features: self.features, value })
    }
}

impl Observation {
    /// What the model is told of it; `None` for a value that is not known to be above 0.
    pub(super) fn row(&self) -> Option<LogRow> {
        let (logarithm, error) = logarithm(self.value)?;
        Some(LogRow { terms: self.features.terms().to_vec(), logarithm, error })
    }
}

/// The logarithm of a value, and its standard error; `None` for one that is not known to be above 0.
pub(super) fn logarithm(value: Estimate) -> Option<(f64, f64)> {
    let Estimate { value, interval: Interval { low, high } } = value;
    (value > 0.0 && low.is_finite() && high.is_finite())
        .then(|| (value.ln(), (high - low) / (2.0 * 1.96 * value)))
}

/// What the coefficients are taken to be before there are pieces: those of a value in proportion to mobility.
pub(super) fn priors() -> Vec<Prior> {
    let of = |term: usize| Prior {
        mean: f64::from(term == MOBILITY),
        precision: if term == CONSTANT { 0.0 } else { PRIOR_ERROR.powi(-2) },
    };
    (0..TERMS).map(of).collect()
}

impl Predictor {
    /// The model by the pieces that come with the program, in a unit of the knight's: on 8×8 by those that were measured there, and on
    /// any other board by those of all boards. `None` for another unit.
    pub fn shipped(unit: Unit, board: Board) -> Option<Self> {
        let there = shipped_pieces(unit, board).filter(|_| (board.files(), board.ranks()) == (8, 8));
        let pieces = there.or_else(|| all_shipped_pieces(unit))?;
        Self::fit(&observations(&pieces))
    }

    /// Fits the model. `None` if there are no more pieces than terms.
    pub fn fit(observations: &[Observation]) -> Option<Self> {
        let rows: Vec<LogRow> = observations.iter().filter_map(Observation::row).collect();
        Some(Self { fit: LogLinear::fit(&rows, &priors())?, pieces: rows.len() })
    }

    /// The value of a piece, with the interval of a single prediction.
    pub fn predict(&self, features: &PieceFeatures) -> Estimate {
        self.fit.predict(&features.terms())
    }

    /// The standard deviation of the logarithms of values around the model, without the errors of measurement.
    pub fn spread(&self) -> f64 {
        self.fit.spread
    }

    /// The coefficients of [`PieceFeatures::TERMS`].
    pub fn coefficients(&self) -> Vec<Estimate> {
        (0..TERMS).map(|index| self.fit.coefficient(index)).collect()
    }

    /// The covariance of the coefficients, by rows.
    pub(super) fn covariance(&self) -> Vec<Vec<f64>> {
        self.fit.covariance.row_iter().map(|row| row.iter().copied().collect()).collect()
    }

    /// How many standard errors the intervals are wide to either side.
    pub(super) fn quantile(&self) -> f64 {
        self.fit.quantile()
    }
}

/// What pieces tell that were measured at the full board.
fn observations(pieces: &[MeasuredPiece]) -> Vec<Observation> {
    pieces.iter().filter(|piece| piece.is_of_full_army()).filter_map(MeasuredPiece::observation).collect()
}

/// How far predictions are off the values of those pieces that are certain to be worth something: their number, and the root of the mean
/// squared difference of logarithms. The logarithm of a value that may be zero could be anything. `None` if there is no such piece.
pub fn error_of_predictions(found: impl IntoIterator<Item = (Estimate, Estimate)>) -> Option<(usize, f64)> {
    let certain = found.into_iter().filter(|(value, _)| value.interval.low > 0.0);
    let squares = certain.map(|(value, predicted)| (value.value / predicted.value).ln().powi(2));
    let (number, sum) = squares.fold((0, 0.0), |(number, sum), square| (number + 1, sum + square));
    (number > 0).then(|| (number, (sum / number as f64).sqrt()))
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::pieces::shipped::measured_boards;

    /// The engine's file has the means of the models of both stages, of values in pawns.
    #[test]
    fn the_engine_takes_pieces_for_what_was_measured() {
        let pieces = shipped_pieces("N=3.25".parse().unwrap(), Board::new(8, 8).unwrap()).unwrap();
        let models = [true, false].map(|is_full| {
            let of_stage = pieces.iter().filter(|piece| piece.is_of_full_army() == is_full);
            let in_pawns = of_stage.map(|piece| MeasuredPiece { value: piece.pawns, ..piece.clone() });
            let observations: Vec<_> = in_pawns.filter_map(|piece| piece.observation()).collect();
            Predictor::fit(&observations).unwrap().coefficients()
        });
        let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/material.toml"));
        let file: BTreeMap<String, f64> = toml::from_str(&text.unwrap()).unwrap();
        assert_eq!(file.len(), TERMS);
        let mut found = String::new();
        for (index, term) in PieceFeatures::TERMS.into_iter().enumerate() {
            let mean = (models[0][index].value + models[1][index].value) / 2.0;
            found += &format!("\"{term}\" = {mean:.3}\n");
        }
        let written: String =
            PieceFeatures::TERMS.iter().map(|term| format!("\"{term}\" = {:.3}\n", file[*term])).collect();
        assert_eq!(written, found);
    }

    #[test]
    fn the_pieces_of_a_board_are_predicted_by_those_of_others() {
        let unit = "N=3.25".parse().unwrap();
        let of_board = |board| observations(&shipped_pieces(unit, board).unwrap());
        let of_boards: Vec<_> = measured_boards().into_iter().map(of_board).collect();
        assert_eq!(of_boards.len(), 3);
        // METHODS.md has these figures.
        for (there, said) in of_boards.iter().zip(["20.1", "20.9", "14.8"]) {
            let others = of_boards.iter().filter(|board| !std::ptr::eq(*board, there));
            let predictor = Predictor::fit(&others.flatten().copied().collect::<Vec<_>>()).unwrap();
            let predicted = |piece: &Observation| (piece.value, predictor.predict(&piece.features));
            let found: Vec<_> = there.iter().map(predicted).collect();
            let is_within =
                |(value, predicted): &&(Estimate, Estimate)| predicted.interval.contains(value.value);
            let within = found.iter().filter(is_within).count();
            assert!(4 * within >= 3 * found.len(), "{within} of {}", found.len());
            let (_, off) = error_of_predictions(found).unwrap();
            assert_eq!(format!("{:.1}", 100.0 * off), said);
        }
    }
}
