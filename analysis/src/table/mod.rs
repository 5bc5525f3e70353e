//! Tables of results: their columns are declared once for a kind of row, and written as CSV, for a terminal, and in HTML.

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
