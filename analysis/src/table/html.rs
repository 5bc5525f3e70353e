//! Tables in HTML.

use std::borrow::Borrow;

use super::format::Alignment;
use super::spec::{ColumnSpec, Table, Value};

impl<R> Table<'_, R> {
    /// The columns that people see as an HTML table. The interval of an estimate stands behind it, in small type, and a column of
    /// text that is empty in all rows is left out.
    pub fn to_html(&self, rows: impl IntoIterator<Item = impl Borrow<R>>) -> String {
        let rows: Vec<_> = rows.into_iter().collect();
        let is_empty = |column: &ColumnSpec<'_, R>| {
            let is_empty = |row: &R| matches!((column.value)(row), Value::Text(text) if text.is_empty());
            !rows.is_empty() && rows.iter().all(|row| is_empty(row.borrow()))
        };
        let shown = self.columns.iter().filter(|column| column.is_shown() && !is_empty(column));
        let shown: Vec<&ColumnSpec<'_, R>> = shown.collect();
        let head: String = shown.iter().map(|column| heading(column.alignment, &column.title())).collect();
        let cells = |row: &R| -> String {
            shown.iter().map(|column| tagged("td", column.alignment, &column.html(row))).collect()
        };
        let body: String = rows.iter().map(|row| format!("<tr>{}</tr>", cells(row.borrow()))).collect();
        format!(
            r#"<div class="scroll" role="group" aria-label="Table" tabindex="0"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"#
        )
    }
}

impl<R> ColumnSpec<'_, R> {
    /// The heading with the unit.
    fn title(&self) -> String {
        let heading = escape(&self.heading).replace('\'', "’");
        if self.unit.is_empty() { heading } else { format!("{heading}, {}", escape(self.unit)) }
    }

    fn html(&self, row: &R) -> String {
        let is_text = matches!((self.value)(row), Value::Text(_));
        // Numbers have a real minus sign.
        let written = |text: String| escape(&if is_text { text } else { text.replace('-', "−") });
        let [value, interval] = self.texts(row).map(written);
        match (value.is_empty(), interval.is_empty()) {
            (_, true) => value,
            (true, false) => interval,
            (false, false) => format!("{value} <small>({interval})</small>"),
        }
    }
}

/// The heading of a column. One without a text is no heading.
fn heading(alignment: Alignment, html: &str) -> String {
    tagged(if html.is_empty() { "td" } else { "th" }, alignment, html)
}

fn tagged(tag: &str, alignment: Alignment, html: &str) -> String {
    match alignment {
        Alignment::Left => format!("<{tag}>{html}</{tag}>"),
        Alignment::Right => format!(r#"<{tag} class="n">{html}</{tag}>"#),
    }
}

/// Escapes text for HTML and SVG.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}
