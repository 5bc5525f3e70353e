//! The number of positions that each side wins, and the longest wins.

use std::io::Write;

use backrank_analysis::table::thousands;
use backrank_endgames::{Endgame, EndgameTable, EndgameTables, LongestWin, WinsDrawsLosses};
use backrank_rules::{Diagram, Move, Position, Rules, Side};
use serde::Serialize;

use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json};
use crate::terminal::table::{TableColumn, print as print_table};

/// One endgame as JSON; `won` and `lost` are White's.
#[derive(Serialize)]
struct PositionCounts {
    pieces: String,
    white_to_move: SideCounts,
    black_to_move: SideCounts,
    /// White's longest win.
    longest_win_moves: Option<u16>,
    /// The hardest positions that White wins and that Black wins, as FEN, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    longest: Option<Vec<String>>,
}

#[derive(Serialize)]
struct SideCounts {
    won: u64,
    drawn: u64,
    lost: u64,
}

impl From<WinsDrawsLosses> for SideCounts {
    fn from(WinsDrawsLosses { won, drawn, lost }: WinsDrawsLosses) -> Self {
        Self { won, drawn, lost }
    }
}

impl PositionCounts {
    fn new(endgame: &Endgame, table: EndgameTable<'_>) -> Self {
        Self {
            pieces: endgame.to_string(),
            white_to_move: table.count(Side::White).into(),
            black_to_move: table.count(Side::Black).into(),
            longest_win_moves: table.longest_win(Side::White).map(|longest| longest.moves),
            longest: None,
        }
    }
}

fn table<'t>(tables: &'t EndgameTables, endgame: &Endgame) -> EndgameTable<'t> {
    tables.get(endgame).expect("the table was made")
}

/// Prints the results of one endgame, with up to `longest` of the positions from which each side's win takes longest.
pub fn print(
    rules: &Rules,
    endgame: &Endgame,
    tables: &EndgameTables,
    longest: Option<usize>,
    json: bool,
) -> Result<(), Failure> {
    let table = table(tables, endgame);
    let hardest = |side: Side| table.hardest(rules, side, longest.unwrap_or(1));
    if json {
        let mut counts = PositionCounts::new(endgame, table);
        let positions = || Side::BOTH.into_iter().flat_map(hardest);
        counts.longest = longest.map(|_| positions().map(|position| position.to_fen()).collect());
        return print_json(&counts);
    }
    let mut out = Output::stdout();
    let variant = rules.variant();
    writeln!(out, "{}, {}: {endgame}\n", variant.name, variant.board)?;
    let columns = ["", "won", "", "drawn", "", "lost", ""].map(TableColumn::Number);
    let rows = Side::BOTH.map(|side| {
        let count = table.count(side);
        let mut row = vec![format!("{side} to move")];
        for positions in [count.won, count.drawn, count.lost] {
            row.extend([thousands(positions), percent(positions, count.total())]);
        }
        row
    });
    print_table(&mut out, &columns, rows)?;
    for side in Side::BOTH {
        if let Some(win) = table.longest_win(side) {
            let hardest = hardest(side);
            print_longest(&mut out, tables, side, win, &hardest)?;
            if longest.is_some() {
                for position in &hardest {
                    writeln!(out, "\n{}\n{position}", Diagram::of_position(position))?;
                }
            }
        }
    }
    out.finish()
}

fn print_longest(
    out: &mut Output,
    tables: &EndgameTables,
    side: Side,
    win: LongestWin,
    hardest: &[Position<'_>],
) -> Result<(), Failure> {
    let positions = match win.positions {
        1 => "1 position".to_string(),
        positions => format!("{} positions, including symmetric ones", thousands(positions)),
    };
    if win.moves == 0 {
        writeln!(out, "\n{side} wins only positions in which the game is already over: {positions}")?;
        return Ok(());
    }
    writeln!(out, "\n{side}'s longest win takes {}, in {positions}", moves(win.moves))?;
    if let Some(position) = hardest.first() {
        writeln!(out, "from         {position}")?;
        writeln!(out, "line         {}", numbered(position, &tables.line(position)))?;
    }
    let fifty = if !win.is_longer_than_fifty() {
        "no win takes more than fifty moves"
    } else {
        "longer than fifty moves, but each capture or pawn move on the way restarts the count"
    };
    writeln!(out, "fifty moves  {fifty}")?;
    Ok(())
}

pub(super) fn moves(moves: u16) -> String {
    if moves == 1 { "1 move".to_string() } else { format!("{moves} moves") }
}

pub(super) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { String::new() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}

/// A line of play in the game's notation, with move numbers.
fn numbered(position: &Position<'_>, line: &[Move]) -> String {
    let mut position = *position;
    let mut text = Vec::new();
    for (ply, &played) in line.iter().enumerate() {
        let notation = position.notation(played);
        text.push(match position.side_to_move() {
            Side::White => format!("{}.{notation}", position.fullmove_number()),
            Side::Black if ply == 0 => format!("{}...{notation}", position.fullmove_number()),
            Side::Black => notation,
        });
        position.play(played);
    }
    text.join(" ")
}

/// Prints a table with a row for each endgame.
pub fn print_all(rules: &Rules, all: &[Endgame], tables: &EndgameTables, json: bool) -> Result<(), Failure> {
    let counts: Vec<PositionCounts> =
        all.iter().map(|endgame| PositionCounts::new(endgame, table(tables, endgame))).collect();
    if json {
        return print_json(&counts);
    }
    let columns = [
        TableColumn::Text("pieces"),
        TableColumn::Number("White to move: wins"),
        TableColumn::Number("draws"),
        TableColumn::Number("Black to move: wins"),
        TableColumn::Number("draws"),
        TableColumn::Number("longest win"),
    ];
    let rows = counts.iter().map(|counts| {
        let share = |part: u64, side: &SideCounts| percent(part, side.won + side.drawn + side.lost);
        let (white, black) = (&counts.white_to_move, &counts.black_to_move);
        vec![
            counts.pieces.clone(),
            share(white.won, white),
            share(white.drawn, white),
            share(black.won, black),
            share(black.drawn, black),
            counts.longest_win_moves.map_or_else(|| "none".to_string(), moves),
        ]
    });
    let mut out = Output::stdout();
    writeln!(out, "{}, {}\n", rules.variant().name, rules.board())?;
    print_table(&mut out, &columns, rows)?;
    out.finish()
}
