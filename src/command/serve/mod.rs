//! A page on which games are played against the engine, and looked at with it, from a server on this machine.

mod game;
mod recorded;
mod request;
mod search;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use backrank_rules::{Variant, catalogue};
use backrank_selfplay::study::StudyDirectory;
use clap::Args;
use rand::Rng;
use tiny_http::Server;

use crate::args::{check_played, find_variant};
use crate::terminal::failure::Failure;
use crate::terminal::output::Output;
use game::ServedGames;
use request::Handler;

/// Play against the engine, and look at games with it, in a browser
///
/// Prints the address of a page. The server that answers it can be reached from this machine only, and only by who knows the address;
/// it writes nothing. End it with Ctrl-C.
#[derive(Args)]
#[command(after_help = examples!(
    "backrank serve pmrc --port 0 --once",
    "backrank serve runs/all --port 0 --once",
    "backrank serve --port 0 --once",
))]
pub struct ServeCommand {
    /// The games: keys that `backrank variants` lists, variant files, or directories of studies, whose recorded games can be opened
    /// [default: all that are played]
    #[arg(value_name = "GAME")]
    games: Vec<String>,

    /// The port of the server; 0 is any that is free
    #[arg(long, default_value_t = 8448)]
    port: u16,

    /// The size of the engine's table in MiB
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=4096))]
    hash: u32,

    /// End at once, after saying the address
    #[arg(long, hide = true)]
    once: bool,
}

/// How often a search is looked after while nobody asks for anything.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

impl ServeCommand {
    pub fn run(self) -> Result<(), Failure> {
        let games = ServedGames::new(self.games()?);
        let server = Server::http(("127.0.0.1", self.port)).map_err(|error| {
            Failure::Other(format!("cannot serve at port {}: {error}; choose another --port", self.port))
        })?;
        let port = server.server_addr().to_ip().map_or(self.port, |address| address.port());
        let token =
            format!("{:032x}", rand::rng().next_u64() as u128 | u128::from(rand::rng().next_u64()) << 64);
        let mut out = Output::stdout();
        writeln!(out, "http://127.0.0.1:{port}/{token}/")?;
        out.finish()?;
        if self.once {
            return Ok(());
        }
        let mut handler = Handler::new(games, port, token, self.hash as usize);
        loop {
            match server.recv_timeout(POLL_INTERVAL) {
                Ok(Some(request)) => handler.answer(request),
                Ok(None) => {}
                Err(error) => return Err(Failure::Other(format!("the server ended: {error}"))),
            }
            handler.look_after();
        }
    }

    /// The games, each with the study whose games can be opened, if there is one.
    fn games(&self) -> Result<Vec<(Variant, Option<PathBuf>)>, Failure> {
        if self.games.is_empty() {
            let played = catalogue().filter(|variant| !variant.count_only);
            return Ok(played.map(|variant| (variant, None)).collect());
        }
        let game = |name: &String| -> Result<(Variant, Option<PathBuf>), Failure> {
            let path = PathBuf::from(name);
            let (variant, study) = match StudyDirectory::holds(&path)? {
                true => (StudyDirectory::read(&path)?.variant()?, Some(path)),
                false => (find_variant(name)?, None),
            };
            check_played(&variant)?;
            Ok((variant, study))
        };
        self.games.iter().map(game).collect()
    }
}
