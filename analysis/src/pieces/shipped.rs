//! The pieces that come with the program.

use backrank_rules::{Board, Letter};
use serde::Deserialize;

use super::features::PieceFeatures;
use super::measured::MeasuredPiece;
use crate::games::Column;
use crate::stats::{Estimate, Interval};
use crate::values::{Unit, leaper_law};

/// What `backrank pieces data/pieces-2026/chess960.csv --csv FILE` wrote.
const SHIPPED: &str = include_str!("chess960.csv");

/// The unit of the file: a knight is worth so much.
const KNIGHT: f64 = 3.25;

#[derive(Deserialize)]
struct Row {
    piece: String,
    betza: String,
    variant: String,
    games: u64,
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    pawns: Option<f64>,
    pawns_low: Option<f64>,
    pawns_high: Option<f64>,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    centipawns: f64,
}

/// The pieces that were measured on 8×8, in a unit of the knight's; `None` for another unit.
///
/// # Panics
///
/// Never: a test reads the embedded file.
pub fn shipped_pieces(unit: Unit) -> Option<Vec<MeasuredPiece>> {
    if unit.piece() != Column::Piece(Letter::N) {
        return None;
    }
    let scale = unit.number() / KNIGHT;
    let board = Board::new(8, 8).ok()?;
    let rows = csv::Reader::from_reader(SHIPPED.as_bytes()).into_deserialize::<Row>();
    let pieces = rows.map(|row| {
        let row = row.expect("the embedded file is right");
        let betza = row.betza.parse().expect("the embedded file is right");
        let estimate = |value: Option<f64>, low: Option<f64>, high: Option<f64>, scale: f64| {
            let [value, low, high] = [value?, low?, high?].map(|number| scale * number);
            Some(Estimate { value, interval: Interval { low, high } })
        };
        MeasuredPiece {
            value: estimate(row.value, row.low, row.high, scale),
            pawns: estimate(row.pawns, row.pawns_low, row.pawns_high, 1.0),
            elo: estimate(row.elo, row.elo_low, row.elo_high, 1.0),
            beside_strongest: None,
            leaper_law: leaper_law(&betza).map(|centipawns| centipawns / 100.0),
            features: PieceFeatures::of(&betza, board),
            piece: row.piece,
            betza: row.betza,
            variant: row.variant,
            centipawns: row.centipawns,
            games: row.games,
        }
    });
    Some(pieces.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_are_read() {
        let pieces = shipped_pieces("N=6.5".parse().unwrap()).unwrap();
        let waffle = pieces.iter().find(|piece| piece.betza == "WA").unwrap();
        assert!(waffle.value.unwrap().interval.contains(6.2), "{waffle:?}");
        assert!(shipped_pieces("R=5".parse().unwrap()).is_none());
    }
}
