//! The moves of a piece as text.

use std::fmt;

use super::MoveDiagram;
use super::marks::{Manner, Mark, SquareMarks};
use crate::board::File;

/// The letter of the piece itself.
const PIECE: char = '@';

/// What follows a mark of the first move.
const FIRST: char = '¹';

/// The sign of a square, and what stands before and after it.
#[derive(Clone, Copy)]
struct Cell {
    before: char,
    sign: char,
    after: char,
}

impl Cell {
    fn of(marks: SquareMarks) -> Self {
        let mark = if marks.always == Mark::NONE { marks.first } else { marks.always };
        let (before, sign) = match (mark.moves, mark.captures) {
            (Some(moves), Some(captures)) if moves == captures => (' ', full(captures)),
            (Some(moves), Some(captures)) => (hollow(moves), full(captures)),
            (Some(moves), None) => (' ', hollow(moves)),
            (None, Some(captures)) => ('x', full(captures)),
            (None, None) => (' ', '·'),
        };
        Self { before, sign, after: if marks.first == Mark::NONE { ' ' } else { FIRST } }
    }
}

fn full(manner: Manner) -> char {
    match manner {
        Manner::Leap => '●',
        Manner::Ride => '■',
        Manner::Lame => '◆',
        Manner::Over => '▲',
    }
}

fn hollow(manner: Manner) -> char {
    match manner {
        Manner::Leap => '○',
        Manner::Ride => '□',
        Manner::Lame => '◇',
        Manner::Over => '△',
    }
}

impl fmt::Display for MoveDiagram {
    /// The board and, below it, what its signs mean.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: Vec<Cell> = self.marks.iter().map(|&marks| Cell::of(marks)).collect();
        let is_wide = cells.iter().any(|cell| (cell.before, cell.after) != (' ', ' '));
        let line = |f: &mut fmt::Formatter<'_>, name: &str, cells: &mut dyn Iterator<Item = Cell>| {
            let mut text = format!("{name:<2}");
            for Cell { before, sign, after } in cells {
                text.push(before);
                text.push(sign);
                if is_wide {
                    text.push(after);
                }
            }
            writeln!(f, "{}", text.trim_end())
        };
        let files = self.board.files();
        let plain = |sign| Cell { before: ' ', sign, after: ' ' };
        for rank in (0..self.board.ranks()).rev() {
            let place = |file: usize| rank * files + file;
            let cell = |file: usize| {
                if place(file) == self.from.index() { plain(PIECE) } else { cells[place(file)] }
            };
            line(f, &(rank + 1).to_string(), &mut (0..files).map(cell))?;
        }
        line(f, "", &mut (0..files as u8).map(|file| plain(File(file).letter())))?;
        writeln!(f)?;
        let mut seen: Vec<SquareMarks> =
            self.marks.iter().copied().filter(|marks| *marks != SquareMarks::default()).collect();
        seen.sort_by_key(|marks| (marks.always == Mark::NONE, marks.always, marks.first));
        seen.dedup();
        for marks in seen {
            let Cell { before, sign, after } = Cell::of(marks);
            let SquareMarks { always, first } = marks;
            let meaning: Vec<String> = [(always, false), (first, true)]
                .into_iter()
                .filter(|(mark, _)| *mark != Mark::NONE)
                .map(|(mark, first)| self.meaning(mark, first))
                .collect();
            let sign: String =
                if is_wide { [before, sign, after].iter().collect() } else { sign.to_string() };
            writeln!(f, "  {sign} {}", meaning.join("; "))?;
        }
        Ok(())
    }
}
