//! How far a network's scores are from those of the weights, as the engine computes both.

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use backrank_engine::{Engine, Evaluator, NetChoice, Weights};
use backrank_enumerate::Space;
use backrank_rules::{Rules, Variant};

use crate::playouts::Playouts;

/// Scores of the weights beyond this are left out, in centipawns.
const NEAR: i32 = 600;

pub fn print(net: &str, games: &[(Variant, Space)], playouts: Playouts) -> Result<(), Box<dyn Error>> {
    let choice = NetChoice::read(net)?;
    println!("game,positions,rms,mean,deviation,milliseconds");
    for (variant, space) in games {
        let rules = Rules::new(variant);
        let weights = Weights::new(&rules).without_net();
        let began = Instant::now();
        let net = choice.net(&rules)?.map(Arc::new);
        let milliseconds = began.elapsed().as_secs_f64() * 1_000.0;
        let by_net = Evaluator::new(&rules, &Weights { net, ..weights.clone() });
        let mut engine = Engine::new(&rules, &weights, 1);
        let by_weights = Evaluator::new(&rules, &weights);
        let (mut number, mut squares, mut differences, mut sum, mut of_scores) = (0.0, 0.0, 0.0, 0.0, 0.0);
        playouts.visit(&mut engine, space, |position, _| {
            let score = by_weights.evaluate(position);
            if score.abs() < NEAR {
                let difference = f64::from(by_net.evaluate(position) - score);
                number += 1.0;
                squares += difference * difference;
                differences += difference;
                sum += f64::from(score);
                of_scores += f64::from(score) * f64::from(score);
            }
        });
        let mean: f64 = sum / number;
        println!(
            "{},{number},{:.1},{:.1},{:.1},{milliseconds:.1}",
            variant.key,
            (squares / number).sqrt(),
            differences / number,
            (of_scores / number - mean * mean).sqrt(),
        );
    }
    Ok(())
}
