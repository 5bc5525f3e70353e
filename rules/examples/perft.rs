//! Perft of a position: `perft VARIANT FEN-or-RANK DEPTH [--no-adjustment]`.

use std::error::Error;
use std::time::Instant;

use backrank_rules::{FirstRank, Position, Rules, Setup, Variant};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let given = arguments.len();
    arguments.retain(|argument| argument != "--no-adjustment");
    let [variant, start, depth] = &arguments[..] else {
        return Err("perft VARIANT FEN-or-RANK DEPTH [--no-adjustment]".into());
    };
    let mut rules = Rules::new(&Variant::find(variant)?);
    if arguments.len() < given {
        rules = rules.without_adjustment();
    }
    let position = match FirstRank::new(start.as_bytes()) {
        Some(white) => {
            let black = if variant == "modern" { white.reversed() } else { white };
            Position::new(&rules, &Setup { white, black })?
        }
        None => Position::from_fen(&rules, start)?,
    };
    let begin = Instant::now();
    let nodes = position.perft(depth.parse()?);
    let seconds = begin.elapsed().as_secs_f64();
    eprintln!("{:.1} million nodes/s", nodes as f64 / seconds / 1e6);
    println!("Nodes searched: {nodes}");
    Ok(())
}
