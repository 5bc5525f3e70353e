//! The output of `values`: a table for each method, and one of all methods side by side.

use std::io::Write;

use backrank_analysis::{
    Column, ComparedValue, Estimate, ImbalanceValues, Interval, Model, PublishedValues, RegressionValues,
    Unit, ValueRow, pieces_of, published, thousands,
};
use backrank_rules::Variant;

use crate::terminal::failure::Failure;
use crate::terminal::output::Output;
use crate::terminal::table::{self, TableColumn};

/// An estimate without its interval; empty if there is none.
pub fn number(estimate: Option<Estimate>, digits: usize) -> String {
    match estimate.map(|estimate| estimate.value) {
        None => String::new(),
        Some(f64::INFINITY) => "∞".to_string(),
        Some(f64::NEG_INFINITY) => "−∞".to_string(),
        Some(value) => format!("{value:.digits$}"),
    }
}

/// An interval; empty for the unit itself, which has none.
pub fn interval(interval: Option<Interval>, digits: usize) -> String {
    let interval = interval.filter(|interval| interval.low < interval.high);
    interval.map_or(String::new(), |interval| format!("{interval:.digits$}"))
}

/// The columns of a table of values.
fn columns(unit: &str) -> [TableColumn<'_>; 9] {
    [
        TableColumn::Text("piece"),
        TableColumn::Number("games"),
        TableColumn::Number(unit),
        TableColumn::Number("95 %"),
        TableColumn::Number("pawns"),
        TableColumn::Number("95 %"),
        TableColumn::Number("Elo"),
        TableColumn::Number("95 %"),
        TableColumn::Text("note"),
    ]
}

/// Prints the values by one method.
pub fn print_rows(out: &mut Output, unit: Unit, rows: &[ValueRow]) -> Result<(), Failure> {
    let line = |row: &ValueRow| {
        let mut cells = vec![row.piece.to_string(), thousands(row.games)];
        for (estimate, digits) in [(row.value, 2), (row.pawns, 2), (row.elo, 0)] {
            cells.push(number(estimate, digits));
            cells.push(interval(estimate.map(|estimate| estimate.interval), digits));
        }
        cells.push(row.note.clone().unwrap_or_default());
        cells
    };
    Ok(table::print(out, &columns(&unit.to_string()), rows.iter().map(line))?)
}

pub fn print_regression(out: &mut Output, values: &RegressionValues) -> Result<(), Failure> {
    let model = match values.model {
        Model::Ordered => "regression, ordered logit",
        Model::Decided => "regression, logit of decided games",
    };
    let clusters = match values.clustering {
        backrank_analysis::Clustering::Game => "game",
        backrank_analysis::Clustering::Setup => "setup",
    };
    let [games, positions, number_of_clusters] =
        [values.games, values.positions, values.clusters].map(thousands);
    writeln!(out, "\n{model}: {positions} quiet positions of {games} games, observed")?;
    let replicates = match values.replicates {
        0 => "delta method".to_string(),
        number => format!("bootstrap with {number} replicates"),
    };
    writeln!(out, "95 % intervals by {clusters} ({number_of_clusters}), {replicates}")?;
    if values.failed_replicates > 0 {
        writeln!(
            out,
            "in {} replicates the likelihood had no maximum; they count as lying beyond either end",
            values.failed_replicates
        )?;
    }
    if let Some(why) = &values.nothing {
        writeln!(out, "no values: {why}; more games are needed")?;
    }
    writeln!(out)?;
    print_rows(out, values.unit, &values.rows())?;
    if let Some(white) = values.white {
        writeln!(out, "\nthe first move is worth {:+.0} Elo ({:+.0})", white.value, white.interval)?;
    }
    if let Some(draws) = values.draws {
        writeln!(out, "between equals {:.0} % are drawn", 100.0 * draws)?;
    }
    print_fit(out, values)?;
    if values.stages.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\nby stage of the game: more than 3/4 of the pieces on the board, more than 3/8, fewer\n"
    )?;
    let stages = values.stages.iter().map(|(stage, found)| (stage.to_string(), found.rows()));
    print_stages(out, values.unit, &stages.collect::<Vec<_>>())
}

