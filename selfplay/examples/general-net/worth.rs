//! What a network takes pieces to be worth: scores with a piece and without it, in positions of play.

use std::error::Error;
use std::sync::Arc;

use backrank_engine::{Engine, Evaluator, NetChoice, Weights};
use backrank_enumerate::Space;
use backrank_rules::{Letter, PositionBuilder, Rules, Side, Variant};
use serde::Deserialize;

use crate::playouts::Playouts;

/// A line of what `backrank pieces --csv` writes.
#[derive(Deserialize)]
struct Measured {
    piece: String,
    betza: String,
    value: Option<f64>,
    predicted: f64,
}

/// The mean of what a piece adds to the score of its side, by the network and by the weights, in centipawns.
struct Worth {
    piece: Measured,
    value: f64,
    added: [f64; 2],
}

/// Each piece takes the places of the knights in a game.
pub fn print(net: &str, pieces: &str, game: &Variant, playouts: Playouts) -> Result<(), Box<dyn Error>> {
    let choice = NetChoice::read(net)?;
    let mut worths = Vec::new();
    for piece in csv::Reader::from_path(pieces)?.deserialize() {
        let piece: Measured = piece?;
        let Some(value) = piece.value else { continue };
        let variant = game.with_piece(Letter::N, &piece.piece, &piece.betza)?;
        let added = added(&choice, &variant, playouts)?;
        worths.push(Worth { piece, value, added });
    }
    // In the unit of the file: the factors with which the values come nearest.
    let factors = [0, 1].map(|by| {
        let products: f64 = worths.iter().map(|worth| worth.value * worth.added[by]).sum();
        products / worths.iter().map(|worth| worth.added[by] * worth.added[by]).sum::<f64>()
    });
    println!("piece,betza,measured,by_net,by_weights,predicted");
    let mut squares = [0.0; 3];
    for Worth { piece, value, added } in &worths {
        let estimates = [factors[0] * added[0], factors[1] * added[1], piece.predicted];
        for (sum, estimate) in squares.iter_mut().zip(estimates) {
            *sum += (estimate - value) * (estimate - value);
        }
        let [by_net, by_weights, predicted] = estimates;
        println!("{},{},{value:.2},{by_net:.2},{by_weights:.2},{predicted:.2}", piece.piece, piece.betza);
    }
    let [by_net, by_weights, predicted] = squares.map(|sum| (sum / worths.len() as f64).sqrt());
    println!("rms,,,{by_net:.2},{by_weights:.2},{predicted:.2}");
    Ok(())
}

fn added(choice: &NetChoice, variant: &Variant, playouts: Playouts) -> Result<[f64; 2], Box<dyn Error>> {
    let rules = Rules::new(variant);
    let weights = Weights::new(&rules).without_net();
    let net = choice.net(&rules)?.map(Arc::new);
    let evaluators =
        [&Weights { net, ..weights.clone() }, &weights].map(|weights| Evaluator::new(&rules, weights));
    let kind = rules.kind_of(Letter::N).ok_or("a game without knights")?;
    let (mut number, mut sums) = (0.0, [0.0; 2]);
    playouts.visit(&mut Engine::new(&rules, &weights, 1), &Space::new(variant)?, |position, outcome| {
        let side = [Side::White, Side::Black][number as usize % 2];
        let square = (position.of_kind(kind) & position.pieces(side)).first();
        let Some(square) = square.filter(|_| outcome.is_some()) else { return };
        let Ok(without) = PositionBuilder::from_position(position).remove(square).build() else { return };
        number += 1.0;
        for (sum, evaluator) in sums.iter_mut().zip(&evaluators) {
            let lost = f64::from(evaluator.evaluate(position) - evaluator.evaluate(&without));
            *sum += if side == position.side_to_move() { lost } else { -lost };
        }
    });
    Ok(sums.map(|sum| sum / number))
}
