//! Tables of results: their columns are declared once for a kind of row, and written as CSV, for a terminal, and in HTML.
//!
//! A [`Table`] is a list of columns, each with its name in CSV, its heading and its [`Format`] for people, its alignment, and its
//! value for a row. [`Table::write_csv`] writes every digit, and an estimate as three columns; [`Table::for_people`] gives texts, with
//! the interval in a column of its own; [`Table::to_html`] puts it behind the value. The tables themselves are declared where their
//! rows are: in [`values`](crate::values), [`setups`](crate::setups) and [`atlas`](crate::atlas). To add a column, add it there.

mod csv;
mod format;
mod html;
mod people;
mod spec;

pub use csv::spreadsheet_text;
pub use format::{Alignment, Format, thousands};
pub(crate) use html::escape;
pub use people::PeopleTable;
pub use spec::{Table, Value};
