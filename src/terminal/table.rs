//! Tables for the terminal.

use std::io::Write;

use backrank_analysis::table::{Alignment, PeopleTable};
use backrank_rules::printable_line;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

use crate::terminal::width::{columns_of, width, wrapped_in};

/// A column: its heading, and whether it holds numbers, which are aligned on the right.
#[derive(Clone, Copy)]
pub enum TableColumn<'a> {
    Text(&'a str),
    Number(&'a str),
}

/// The space between two columns.
const BETWEEN: usize = 2;

/// The heading of intervals, which stay beside their estimates.
const INTERVAL: &str = "95 %";

/// What a column needs.
#[derive(Clone, Copy)]
struct Need {
    /// Its longest word, apart from addresses, which may reach beyond the edge.
    least: usize,
    /// Its longest line.
    most: usize,
}

impl TableColumn<'_> {
    fn heading(&self) -> &str {
        match self {
            Self::Text(heading) | Self::Number(heading) => heading,
        }
    }

    /// A number is one word, with its unit or the two ends of an interval.
    fn need(&self, cells: impl Iterator<Item = String>) -> Need {
        let words = |text: &str| {
            let words = text.split_whitespace().filter(|word| !word.contains("://"));
            words.map(columns_of).max().unwrap_or(0)
        };
        let most = columns_of(self.heading());
        let least = if self.heading() == INTERVAL { most } else { words(self.heading()) };
        let heading = Need { least, most };
        cells.fold(heading, |need, cell| {
            let most = columns_of(&cell);
            let least = if matches!(self, Self::Text(_)) { words(&cell) } else { most };
            Need { least: need.least.max(least), most: need.most.max(most) }
        })
    }
}

