//! The summary of a study on the terminal.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use backrank_analysis::findings::Findings;
use backrank_analysis::stats::Estimate;
use backrank_analysis::table::thousands;
use backrank_analysis::values::{
    ImbalanceValues, RegressionValues, ValueRow, certainty_in_words, letters_in_words, values_in_words,
};

use super::Run;
use crate::command::values::{interval, number};
use crate::terminal::failure::Failure;
use crate::terminal::output::Output;
use crate::terminal::table::{self, TableColumn};

/// Prints the piece values, in words and then as a table that begins with those by imbalances, and how certain they are.
pub fn print(findings: &Findings, run: &Run) -> Result<(), Failure> {
    let mut out = Output::stdout();
    let variant = findings.studies.rules.variant();
    let (games, unit) = (thousands(findings.read.different), findings.unit);
    writeln!(out, "\n{}, {games} games\n", variant.name)?;
    // A value that says nothing is not shown.
    let certain = |rows: Vec<ValueRow>| rows.into_iter().map(ValueRow::if_certain).collect::<Vec<_>>();
    let rows = |found: Option<&ImbalanceValues>| certain(found.map_or(Vec::new(), ImbalanceValues::rows));
    let [by_imbalances, fixed] =
        [&findings.imbalances, &findings.confirmatory].map(|found| rows(found.as_ref()));
    let certainty = certainty_in_words(variant, unit, &by_imbalances);
    if let Some(said) = values_in_words(variant, &by_imbalances) {
        out.say(said)?;
    }
    if let Some(said) = &certainty {
        out.say(said)?;
    } else {
        out.say(too_few(findings, &by_imbalances, run))?;
    }
    let regression = certain(findings.regression.as_ref().map_or(Vec::new(), RegressionValues::rows));
    let has_value =
        |rows: &[ValueRow]| rows.iter().any(|row| row.value.is_some() && row.piece != unit.piece());
    if !has_value(&by_imbalances) && !has_value(&regression) {
        writeln!(out)?;
        return out.finish();
    }
    let letters = letters_in_words(variant, unit);
    out.say(format_args!("\nvalues with {unit}, 95 % intervals: {letters}\n"))?;
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
            number(network.and_then(|row| row.elo).filter(|elo| elo.interval.is_finite()), 0),
            network.map_or(String::new(), |row| thousands(row.games)),
            fixed,
            fixed_interval,
            observed,
            observed_interval,
        ]
    };
    table::print(&mut out, &columns, findings.studies.material.columns().iter().map(line))?;
    if certainty.is_some() {
        writeln!(out)?;
        print_statements(&mut out, findings, [&by_imbalances, &regression])?;
        out.say(format_args!(
                "The imbalances were chosen by the results of earlier games, but not those of the confirmatory sample. All this is for play \
                 at {} nodes a move. Regression only observes. With four times as many games the intervals would be about half as wide.",
                thousands(run.nodes)
        ))?;
    }
    writeln!(out)?;
    out.finish()
}

/// What the games say beside the values, and remarks on pieces.
fn print_statements(
    out: &mut Output,
    findings: &Findings,
    [by_imbalances, regression]: [&[ValueRow]; 2],
) -> Result<(), Failure> {
    for statement in findings.imbalances.iter().flat_map(ImbalanceValues::statements) {
        out.say(statement)?;
    }
    // A remark on several pieces is made once.
    let mut notes: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for row in by_imbalances.iter().chain(regression) {
        if let Some(note) = &row.note {
            notes.entry((row.method, note)).or_default().push(row.piece.to_string());
        }
    }
    for ((method, note), pieces) in notes {
        out.say(format_args!("{} by {method}: {note}", pieces.join(", ")))?;
    }
    Ok(())
}

/// What is said when the games are too few for the value of every piece.
fn too_few(findings: &Findings, rows: &[ValueRow], run: &Run) -> String {
    let variant = findings.studies.rules.variant();
    let certain =
        |row: &ValueRow| certainty_in_words(variant, findings.unit, std::slice::from_ref(row)).is_some();
    let unit = findings.unit.piece();
    let of_pieces = rows.iter().filter(|row| row.piece != unit);
    let uncertain: Vec<String> =
        of_pieces.filter(|row| !certain(row)).map(|row| row.piece.to_string()).collect();
    let what = match uncertain.len() {
        _ if rows.is_empty() || uncertain.len() + 1 >= rows.len() => "what pieces are worth".to_string(),
        _ => format!("the value of {}", uncertain.join(", ")),
    };
    let at_odds = rows.iter().map(|row| row.games).max().unwrap_or(0);
    let again = match run.is_planned {
        true => "A study with more --games, or with a --time, says more.".to_string(),
        false => {
            format!("Run the same command again with --time {}m: it goes on from here.", minutes(rows, run))
        }
    };
    format!(
        "Too few games for {what}: {} so far, at most {at_odds} of them with any one piece more or less. {again} The report has what \
         there is.",
        thousands(findings.read.different)
    )
}

/// About how many minutes at the pace of this run it takes until values are within 5 % or so, as a round number.
fn minutes(rows: &[ValueRow], run: &Run) -> u64 {
    /// Games with a piece more or less that are enough for that.
    const ENOUGH: f64 = 600.0;
    const ROUND: [u64; 8] = [1, 2, 5, 10, 20, 30, 60, 120];

    let missing: f64 = rows.iter().map(|row| (ENOUGH - row.games as f64).max(0.0)).sum();
    // A game at odds has two kinds of pieces more or less, in the mean, and half of all games are at odds.
    let seconds = missing * run.time.max(Duration::from_secs(1)).as_secs_f64() / run.games.max(1) as f64;
    let minutes = (seconds / 60.0).ceil() as u64;
    ROUND.into_iter().find(|&round| round >= minutes).unwrap_or(ROUND[ROUND.len() - 1])
}

/// A value and its interval.
fn cells(value: Option<Estimate>) -> [String; 2] {
    [number(value, 2), interval(value.map(|value| value.interval), 2)]
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
