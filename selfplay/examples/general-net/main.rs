//! What a network for all games (`engine/nets/general/train.py`) learns from, and how far its scores are from those of the weights.
//!
//!     cargo run --release -p backrank-selfplay --example general-net -- positions DIR GAMES NODES GAME...
//!     cargo run --release -p backrank-selfplay --example general-net -- error NET GAMES NODES GAME...
//!
//! Both play GAMES games of each GAME by the weights, at NODES nodes a move, from setups drawn at random and six random moves. A GAME is
//! a key or a variant file; `random:1-300` stands for the random games of the seeds 1 to 300, `held-out:1-12` for such with pieces held
//! out, and `catalogue` for every game of the catalogue.
//!
//! `positions` writes three files into DIR for each: its variant file, `KEY.game` with the descriptions of its pieces
//! (`backrank_engine::learn::describe_game`), and `KEY.positions` (see `positions.rs`). What is there already is not made again; the
//! same arguments give the same files. `error` prints for each game, over positions that the weights score within 600 centipawns, the
//! root of the mean squared difference and the mean difference of the network's scores, the standard deviation of those of the
//! weights, and the time in which the network was made, as CSV.

mod error;
mod games;
mod playouts;
mod positions;

use std::error::Error;
use std::path::Path;

use playouts::Playouts;

/// The seed of the first game in which errors are measured.
const OTHERS: u64 = 1_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [command, path, played, nodes, names @ ..] = &arguments[..] else {
        return Err("usage: general-net positions|error PATH GAMES NODES GAME...".into());
    };
    let games = games::find(names)?;
    let playouts = Playouts { first: 0, games: played.parse()?, nodes: nodes.parse()? };
    match command.as_str() {
        "positions" => positions::write_all(Path::new(path), &games, playouts),
        // Of other games than those that were learnt from.
        "error" => error::print(path, &games, Playouts { first: OTHERS, ..playouts }),
        other => Err(format!("`{other}` is neither `positions` nor `error`").into()),
    }
}
