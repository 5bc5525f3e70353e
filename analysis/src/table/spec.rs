//! The columns of a table, declared once.

use super::format::{Alignment, Format};
use crate::stats::{Estimate, Interval};

/// What a column holds in a row. A missing value is an empty field.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Text.
    Text(String),
    /// A number of things.
    Count(Option<u64>),
    /// A number.
    Number(Option<f64>),
    /// An estimate with its interval.
    Estimate(Option<Estimate>),
    /// An interval alone.
    Interval(Option<Interval>),
    /// Games won, drawn and lost.
    Results(Option<[u64; 3]>),
}

/// The value of a column for a row.
pub(super) type ValueOf<'t, R> = Box<dyn Fn(&R) -> Value + 't>;

/// The format of a column for a row.
pub(super) type FormatOf<'t, R> = Box<dyn Fn(&R) -> Format + 't>;

/// Who a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Audience {
    Everyone,
    Programs,
    People,
}

/// One column.
pub(super) struct ColumnSpec<'t, R> {
    /// The names of its fields in CSV: one, or those of an estimate and the ends of its interval.
    pub names: Vec<String>,
    /// Its heading for people.
    pub heading: String,
    /// Its unit, which the heading of an HTML table names.
    pub unit: &'static str,
    pub audience: Audience,
    pub alignment: Alignment,
    pub value: ValueOf<'t, R>,
    pub format: FormatOf<'t, R>,
    /// What people read in place of a missing value, and of its interval.
    pub missing: [&'static str; 2],
    /// Whether it holds estimates.
    pub is_estimate: bool,
    /// Whether a terminal shows the value without its interval.
    pub is_narrow: bool,
    /// Whether a text is no user's and cannot be taken for a formula.
    pub is_verbatim: bool,
}

/// The columns of a table, each with its name in CSV, its heading for people, its format and its value for a row.
///
/// A method such as [`Table::count`] adds a column; one such as [`Table::heading`] changes the column added last.
///
/// ```
/// use backrank_analysis::stats::Estimate;
/// use backrank_analysis::table::{Format, Table};
///
/// let scores = Table::<(&str, Estimate)>::new()
///     .text("setup", |row| row.0)
///     .estimate("score", |row| Some(row.1))
///     .format(Format::PERCENT);
/// let rows = [("RNBQKBNR", Estimate::normal(0.55, 0.01))];
/// let mut csv = Vec::new();
/// scores.write_csv(rows, &mut csv)?;
/// assert!(String::from_utf8(csv)?.starts_with("setup,score,score_low,score_high\nRNBQKBNR,0.55,0.53"));
/// let shown = scores.for_people(rows);
/// assert_eq!(shown.rows, [["RNBQKBNR", "55.0 %", "53.0 to 57.0"]]);
/// assert!(scores.to_html(rows).contains("55.0 % <small>(53.0 to 57.0)</small>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Table<'t, R> {
    pub(super) columns: Vec<ColumnSpec<'t, R>>,
}

impl<R> Default for Table<'_, R> {
    fn default() -> Self {
        Self { columns: Vec::new() }
    }
}

impl<R> std::fmt::Debug for Table<'_, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.columns.iter().map(|column| &column.names)).finish()
    }
}

/// Columns.
impl<'t, R> Table<'t, R> {
    /// A table without columns.
    pub fn new() -> Self {
        Self::default()
    }

    /// A column whose values are of different kinds, each of which is one field in CSV; aligned on the right.
    pub fn column(self, name: impl Into<String>, value: impl Fn(&R) -> Value + 't) -> Self {
        let name = name.into();
        self.fields(name.clone(), vec![name], value)
    }

    fn fields(mut self, heading: String, names: Vec<String>, value: impl Fn(&R) -> Value + 't) -> Self {
        self.columns.push(ColumnSpec {
            names,
            heading,
            unit: "",
            audience: Audience::Everyone,
            alignment: Alignment::Right,
            value: Box::new(value),
            format: Box::new(|_| Format::SHORTEST),
            missing: [""; 2],
            is_estimate: false,
            is_narrow: false,
            is_verbatim: false,
        });
        self
    }

    /// A column of text, aligned on the left.
    pub fn text<T: ToString>(self, name: impl Into<String>, text: impl Fn(&R) -> T + 't) -> Self {
        self.column(name, move |row| Value::Text(text(row).to_string())).align(Alignment::Left)
    }

    /// A column of numbers of things.
    pub fn count(self, name: impl Into<String>, count: impl Fn(&R) -> u64 + 't) -> Self {
        self.column(name, move |row| Value::Count(Some(count(row))))
    }

