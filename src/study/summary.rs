//! What a study says in the end.

use std::io::Write;
use std::path::Path;

use backrank_analysis::{ValueRow, thousands};

use crate::failure::Failure;
use crate::findings::Findings;
use crate::output::Output;
use crate::table::{self, TableColumn};
use crate::values::{DENSITY, interval, number};

/// Prints what pieces are worth by both methods.
pub fn print(findings: &Findings) -> Result<(), Failure> {
    let mut out = Output::stdout();
    let variant = findings.studies.rules.variant();
    let games = thousands(findings.read.different);
    writeln!(out, "\n{}, {games} different games: values in pawns, 95 % intervals\n", variant.name)?;
    let rows = findings.rows(DENSITY);
    let columns = [
        TableColumn::Text("piece"),
        TableColumn::Number("games"),
        TableColumn::Number("regression"),
        TableColumn::Number("95 %"),
        TableColumn::Number("games"),
        TableColumn::Number("odds"),
        TableColumn::Number("95 %"),
    ];
    let of = |method: &str, piece| rows.iter().find(|row| row.method == method && row.piece == piece);
    let line = |piece: &backrank_analysis::Column| {
        let cells = ["regression", "odds"].map(|method| cells(of(method, *piece)));
        std::iter::once(piece.to_string()).chain(cells.into_iter().flatten()).collect()
    };
    let pieces = findings.studies.material.columns();
    table::print(&mut out, &columns, pieces.iter().map(line))?;
    writeln!(out)?;
    for row in &rows {
        if let Some(note) = &row.note {
            writeln!(out, "{} by {}: {note}", row.piece, row.method)?;
        }
    }
    writeln!(out, "more games shorten the intervals: run the same command again, or give it more --time\n")?;
    out.finish()
}

/// Games, value and interval of a row; no value where its interval has no bound at all.
fn cells(row: Option<&ValueRow>) -> [String; 3] {
    let Some(row) = row else { return Default::default() };
    let bounds = row.pawns.map(|pawns| pawns.interval);
    let bounded = row.pawns.filter(|pawns| pawns.interval.low.is_finite() || pawns.interval.high.is_finite());
    [thousands(row.games), number(bounded, 2), interval(bounds, 2)]
}

/// The last line.
pub fn print_path(report: &Path) -> Result<(), Failure> {
    let mut out = Output::stdout();
    writeln!(out, "{}", report.display())?;
    out.finish()
}
