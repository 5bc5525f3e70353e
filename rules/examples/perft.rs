//! Perft of a setup or a position: `perft VARIANT FIRST-RANK --depth N [--no-adjustment]`, or a FEN for the first rank.

use std::error::Error;
use std::time::Instant;

use backrank_rules::{FirstRank, Position, Rules, Setup, Variant};

fn main() -> Result<(), Box<dyn Error>> {
    let mut given: Vec<String> = Vec::new();
    let (mut depth, mut adjustment) = (1, true);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--depth" => depth = arguments.next().ok_or("--depth needs a number")?.parse()?,
            "--threads" => drop(arguments.next()),
            "--no-adjustment" => adjustment = false,
            _ => given.push(argument),
        }
    }
    let [variant, start] = &given[..] else {
        return Err("perft VARIANT FIRST-RANK --depth N [--no-adjustment]".into());
    };
    let mut rules = Rules::new(&Variant::find(variant)?);
    if !adjustment {
        rules = rules.without_adjustment();
    }
    let position = match FirstRank::new(start.as_bytes()) {
        // Which sides are turned around is for the setups of a variant to say: modern is the one compared here.
        Some(white) => {
            let black = if variant == "modern" { white.reversed() } else { white };
            Position::new(&rules, &Setup { white, black })?
        }
        None => Position::from_fen(&rules, start)?,
    };
    let begin = Instant::now();
    let nodes = position.perft(depth);
    let seconds = begin.elapsed().as_secs_f64();
    eprintln!("{:.1} million nodes/s", nodes as f64 / seconds / 1e6);
    println!("Nodes searched: {nodes}");
    Ok(())
}
