//! Who plays, as the command line says it.

use backrank_selfplay::{BUILTIN, PlayerSpec, UciOption};
use clap::Args;

/// The players.
#[derive(Args)]
pub struct PlayerArgs {
    /// Both players: `builtin`, or the command line of a UCI engine [default: builtin]
    #[arg(long, value_name = "PLAYER", conflicts_with_all = ["white", "black"])]
    engine: Option<String>,

    /// Who plays White; with --pairs, in the first game of each pair [default: builtin]
    #[arg(long, value_name = "PLAYER")]
    white: Option<String>,

    /// Who plays Black; with --pairs, in the first game of each pair [default: builtin]
    #[arg(long, value_name = "PLAYER")]
    black: Option<String>,

    /// The size of each player's transposition table in mebibytes
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,

    /// A UCI option for every engine (can be repeated)
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = read_option)]
    options: Vec<UciOption>,

    /// A UCI option for the engine of --white
    #[arg(long = "white-option", value_name = "NAME=VALUE", value_parser = read_option)]
    white_options: Vec<UciOption>,

    /// A UCI option for the engine of --black
    #[arg(long = "black-option", value_name = "NAME=VALUE", value_parser = read_option)]
    black_options: Vec<UciOption>,
}

fn read_option(text: &str) -> Result<UciOption, String> {
    let (name, value) =
        text.split_once('=').ok_or("an option is written as NAME=VALUE; a button as NAME=")?;
    Ok(UciOption { name: name.trim().to_string(), value: value.trim().to_string() })
}

impl PlayerArgs {
    /// The study's White and its Black.
    pub fn specs(&self) -> [PlayerSpec; 2] {
        let spec = |command: &Option<String>, own: &[UciOption]| {
            let command = command.as_ref().or(self.engine.as_ref()).map_or(BUILTIN, String::as_str).trim();
            let options = if command == BUILTIN { &[] } else { self.options.as_slice() };
            PlayerSpec {
                name: name(command),
                command: command.to_string(),
                hash: self.hash,
                options: options.iter().chain(own).cloned().collect(),
                reported: None,
            }
        };
        let mut specs = [spec(&self.white, &self.white_options), spec(&self.black, &self.black_options)];
        if specs[0].name == specs[1].name && specs[0] != specs[1] {
            for (spec, number) in specs.iter_mut().zip(1..) {
                spec.name = format!("{}-{number}", spec.name);
            }
        }
        specs
    }
}

/// The program's name without folders.
fn name(command: &str) -> String {
    let program = command.split_whitespace().next().unwrap_or_default();
    program.rsplit('/').next().unwrap_or(program).to_string()
}
