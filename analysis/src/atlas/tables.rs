//! The tables of atlases.

use std::io::Write;

use backrank_selfplay::atlas::AtlasRow;

use super::agreement::Agreement;
use super::games::JudgedSetups;
use super::measure::AtlasMeasure;
use super::statistics::{AtlasStatistics, MeasureSpread};
use crate::setups::{FeatureEffect, SetupStatistics, effect_table, score_table};
use crate::table::{Alignment, Format, Table};

/// Judged setups.
pub fn judged_table<'t>() -> Table<'t, &'t AtlasRow> {
    Table::<&AtlasRow>::new()
        .text("setup", |row| row.setup)
        .align(Alignment::Right)
        .text("white_rank", |row| row.white_rank.clone())
        .heading("white")
        .text("black_rank", |row| row.black_rank.clone())
        .heading("black")
        .number("score_cp", |row| Some(row.score_cp.into()))
        .heading("score")
        .format(Format::digits(0).signed())
        .number("expected_score", |row| Some(row.expected_score))
        .heading("expected")
        .format(Format::digits(3))
        .number("complexity", |row| Some(row.complexity))
        .format(Format::digits(1))
        .number("asymmetry", |row| Some(row.asymmetry))
        .format(Format::digits(1).signed())
        .text("best_move", |row| row.best_move.clone())
        .heading("best move")
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
            Some(measure.of(judged.get(&setup.name.white, &setup.name.black)?))
        })
    });
    columns.write_csv(&statistics.setups, out)
}

/// The distributions of the measures of an atlas.
pub fn measure_table<'t>() -> Table<'t, MeasureSpread> {
    let format = |row: &MeasureSpread| match row.measure {
        AtlasMeasure::ExpectedScore => Format::digits(3),
        _ => Format::digits(1),
    };
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

/// Effects of features on a measure.
pub fn measure_feature_table<'t>() -> Table<'t, FeatureEffect> {
    effect_table((Format::digits(2).signed(), ""), Format::digits(3), ["collinear", ""])
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
