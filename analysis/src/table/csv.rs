//! Tables in CSV.

use std::borrow::{Borrow, Cow};
use std::io::Write;

use csv::{QuoteStyle, WriterBuilder};
use serde::Serialize;

use super::spec::{Audience, ColumnSpec, Table, Value};
use crate::stats::{Estimate, Interval};

/// One field.
#[derive(Serialize)]
#[serde(untagged)]
enum CsvField {
    Text(String),
    Count(Option<u64>),
    Number(Option<f64>),
}

impl<R> Table<'_, R> {
    /// Writes the names of the columns and a line for each row. A missing value is an empty field, and an infinite end `inf` or
    /// `-inf`.
    ///
    /// # Errors
    ///
    /// When writing fails.
    pub fn write_csv(
        &self,
        rows: impl IntoIterator<Item = impl Borrow<R>>,
        out: &mut dyn Write,
    ) -> std::io::Result<()> {
        let columns: Vec<&ColumnSpec<'_, R>> =
            self.columns.iter().filter(|column| column.audience != Audience::People).collect();
        let mut writer = WriterBuilder::new().quote_style(QuoteStyle::Never).from_writer(out);
        writer.write_record(columns.iter().flat_map(|column| &column.names).map(|name| quoted(name)))?;
        for row in rows {
            let fields: Vec<CsvField> =
                columns.iter().flat_map(|column| column.fields(row.borrow())).collect();
            writer.serialize(fields)?;
        }
        writer.flush()
    }
}

impl<R> ColumnSpec<'_, R> {
    /// The fields of a row, one for each name.
    fn fields(&self, row: &R) -> Vec<CsvField> {
        let ends = |interval: Option<Interval>| {
            [interval.map(|ends| ends.low), interval.map(|ends| ends.high)].map(CsvField::Number)
        };
        match (self.value)(row) {
            Value::Text(text) if self.is_verbatim => vec![CsvField::Text(text)],
            Value::Text(text) => vec![CsvField::Text(quoted(&text))],
            Value::Count(count) => vec![CsvField::Count(count)],
            Value::Number(number) => vec![CsvField::Number(number)],
            Value::Estimate(found) => {
                let value = CsvField::Number(found.map(|found: Estimate| found.value));
                std::iter::once(value).chain(ends(found.map(|found| found.interval))).collect()
            }
            Value::Interval(interval) => ends(interval).into(),
            Value::Results(results) => {
                [0, 1, 2].map(|index| CsvField::Count(results.map(|results| results[index]))).into()
            }
        }
    }
}

/// A text as a cell of a table that people open in spreadsheets, which take one that begins with `=`, `+`, `-`, `@`, a tab or a
/// carriage return for a formula: such a text gets an apostrophe before it. Numbers, and these characters alone, are left.
///
/// ```
/// use backrank_analysis::table::spreadsheet_text;
///
/// assert_eq!(spreadsheet_text("=HYPERLINK(1)"), "'=HYPERLINK(1)");
/// for text in ["Réti", "-3.5", "+12", "-inf", "-", ""] {
///     assert_eq!(spreadsheet_text(text), text);
/// }
/// ```
pub fn spreadsheet_text(text: &str) -> Cow<'_, str> {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    match is_formula && text.len() > 1 && text.parse::<f64>().is_err() {
        true => Cow::Owned(format!("'{text}")),
        false => Cow::Borrowed(text),
    }
}

/// Text as a CSV field. Empty text is quoted, which distinguishes it from a missing value.
fn quoted(text: &str) -> String {
    let text = spreadsheet_text(text);
    match text.is_empty() || text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.into_owned(),
    }
}
