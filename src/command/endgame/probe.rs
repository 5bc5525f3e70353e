//! The value of each move in a position.

use std::io::Write;

use backrank_endgames::{Endgame, EndgameTables, EndgameValue};
use backrank_rules::{Diagram, Position, Rules};
use serde::Serialize;

use crate::command::legal::MoveText;
use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json};
use crate::terminal::table::{TableColumn, print as print_table};

#[derive(Serialize)]
struct Probed {
    fen: String,
    #[serde(flatten)]
    value: Valued,
    legal: Vec<MoveValue>,
}

/// The value for the side to move.
#[derive(Serialize)]
struct Valued {
    value: &'static str,
    /// The number of moves that the winner still needs.
    moves: Option<u16>,
}

impl From<EndgameValue> for Valued {
    fn from(value: EndgameValue) -> Self {
        let word = match value {
            EndgameValue::Win { .. } => "win",
            EndgameValue::Draw => "draw",
            EndgameValue::Loss { .. } => "loss",
        };
        Self { value: word, moves: value.moves() }
    }
}

#[derive(Serialize)]
struct MoveValue {
    #[serde(flatten)]
    text: MoveText,
    #[serde(flatten)]
    value: Valued,
    #[serde(skip)]
    words: EndgameValue,
}

/// Reads a position, which must be one that endgame tables cover.
pub fn read<'r>(rules: &'r Rules, fen: &str) -> Result<Position<'r>, Failure> {
    let position = Position::from_fen(rules, fen)?;
    if position.has_unmoved_rights() {
        return Err(Failure::Input(
            "the position has rights to castle, to adjust or to a first move; endgame tables have no such positions: write - instead"
                .to_string(),
        ));
    }
    Ok(position)
}

/// Prints a position's value and that of every legal move.
pub fn print(
    position: &Position<'_>,
    endgame: &Endgame,
    tables: &EndgameTables,
    json: bool,
) -> Result<(), Failure> {
    let (Some(value), Some(moves)) = (tables.probe(position), tables.probe_moves(position)) else {
        return Err(Failure::Input(format!(
            "the position does not have the pieces of {endgame}, or of an endgame that it leads to by captures and promotions"
        )));
    };
    let legal = moves.into_iter().map(|(played, value)| MoveValue {
        text: MoveText::new(position, played),
        value: value.into(),
        words: value,
    });
    let legal: Vec<MoveValue> = legal.collect();
    if json {
        return print_json(&Probed { fen: position.to_fen(), value: value.into(), legal });
    }
    let mut out = Output::stdout();
    writeln!(
        out,
        "{}\n{position}\n\n{} to move: {value}",
        Diagram::of_position(position),
        position.side_to_move()
    )?;
    let columns = [TableColumn::Text("move"), TableColumn::Text(""), TableColumn::Text("value")];
    let rows = legal.iter().map(|MoveValue { text, words, .. }| {
        vec![text.uci.clone(), text.notation.clone(), words.to_string()]
    });
    if !legal.is_empty() {
        writeln!(out)?;
        print_table(&mut out, &columns, rows)?;
    }
    out.finish()
}
