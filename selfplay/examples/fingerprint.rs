//! The number of nodes the engine takes for the positions of `backrank bench`, eight plies deep: the same in every build
//! and on every machine.

use std::sync::atomic::AtomicBool;

use backrank_rules::{Game, Position, Rules, Variant};
use backrank_selfplay::{Engine, Limits, Weights};
use serde::Deserialize;

#[derive(Deserialize)]
struct Positions {
    position: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    variant: String,
    fen: String,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Positions { position: entries } = toml::from_str(include_str!("../../data/bench.toml"))?;
    let mut nodes = 0;
    for entry in entries {
        let rules = Rules::new(&Variant::find(&entry.variant)?);
        let game = Game::new(Position::from_fen(&rules, &entry.fen)?);
        let mut engine = Engine::new(&rules, &Weights::new(&rules), 16);
        nodes += engine.search(&game, &Limits::of_depth(8), &AtomicBool::new(false), |_| ()).nodes;
    }
    println!("{nodes}");
    Ok(())
}
