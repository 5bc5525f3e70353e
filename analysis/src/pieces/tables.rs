//! Tables of pieces that were measured.

use std::io::Write;

use backrank_rules::{Letter, PieceFeatures};

use super::measured::MeasuredPiece;
use super::predictor::Predictor;
use crate::games::Column;
use crate::stats::Estimate;
use crate::table::{Format, Table};
use crate::values::{PublishedValue, Unit, ValueBesideKind, leaper_law, publishers_of_pieces};

const VALUE: Format = Format::digits(2).unless_exact();

/// A piece, and what the other pieces let expect of it.
#[derive(Clone, Debug)]
pub struct PieceRow {
    /// The piece.
    pub measured: MeasuredPiece,
    /// Its value as the others predict it.
    pub predicted: Option<Estimate>,
    /// What others have published of it.
    pub published: Vec<PublishedValue>,
}

/// Pieces with their values: `pieces.csv`. With `of_several_games` people see of which each is, too.
pub fn piece_table<'t>(unit: Unit, of_several_games: bool) -> Table<'t, PieceRow> {
    // The law has a scale of its own, on which a knight is worth 3.08 pawns.
    let of_knight = "N".parse().ok().and_then(|knight| leaper_law(&knight));
    let is_knight = unit.piece() == Column::Piece(Letter::N);
    let law = of_knight.filter(|_| is_knight).map(|centipawns| 100.0 * unit.number() / centipawns);
    let table = Table::<PieceRow>::new()
        .text("piece", |row| row.measured.piece.clone())
        .text("betza", |row| row.measured.betza.clone())
        .heading("moves")
        .text("variant", |row| row.measured.variant.clone())
        .in_csv_only()
        .text("without", |row| row.measured.without.clone())
        .in_csv_only();
    let table = match of_several_games {
        true => table.text("game", |row| row.measured.game()).for_people_only(),
        false => table,
    };
    let table = table
        .count("games", |row| row.measured.games)
        .estimate("value", |row| row.measured.value)
        .ends("low", "high")
        .heading(unit.to_string())
        .format(VALUE)
        .estimate("pawns", |row| row.measured.pawns)
        .format(VALUE)
        .in_csv_only()
        .estimate("elo", |row| row.measured.elo)
        .in_csv_only()
        .number("centipawns", |row| Some(row.measured.centipawns))
        .in_csv_only()
        .estimate("predicted", |row| row.predicted)
        .format(VALUE)
        .number("leaper_law", |row| row.measured.leaper_law)
        .in_csv_only()
        .number("by Muller's law", move |row| Some(law? * row.measured.leaper_law?))
        .format(Format::digits(2))
        .for_people_only()
        .number("moves", |row| Some(row.measured.features.moves))
        .in_csv_only()
        .number("captures", |row| Some(row.measured.features.captures))
        .in_csv_only();
    publishers_of_pieces().into_iter().fold(table, |table, by| {
        let heading = by.clone();
        let value =
            move |row: &PieceRow| Some(row.published.iter().find(|published| published.by == by)?.value);
        table.number("published", value).heading(heading).format(Format::digits(2)).for_people_only()
    })
}

/// Writes `pieces.csv`; `data/README.md` says what each column means.
///
/// # Errors
///
/// When writing fails.
pub fn write_pieces(rows: &[PieceRow], out: &mut dyn Write) -> std::io::Result<()> {
    piece_table(Unit::PAWNS, true).write_csv(rows, out)
}

/// Pieces with their values beside the strongest one of their side and in the place of it, for those of which both are known.
pub fn beside_strongest_table<'t>(of_several_games: bool) -> Table<'t, MeasuredPiece> {
    let table = Table::<MeasuredPiece>::new()
        .text("piece", |piece| piece.piece.clone())
        .text("betza", |piece| piece.betza.clone())
        .heading("moves");
    let table = if of_several_games { table.text("game", MeasuredPiece::game) } else { table };
    let of = |estimate: fn(&ValueBesideKind) -> Estimate| {
        move |piece: &MeasuredPiece| piece.beside_strongest.as_ref().map(estimate)
    };
    table
        .text("beside", |piece| {
            piece.beside_strongest.as_ref().map_or_else(String::new, |beside| beside.other.clone())
        })
        .heading("strongest")
        .estimate("value_beside", of(|beside| beside.beside))
        .heading("beside it")
        .format(VALUE)
        .estimate("value_in_place", of(|beside| beside.in_place))
        .heading("in its place")
        .format(VALUE)
        .estimate("more_elo", of(|beside| beside.more_elo))
        .heading("Elo more")
        .format(Format::digits(0))
}

/// The coefficients of predictors, each with its name. The rows are the indices of [`PieceFeatures::TERMS`].
pub fn predictor_table<'t>(predictors: &[(String, &Predictor)]) -> Table<'t, usize> {
    let table = Table::<usize>::new().text("term", |index| PieceFeatures::TERMS[*index]);
    predictors.iter().fold(table, |table, (name, predictor)| {
        let coefficients = predictor.coefficients();
        table.estimate(name.clone(), move |index: &usize| Some(coefficients[*index])).format(VALUE)
    })
}
