//! Which pieces can give checkmate on their own.

use std::io::Write;

use backrank_endgames::LonePiece;
use backrank_rules::{Diagram, Letter, Position, Rules};
use serde::Serialize;

use super::counts::{moves, percent};
use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json};
use crate::terminal::table::{TableColumn, print as print_table};

/// One piece as JSON.
#[derive(Serialize)]
struct Lone {
    piece: Letter,
    name: String,
    /// The number of positions in which it gives checkmate without its king.
    checkmates: u64,
    /// One of these positions.
    checkmate: Option<String>,
    /// The longest mate that it forces alone, in moves.
    longest_mate_alone_moves: Option<u16>,
    /// The longest mate that it forces with the help of its king.
    longest_mate_with_king_moves: Option<u16>,
}

/// Prints for each piece of a game whether it can checkmate a bare king.
pub fn print(rules: &Rules, json: bool) -> Result<(), Failure> {
    let pieces = LonePiece::all(rules)?;
    let name = |piece: &LonePiece| {
        let letter = rules.letter_of(piece.kind);
        rules.variant().piece(letter).map_or_else(String::new, |piece| piece.name.clone())
    };
    if json {
        let pieces: Vec<Lone> = pieces
            .iter()
            .map(|piece| Lone {
                piece: rules.letter_of(piece.kind),
                name: name(piece),
                checkmates: piece.checkmates,
                checkmate: piece.example.clone(),
                longest_mate_alone_moves: piece.forced_alone.map(|longest| longest.moves),
                longest_mate_with_king_moves: piece.forced_with_king.map(|longest| longest.moves),
            })
            .collect();
        return print_json(&pieces);
    }
    let columns = [
        TableColumn::Text("piece"),
        TableColumn::Text(""),
        TableColumn::Number("checkmates alone"),
        TableColumn::Number("forces mate alone"),
        TableColumn::Number("with its king"),
        TableColumn::Number("from"),
    ];
    let rows = pieces.iter().map(|piece| {
        let within = |longest: Option<backrank_endgames::LongestWin>| {
            longest.map_or_else(|| "no".to_string(), |longest| format!("in {}", moves(longest.moves)))
        };
        vec![
            rules.letter_of(piece.kind).to_string(),
            name(piece),
            piece.checkmates.to_string(),
            within(piece.forced_alone),
            within(piece.forced_with_king),
            percent(piece.with_king.won, piece.with_king.total()),
        ]
    });
    let mut out = Output::stdout();
    writeln!(out, "{}, {}\n", rules.variant().name, rules.board())?;
    print_table(&mut out, &columns, rows)?;
    writeln!(
        out,
        "\nAlone: only the piece and the bare king are on the board. Moves are the longest forced mate, with the piece to move,\n\
         and \"from\" is the share of positions from which the piece can force mate with its king."
    )?;
    for piece in &pieces {
        let Some(fen) = &piece.example else { continue };
        let position = Position::from_fen(rules, fen)?;
        writeln!(out, "\nCheckmate by the {} without White's king:\n", name(piece))?;
        writeln!(out, "{}\n{position}", Diagram::of_position(&position))?;
    }
    out.finish()
}