/// Prints observed and expected scores by material.
fn print_fit(out: &mut Output, values: &RegressionValues) -> Result<(), Failure> {
    if values.fit.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nWhite's score by its advantage in a position\n")?;
    let ahead = format!("ahead, {}", values.unit);
    let columns = [
        TableColumn::Text(&ahead),
        TableColumn::Number("games"),
        TableColumn::Number("observed"),
        TableColumn::Number("expected"),
    ];
    let row = |found: &backrank_analysis::ScoreByDifference| {
        let [least, most] = found.ahead;
        let share = |score: f64| format!("{:.1} %", 100.0 * score);
        vec![
            format!("{:.1}", Interval { low: least, high: most }),
            thousands(found.games.round() as u64),
            share(found.observed),
            share(found.expected),
        ]
    };
    Ok(table::print(out, &columns, values.fit.iter().map(row))?)
}

/// Prints the values by stage of the game, side by side.
fn print_stages(out: &mut Output, unit: Unit, stages: &[(String, Vec<ValueRow>)]) -> Result<(), Failure> {
    let unit = unit.to_string();
    let mut columns = vec![TableColumn::Text("piece")];
    for (stage, _) in stages {
        columns.extend([stage, &unit, "95 %", "Elo"].map(TableColumn::Number));
    }
    let rows: Vec<ValueRow> = stages.iter().flat_map(|(_, rows)| rows.clone()).collect();
    let pieces = pieces_of(&rows);
    let line = |piece: &Column| {
        let cells = stages.iter().flat_map(|(_, rows)| {
            let own = rows.iter().find(|row| row.piece == *piece);
            let value = own.and_then(|own| own.value);
            [
                own.map_or(String::new(), |own| format!("{} games", thousands(own.games))),
                number(value, 2),
                interval(value.map(|value| value.interval), 2),
                number(own.and_then(|own| own.elo), 0),
            ]
        });
        std::iter::once(piece.to_string()).chain(cells).collect()
    };
    Ok(table::print(out, &columns, pieces.iter().map(line))?)
}

/// Prints the networks: that of games from setups, and those of games from recorded positions.
pub fn print_imbalances(out: &mut Output, values: &ImbalanceValues) -> Result<(), Failure> {
    if !values.imbalances.is_empty() || values.by_ply.is_empty() {
        print_network(out, values)?;
    }
    if values.by_ply.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nimbalances in positions of recorded games, by ply\n")?;
    let stages = values.by_ply.iter().map(|found| (format!("ply {}", found.ply), found.values.rows()));
    print_stages(out, values.unit, &stages.collect::<Vec<_>>())?;
    for found in &values.by_ply {
        writeln!(out, "\nply {}\n", found.ply)?;
        print_statements_and_matches(out, &found.values)?;
    }
    Ok(())
}

/// Prints a network: the values, the statements about the fit, and the matches.
fn print_network(out: &mut Output, values: &ImbalanceValues) -> Result<(), Failure> {
    let games = 2 * values.imbalances.iter().flat_map(|found| found.pairs).sum::<u64>();
    let games = thousands(games);
    let imbalances = match values.imbalances.len() {
        1 => "one imbalance".to_string(),
        number => format!("{number} imbalances"),
    };
    writeln!(out, "\nimbalances, ordered logit of all: {games} games at {imbalances}, in pairs\n")?;
    print_rows(out, values.unit, &values.rows())?;
    writeln!(out)?;
    print_statements_and_matches(out, values)
}

