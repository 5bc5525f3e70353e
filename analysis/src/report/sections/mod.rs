//! The sections of the page, and the elements they share.

mod games;
mod setups;
mod studies;
mod values;

use super::plots::Mark;
use super::svg::escape;
use crate::games::Column;
use crate::stats::{Estimate, Interval};
use crate::tables::thousands;

/// A cell of a table. Numbers are aligned to the right.
pub(super) enum HtmlCell {
    Text(String),
    Number(String),
}

pub(super) fn text(value: impl ToString) -> HtmlCell {
    HtmlCell::Text(escape(&value.to_string()))
}

pub(super) fn number(value: impl ToString) -> HtmlCell {
    HtmlCell::Number(escape(&value.to_string()))
}

/// A table with headings. A heading that begins with `#` belongs to a column of numbers.
pub(super) fn table(headings: &[&str], rows: impl IntoIterator<Item = Vec<HtmlCell>>) -> String {
    let head: String = headings
        .iter()
        .map(|heading| match heading.strip_prefix('#') {
            Some(heading) => format!(r#"<th class="n">{}</th>"#, escape(heading)),
            None => format!("<th>{}</th>", escape(heading)),
        })
        .collect();
    let cell = |cell: &HtmlCell| match cell {
        HtmlCell::Text(text) => format!("<td>{text}</td>"),
        HtmlCell::Number(text) => format!(r#"<td class="n">{text}</td>"#),
    };
    let body: String = rows
        .into_iter()
        .map(|row| format!("<tr>{}</tr>", row.iter().map(cell).collect::<String>()))
        .collect();
    format!(r#"<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"#)
}

/// A plot with its title and caption.
pub(super) fn figure(title: &str, picture: &str, caption: &str) -> String {
    format!(
        r#"<figure class="card plot"><h3>{}</h3>{picture}<figcaption>{}</figcaption></figure>"#,
        escape(title),
        escape(caption)
    )
}

pub(super) fn key(entries: &[(&str, &str)]) -> String {
    let entry = |(colour, name): &(&str, &str)| {
        format!(r#"<li><i style="background:var(--{colour})"></i>{}</li>"#, escape(name))
    };
    format!(r#"<ul class="key">{}</ul>"#, entries.iter().map(entry).collect::<String>())
}

pub(super) fn card(html: &str) -> String {
    format!(r#"<div class="card wide">{html}</div>"#)
}

pub(super) fn fixed(value: f64, digits: usize) -> String {
    match value {
        f64::INFINITY => "∞".to_string(),
        f64::NEG_INFINITY => "−∞".to_string(),
        value => format!("{value:.digits$}").replace('-', "−"),
    }
}

pub(super) fn between(interval: Interval, digits: usize) -> String {
    format!("{} to {}", fixed(interval.low, digits), fixed(interval.high, digits))
}

/// A number and its interval, or an empty cell.
pub(super) fn estimated(estimate: Option<Estimate>, digits: usize) -> HtmlCell {
    HtmlCell::Number(estimate.map_or(String::new(), |estimate| {
        let Estimate { value, interval } = estimate;
        let value = fixed(value, digits);
        if interval.low == interval.high {
            return value;
        }
        format!("{value} <small>({})</small>", between(interval, digits))
    }))
}

pub(super) fn percent(share: f64) -> String {
    format!("{} %", fixed(100.0 * share, 1))
}

pub(super) fn percents(estimate: Estimate) -> String {
    format!("{} ({})", percent(estimate.value), between(estimate.interval.map(|end| 100.0 * end), 1))
}

/// A percentage and its interval as a cell.
pub(super) fn shares(estimate: Estimate) -> HtmlCell {
    let interval = between(estimate.interval.map(|end| 100.0 * end), 1);
    HtmlCell::Number(format!("{} <small>({interval})</small>", percent(estimate.value)))
}

pub(super) fn wdl([won, drawn, lost]: [u64; 3]) -> HtmlCell {
    number([won, drawn, lost].map(thousands).join(" "))
}

pub(super) fn mark(class: &'static str, estimate: Estimate, name: &str, piece: Column) -> Mark {
    let interval = match estimate.interval.low < estimate.interval.high {
        true => format!(", 95 %: {}", between(estimate.interval, 2)),
        false => String::new(),
    };
    Mark { class, estimate, tip: format!("{piece}, {name}: {}{interval}", fixed(estimate.value, 2)) }
}
