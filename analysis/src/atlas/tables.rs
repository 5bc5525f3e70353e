//! The tables of atlases.

use std::io::Write;

use super::agreement::Agreement;
use super::games::JudgedSetups;
use super::judgement::Judgements;
use super::measure::AtlasMeasure;
use super::reliability::Reliability;
use super::statistics::{AtlasStatistics, MeasureSpread};
use crate::setups::{FeatureEffect, SetupStatistics, effect_table, score_table};
use crate::table::{Alignment, Format, Table};

/// These setups of an atlas, by their indices, as people are shown them: scores in pawns, for White. A measure that cannot rank setups
/// has no column.
pub fn judged_table<'j>(judgements: &'j Judgements, setups: &[usize]) -> Table<'j, usize> {
    let value = |measure: AtlasMeasure| move |&index: &usize| Some(judgements.of(index, measure).value);
    let row = |&index: &usize| &judgements.rows[index];
    let mut table = Table::<usize>::new()
        .text("setup", move |index| row(index).setup)
        .align(Alignment::Right)
        .text("white_rank", move |index| row(index).white_rank.clone())
        .heading("white")
        .text("black_rank", move |index| row(index).black_rank.clone())
        .heading("black");
    let is_shown = |measure| judgements.why_no_ranks(measure).is_none();
    if is_shown(AtlasMeasure::Score) {
        let expected = move |&index: &usize| judgements.of(index, AtlasMeasure::ExpectedScore);
        table =
            table.number("score", value(AtlasMeasure::Score)).format(AtlasMeasure::Score.format().signed());
        table = match judgements.reliability(AtlasMeasure::Score) {
            Some(_) => table.estimate("expected", move |index| Some(expected(index))),
            None => table.number("expected", move |index| Some(expected(index).value)),
        };
        table = table.format(AtlasMeasure::ExpectedScore.format());
    }
    for (measure, format) in
        [(AtlasMeasure::Complexity, Format::digits(1)), (AtlasMeasure::Asymmetry, Format::digits(1).signed())]
    {
        if is_shown(measure) {
            table = table.number(measure.column(), value(measure)).format(format);
        }
    }
    if setups.iter().any(|&index| judgements.rows[index].ends_early()) {
        table = table.text("line", move |index| match row(index).ends_early() {
            true => format!("{} plies", row(index).plies()),
            false => String::new(),
        });
    }
    table.text("best_move", move |index| row(index).best_move.clone()).heading("best move")
}

/// The reliability of measures.
pub fn reliability_table<'t>() -> Table<'t, Reliability> {
    let format = |row: &Reliability| row.measure.fine_format();
    Table::<Reliability>::new()
        .text("", |row| row.measure)
        .estimate("one search", |row| Some(row.of_one))
        .format(Format::digits(2))
        .number("as shown", |row| Some(row.of_shown))
        .format(Format::digits(2))
        .number("truth ±", |row| Some(row.truth))
        .format_by(format)
        .number("noise ±", |row| Some(row.noise))
        .format_by(format)
        .number("coverage", |row| Some(row.coverage))
        .format(Format::PERCENT)
        .text("setups", |row| if row.ranks() { "ranked" } else { "not ranked" })
}

/// Writes `setups.csv` with the measures of an atlas in further columns; `data/README.md` says what each column means.
///
/// # Errors
///
/// When writing fails.
pub fn write_judged_setups(
    statistics: &SetupStatistics,
    judged: &JudgedSetups,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let columns = AtlasMeasure::ALL.into_iter().fold(score_table(), |table, measure| {
        table.number(measure.column(), move |setup| {
            let index = judged.get(&setup.name.white, &setup.name.black)?;
            judged
                .judgements
                .why_no_ranks(measure)
                .is_none()
                .then(|| judged.judgements.of(index, measure).value)
        })
    });
    columns.write_csv(&statistics.setups, out)
}

/// The distributions of the measures of an atlas.
pub fn measure_table<'t>() -> Table<'t, MeasureSpread> {
    let format = |row: &MeasureSpread| row.measure.format();
    let table = Table::<MeasureSpread>::new()
        .text("measure", |row| row.measure.column())
        .in_csv_only()
        .text("", |row| row.measure)
        .for_people_only()
        .estimate("mean", |row| Some(row.spread.mean))
        .format_by(format)
        .number("deviation", |row| Some(row.spread.deviation))
        .format_by(format);
    let quartiles = [
        ("least", "least"),
        ("lower_quartile", "quartile"),
        ("median", "median"),
        ("upper_quartile", "quartile"),
        ("most", "most"),
    ];
    quartiles.into_iter().enumerate().fold(table, |table, (index, (name, heading))| {
        table.number(name, move |row| Some(row.spread.quartiles[index])).heading(heading).format_by(format)
    })
}

/// Writes the distributions of the measures of an atlas as CSV.
///
/// # Errors
///
/// When writing fails.
pub fn write_measures(found: &AtlasStatistics, out: &mut dyn Write) -> std::io::Result<()> {
    measure_table().write_csv(&found.measures, out)
}

/// Effects of features on a measure, in the unit in which people are shown it.
pub fn measure_feature_table<'t>(measure: AtlasMeasure) -> Table<'t, FeatureEffect> {
    effect_table((measure.fine_format().signed(), ""), Format::digits(3), ["collinear", ""])
        .without(&["from", "mean", "to"])
}

/// Writes the agreement of an atlas's judgements as CSV: of setups and their reflections, and of all nodes and a
/// quarter of them.
///
/// # Errors
///
/// When writing fails.
pub fn write_agreements(found: &AtlasStatistics, out: &mut dyn Write) -> std::io::Result<()> {
    let rows = [
        ("reflection", AtlasMeasure::Score, &found.reflection),
        ("reflection", AtlasMeasure::Complexity, &found.reflection_complexity),
        ("quarter", AtlasMeasure::Score, &found.quarter),
    ];
    let rows = rows.into_iter().filter_map(|(of, measure, found)| Some((of, measure, found.as_ref()?)));
    Table::<(&str, AtlasMeasure, &Agreement)>::new()
        .text("of", |(of, ..)| *of)
        .text("measure", |(_, measure, _)| measure.column())
        .count("pairs", |(.., found)| found.pairs)
        .number("change", |(.., found)| Some(found.change))
        .number("noise", |(.., found)| Some(found.noise))
        .estimate("correlation", |(.., found)| found.correlation)
        .write_csv(rows, out)
}
