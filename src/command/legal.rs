use std::io::Write;
use std::path::PathBuf;

use backrank_rules::{Diagram, Move, Position};
use clap::Args;
use serde::Serialize;

use crate::args::PositionArgs;
use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json, write_svg};

/// List the legal moves of a position in UCI and in the game's notation
#[derive(Args)]
#[command(after_help = examples!(
    "backrank legal modern",
    "backrank legal chess960 518 --svg moves.svg",
))]
pub struct LegalCommand {
    #[command(flatten)]
    position: PositionArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Also write a diagram as SVG, with the moves: dots where pieces go, rings around what they capture, and arrows where two move
    /// together
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// A move as text.
#[derive(Serialize)]
pub struct MoveText {
    pub uci: String,
    pub notation: String,
}

impl MoveText {
    /// The notations of a legal move.
    pub fn new(position: &Position<'_>, played: Move) -> Self {
        Self { uci: played.uci(position.board()), notation: position.notation(played) }
    }
}

#[derive(Serialize)]
struct LegalMoves {
    fen: String,
    moves: Vec<MoveText>,
}

impl LegalCommand {
    pub fn run(self) -> Result<(), Failure> {
        let (rules, space) = self.position.rules()?;
        let position = self.position.position(&rules, &space)?;
        if let Some(path) = &self.svg {
            write_svg(path, &Diagram::of_legal_moves(&position))?;
        }
        let mut moves: Vec<MoveText> =
            position.legal_moves().into_iter().map(|played| MoveText::new(&position, played)).collect();
        moves.sort_by(|a, b| a.uci.cmp(&b.uci));
        if self.json {
            return print_json(&LegalMoves { fen: position.to_fen(), moves });
        }
        let mut out = Output::stdout();
        writeln!(out, "{}\n{}\n", Diagram::of_position(&position), position.to_fen())?;
        for MoveText { uci, notation } in &moves {
            writeln!(out, "{uci:<8}{notation}")?;
        }
        writeln!(out, "\n{} legal {}", moves.len(), if moves.len() == 1 { "move" } else { "moves" })?;
        out.finish()
    }
}
