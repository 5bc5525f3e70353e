//! The options for the players.

use backrank_selfplay::player::UciOption;
use backrank_selfplay::study::{LARGEST_HASH, Study, StudySpec};
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

    /// The size of each player's transposition table in MiB [default: one for each 1,000 --nodes, at most 16]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(LARGEST_HASH)))]
    hash: Option<u32>,

    /// The net by which `builtin` evaluates positions: `own`, the one that comes with it, `general`, the one for all
    /// games, `none`, or a file that `backrank train` has made [default: own, if there is one for the game]
    #[arg(long, value_name = "NET")]
    net: Option<String>,

    /// A UCI option for every engine (can be repeated)
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = read_option)]
    options: Vec<UciOption>,

    /// A UCI option for the engine of --white; `builtin` has WeightsFile, the path of a file of evaluation weights, with
    /// which it plays without a net, and NetFile, its net as in --net
    #[arg(long = "white-option", value_name = "NAME=VALUE", value_parser = read_option)]
    white_options: Vec<UciOption>,

    /// A UCI option for the engine of --black
    #[arg(long = "black-option", value_name = "NAME=VALUE", value_parser = read_option)]
    black_options: Vec<UciOption>,
}

/// Reads a UCI option and its value.
pub fn read_option(text: &str) -> Result<UciOption, String> {
    let (name, value) =
        text.split_once('=').ok_or("an option is written as NAME=VALUE, and a button as NAME=")?;
    Ok(UciOption { name: name.trim().to_string(), value: value.trim().to_string() })
}

impl PlayerArgs {
    /// Whether the size of the transposition tables is given.
    pub fn has_hash(&self) -> bool {
        self.hash.is_some()
    }

    /// Whether these options alone say which engines a study has, and which of their options are set.
    pub fn names_engines(&self, study: &Study) -> bool {
        let sides = [
            (&study.white, &self.white, &self.white_options),
            (&study.black, &self.black, &self.black_options),
        ];
        sides.into_iter().all(|(player, command, own_options)| {
            let has_command = command.is_some() || self.engine.is_some();
            let has_options =
                player.options.is_empty() || !self.options.is_empty() || !own_options.is_empty();
            player.is_builtin() || (has_command && has_options)
        })
    }

    /// Applies the options to the players of a study.
    pub fn change(&self, study: &mut StudySpec) {
        let asked = [(&self.white, &self.white_options), (&self.black, &self.black_options)];
        let [white, black] = [&mut study.white, &mut study.black];
        for (player, (command, own_options)) in [&mut *white, &mut *black].into_iter().zip(asked) {
            if let Some(command) = command.as_ref().or(self.engine.as_ref()) {
                let command = command.trim();
                player.reported = player.reported.take().filter(|_| player.command == command);
                player.command = command.to_string();
                player.name = name(&player.command);
            }
            player.hash = self.hash.unwrap_or(player.hash);
            let net = self.net.clone().map(|value| UciOption { name: "NetFile".to_string(), value });
            let for_all = if player.is_builtin() { net.as_slice() } else { self.options.as_slice() };
            if !for_all.is_empty() || !own_options.is_empty() {
                player.options = for_all.iter().chain(own_options).cloned().collect();
            }
        }
        if white.name == black.name && white != black {
            for (player, number) in [white, black].into_iter().zip(1..) {
                player.name = format!("{}-{number}", player.name);
            }
        }
    }
}

/// The name of the program without its path.
fn name(command: &str) -> String {
    let program = command.split_whitespace().next().unwrap_or_default();
    program.rsplit('/').next().unwrap_or(program).to_string()
}
