//! What a network for every game (`engine/nets/general/train.py`) learns from, and how far its scores are from those of the weights.
//!
//!     cargo run --release -p backrank-selfplay --example general-net -- positions DIR GAMES NODES NEAR GAME...
//!     cargo run --release -p backrank-selfplay --example general-net -- error NET GAMES NODES GAME...
//!     cargo run --release -p backrank-selfplay --example general-net -- worth NET GAMES NODES PIECES.csv
//!
//! All play games of each GAME by the weights, at NODES nodes a move, from setups drawn at random and six random moves. GAMES is their
//! number, or the seeds of the first and of the last one, as in `200-799`; otherwise the seeds begin with 0. A GAME is a key or a
//! variant file; `random:1-300` stands for the random games of the seeds 1 to 300, `held-out:1-12` for such with pieces held out, and
//! `catalogue` for every game of the catalogue.
//!
//! `positions` writes three files into DIR for each: its variant file, `KEY.game` with the descriptions of its pieces
//! (`backrank_engine::learn::describe_game`), and `KEY.positions` (see `positions.rs`), with NEAR positions near each one of a game.
//! What is there already is not made again; the same arguments give the same files. `error` prints for each game, over positions that
//! the weights score within 600 centipawns, the root of the mean squared difference and the mean difference of the network's scores,
//! the standard deviation of those of the weights, the quiet positions, the loss in predicting results from them by the network and by the
//! weights, in nats, and the time in which the network was made, as CSV.
//!
//! `worth` puts each piece of what `backrank pieces --csv PIECES.csv` wrote in the places of the knights of `chess960` and prints what it
//! adds to the score of quiet positions by the network and by the weights, in the unit of that file, a knight being worth what was
//! measured of it, beside what was measured, and then how far these are off: the root of the mean squared difference of logarithms. Pieces
//! that may be worth nothing are left out.

mod error;
mod games;
mod positions;
mod worth;

use std::error::Error;
use std::num::ParseIntError;
use std::path::Path;

use backrank_rules::Variant;
use backrank_selfplay::training::Playouts;

/// The seed of the first game in which errors are measured.
const OTHERS: u64 = 1_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["positions", directory, played, nodes, near, ..] => {
            let playouts = playouts(played, nodes, near.parse()?)?;
            positions::write_all(Path::new(directory), &games::find(&arguments[5..])?, playouts)
        }
        ["error", net, played, nodes, ..] => {
            let playouts = playouts(played, nodes, 1)?;
            // Of other games than those that were learnt from.
            error::print(net, &games::find(&arguments[4..])?, Playouts { first: OTHERS + playouts.first, ..playouts })
        }
        ["worth", net, played, nodes, pieces] => {
            worth::print(net, pieces, &Variant::find("chess960")?, playouts(played, nodes, 0)?)
        }
        _ => Err("usage: general-net positions DIR GAMES NODES NEAR GAME... | general-net error NET GAMES NODES GAME... | \
             general-net worth NET GAMES NODES PIECES.csv".into()),
    }
}

/// Games of a number of them, or of their first and their last seed.
fn playouts(played: &str, nodes: &str, near: usize) -> Result<Playouts, ParseIntError> {
    let (first, games) = match played.split_once('-') {
        Some((first, last)) => {
            let first = first.parse()?;
            (first, (last.parse::<u64>()? + 1).saturating_sub(first))
        }
        None => (0, played.parse()?),
    };
    Ok(Playouts { first, games, nodes: nodes.parse()?, near })
}
