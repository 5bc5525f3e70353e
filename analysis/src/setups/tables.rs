//! The tables of setups.

use std::io::Write;

use super::adjustments::{AdjusterResults, AdjustmentUse, PartnerUse};
use super::endings::EndingResults;
use super::features::{FeatureEffect, Features};
#[cfg(feature = "groups")]
use super::groups::{GroupKey, SetupGroup, SetupGroups};
use super::histogram::ScoreHistogram;
use super::statistics::{SetupScore, SetupStatistics};
use crate::stats::Estimate;
#[cfg(feature = "groups")]
use crate::table::Value;
use crate::table::{Alignment, Format, Table};

/// White's score from setups: `setups.csv`.
pub fn score_table<'t>() -> Table<'t, SetupScore> {
    Table::<SetupScore>::new()
        .text("setup", |row| row.name.id)
        .align(Alignment::Right)
        .text("white_rank", |row| row.name.white.clone())
        .heading("white")
        .text("black_rank", |row| row.name.black.clone())
        .heading("black")
        .count("games", |row| row.games)
        .format(Format::PLAIN)
        .results(|row| Some(row.results))
        .estimate("score", |row| Some(row.score))
        .format(Format::PERCENT)
        .estimate("shrunk", |row| row.shrunk)
        .format(Format::PERCENT)
        .number("p_value", |row| Some(row.p_value))
        .in_csv_only()
        .number("false_discovery_rate", |row| Some(row.false_discovery_rate))
        .heading("FDR")
        .format(Format::digits(2))
}

/// Writes `setups.csv`; `data/README.md` says what each column means.
///
/// # Errors
///
/// When writing fails.
pub fn write_setups(statistics: &SetupStatistics, out: &mut dyn Write) -> std::io::Result<()> {
    score_table().write_csv(&statistics.setups, out)
}

/// Groups of setups; `data/README.md` says what each column means.
#[cfg(feature = "groups")]
pub fn group_table(groups: &SetupGroups) -> Table<'_, SetupGroup> {
    let value = |key: &GroupKey| match key {
        GroupKey::Text(text) => Value::Text(text.clone()),
        GroupKey::Number(number) => Value::Number(Some(*number)),
    };
    let can_adjust = groups.groups.iter().any(|group| group.could_adjust > 0);
    let keys = groups.columns.iter().enumerate();
    keys.fold(Table::<SetupGroup>::new(), |table, (index, name)| {
        table.column(name, move |row| value(&row.key[index])).align(Alignment::Left)
    })
    .count("setups", |row| row.setups)
    .count("games", |row| row.games)
    .results(|row| Some(row.results))
    .estimate("score", |row| Some(row.score))
    .format(Format::PERCENT)
    .estimate("draws", |row| Some(row.draws))
    .heading("drawn")
    .format(Format::PERCENT)
    .count("could_adjust", |row| row.could_adjust)
    .heading("could adjust")
    .shown_if(can_adjust)
    .count("adjusted", |row| row.adjusted)
    .in_csv_only()
    .estimate("adjusting", |row| row.adjusting)
    .heading("did")
    .format(Format::PERCENT)
    .shown_if(can_adjust)
}

/// Writes groups of setups as CSV.
///
/// # Errors
///
/// When writing fails.
#[cfg(feature = "groups")]
pub fn write_groups(groups: &SetupGroups, out: &mut dyn Write) -> std::io::Result<()> {
    group_table(groups).write_csv(&groups.groups, out)
}

/// Effects of features, with the format and the unit of what they are effects on, and with the digits of the false discovery rate. `missing`
/// says in place of an effect and of its interval that there is none.
pub(crate) fn effect_table<'t>(
    (effect, unit): (Format, &'static str),
    rate: Format,
    missing: [&'static str; 2],
) -> Table<'t, FeatureEffect> {
    let [value, interval] = missing;
    Table::<FeatureEffect>::new()
        .text("feature", |row| row.feature.clone())
        .number("least", |row| Some(row.range[0]))
        .heading("from")
        .number("mean", |row| Some(row.range[1]))
        .format(Format::digits(2))
        .number("most", |row| Some(row.range[2]))
        .heading("to")
        .estimate("effect", |row| row.effect)
        .format(effect)
        .unit(unit)
        .missing(value, interval)
        .number("p_value", |row| row.p_value)
        .in_csv_only()
        .number("false_discovery_rate", |row| row.false_discovery_rate)
        .heading("FDR")
        .format(rate)
}

