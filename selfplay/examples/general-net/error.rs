//! How far a network's scores are from those of the weights, as the engine computes both.

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use backrank_engine::{Engine, Evaluator, NetChoice, Weights};
use backrank_enumerate::Space;
use backrank_rules::{Rules, Side, Variant};
use backrank_selfplay::training::Playouts;

/// A score of so many centipawns expects 1/(1 + 1/e) = 73 %.
const SCALE: f64 = 450.0;

/// Scores of the weights beyond this are left out, in centipawns.
const NEAR: i32 = 600;

pub fn print(net: &str, games: &[(Variant, Space)], playouts: Playouts) -> Result<(), Box<dyn Error>> {
    let choice = NetChoice::read(net)?;
    println!("game,positions,rms,mean,deviation,quiet,loss,loss_by_weights,milliseconds");
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
        let (mut quiet, mut losses) = (0.0, [0.0; 2]);
        playouts.visit(&mut engine, space, |position, outcome| {
            let score = by_weights.evaluate(position);
            if let Some(outcome) = outcome {
                let is_white = position.side_to_move() == Side::White;
                let result = if is_white { outcome.result } else { 1.0 - outcome.result };
                quiet += 1.0;
                for (loss, score) in losses.iter_mut().zip([by_net.evaluate(position), score]) {
                    let expected = 1.0 / (1.0 + (-f64::from(score) / SCALE).exp());
                    *loss -= result * expected.ln() + (1.0 - result) * (1.0 - expected).ln();
                }
            }
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
            "{},{number},{:.1},{:.1},{:.1},{quiet},{:.4},{:.4},{milliseconds:.1}",
            variant.key,
            (squares / number).sqrt(),
            differences / number,
            (of_scores / number - mean * mean).sqrt(),
            losses[0] / quiet,
            losses[1] / quiet,
        );
    }
    Ok(())
}
