//! The sections of the page, and the elements they share.

mod games;
mod setups;
mod studies;
mod values;

use super::plots::Mark;
use crate::games::Column;
use crate::stats::{Estimate, Interval};
use crate::table::{escape, thousands};

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

/// What few readers look for, behind a line that says what it is; of a single thing, the thing itself.
pub(super) fn folded(what: &str, html: &str) -> String {
    match what.starts_with("one ") {
        true => html.to_string(),
        false => format!("<details><summary>{}</summary>{html}</details>", escape(what)),
    }
}

/// A number of things, as `one study` or `12 studies`.
pub(super) fn plural(number: usize, one: &str, many: &str) -> String {
    match number {
        1 => format!("one {one}"),
        number => format!("{} {many}", thousands(number as u64)),
    }
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

pub(super) fn percent(share: f64) -> String {
    format!("{} %", fixed(100.0 * share, 1))
}

pub(super) fn percents(estimate: Estimate) -> String {
    format!("{} ({})", percent(estimate.value), between(estimate.interval.map(|end| 100.0 * end), 1))
}

pub(super) fn mark(class: &'static str, estimate: Estimate, name: &str, piece: Column) -> Mark {
    let interval = match estimate.interval.low < estimate.interval.high {
        true => format!(", 95 %: {}", between(estimate.interval, 2)),
        false => String::new(),
    };
    Mark { class, estimate, tip: format!("{piece}, {name}: {}{interval}", fixed(estimate.value, 2)) }
}
