//! The output of `values`: a table for each method, and one of all methods side by side.

use std::io::Write;

use backrank_analysis::fit::Model;
use backrank_analysis::stats::{Estimate, Interval};
use backrank_analysis::table::{Format, thousands};
use backrank_analysis::values::{
    ComparedValue, ImbalanceValues, PublishedValues, RegressionValues, Unit, ValueRow, compared_table,
    fit_table, imbalance_rows, imbalance_table, method_table, pieces_of, published, stage_table, value_table,
    values_in_words,
};
use backrank_rules::Variant;

use crate::terminal::failure::Failure;
use crate::terminal::output::Output;
use crate::terminal::table::print_table;

/// An estimate without its interval; empty if there is none.
pub fn number(estimate: Option<Estimate>, digits: usize) -> String {
    estimate.map_or(String::new(), |estimate| Format::digits(digits).number(estimate.value))
}

/// An interval; empty for the unit itself, which has none.
pub fn interval(interval: Option<Interval>, digits: usize) -> String {
    interval.map_or(String::new(), |interval| Format::digits(digits).unless_exact().interval(interval))
}

/// Prints the values by one method.
pub fn print_rows(out: &mut Output, unit: Unit, rows: &[ValueRow]) -> Result<(), Failure> {
    Ok(print_table(out, value_table(unit).for_people(rows))?)
}

pub fn print_regression(out: &mut Output, values: &RegressionValues) -> Result<(), Failure> {
    let model = match values.model {
        Model::Ordered => "regression, ordered logit",
        Model::Decided => "regression, logit of decided games",
    };
    let clusters = match values.clustering {
        backrank_analysis::fit::Clustering::Game => "game",
        backrank_analysis::fit::Clustering::Setup => "setup",
    };
    let [games, positions, number_of_clusters] =
        [values.games, values.positions, values.clusters].map(thousands);
    out.say(format_args!("\n{model}: {positions} quiet positions of {games} games, observed"))?;
    let replicates = match values.replicates {
        0 => "delta method".to_string(),
        number => format!("bootstrap with {number} replicates"),
    };
    out.say(format_args!("95 % intervals by {clusters} ({number_of_clusters}), {replicates}"))?;
    if values.failed_replicates > 0 {
        out.say(format_args!(
            "in {} replicates the likelihood had no maximum; they count as lying beyond either end",
            values.failed_replicates
        ))?;
    }
    if let Some(why) = &values.nothing {
        out.say(format_args!("no values: {why}; more games are needed"))?;
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
    out.say("\nby stage of the game: more than 3/4 of the pieces on the board, more than 3/8, fewer\n")?;
    let stages = values.stages.iter().map(|(stage, found)| (stage.to_string(), found.rows()));
    print_stages(out, values.unit, &stages.collect::<Vec<_>>())
}

/// Prints observed and expected scores by material.
fn print_fit(out: &mut Output, values: &RegressionValues) -> Result<(), Failure> {
    if values.fit.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nWhite's score by its advantage in a position\n")?;
    Ok(print_table(out, fit_table(values.unit).for_people(&values.fit))?)
}

/// Prints several tables of values side by side, such as those by stage of the game.
pub fn print_stages(out: &mut Output, unit: Unit, stages: &[(String, Vec<ValueRow>)]) -> Result<(), Failure> {
    let rows: Vec<ValueRow> = stages.iter().flat_map(|(_, rows)| rows.clone()).collect();
    Ok(print_table(out, stage_table(unit, stages).for_people(pieces_of(&rows)))?)
}

/// Prints the networks: that of games from setups, and those of games from recorded positions.
pub fn print_imbalances(
    out: &mut Output,
    variant: &Variant,
    values: &ImbalanceValues,
) -> Result<(), Failure> {
    if !values.imbalances.is_empty() || values.by_ply.is_empty() {
        print_network(out, variant, values)?;
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
fn print_network(out: &mut Output, variant: &Variant, values: &ImbalanceValues) -> Result<(), Failure> {
    let games = 2 * values.imbalances.iter().flat_map(|found| found.pairs).sum::<u64>();
    let games = thousands(games);
    let imbalances = match values.imbalances.len() {
        1 => "one imbalance".to_string(),
        number => format!("{number} imbalances"),
    };
    out.say(format_args!("\nimbalances, ordered logit of all: {games} games at {imbalances}, in pairs\n"))?;
    let rows = values.rows();
    if let Some(said) = values_in_words(variant, &rows) {
        out.say(format_args!("{said}\n"))?;
    }
    print_rows(out, values.unit, &rows)?;
    writeln!(out)?;
    print_statements_and_matches(out, values)
}

fn print_statements_and_matches(out: &mut Output, values: &ImbalanceValues) -> Result<(), Failure> {
    for statement in values.statements() {
        out.say(statement)?;
    }
    out.say("\nthe side with the first against the side with the second, 95 % intervals\n")?;
    Ok(print_table(out, imbalance_table().for_people(imbalance_rows(values)))?)
}

/// Prints all methods and published values side by side, in a unit.
pub fn compare(out: &mut Output, variant: &Variant, unit: Unit, rows: &[ValueRow]) -> Result<(), Failure> {
    let lists: Vec<PublishedValues> = published().into_iter().filter(|list| is_near(list, variant)).collect();
    let pieces = pieces_of(rows);
    let by_mobility = rows.iter().find(|row| row.method == "mobility").filter(|row| row.unit != unit);
    let other = by_mobility.map_or(String::new(), |row| format!(" (mobility: {})", row.unit));
    writeln!(out, "\nside by side, {unit}{other}\n")?;
    print_table(out, method_table(variant, unit, rows, &lists).for_people(pieces))?;
    writeln!(out)?;
    for list in &lists {
        out.say(format_args!("{}: {}", list.title(), list.source))?;
    }
    Ok(())
}

/// Prints two measurements of the same pieces, method by method.
pub fn print_compared(out: &mut Output, compared: &[ComparedValue]) -> Result<(), Failure> {
    Ok(print_table(out, compared_table().for_people(compared))?)
}

/// The lists for the same board, or all of them if there are none.
fn is_near(list: &PublishedValues, variant: &Variant) -> bool {
    list.is_for(variant) || !published().iter().any(|list| list.is_for(variant))
}
