//! The number of nodes the engine takes for the positions of `backrank bench`, eight plies deep: the same in every build
//! and on every machine. With keys of variants, the fingerprint that studies keep of how the engine plays each of them.

use std::error::Error;

use backrank_engine::{BenchPosition, Weights};
use backrank_enumerate::Space;
use backrank_rules::{Rules, Variant};
use backrank_selfplay::player::fingerprint;

fn main() -> Result<(), Box<dyn Error>> {
    let keys: Vec<String> = std::env::args().skip(1).collect();
    for key in &keys {
        let variant = Variant::find(key)?;
        let (rules, space) = (Rules::new(&variant), Space::new(&variant)?);
        println!("{key} {}", fingerprint(&rules, &space, &Weights::new(&rules)));
    }
    if !keys.is_empty() {
        return Ok(());
    }
    let nodes: u64 = BenchPosition::all().iter().map(|position| position.search(8).nodes).sum();
    println!("{nodes}");
    Ok(())
}
