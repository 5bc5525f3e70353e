//! The moves of a piece: drawn, in words, and in numbers.

mod facts;
mod named;

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::args::lookup::write_lines;
use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json};
use facts::Facts;
use named::{NamedPiece, Place};

/// Show the moves of a piece: drawn, in words, in Betza's notation, and how far they reach
///
/// A sign or a mark stands on each square to which the piece can go: circles are steps and leaps, squares rides, diamonds moves that
/// a piece in the way stops, and triangles those that go over a piece. Full ones move and capture, hollow ones only move.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank moves fhNrlbK",
    "backrank moves waffle --svg waffle.svg",
    "backrank moves mRcpR --on 9x10",
    "backrank moves M --on modern",
))]
pub struct MovesCommand {
    /// The piece: its moves in Betza's notation, such as `fhNrlbK`; the name of a known piece, such as `nightrider`; or with
    /// `--on` a game, the letter of one of its pieces
    piece: String,

    /// The board: files and ranks, such as 9x9, or the key or file of a game [default: 8x8]
    #[arg(long, value_name = "BOARD")]
    on: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Also write a diagram as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl MovesCommand {
    pub fn run(self) -> Result<(), Failure> {
        let place = Place::read(self.on.as_deref())?;
        let piece = NamedPiece::find(&self.piece, &place)?;
        let diagram = piece.diagram(place.board());
        if let Some(path) = &self.svg {
            Output::write(path, diagram.to_svg().as_bytes())?;
        }
        let facts = Facts::new(&piece, place.board());
        if self.json {
            return print_json(&facts);
        }
        let mut out = Output::stdout();
        writeln!(out, "{}\n\n{diagram}", piece.heading())?;
        write_lines(&mut out, facts.lines())?;
        out.finish()
    }
}
