//! The plots of the report.

use super::svg::{Anchor, Axis, Svg, WIDTH, plain};
use crate::stats::Estimate;
use crate::table::thousands;

/// A mark of a plot: an estimate with its interval.
pub(super) struct Mark {
    /// `imbalances`, `confirmed`, `regression`, `mobility` or `others`.
    pub class: &'static str,
    pub estimate: Estimate,
    /// The tooltip.
    pub tip: String,
}

/// A row of a plot: the marks with the same name.
pub(super) struct Row {
    pub name: String,
    pub marks: Vec<Mark>,
}

const BOTTOM: f64 = 40.0;

/// Draws the bottom axis with its ticks, and a grid line from each.
fn bottom_axis(
    svg: &mut Svg,
    axis: Axis,
    [top, bottom]: [f64; 2],
    unit: &str,
    label: impl Fn(f64) -> String,
) {
    for tick in axis.ticks(6.0) {
        let x = axis.at(tick);
        svg.line("grid", [x, top], [x, bottom]);
        svg.text("soft", [x, bottom + 15.0], Anchor::Middle, label(tick));
    }
    svg.text("soft", [WIDTH - 6.0, bottom + 32.0], Anchor::End, unit);
}

/// Draws the line from one end of an interval to the other. An end beyond the axis gets an arrow.
fn whisker(svg: &mut Svg, class: &str, axis: Axis, [low, high]: [f64; 2], ends: [f64; 2], y: f64) {
    let [left, right] = [axis.at(low), axis.at(high)];
    let class = format!("{class} whisker");
    svg.line(&class, [left, y], [right, y]);
    if low < ends[0] {
        svg.path(&class, &[[left + 5.0, y - 4.0], [left, y], [left + 5.0, y + 4.0]]);
    }
    if high > ends[1] {
        svg.path(&class, &[[right - 5.0, y - 4.0], [right, y], [right - 5.0, y + 4.0]]);
    }
}

/// Draws estimates with their intervals, a row for each name: the values of pieces by method, or the effects of
/// features.
///
/// A name longer than a piece's letters is written above its marks.
pub(super) fn estimates(title: &str, unit: &str, rows: &[Row], from_zero: bool) -> String {
    let long = rows.iter().any(|row| row.name.chars().count() > 4);
    let left = if long { 10.0 } else { 44.0 };
    let lane = 13.0;
    let heights: Vec<f64> =
        rows.iter().map(|row| lane * lanes(row) as f64 + if long { 24.0 } else { 12.0 }).collect();
    let bottom = 6.0 + heights.iter().sum::<f64>();
    let ends = range(rows, from_zero);
    let axis = Axis::new(ends, [left, WIDTH - 12.0]);
    let mut svg = Svg::new(bottom + BOTTOM, title);
    bottom_axis(&mut svg, axis, [4.0, bottom], unit, plain);
    if ends[0] <= 0.0 {
        svg.line("zero", [axis.at(0.0), 4.0], [axis.at(0.0), bottom]);
    }
    let mut top = 6.0;
    for (row, height) in rows.iter().zip(&heights) {
        svg.line("grid", [0.0, top + height], [WIDTH, top + height]);
        if long {
            svg.text("", [2.0, top + 15.0], Anchor::Start, &row.name);
        } else {
            svg.text("piece", [4.0, top + 0.5 * height + 4.5], Anchor::Start, &row.name);
        }
        let first = top + height - 6.0 - lane * lanes(row) as f64 + 0.5 * lane;
        let mut at = 0;
        for mark in &row.marks {
            // Published values share the last lane.
            let y = first + lane * at as f64;
            if mark.class != "others" {
                at += 1;
            }
            let Estimate { value, interval } = mark.estimate;
            if interval.low < interval.high {
                whisker(&mut svg, mark.class, axis, [interval.low, interval.high], ends, y);
            }
            if value.is_finite() {
                svg.mark(mark.class, [axis.at(value), y], &mark.tip);
            }
        }
        top += height;
    }
    svg.finish()
}

/// The number of lanes that the marks of a row take.
fn lanes(row: &Row) -> usize {
    let own = row.marks.iter().filter(|mark| mark.class != "others").count();
    let others = usize::from(row.marks.iter().any(|mark| mark.class == "others"));
    (own + others).max(1)
}

