use std::io::Write;
use std::path::PathBuf;

use backrank_rules::{Diagram, Game, Outcome};
use clap::Args;
use serde::Serialize;

use crate::args::PositionArgs;
use crate::command::legal::MoveText;
use crate::terminal::failure::Failure;
use crate::terminal::output::{Output, print_json, write_svg};

/// Play moves from a setup or position, and show where they lead
#[derive(Args)]
#[command(after_help = examples!(
    "backrank replay chess --moves 'f3 e5 g4 Qh4#'",
    "backrank replay modern --moves 'e4 d6 f4 e6 Bg<=>Q' --svg position.svg",
))]
pub struct ReplayCommand {
    #[command(flatten)]
    position: PositionArgs,

    /// The moves in the game's notation or in UCI, separated by spaces; move numbers are ignored
    #[arg(long, default_value = "")]
    moves: String,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Also write a diagram of the last position as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

#[derive(Serialize)]
struct ReplayResult {
    start: String,
    moves: Vec<MoveText>,
    fen: String,
    outcome: Option<GameOver>,
}

#[derive(Serialize)]
struct GameOver {
    result: String,
    termination: String,
    /// The number of plies after which the game was over.
    plies: usize,
}

impl ReplayCommand {
    pub fn run(self) -> Result<(), Failure> {
        let (rules, space) = self.position.rules()?;
        let start = self.position.position(&rules, &space)?;
        let mut game = Game::new(start);
        let mut moves = Vec::new();
        let mut ended = game.outcome().map(|outcome| (outcome, 0));
        for text in self.moves.split_whitespace().map(without_number).filter(|text| !text.is_empty()) {
            let position = *game.position();
            let played = position.parse_move(text).map_err(|error| {
                let over = position.outcome().map(|outcome| format!("the game is over ({outcome}); "));
                let (ply, over) = (moves.len() + 1, over.unwrap_or_default());
                Failure::Input(format!("ply {ply}: {over}{error}\nthe position is {position}"))
            })?;
            moves.push(MoveText::new(&position, played));
            game.play(played);
            ended = ended.or(game.outcome().map(|outcome| (outcome, moves.len())));
        }
        let position = game.position();
        let diagram = Diagram::of_position(position);
        if let Some(path) = &self.svg {
            write_svg(path, &diagram)?;
        }
        if self.json {
            let ending = |(outcome, plies): (Outcome, usize)| GameOver {
                result: outcome.result.to_string(),
                termination: outcome.termination.to_string(),
                plies,
            };
            let outcome = ended.map(ending);
            return print_json(&ReplayResult {
                start: start.to_fen(),
                moves,
                fen: position.to_fen(),
                outcome,
            });
        }
        let mut out = Output::stdout();
        writeln!(out, "{diagram}\n{position}")?;
        match ended {
            Some((outcome, plies)) if plies < moves.len() => {
                writeln!(out, "{outcome}, after {plies} of {} plies", moves.len())?;
            }
            Some((outcome, _)) => writeln!(out, "{outcome}")?,
            None => {}
        }
        out.finish()
    }
}

/// A move without its number: `1.e4`, `1...d6` and `12.` become `e4`, `d6` and an empty text.
fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    // Castling can be written with zeros, so a number must end with a point.
    if rest.len() < text.len() && rest.starts_with('.') { rest.trim_start_matches('.') } else { text }
}
