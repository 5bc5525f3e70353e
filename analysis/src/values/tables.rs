//! The tables of piece values.

use std::io::Write;

use backrank_rules::Variant;

use super::comparison::ComparedValue;
use super::imbalance_values::{Imbalance, ImbalanceValues};
use super::interactions::ValueBeside;
use super::mobility::Mobility;
use super::published::PublishedValues;
use super::regression::{Sample, SampleRow};
use super::rows::ValueRow;
use super::score_by_difference::ScoreByDifference;
use super::unit::Unit;
use crate::games::Column as PieceColumn;
use crate::stats::{Estimate, Interval};
use crate::table::{Alignment, Format, Table};

/// Values of pieces: the unit itself is exact.
const VALUE: Format = Format::digits(2).unless_exact();

/// Elo.
const ELO: Format = Format::digits(0).unless_exact();

/// Values by one method, or in CSV by all of them: `values.csv`.
pub fn value_table<'t>(unit: Unit) -> Table<'t, ValueRow> {
    Table::<ValueRow>::new()
        .text("method", |row| row.method)
        .in_csv_only()
        .text("piece", |row| row.piece)
        .count("games", |row| row.games)
        .estimate("value", |row| row.value)
        .ends("low", "high")
        .heading(unit.to_string())
        .format(VALUE)
        .text("unit", |row| row.unit)
        .in_csv_only()
        .estimate("pawns", |row| row.pawns)
        .format(VALUE)
        .interval("delta", |row| row.delta)
        .in_csv_only()
        .estimate("elo", |row| row.elo)
        .heading("Elo")
        .format(ELO)
        .text("note", |row| row.note.clone().unwrap_or_default())
        .count_if_any("at_ply", |row| row.at_ply.map(u64::from))
        .in_csv_only()
}

/// Values beside other pieces, in this unit: where nothing else is missing, and where both sides lack some pieces.
pub fn beside_table<'t>(unit: Unit, lacking: &str) -> Table<'t, ValueBeside> {
    Table::<ValueBeside>::new()
        .text("piece", |row| row.piece)
        .estimate("full", |row| Some(row.full))
        .heading(format!("all there, {unit}"))
        .format(VALUE)
        .estimate("without", |row| Some(row.without))
        .heading(format!("both without {lacking}"))
        .format(VALUE)
        .estimate("more", |row| Some(row.more_elo))
        .heading("Elo more there")
        .format(Format::digits(0).signed())
}

/// Writes `values.csv`; `data/README.md` says what each column means.
///
/// # Errors
///
/// When writing fails.
pub fn write_values(rows: &[ValueRow], out: &mut dyn Write) -> std::io::Result<()> {
    value_table(Unit::PAWNS).write_csv(rows, out)
}

/// Two measurements of the same pieces; `data/README.md` says what each column means.
pub fn compared_table<'t>() -> Table<'t, ComparedValue> {
    let with_ply = |row: &ComparedValue| match row.at_ply {
        Some(ply) => format!("{}, ply {ply}", row.method),
        None => row.method.to_string(),
    };
    Table::<ComparedValue>::new()
        .text("method", |row| row.method)
        .in_csv_only()
        .text("method", with_ply)
        .for_people_only()
        .text("piece", |row| row.piece)
        .estimate("value", |row| Some(row.value))
        .format(VALUE)
        .estimate("against", |row| Some(row.against))
        .format(VALUE)
        .estimate("ratio", |row| Some(row.ratio))
        .format(VALUE)
        .estimate("elo_more", |row| row.elo_more)
        .heading("Elo more")
        .format(ELO)
        .count_if_any("at_ply", |row| row.at_ply.map(u64::from))
        .in_csv_only()
}

/// Writes two measurements of the same pieces as CSV.
///
/// # Errors
///
/// When writing fails.
pub fn write_compared_values(rows: &[ComparedValue], out: &mut dyn Write) -> std::io::Result<()> {
    compared_table().write_csv(rows, out)
}

/// A match at odds, with the ply of the recorded positions from which it starts.
type MatchRow<'f> = (Option<u32>, &'f Imbalance);

/// Matches at odds.
pub fn imbalance_table<'t>() -> Table<'t, (Option<u32>, &'t Imbalance)> {
    let table = Table::<MatchRow<'t>>::new()
        // Letters and numbers, and perhaps a lone `-` before the colon.
        .text("odds", |(_, found)| found.odds.clone())
        .verbatim()
        .count_if_any("at_ply", |(ply, _)| ply.map(u64::from))
        .in_csv_only()
        .results(|(_, found)| Some(found.results))
        .in_csv_only()
        .count("pairs", |(_, found)| found.pairs.iter().sum());
    let points = ["0 points", "½", "1", "1½", "2 points"].into_iter().enumerate();
    let with_points = |table: Table<'t, MatchRow<'t>>, (half, heading): (usize, &str)| {
        table.count(heading, move |(_, found)| found.pairs[half]).for_people_only()
    };
    points
        .fold(table, with_points)
        .estimate("score", |(_, found)| Some(found.score))
        .format(Format::PERCENT)
        .narrow()
        .estimate("elo", |(_, found)| Some(found.elo))
        .heading("Elo")
        .format(ELO)
        .number("expected", |(_, found)| found.expected)
        .format(ELO)
        .estimate("residual", |(_, found)| found.residual)
        .heading("difference")
        .format(ELO)
}

