//! SVG drawing for the plots. Colours and fonts come from the page's style sheet.

use std::fmt::{Display, Write};

use crate::table::escape;

/// The width of every plot in its own units; the page scales it.
pub(super) const WIDTH: f64 = 480.0;

/// How text is aligned to its position.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A drawing to which shapes are added.
pub(super) struct Svg {
    body: String,
    title: String,
    pub height: f64,
}

impl Svg {
    /// An empty drawing. The title describes it to screen readers.
    pub fn new(height: f64, title: &str) -> Self {
        Self { body: String::new(), title: title.to_string(), height }
    }

    fn push(&mut self, text: std::fmt::Arguments<'_>) {
        self.body.write_fmt(text).expect("a string takes all text");
    }

    pub fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        self.push(format_args!(
            r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#
        ));
    }

    /// Adds a rectangle with a tooltip.
    pub fn rect(&mut self, class: &str, [x, y]: [f64; 2], [width, height]: [f64; 2], tip: &str) {
        let (width, height, tip) = (width.max(0.0), height.max(0.0), escape(tip));
        self.push(format_args!(
            r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}"><title>{tip}</title></rect>"#
        ));
    }

    /// Adds a line through points.
    pub fn path(&mut self, class: &str, points: &[[f64; 2]]) {
        let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1} {y:.1}")).collect();
        self.push(format_args!(r#"<path class="{class}" d="M{}"/>"#, points.join("L")));
    }

    pub fn text(&mut self, class: &str, [x, y]: [f64; 2], anchor: Anchor, text: impl Display) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escape(&text.to_string());
        self.push(format_args!(
            r#"<text class="{class}" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{text}</text>"#
        ));
    }

    /// Adds a mark for an estimate. Each method has its own shape, so that the methods can be told apart without
    /// colour.
    pub fn mark(&mut self, class: &str, [x, y]: [f64; 2], tip: &str) {
        let tip = escape(tip);
        let shape = match class {
            "regression" => format!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="5""#),
            "confirmed" => format!(r#"<path d="M{x:.1} {:.1}l5 9h-10z""#, y - 6.0),
            "imbalances" => format!(r#"<rect x="{:.1}" y="{:.1}" width="9" height="9""#, x - 4.5, y - 4.5),
            "mobility" => {
                format!(r#"<path d="M{x:.1} {:.1}l5.5 5.5l-5.5 5.5l-5.5 -5.5z""#, y - 5.5)
            }
            _ => format!(r#"<path d="M{x:.1} {:.1}v11""#, y - 5.5),
        };
        let tag = if shape.starts_with("<circle") {
            "circle"
        } else if shape.starts_with("<rect") {
            "rect"
        } else {
            "path"
        };
        self.push(format_args!(r#"{shape} class="{class}"><title>{tip}</title></{tag}>"#));
    }

    /// The complete SVG element.
    pub fn finish(self) -> String {
        let (height, title) = (self.height, escape(&self.title));
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0}" role="img" aria-label="{title}">{}</svg>"#,
            self.body
        )
    }
}

/// A linear axis.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    start: f64,
    end: f64,
}

impl Axis {
    /// An axis that maps values from `low` to `high` to coordinates from `start` to `end`.
    pub fn new([low, high]: [f64; 2], [start, end]: [f64; 2]) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        Self { low, high, start, end }
    }

    /// The coordinate of a value. Values beyond an end are clamped.
    pub fn at(&self, value: f64) -> f64 {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.start + share * (self.end - self.start)
    }

    /// Round numbers for ticks, about this many.
    pub fn ticks(&self, about: f64) -> Vec<f64> {
        let rough = (self.high - self.low) / about;
        let unit = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|times| times * unit).into_iter().find(|&step| step >= rough);
        let step = step.unwrap_or(rough);
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last).map(|number| number as f64 * step).collect()
    }
}

/// A number in as few digits as it needs, with a real minus sign.
pub(super) fn plain(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    let text = if text == "-0" { "0" } else { text };
    text.replace('-', "−")
}
