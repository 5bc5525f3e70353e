//! What a study says in the end.

use std::io::Write;
use std::path::Path;

use backrank_analysis::{Estimate, ValueRow};

use crate::failure::Failure;
use crate::findings::Findings;
use crate::output::Output;
use crate::table::{Column, print as print_table, table, thousands};
use crate::values::{interval, number};

/// Prints what pieces are worth by both methods.
pub fn print(findings: &Findings) -> Result<(), Failure> {
    let mut out = Output::stdout();
    let variant = findings.studies.rules.variant();
    let games = thousands(findings.read.different.into());
    writeln!(out, "\n{}, {games} different games: values in pawns, 95 % intervals\n", variant.name)?;
    let rows = findings.rows();
    let columns = [
        Column::Text("piece"),
        Column::Number("games"),
        Column::Number("regression"),
        Column::Number("95 %"),
        Column::Number("games"),
        Column::Number("odds"),
        Column::Number("95 %"),
        Column::Text("note"),
    ];
    let of = |method: &str, piece| rows.iter().find(|row| row.method == method && row.piece == piece);
    let line = |piece: &backrank_analysis::Column| {
        let found = ["regression", "odds"].map(|method| of(method, *piece));
        let notes: Vec<&str> = found.iter().filter_map(|row| row.as_ref()?.note.as_deref()).collect();
        let cells = found.into_iter().flat_map(cells);
        std::iter::once(piece.to_string()).chain(cells).chain([notes.join("; ")]).collect()
    };
    let pieces = findings.studies.material.columns();
    print_table(&mut out, &table(&columns, pieces.iter().map(line)))?;
    writeln!(out, "\nintervals get shorter with more games: the same command again, with more --time\n")?;
    out.finish()
}

/// Games, value and interval of a row.
fn cells(row: Option<&ValueRow>) -> [String; 3] {
    let Some(row) = row else { return Default::default() };
    let pawns: Option<Estimate> = row.pawns;
    let interval = interval(pawns.map(|pawns| pawns.interval), 2);
    [thousands(row.games.into()), number(pawns, 2), interval]
}

/// The last line.
pub fn print_path(report: &Path) -> Result<(), Failure> {
    let mut out = Output::stdout();
    writeln!(out, "{}", report.display())?;
    out.finish()
}