/// The matches of games from setups, as rows of an [`imbalance_table`].
pub fn imbalance_rows(found: &ImbalanceValues) -> impl Iterator<Item = (Option<u32>, &Imbalance)> {
    found.imbalances.iter().map(|found| (None, found))
}

/// Writes matches at odds as CSV, those from recorded positions last, with the fields of [`Imbalance`].
///
/// # Errors
///
/// When writing fails.
pub fn write_imbalances(found: &ImbalanceValues, out: &mut dyn Write) -> std::io::Result<()> {
    let at = |ply: u32| move |found| (Some(ply), found);
    let by_ply = found.by_ply.iter().flat_map(|one| one.values.imbalances.iter().map(at(one.ply)));
    imbalance_table().write_csv(imbalance_rows(found).chain(by_ply), out)
}

/// White's observed and expected scores by its advantage in material.
pub fn fit_table<'t>(unit: Unit) -> Table<'t, ScoreByDifference> {
    let ahead = |row: &ScoreByDifference| Some(Interval { low: row.ahead[0], high: row.ahead[1] });
    Table::<ScoreByDifference>::new()
        .interval("ahead", ahead)
        .heading(format!("ahead, {unit}"))
        .format(Format::digits(1))
        .align(Alignment::Left)
        .count("games", |row| row.games.round() as u64)
        .number("observed", |row| Some(row.observed))
        .format(Format::PERCENT)
        .number("expected", |row| Some(row.expected))
        .format(Format::PERCENT)
}

/// The mobility of pieces.
pub fn mobility_table<'t>(unit: Unit) -> Table<'t, Mobility> {
    Table::<Mobility>::new()
        .text("piece", |row| row.piece)
        .number("moves", |row| Some(row.moves))
        .format(Format::digits(2))
        .number("value", |row| Some(row.value))
        .heading(unit.to_string())
        .format(Format::digits(2))
}

/// The values of pieces at some stages of games, side by side. The rows are the pieces.
pub fn stage_table<'t>(unit: Unit, stages: &'t [(String, Vec<ValueRow>)]) -> Table<'t, PieceColumn> {
    let table = Table::<PieceColumn>::new().text("piece", |&piece| piece);
    stages.iter().fold(table, |table, (stage, rows)| {
        let own = move |piece: &PieceColumn| rows.iter().find(|row| row.piece == *piece);
        table
            .count_if_any(stage, move |piece| Some(own(piece)?.games))
            .format(Format::SHORTEST.with_suffix(" games"))
            .estimate(unit.to_string(), move |piece| own(piece)?.value)
            .format(VALUE)
            .estimate("Elo", move |piece| own(piece)?.elo)
            .format(ELO)
            .narrow()
    })
}

/// The values of all methods side by side, and beside them those that others have published. The rows are the pieces.
pub fn method_table<'t>(
    variant: &'t Variant,
    unit: Unit,
    rows: &'t [ValueRow],
    lists: &'t [PublishedValues],
) -> Table<'t, PieceColumn> {
    let own = |row: &&ValueRow| row.at_ply.is_none();
    let mut methods: Vec<&str> =
        rows.iter().filter(own).filter(|row| row.value.is_some()).map(|row| row.method).collect();
    methods.dedup();
    let table = Table::<PieceColumn>::new().text("piece", |&piece| piece);
    let table = methods.into_iter().fold(table, |table, method| {
        let value = move |piece: &PieceColumn| -> Option<Estimate> {
            rows.iter().filter(own).find(|row| row.method == method && row.piece == *piece)?.value
        };
        table.estimate(method, value).format(VALUE).narrow()
    });
    lists.iter().fold(table, |table, list| {
        table.number(list.title(), move |&piece| list.of(variant, piece, unit)).format(VALUE)
    })
}

/// Writes the observations of a regression as CSV, from a sample made by [`Sample::with_setups`]; `data/README.md` says
/// what each column means.
///
/// # Errors
///
/// When writing fails.
pub fn write_positions(sample: &Sample, out: &mut dyn Write) -> std::io::Result<()> {
    let table = Table::<SampleRow<'_>>::new()
        .count("game", |row| row.game as u64)
        .text("setup", |row| row.setup)
        .count("outcome", |row| row.outcome.into())
        .number("weight", |row| Some(row.weight));
    let columns = sample.columns().iter().enumerate();
    columns
        .fold(table, |table, (index, column)| {
            table.text(column.to_string(), move |row| row.difference[index])
        })
        .write_csv(sample.rows(), out)
}
