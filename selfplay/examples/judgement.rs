//! How well does the engine judge setups? The correlation of its scores with those of an engine that is far stronger: a
//! measure that does not depend on beating anyone.
//!
//!     cargo run --release -p backrank-selfplay --example judgement
//!     cargo run --release -p backrank-selfplay --example judgement -- chess960 data/external/chess960-sf17.csv 1000000
//!
//! The arguments are the variant, a table with the columns `rank` (White's first rank) and `pawns` (White's score), and the
//! nodes of each search; these defaults are Chess960, the table in `data/external` and 100,000.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use backrank_endgames::EndgameTables;
use backrank_enumerate::Space;
use backrank_rules::{Game, Position, Rules, Variant};
use backrank_selfplay::{Engine, Limits, Weights};
use rayon::prelude::*;
use serde::Deserialize;

/// A setup and its score in pawns, for White.
#[derive(Deserialize)]
struct Judged {
    rank: String,
    pawns: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument =
        |index: usize, default: &str| arguments.get(index).map_or(default, |text| text).to_string();
    let variant = Variant::find(&argument(0, "chess960"))?;
    let rules = Rules::new(&variant);
    let mut table = csv::Reader::from_path(argument(1, "data/external/chess960-sf17.csv"))?;
    let space = Space::new(&variant)?;
    let nodes = argument(2, "100000").parse()?;
    let judged: Vec<Judged> = table.deserialize().collect::<Result<_, _>>()?;
    let tables = Arc::new(EndgameTables::for_play(&rules));
    let scores: Vec<(f64, f64)> = judged
        .par_iter()
        .map(|judged| {
            let setup = space.read(&judged.rank).map_err(|problem| format!("{}: {problem}", judged.rank))?;
            let start = Position::new(&rules, &setup).map_err(|error| format!("{}: {error}", judged.rank))?;
            let mut engine =
                Engine::new(&rules, &Weights::new(&rules), 16).with_tables(Some(Arc::clone(&tables)));
            let limits = Limits::of_nodes(nodes);
            let score = engine.search(&Game::new(start), &limits, &AtomicBool::new(false), |_| ()).score;
            // A mate is not found from a setup.
            Ok((judged.pawns, f64::from(score.as_centipawns().unwrap_or(0))))
        })
        .collect::<Result<_, String>>()?;
    println!("{} setups, {nodes} nodes: r = {:.3}", scores.len(), correlation(&scores));
    Ok(())
}

/// Pearson's coefficient.
fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / pairs.len() as f64;
    let (mean_x, mean_y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum =
        |of: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|&(x, y)| of(x - mean_x, y - mean_y)).sum::<f64>();
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
}
