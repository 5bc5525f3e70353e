//! The number of nodes the engine takes for the positions of `backrank bench`, eight plies deep: the same in every build
//! and on every machine.

use backrank_selfplay::BenchPosition;

fn main() {
    let nodes: u64 = BenchPosition::all().iter().map(|position| position.search(8).nodes).sum();
    println!("{nodes}");
}