    /// A column of numbers of things, some of which may be missing.
    pub fn count_if_any(self, name: impl Into<String>, count: impl Fn(&R) -> Option<u64> + 't) -> Self {
        self.column(name, move |row| Value::Count(count(row)))
    }

    /// A column of numbers.
    pub fn number(self, name: impl Into<String>, number: impl Fn(&R) -> Option<f64> + 't) -> Self {
        self.column(name, move |row| Value::Number(number(row)))
    }

    /// A column of estimates: in CSV three columns, the last two of which are the ends of the interval.
    pub fn estimate(self, name: impl Into<String>, estimate: impl Fn(&R) -> Option<Estimate> + 't) -> Self {
        let name = name.into();
        let names = vec![name.clone(), format!("{name}_low"), format!("{name}_high")];
        let mut table = self.fields(name, names, move |row| Value::Estimate(estimate(row)));
        table.last().is_estimate = true;
        table
    }

    /// A column of intervals: in CSV two columns, the ends.
    pub fn interval(self, name: impl Into<String>, interval: impl Fn(&R) -> Option<Interval> + 't) -> Self {
        let name = name.into();
        let names = vec![format!("{name}_low"), format!("{name}_high")];
        self.fields(name, names, move |row| Value::Interval(interval(row)))
    }

    /// A column of results: in CSV three columns, the games won, drawn and lost.
    pub fn results(self, results: impl Fn(&R) -> Option<[u64; 3]> + 't) -> Self {
        let names = ["won", "drawn", "lost"].map(str::to_string).to_vec();
        self.fields("W D L".to_string(), names, move |row| Value::Results(results(row)))
    }
}

/// Changes of the column added last.
impl<'t, R> Table<'t, R> {
    /// Its heading for people, where that is not its name.
    pub fn heading(mut self, heading: impl Into<String>) -> Self {
        self.last().heading = heading.into();
        self
    }

    /// Its unit, which an HTML table names; on a terminal the line above the table does.
    pub fn unit(mut self, unit: &'static str) -> Self {
        self.last().unit = unit;
        self
    }

    /// The format of its numbers for people.
    pub fn format(self, format: Format) -> Self {
        self.format_by(move |_| format)
    }

    /// The format of its numbers for people, which depends on the row.
    pub fn format_by(mut self, format: impl Fn(&R) -> Format + 't) -> Self {
        self.last().format = Box::new(format);
        self
    }

    /// Its alignment.
    pub fn align(mut self, alignment: Alignment) -> Self {
        self.last().alignment = alignment;
        self
    }

    /// Only in CSV.
    pub fn in_csv_only(mut self) -> Self {
        self.last().audience = Audience::Programs;
        self
    }

    /// Only in CSV, unless this holds.
    pub fn shown_if(mut self, is_shown: bool) -> Self {
        self.last().audience = if is_shown { Audience::Everyone } else { Audience::Programs };
        self
    }

    /// Not in CSV.
    pub fn for_people_only(mut self) -> Self {
        self.last().audience = Audience::People;
        self
    }

    /// The names of the ends of its interval in CSV.
    pub fn ends(mut self, low: &str, high: &str) -> Self {
        let names = &mut self.last().names;
        let value = names.len() - 2;
        names.truncate(value);
        names.extend([low, high].map(str::to_string));
        self
    }

    /// What people read in place of a missing value, and in place of its interval.
    pub fn missing(mut self, value: &'static str, interval: &'static str) -> Self {
        self.last().missing = [value, interval];
        self
    }

    /// Without its interval on a terminal, where the table would be too wide.
    pub fn narrow(mut self) -> Self {
        self.last().is_narrow = true;
        self
    }

    /// A text of ours, which a spreadsheet does not take for a formula although it may begin like one.
    pub fn verbatim(mut self) -> Self {
        self.last().is_verbatim = true;
        self
    }

    /// The table without the columns that have these headings, for people.
    pub fn without(mut self, headings: &[&str]) -> Self {
        for column in &mut self.columns {
            if headings.contains(&column.heading.as_str()) {
                column.audience = Audience::Programs;
            }
        }
        self
    }

    fn last(&mut self) -> &mut ColumnSpec<'t, R> {
        self.columns.last_mut().expect("a column has been added")
    }
}

impl<R> ColumnSpec<'_, R> {
    /// Whether people see it.
    pub fn is_shown(&self) -> bool {
        self.audience != Audience::Programs
    }
}
