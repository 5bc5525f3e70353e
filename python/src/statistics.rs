//! Estimates, and what else of the statistics is of use by itself.

use backrank_analysis::games::Column;
use backrank_analysis::stats::{Estimate, correlation as correlated, wilson as of_share};
use backrank_analysis::values::{Unit, published as lists};
use backrank_rules::{Letter, Variant};
use pyo3::prelude::*;

use crate::errors::wrong;
use crate::pickling::{Reduced, reduced};
use crate::variant::VariantArg;

/// A number that was estimated, with the ends of its 95 % interval.
///
/// >>> score = wilson(0.25, 100)
/// >>> f"{score:.2f}"
/// '0.25 (0.18 to 0.34)'
#[pyclass(name = "Estimate", module = "backrank", frozen, get_all)]
#[derive(Clone, Copy)]
pub struct PyEstimate {
    value: f64,
    low: f64,
    high: f64,
}

impl From<Estimate> for PyEstimate {
    fn from(Estimate { value, interval }: Estimate) -> Self {
        Self { value, low: interval.low, high: interval.high }
    }
}

#[pymethods]
impl PyEstimate {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduced(py, "estimate", (self.value, self.low, self.high))
    }

    #[staticmethod]
    fn _unpickled(value: f64, low: f64, high: f64) -> Self {
        Self { value, low, high }
    }

    fn __repr__(&self) -> String {
        format!("Estimate(value={}, low={}, high={})", self.value, self.low, self.high)
    }

    /// The number, and its interval in brackets, each in the format of a float.
    fn __format__(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let one = |number: f64| -> PyResult<String> {
            match number {
                f64::INFINITY => Ok("∞".to_string()),
                f64::NEG_INFINITY => Ok("-∞".to_string()),
                _ => number.into_pyobject(py)?.call_method1("__format__", (format,))?.extract(),
            }
        };
        Ok(format!("{} ({} to {})", one(self.value)?, one(self.low)?, one(self.high)?))
    }

    /// So many times as much: `100 *` makes a share percent.
    fn __rmul__(&self, number: f64) -> Self {
        let [low, high] = if number < 0.0 { [self.high, self.low] } else { [self.low, self.high] };
        Self { value: number * self.value, low: number * low, high: number * high }
    }
}

/// Pearson's correlation of two columns, with the interval of Fisher's z.
#[pyfunction]
pub fn correlation(x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyResult<PyEstimate> {
    let numbers = |column: &Bound<'_, PyAny>| {
        column.try_iter()?.map(|number| number?.extract()).collect::<PyResult<Vec<f64>>>()
    };
    let (x, y) = (numbers(x)?, numbers(y)?);
    if x.len() != y.len() {
        return Err(wrong(format!(
            "there are {} numbers on one side, and {} on the other",
            x.len(),
            y.len()
        )));
    }
    let pairs: Vec<(f64, f64)> = x.into_iter().zip(y).collect();
    let found = correlated(&pairs);
    let found =
        found.ok_or_else(|| wrong("a correlation takes four pairs, and numbers that are not all alike"))?;
    Ok(found.into())
}

/// A share of so many trials, with Wilson's interval.
#[pyfunction]
pub fn wilson(share: f64, trials: f64) -> PyResult<PyEstimate> {
    if !(0.0..=1.0).contains(&share) || trials <= 0.0 || trials.is_nan() {
        return Err(wrong("a share is from 0 to 1, and of more than 0 trials"));
    }
    Ok(Estimate { value: share, interval: of_share(share, trials) }.into())
}

/// Values that others have published for a game's pieces, in a unit: the list, its board, the piece and the value.
#[pyfunction]
pub fn published(variant: VariantArg, unit: Option<String>) -> PyResult<Vec<(String, String, String, f64)>> {
    let variant = variant.find()?;
    let unit = unit_of(&variant, unit)?;
    let pieces = variant.pieces.iter().filter(|piece| !piece.royal);
    let letters = pieces.map(|piece| piece.letter).chain([Letter::PAWN]);
    let columns: Vec<Column> =
        letters.flat_map(|letter| [Column::Piece(letter), Column::Pair(letter)]).collect();
    let rows = lists().into_iter().flat_map(|list| {
        let value = |&column: &Column| {
            let value = list.of(&variant, column, unit)?;
            Some((list.name.clone(), list.board.clone(), column.to_string(), value))
        };
        columns.iter().filter_map(value).collect::<Vec<_>>()
    });
    Ok(rows.collect())
}

/// The unit that is asked for, or the usual one of a game.
pub fn unit_of(variant: &Variant, unit: Option<String>) -> PyResult<Unit> {
    let Some(text) = unit else { return Ok(Unit::usual(variant)) };
    let unit: Unit = text.parse().map_err(wrong)?;
    unit.check(variant).map_err(|problem| wrong(format!("unit {unit}: {problem}")))?;
    Ok(unit)
}