fn print_statements_and_matches(out: &mut Output, values: &ImbalanceValues) -> Result<(), Failure> {
    for statement in values.statements() {
        writeln!(out, "{statement}")?;
    }
    writeln!(out, "\nthe side with the first against the side with the second, 95 % intervals\n")?;
    let columns = [
        TableColumn::Text("odds"),
        TableColumn::Number("pairs"),
        TableColumn::Number("0, ½, 1, 1½, 2 points"),
        TableColumn::Number("score"),
        TableColumn::Number("Elo"),
        TableColumn::Number("95 %"),
        TableColumn::Number("expected"),
        TableColumn::Number("difference"),
        TableColumn::Number("95 %"),
    ];
    let row = |found: &backrank_analysis::Imbalance| {
        vec![
            found.odds.clone(),
            thousands(found.pairs.iter().sum::<u64>()),
            found.pairs.map(|pairs| pairs.to_string()).join(" "),
            format!("{:.1} %", 100.0 * found.score.value),
            number(Some(found.elo), 0),
            interval(Some(found.elo.interval), 0),
            found.expected.map_or(String::new(), |expected| format!("{expected:.0}")),
            number(found.residual, 0),
            interval(found.residual.map(|residual| residual.interval), 0),
        ]
    };
    Ok(table::print(out, &columns, values.imbalances.iter().map(row))?)
}

/// Prints all methods and published values side by side, in a unit.
pub fn compare(out: &mut Output, variant: &Variant, unit: Unit, rows: &[ValueRow]) -> Result<(), Failure> {
    let valued = |row: &&ValueRow| row.at_ply.is_none() && row.value.is_some();
    let mut methods: Vec<&str> = rows.iter().filter(valued).map(|row| row.method).collect();
    methods.dedup();
    let lists: Vec<PublishedValues> = published().into_iter().filter(|list| is_near(list, variant)).collect();
    let pieces = pieces_of(rows);
    let by_mobility = rows.iter().find(|row| row.method == "mobility").filter(|row| row.unit != unit);
    let other = by_mobility.map_or(String::new(), |row| format!(" (mobility: {})", row.unit));
    writeln!(out, "\nside by side, {unit}{other}\n")?;
    let heads: Vec<String> =
        methods.iter().map(|&method| method.to_string()).chain(lists.iter().map(head)).collect();
    let mut columns = vec![TableColumn::Text("piece")];
    columns.extend(heads.iter().map(|head| TableColumn::Number(head)));
    let row = |piece: &Column| {
        let by_method = methods.iter().map(|&method| {
            let found =
                rows.iter().find(|row| row.method == method && row.at_ply.is_none() && row.piece == *piece);
            number(found.and_then(|row| row.value), 2)
        });
        let by_others = lists
            .iter()
            .map(|list| list.of(variant, *piece, unit).map_or(String::new(), |value| format!("{value:.2}")));
        std::iter::once(piece.to_string()).chain(by_method).chain(by_others).collect()
    };
    table::print(out, &columns, pieces.iter().map(row))?;
    writeln!(out)?;
    for list in &lists {
        writeln!(out, "{}: {}", head(list), list.source)?;
    }
    Ok(())
}

/// Prints two measurements of the same pieces, method by method.
pub fn print_compared(out: &mut Output, compared: &[ComparedValue]) -> Result<(), Failure> {
    let columns = [
        TableColumn::Text("method"),
        TableColumn::Text("piece"),
        TableColumn::Number("value"),
        TableColumn::Number("95 %"),
        TableColumn::Number("against"),
        TableColumn::Number("95 %"),
        TableColumn::Number("ratio"),
        TableColumn::Number("95 %"),
        TableColumn::Number("Elo more"),
        TableColumn::Number("95 %"),
    ];
    let row = |found: &ComparedValue| {
        let at_ply = found.at_ply.map_or(String::new(), |ply| format!(", ply {ply}"));
        let mut cells = vec![format!("{}{at_ply}", found.method), found.piece.to_string()];
        let [value, against, ratio] = [found.value, found.against, found.ratio].map(Some);
        for (estimate, digits) in [(value, 2), (against, 2), (ratio, 2), (found.elo_more, 0)] {
            cells.push(number(estimate, digits));
            cells.push(interval(estimate.map(|estimate| estimate.interval), digits));
        }
        cells
    };
    Ok(table::print(out, &columns, compared.iter().map(row))?)
}

fn head(list: &PublishedValues) -> String {
    format!("{} ({})", list.name, list.board.replace('x', "×"))
}

/// The lists for the same board, or all of them if there are none.
fn is_near(list: &PublishedValues, variant: &Variant) -> bool {
    list.is_for(variant) || !published().iter().any(|list| list.is_for(variant))
}
