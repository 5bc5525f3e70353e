//! Tables of results, for CSV.

use std::io::Write;

use polars::prelude::*;
use serde::Serialize;

use crate::games::Column as PieceColumn;
use crate::setups::{AdjustmentUse, Features, SetupStatistics};
use crate::stats::{Estimate, Interval};
use crate::values::{Mobility, OddsValues, RegressionValues, Sample};

/// A number with commas between thousands.
///
/// ```
/// assert_eq!(backrank_analysis::thousands(15_120_u64), "15,120");
/// ```
pub fn thousands(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A value that one method gives a piece: a row of `values.csv`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueRow {
    /// `regression`, `regression-decided`, `odds` or `mobility`.
    pub method: &'static str,
    /// The piece, or the pair.
    pub piece: PieceColumn,
    /// The games behind the value.
    pub games: u64,
    /// In pawns; by mobility, where a rook has 5. The interval of regression is that of its bootstrap.
    pub pawns: Option<Estimate>,
    /// The interval of regression by the delta method, in pawns.
    pub delta: Option<Interval>,
    /// In Elo, between equals.
    pub elo: Option<Estimate>,
    /// Why there is no value, or what to know of it.
    pub note: Option<String>,
}

impl RegressionValues {
    /// Its values, row by row.
    pub fn rows(&self) -> Vec<ValueRow> {
        let method = match self.model {
            crate::Model::Ordered => "regression",
            crate::Model::Decided => "regression-decided",
        };
        let row = |piece: &crate::PieceValue| ValueRow {
            method,
            piece: piece.piece,
            games: piece.games,
            pawns: piece
                .pawns
                .map(|delta| Estimate { interval: piece.bootstrap.unwrap_or(delta.interval), ..delta }),
            delta: piece.pawns.map(|delta| delta.interval),
            elo: piece.elo,
            note: piece.note.clone().or_else(|| self.nothing.clone()),
        };
        self.pieces.iter().map(row).collect()
    }
}

impl OddsValues {
    /// Its values, row by row.
    pub fn rows(&self) -> Vec<ValueRow> {
        let row = |piece: &crate::OddsPiece| ValueRow {
            method: "odds",
            piece: piece.piece,
            games: piece.games,
            pawns: piece.pawns,
            delta: None,
            elo: piece.elo,
            note: piece.note.clone(),
        };
        self.pieces.iter().map(row).collect()
    }
}

impl Mobility {
    /// A row; nothing was estimated, so that there is no interval.
    pub fn row(&self) -> ValueRow {
        ValueRow {
            method: "mobility",
            piece: self.piece,
            games: 0,
            pawns: Some(Estimate::exact(self.scaled)),
            delta: None,
            elo: None,
            note: None,
        }
    }
}

/// The columns of a table, one after the other.
#[derive(Default)]
struct Columns(Vec<Column>);

impl Columns {
    fn text(&mut self, name: &str, values: impl Iterator<Item = String>) {
        self.0.push(Column::new(name.into(), values.collect::<Vec<_>>()));
    }

    fn counts(&mut self, name: &str, values: impl Iterator<Item = u64>) {
        self.0.push(Column::new(name.into(), values.collect::<Vec<_>>()));
    }

    fn numbers(&mut self, name: &str, values: impl Iterator<Item = Option<f64>>) {
        self.0.push(Column::new(name.into(), values.collect::<Vec<_>>()));
    }

    fn estimates(&mut self, name: &str, values: impl Iterator<Item = Option<Estimate>> + Clone) {
        self.numbers(name, values.clone().map(|estimate| Some(estimate?.value)));
        self.intervals(name, values.map(|estimate| Some(estimate?.interval)));
    }

    fn intervals(&mut self, name: &str, values: impl Iterator<Item = Option<Interval>> + Clone) {
        self.numbers(&format!("{name}_low"), values.clone().map(|interval| Some(interval?.low)));
        self.numbers(&format!("{name}_high"), values.map(|interval| Some(interval?.high)));
    }

    /// Writes them as CSV; what is not there is an empty field, an end without bound `inf` or `-inf`.
    fn write(self, out: &mut dyn Write) -> std::io::Result<()> {
        let failed = |error: PolarsError| match error {
            PolarsError::IO { error, .. } => std::io::Error::new(error.kind(), error.to_string()),
            error => std::io::Error::other(error.to_string()),
        };
        let mut frame = DataFrame::new_infer_height(self.0).map_err(failed)?;
        CsvWriter::new(out).finish(&mut frame).map_err(failed)
    }
}

/// Writes values as CSV; `data/README.md` says what each column means.
///
/// # Errors
///
/// When writing fails.
pub fn write_values(rows: &[ValueRow], out: &mut dyn Write) -> std::io::Result<()> {
    let mut columns = Columns::default();
    columns.text("method", rows.iter().map(|row| row.method.to_string()));
    columns.text("piece", rows.iter().map(|row| row.piece.to_string()));
    columns.counts("games", rows.iter().map(|row| row.games));
    columns.estimates("pawns", rows.iter().map(|row| row.pawns));
    columns.intervals("delta", rows.iter().map(|row| row.delta));
    columns.estimates("elo", rows.iter().map(|row| row.elo));
    columns.text("note", rows.iter().map(|row| row.note.clone().unwrap_or_default()));
    columns.write(out)
}

/// Writes setups as CSV; `data/README.md` says what each column means.
///
/// # Errors
///
/// When writing fails.
pub fn write_setups(statistics: &SetupStatistics, out: &mut dyn Write) -> std::io::Result<()> {
    let setups = &statistics.setups;
    let mut columns = Columns::default();
    columns.text("setup", setups.iter().map(|setup| setup.name.id.to_string()));
    columns.text("white_rank", setups.iter().map(|setup| setup.name.white.clone()));
    columns.text("black_rank", setups.iter().map(|setup| setup.name.black.clone()));
    columns.counts("games", setups.iter().map(|setup| setup.games));
    for (index, name) in ["won", "drawn", "lost"].into_iter().enumerate() {
        columns.counts(name, setups.iter().map(|setup| setup.results[index]));
    }
    columns.estimates("score", setups.iter().map(|setup| Some(setup.score)));
    columns.estimates("shrunk", setups.iter().map(|setup| setup.shrunk));
    columns.numbers("p_value", setups.iter().map(|setup| Some(setup.p_value)));
    columns.numbers("false_discovery_rate", setups.iter().map(|setup| Some(setup.false_discovery_rate)));
    columns.write(out)
}

/// Writes what goes with White's score as CSV; `data/README.md` says what each column means.
///
/// # Errors
///
/// When writing fails.
pub fn write_features(features: &Features, out: &mut dyn Write) -> std::io::Result<()> {
    let effects = &features.effects;
    let mut columns = Columns::default();
    columns.text("feature", effects.iter().map(|effect| effect.feature.clone()));
    for (index, name) in ["least", "mean", "most"].into_iter().enumerate() {
        columns.numbers(name, effects.iter().map(|effect| Some(effect.range[index])));
    }
    columns.estimates("effect", effects.iter().map(|effect| effect.effect));
    columns.write(out)
}

/// What is counted, of what, how often, won, drawn and lost, and the score.
type AdjustmentRow = (&'static str, String, u64, Option<[u64; 3]>, Option<Estimate>);

/// Writes how the Bishop Adjustment was used as CSV; `data/README.md` says what each column means.
///
/// # Errors
///
/// When writing fails.
pub fn write_adjustments(found: &AdjustmentUse, out: &mut dyn Write) -> std::io::Result<()> {
    let mut rows: Vec<AdjustmentRow> = vec![
        ("sides", "could".to_string(), found.could, None, None),
        ("sides", "did".to_string(), found.did, None, None),
    ];
    rows.extend(found.by_whom.iter().map(|by| {
        let games = by.results.iter().sum();
        ("games", by.who.to_string(), games, Some(by.results), by.score)
    }));
    rows.extend(
        found
            .partners
            .iter()
            .map(|by| ("partner", by.partner.to_string(), by.number, Some(by.results), Some(by.score))),
    );
    rows.extend((1..).zip(&found.moves).map(|(at, &number)| ("move", at.to_string(), number, None, None)));
    let mut columns = Columns::default();
    columns.text("of", rows.iter().map(|row| row.0.to_string()));
    columns.text("name", rows.iter().map(|row| row.1.clone()));
    columns.counts("number", rows.iter().map(|row| row.2));
    for (index, name) in ["won", "drawn", "lost"].into_iter().enumerate() {
        let numbers: Vec<Option<u64>> = rows.iter().map(|row| Some(row.3?[index])).collect();
        columns.0.push(Column::new(name.into(), numbers));
    }
    columns.estimates("score", rows.iter().map(|row| row.4));
    columns.write(out)
}

/// Writes what regression goes by as CSV, from a sample made by [`Sample::with_setups`]; `data/README.md` says what each
/// column means.
///
/// # Errors
///
/// When writing fails.
pub fn write_positions(sample: &Sample, out: &mut dyn Write) -> std::io::Result<()> {
    let mut columns = Columns::default();
    columns.counts("game", sample.rows().map(|(game, ..)| game as u64));
    columns.text("setup", sample.rows().map(|(_, setup, ..)| setup.to_string()));
    columns.counts("outcome", sample.rows().map(|(_, _, outcome, ..)| outcome.into()));
    columns.numbers("weight", sample.rows().map(|(.., weight, _)| Some(weight)));
    for (index, column) in sample.columns().iter().enumerate() {
        let values: Vec<i32> = sample.rows().map(|(.., difference)| difference[index].into()).collect();
        columns.0.push(Column::new(column.to_string().into(), values));
    }
    columns.write(out)
}