/// Writes rows under headings, without lines and without trailing spaces.
///
/// No word and no number is ever broken. A table that is too wide for the terminal has its texts in several lines; where that is not
/// enough, its columns are written in several parts one below another, each with the first column.
pub fn print(
    out: &mut impl Write,
    columns: &[TableColumn<'_>],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> std::io::Result<()> {
    print_in(out, columns, rows, width())
}

fn print_in(
    out: &mut impl Write,
    columns: &[TableColumn<'_>],
    rows: impl IntoIterator<Item = Vec<String>>,
    width: Option<usize>,
) -> std::io::Result<()> {
    let rows: Vec<Vec<String>> = rows
        .into_iter()
        .map(|row| row.iter().map(|cell| printable_line(cell).into_owned()).collect())
        .collect();
    let needs: Vec<Need> = columns
        .iter()
        .enumerate()
        .map(|(at, column)| column.need(rows.iter().filter_map(|row| row.get(at).cloned())))
        .collect();
    let width = width.unwrap_or(usize::MAX);
    for (number, part) in parts(columns, &needs, width).into_iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        let widths = widths(&part.iter().map(|&at| needs[at]).collect::<Vec<_>>(), width);
        let table = laid_out(columns, &rows, &part, &widths);
        table.lines().try_for_each(|line| writeln!(out, "{}", line.trim_end()))?;
    }
    Ok(())
}

/// The columns of each part: all, if they fit with their longest words.
fn parts(columns: &[TableColumn<'_>], needs: &[Need], width: usize) -> Vec<Vec<usize>> {
    let least = |at: usize| needs[at].least + BETWEEN;
    // An interval is not without its estimate; and what several columns are called says only beside another whose it is.
    let is_attached = |at: usize| {
        let heading = columns[at].heading();
        heading == INTERVAL || columns.iter().filter(|column| column.heading() == heading).count() > 1
    };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for at in 1..columns.len() {
        match groups.last_mut().filter(|_| is_attached(at)) {
            Some(group) => group.push(at),
            None => groups.push(vec![at]),
        }
    }
    let mut parts = vec![vec![0]];
    let mut used = least(0);
    for group in groups {
        let wanted: usize = group.iter().map(|&at| least(at)).sum();
        let part = parts.last_mut().expect("the first");
        if part.len() > 1 && used + wanted > width.saturating_add(BETWEEN) {
            parts.push(std::iter::once(0).chain(group).collect());
            used = least(0) + wanted;
        } else {
            part.extend(group);
            used += wanted;
        }
    }
    parts
}

/// The widths of columns: the width of each's longest line, or less where there is no room for that, but never less than its longest
/// word.
fn widths(needs: &[Need], width: usize) -> Vec<usize> {
    let mut widths: Vec<usize> = needs.iter().map(|need| need.most).collect();
    let room = width.saturating_sub(BETWEEN * needs.len().saturating_sub(1));
    while widths.iter().sum::<usize>() > room {
        let can_shrink = (0..needs.len()).filter(|&at| widths[at] > needs[at].least);
        let Some(widest) = can_shrink.max_by_key(|&at| widths[at]) else { break };
        widths[widest] -= 1;
    }
    widths
}

/// Some columns of a table, their texts in lines of these widths.
fn laid_out(columns: &[TableColumn<'_>], rows: &[Vec<String>], part: &[usize], widths: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let shown = || part.iter().zip(widths);
    table.set_header(shown().map(|(&at, &width)| wrapped_in(columns[at].heading(), width)));
    for row in rows {
        let cell = |at: usize| row.get(at).map_or("", String::as_str);
        table.add_row(shown().map(|(&at, &width)| match columns[at] {
            TableColumn::Text(_) => wrapped_in(cell(at), width),
            TableColumn::Number(_) => cell(at).to_string(),
        }));
    }
    for (index, &at) in part.iter().enumerate() {
        let cells = table.column_mut(index).expect("a column for each heading");
        cells.set_padding((0, BETWEEN as u16));
        if matches!(columns[at], TableColumn::Number(_)) {
            cells.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Writes a table whose columns are declared where its rows are.
pub fn print_table(out: &mut impl Write, shown: PeopleTable) -> std::io::Result<()> {
    let columns = shown.columns.iter().map(|(heading, alignment)| match alignment {
        Alignment::Left => TableColumn::Text(heading),
        Alignment::Right => TableColumn::Number(heading),
    });
    print(out, &columns.collect::<Vec<_>>(), shown.rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [TableColumn<'_>; 6] = [
        TableColumn::Text("game"),
        TableColumn::Number("imbalances"),
        TableColumn::Number("95 %"),
        TableColumn::Number("games"),
        TableColumn::Text("source of the rules"),
        TableColumn::Number("Elo"),
    ];

    fn rows() -> Vec<Vec<String>> {
        [
            [
                "capablanca-random",
                "10.12",
                "9.65 to 10.69",
                "1,234,567",
                "Reinhard Scharnagl, 2004, as his page describes it",
                "+1,234",
            ],
            ["pmrc", "9.9", "", "5", "", "−12"],
        ]
        .map(|row| row.map(String::from).to_vec())
        .to_vec()
    }

    fn shown(width: Option<usize>) -> String {
        let mut text = Vec::new();
        print_in(&mut text, &COLUMNS, rows(), width).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn no_word_is_broken_and_no_line_is_too_long() {
        for width in [60, 80, 120, 200] {
            let text = shown(Some(width));
            assert!(text.lines().all(|line| columns_of(line) <= width), "{width}:\n{text}");
            for word in rows().iter().flatten().flat_map(|cell| cell.split_whitespace()) {
                assert!(text.contains(word), "{width}: {word} is broken:\n{text}");
            }
            for whole in ["9.65 to 10.69", "imbalances", "1,234,567"] {
                assert!(text.contains(whole), "{width}: {whole}\n{text}");
            }
        }
        assert_eq!(shown(None).lines().count(), 3);
        assert_eq!(shown(None), shown(Some(200)));
    }

    #[test]
    fn a_terminal_of_no_width_breaks_nothing() {
        for width in [0, 1, 10, 17] {
            let text = shown(Some(width));
            assert!(text.contains("capablanca-random") && text.contains("9.65 to 10.69"), "{width}:\n{text}");
        }
    }
}
