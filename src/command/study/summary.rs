//! The summary of a study on the terminal.

use std::io::Write;
use std::path::Path;

use backrank_analysis::findings::Findings;
use backrank_analysis::stats::Estimate;
use backrank_analysis::table::thousands;
use backrank_analysis::values::{ImbalanceValues, RegressionValues, ValueRow};

use crate::command::values::{interval, number};
use crate::terminal::failure::Failure;
use crate::terminal::output::Output;
use crate::terminal::table::{self, TableColumn};

/// Prints the piece values, beginning with those by imbalances, and the games behind them.
pub fn print(findings: &Findings, nodes: u64) -> Result<(), Failure> {
    let mut out = Output::stdout();
    let variant = findings.studies.rules.variant();
    let (games, unit) = (thousands(findings.read.different), findings.unit.to_string());
    writeln!(out, "\n{}, {games} games: what pieces are worth with {unit}, 95 % intervals\n", variant.name)?;
    let rows = |found: Option<&ImbalanceValues>| found.map_or(Vec::new(), ImbalanceValues::rows);
    let [by_imbalances, fixed] =
        [&findings.imbalances, &findings.confirmatory].map(|found| rows(found.as_ref()));
    let regression = findings.regression.as_ref().map_or(Vec::new(), RegressionValues::rows);
    let columns = [
        TableColumn::Text("piece"),
        TableColumn::Number("imbalances"),
        TableColumn::Number("95 %"),
        TableColumn::Number("±"),
        TableColumn::Number("pawns"),
        TableColumn::Number("Elo"),
        TableColumn::Number("games"),
        TableColumn::Number("confirmatory"),
        TableColumn::Number("95 %"),
        TableColumn::Number("regression"),
        TableColumn::Number("95 %"),
    ];
    let line = |piece: &backrank_analysis::games::Column| {
        let [network, fixed, regression] =
            [&by_imbalances, &fixed, &regression].map(|rows| rows.iter().find(|row| row.piece == *piece));
        let value = |row: Option<&ValueRow>| row.and_then(|row| row.value);
        let [own, own_interval] = cells(value(network));
        let [fixed, fixed_interval] = cells(value(fixed));
        let [observed, observed_interval] = cells(value(regression));
        vec![
            piece.to_string(),
            own,
            own_interval,
            value(network).map_or(String::new(), share),
            number(network.and_then(|row| row.pawns), 2),
            number(network.and_then(|row| row.elo), 0),
            network.map_or(String::new(), |row| thousands(row.games)),
            fixed,
            fixed_interval,
            observed,
            observed_interval,
        ]
    };
    table::print(&mut out, &columns, findings.studies.material.columns().iter().map(line))?;
    writeln!(out)?;
    for statement in findings.imbalances.iter().flat_map(ImbalanceValues::statements) {
        writeln!(out, "{statement}")?;
    }
    for row in by_imbalances.iter().chain(&regression) {
        if let Some(note) = &row.note {
            writeln!(out, "{} by {}: {note}", row.piece, row.method)?;
        }
    }
    let nodes = thousands(nodes);
    writeln!(
        out,
        "The imbalances were chosen by the results of earlier games, but not those of the confirmatory sample. All this is for play at \
         {nodes} nodes a move. Regression only observes. With four times as many games the intervals would be about half as wide.\n"
    )?;
    out.finish()
}

/// A value and its interval; empty if the interval is unbounded on both sides.
fn cells(value: Option<Estimate>) -> [String; 2] {
    let is_bounded = |value: &Estimate| value.interval.low.is_finite() || value.interval.high.is_finite();
    [number(value.filter(is_bounded), 2), interval(value.map(|value| value.interval), 2)]
}

/// Half the width of an interval relative to the value.
fn share(value: Estimate) -> String {
    let share = 0.5 * (value.interval.high - value.interval.low) / value.value;
    if share > 0.0 && share.is_finite() { format!("{:.0} %", 100.0 * share) } else { String::new() }
}

/// The last line.
pub fn print_path(report: &Path) -> Result<(), Failure> {
    let mut out = Output::stdout();
    writeln!(out, "{}", report.display())?;
    out.finish()
}