/// The range of the axis. Very wide intervals are cut off.
fn range(rows: &[Row], from_zero: bool) -> [f64; 2] {
    let marks = || rows.iter().flat_map(|row| &row.marks).map(|mark| mark.estimate);
    let finite = |value: &f64| value.is_finite();
    let values: Vec<f64> = marks().map(|estimate| estimate.value).filter(finite).collect();
    let least = values.iter().copied().fold(if from_zero { 0.0 } else { f64::INFINITY }, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let span = (most - least).max(0.01);
    // Most intervals should fit.
    let mut reaches: Vec<f64> = marks()
        .flat_map(|estimate| {
            [estimate.value - estimate.interval.low, estimate.interval.high - estimate.value]
        })
        .filter(|reach| reach.is_finite() && *reach > 0.0)
        .collect();
    reaches.sort_by(f64::total_cmp);
    let most_reach = reaches.get(reaches.len() * 9 / 10).map_or(0.0, |reach| 1.2 * reach);
    let reach = (0.6 * span).max(most_reach.min(3.0 * span));
    let [low, high] = [least - reach, most + reach];
    let ends = marks().flat_map(|estimate| [estimate.interval.low, estimate.interval.high]);
    let ends: Vec<f64> = ends.filter(finite).map(|end| end.clamp(low, high)).collect();
    let low = ends.iter().copied().fold(least, f64::min);
    let high = ends.iter().copied().fold(most, f64::max);
    let margin = 0.03 * (high - low).max(0.01);
    [low - margin, high + margin]
}

/// A histogram, with a line for what is expected by chance.
pub(super) struct Histogram<'a> {
    pub title: &'a str,
    pub unit: &'a str,
    /// The left end of the first bar, and the width of each.
    pub from: f64,
    pub step: f64,
    pub bars: &'a [f64],
    /// The number expected by chance for each bar, or empty.
    pub chance: &'a [f64],
    /// What is counted, for the tooltips.
    pub counted: &'a str,
    /// Formats the labels of the horizontal axis.
    pub label: fn(f64) -> String,
}

impl Histogram<'_> {
    pub fn draw(&self) -> String {
        let (top, bottom, left) = (12.0, 212.0, 56.0);
        let most = self.bars.iter().chain(self.chance).copied().fold(1.0, f64::max);
        let across =
            Axis::new([self.from, self.from + self.step * self.bars.len() as f64], [left, WIDTH - 8.0]);
        let up = Axis::new([0.0, most * 1.05], [bottom, top]);
        let mut svg = Svg::new(bottom + BOTTOM, self.title);
        for tick in up.ticks(4.0) {
            svg.line("grid", [left, up.at(tick)], [WIDTH - 8.0, up.at(tick)]);
            svg.text("soft", [left - 6.0, up.at(tick) + 4.0], Anchor::End, count(tick));
        }
        let edge = |index: usize| self.from + self.step * index as f64;
        for (index, &number) in self.bars.iter().enumerate() {
            let [start, end] = [edge(index), edge(index + 1)];
            let tip = format!(
                "{} to {}: {} {}",
                (self.label)(start),
                (self.label)(end),
                count(number),
                self.counted
            );
            let x = axis_place(across, start);
            svg.rect(
                "bar",
                [x + 0.5, up.at(number)],
                [across.at(end) - x - 1.0, bottom - up.at(number)],
                &tip,
            );
        }
        if !self.chance.is_empty() {
            let steps = self.chance.iter().enumerate().flat_map(|(index, &number)| {
                [edge(index), edge(index + 1)].map(|x| [across.at(x), up.at(number)])
            });
            svg.path("chance", &steps.collect::<Vec<_>>());
        }
        svg.line("axis", [left, bottom], [WIDTH - 8.0, bottom]);
        for tick in across.ticks(6.0) {
            svg.text("soft", [across.at(tick), bottom + 16.0], Anchor::Middle, (self.label)(tick));
        }
        svg.text("soft", [WIDTH - 8.0, bottom + 33.0], Anchor::End, self.unit);
        svg.finish()
    }
}

fn axis_place(axis: Axis, value: f64) -> f64 {
    axis.at(value)
}

/// A count with thousands separators, and one decimal place if it is small and not whole.
fn count(number: f64) -> String {
    if number.fract().abs() > 1e-9 && number < 10.0 {
        return plain((10.0 * number).round() / 10.0);
    }
    thousands(number.round() as u64)
}

/// Draws a bar of won, drawn and lost games for each row, under its name.
pub(super) fn results(title: &str, rows: &[(String, [u64; 3])], side: &str) -> String {
    let height = 38.0;
    let most = rows.iter().map(|(_, results)| results.iter().sum::<u64>()).max().unwrap_or(1) as f64;
    let axis = Axis::new([0.0, most], [4.0, WIDTH - 4.0]);
    let mut svg = Svg::new(height * rows.len() as f64 + 4.0, title);
    for (index, (name, results)) in rows.iter().enumerate() {
        let y = height * index as f64;
        let all: u64 = results.iter().sum();
        svg.text("", [4.0, y + 14.0], Anchor::Start, name);
        svg.text("soft", [WIDTH - 4.0, y + 14.0], Anchor::End, thousands(all));
        let mut x = 4.0;
        for ((class, what), &number) in
            [("won", "won"), ("drawn", "drawn"), ("lost", "lost")].into_iter().zip(results)
        {
            let width = axis.at(number as f64) - 4.0;
            let share = 100.0 * number as f64 / all.max(1) as f64;
            let tip = format!("{name}: {} {what} by {side}, {share:.1} %", thousands(number));
            let tip = if class == "drawn" { tip.replace(&format!(" by {side}"), "") } else { tip };
            svg.rect(class, [x, y + 20.0], [width, 12.0], &tip);
            x += width;
        }
    }
    svg.finish()
}
