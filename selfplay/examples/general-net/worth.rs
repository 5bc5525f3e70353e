//! What a network takes pieces to be worth: scores with a piece and without it, in positions of play.

use std::error::Error;

use backrank_engine::NetChoice;
use backrank_enumerate::Space;
use backrank_rules::{Letter, Rules, Variant};
use backrank_selfplay::training::{Playouts, added_scores};
use rayon::prelude::*;
use serde::Deserialize;

/// A line of what `backrank pieces --csv` writes.
#[derive(Deserialize)]
struct Measured {
    piece: String,
    betza: String,
    value: Option<f64>,
    low: Option<f64>,
    predicted: Option<f64>,
}

/// The mean of what a piece adds to the score of its side, by the network and by the weights, in centipawns.
struct Worth {
    piece: Measured,
    value: f64,
    predicted: f64,
    added: Vec<f64>,
}

/// Each piece takes the places of the knights in a game.
pub fn print(net: &str, pieces: &str, game: &Variant, playouts: Playouts) -> Result<(), Box<dyn Error>> {
    let choices = [NetChoice::read(net)?, NetChoice::Without];
    let measured: Vec<Measured> = csv::Reader::from_path(pieces)?.deserialize().collect::<Result<_, _>>()?;
    let worth = |piece: Measured| -> Result<Option<Worth>, Box<dyn Error + Send + Sync>> {
        // What may be worth nothing has no logarithm.
        let value = piece.value.filter(|_| piece.low.is_some_and(|low| low > 0.0));
        let Some((value, predicted)) = value.zip(piece.predicted) else { return Ok(None) };
        let variant = game.with_piece(Letter::N, &piece.piece, &piece.betza)?;
        let space = Space::new(&variant)?;
        let added = added_scores(&Rules::new(&variant), &space, Letter::N, &choices, playouts)?;
        Ok(added.map(|added| Worth { piece, value, predicted, added }))
    };
    let worths: Result<Vec<Option<Worth>>, _> = measured.into_par_iter().map(worth).collect();
    let worths = worths.map_err(|error| error as Box<dyn Error>)?;
    let worths: Vec<Worth> = worths.into_iter().flatten().collect();
    let knight = worths.iter().find(|worth| worth.piece.betza == "N").ok_or("no knight was measured")?;
    // In the unit of the file, by what the knight adds.
    let factors = [0, 1].map(|by| knight.value / knight.added[by]);
    println!("piece,betza,measured,by_net,by_weights,predicted");
    let mut squares = [0.0; 3];
    for Worth { piece, value, predicted, added } in &worths {
        let estimates = [factors[0] * added[0], factors[1] * added[1], *predicted];
        for (sum, estimate) in squares.iter_mut().zip(estimates) {
            *sum += (estimate.max(0.01) / value).ln().powi(2);
        }
        let [by_net, by_weights, predicted] = estimates;
        println!("{},{},{value:.2},{by_net:.2},{by_weights:.2},{predicted:.2}", piece.piece, piece.betza);
    }
    let [by_net, by_weights, predicted] = squares.map(|sum| (sum / worths.len() as f64).sqrt());
    println!("off by,,,{by_net:.2},{by_weights:.2},{predicted:.2}");
    Ok(())
}
