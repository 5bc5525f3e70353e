//! Tables as people read them: every value a text, and an estimate in two columns.

use std::borrow::Borrow;

use super::format::{Alignment, thousands};
use super::spec::{ColumnSpec, Table, Value};

/// A table of texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeopleTable {
    /// The heading of each column, and its alignment.
    pub columns: Vec<(String, Alignment)>,
    /// The cells of each row.
    pub rows: Vec<Vec<String>>,
}

/// The heading of intervals.
const INTERVAL: &str = "95 %";

impl<R> Table<'_, R> {
    /// The columns that people see, with texts for cells. The interval of an estimate has a column of its own.
    pub fn for_people(&self, rows: impl IntoIterator<Item = impl Borrow<R>>) -> PeopleTable {
        let shown: Vec<&ColumnSpec<'_, R>> = self.columns.iter().filter(|column| column.is_shown()).collect();
        let columns = shown.iter().flat_map(|column| {
            let interval = column.has_interval_column().then(|| (INTERVAL.to_string(), column.alignment));
            std::iter::once((column.heading.clone(), column.alignment)).chain(interval)
        });
        let cells = |row: &R| {
            let cells = shown.iter().flat_map(|column| {
                let [value, interval] = column.texts(row);
                std::iter::once(value).chain(column.has_interval_column().then_some(interval))
            });
            cells.collect()
        };
        PeopleTable {
            columns: columns.collect(),
            rows: rows.into_iter().map(|row| cells(row.borrow())).collect(),
        }
    }
}

impl<R> ColumnSpec<'_, R> {
    /// Whether it holds estimates, the intervals of which have a column of their own.
    fn has_interval_column(&self) -> bool {
        self.is_estimate && !self.is_narrow
    }

    /// The value in a row and its interval, as texts.
    pub(super) fn texts(&self, row: &R) -> [String; 2] {
        let format = (self.format)(row);
        let text = match (self.value)(row) {
            Value::Text(text) => Some(text),
            Value::Count(count) => count.map(|count| format.count(count)),
            Value::Number(number) => number.map(|number| format.number(number)),
            Value::Interval(interval) => interval.map(|interval| format.interval(interval)),
            Value::Results(results) => results.map(|results| results.map(thousands).join(" ")),
            Value::Estimate(Some(found)) => {
                return [format.number(found.value), format.interval(found.interval)];
            }
            Value::Estimate(None) => None,
        };
        match text {
            Some(text) => [text, String::new()],
            None => self.missing.map(str::to_string),
        }
    }
}