/// Effects of features on White's score, in percent.
pub fn feature_table<'t>() -> Table<'t, FeatureEffect> {
    let percent = Format::digits(2).times(100.0).signed();
    effect_table((percent, "percent"), Format::digits(2), ["", "collinear"])
}

/// Writes the effects of features on White's score as CSV; `data/README.md` says what each column means.
///
/// # Errors
///
/// When writing fails.
pub fn write_features(features: &Features, out: &mut dyn Write) -> std::io::Result<()> {
    feature_table().write_csv(&features.effects, out)
}

/// Games by who adjusted.
pub fn adjusting_table<'t>() -> Table<'t, AdjusterResults> {
    Table::<AdjusterResults>::new()
        .text("who", |row| row.who)
        .heading("who adjusted")
        .count("games", |row| row.results.iter().sum())
        .results(|row| Some(row.results))
        .estimate("score", |row| row.score)
        .heading("White's score")
        .format(Format::PERCENT)
}

/// Adjustments by partner.
pub fn partner_table<'t>() -> Table<'t, PartnerUse> {
    Table::<PartnerUse>::new()
        .text("partner", |row| row.partner)
        .count("number", |row| row.number)
        .heading("adjustments")
        .count("median_move", |row| row.median_move.into())
        .heading("median move")
        .format(Format::PLAIN)
        .results(|row| Some(row.results))
        .heading("its W D L")
        .estimate("score", |row| Some(row.score))
        .heading("its score")
        .format(Format::PERCENT)
}

/// Games by how they ended.
pub fn ending_table<'t>() -> Table<'t, EndingResults> {
    Table::<EndingResults>::new()
        .text("ending", |row| row.ending)
        .count("games", |row| row.results.iter().sum())
        .results(|row| Some(row.results))
}

/// What is counted, its name, the number, the results (won, drawn and lost), and the score.
type AdjustmentRow = (&'static str, String, u64, Option<[u64; 3]>, Option<Estimate>);

/// Writes the use of the Bishop Adjustment as CSV; `data/README.md` says what each column means.
///
/// # Errors
///
/// When writing fails.
pub fn write_adjustments(found: &AdjustmentUse, out: &mut dyn Write) -> std::io::Result<()> {
    let mut rows: Vec<AdjustmentRow> = vec![
        ("sides", "could".to_string(), found.could, None, None),
        ("sides", "did".to_string(), found.did, None, None),
    ];
    rows.extend(found.by_whom.iter().map(|by| {
        let games = by.results.iter().sum();
        ("games", by.who.to_string(), games, Some(by.results), by.score)
    }));
    rows.extend(
        found
            .partners
            .iter()
            .map(|by| ("partner", by.partner.to_string(), by.number, Some(by.results), Some(by.score))),
    );
    rows.extend((1..).zip(&found.moves).map(|(at, &number)| ("move", at.to_string(), number, None, None)));
    Table::<AdjustmentRow>::new()
        .text("of", |row| row.0)
        .text("name", |row| row.1.clone())
        .count("number", |row| row.2)
        .results(|row| row.3)
        .estimate("score", |row| row.4)
        .write_csv(rows, out)
}

/// Writes the histogram of setups as CSV, with a row for each bin.
///
/// # Errors
///
/// When writing fails.
pub fn write_histogram(histogram: &ScoreHistogram, out: &mut dyn Write) -> std::io::Result<()> {
    let steps = (histogram.setups.len() - 1) as f64;
    let rows = histogram.setups.iter().zip(&histogram.chance).enumerate();
    Table::<(usize, (&u64, &f64))>::new()
        .number("score", move |(step, _)| Some(*step as f64 / steps))
        .count("setups", |(_, (setups, _))| **setups)
        .number("chance", |(_, (_, chance))| Some(**chance))
        .write_csv(rows, out)
}
