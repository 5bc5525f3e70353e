//! Tables for the terminal.

use backrank_analysis::table::{Alignment, PeopleTable};
use backrank_rules::printable_line;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

/// A column: its heading, and whether it holds numbers, which are aligned on the right.
pub enum TableColumn<'a> {
    Text(&'a str),
    Number(&'a str),
}

/// Prints rows under headings, without lines. If the output is not a terminal, the table is as wide as its content.
fn table(columns: &[TableColumn<'_>], rows: impl IntoIterator<Item = Vec<String>>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(columns.iter().map(|column| match column {
        TableColumn::Text(heading) | TableColumn::Number(heading) => *heading,
    }));
    rows.into_iter().for_each(|row| {
        table.add_row(row.iter().map(|cell| printable_line(cell)));
    });
    for (index, column) in columns.iter().enumerate() {
        let cells = table.column_mut(index).expect("a column for each heading");
        cells.set_padding((0, 2));
        if matches!(column, TableColumn::Number(_)) {
            cells.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Writes a table without trailing spaces.
pub fn print(
    out: &mut impl std::io::Write,
    columns: &[TableColumn<'_>],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> std::io::Result<()> {
    table(columns, rows).lines().try_for_each(|line| writeln!(out, "{}", line.trim_end()))
}

/// Writes a table whose columns are declared where its rows are.
pub fn print_table(out: &mut impl std::io::Write, shown: PeopleTable) -> std::io::Result<()> {
    let columns = shown.columns.iter().map(|(heading, alignment)| match alignment {
        Alignment::Left => TableColumn::Text(heading),
        Alignment::Right => TableColumn::Number(heading),
    });
    print(out, &columns.collect::<Vec<_>>(), shown.rows)
}
