//! The pieces that come with the program.

use backrank_rules::{Board, Letter, PieceFeatures};
use serde::Deserialize;

use super::measured::MeasuredPiece;
use crate::games::Column;
use crate::stats::{Estimate, Interval};
use crate::values::{Unit, leaper_law};

/// Boards by their files and ranks, and what `backrank pieces data/pieces-2026/GAME.csv --csv FILE` wrote of a game on each, and of a
/// later stage of it.
const SHIPPED: [([usize; 2], &str); 4] = [
    ([8, 8], include_str!("chess960.csv")),
    ([8, 8], include_str!("later.csv")),
    ([10, 8], include_str!("capablanca-random.csv")),
    ([9, 9], include_str!("pmrc.csv")),
];

/// The unit of the file: a knight is worth so much.
const KNIGHT: f64 = 3.25;

#[derive(Deserialize)]
struct Row {
    piece: String,
    betza: String,
    variant: String,
    without: String,
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

/// The pieces that were measured on a board, in a unit of the knight's, and those of a later stage of a game last; `None` for another
/// unit, and for a board on which none were.
///
/// # Panics
///
/// Never: a test reads the embedded files.
pub fn shipped_pieces(unit: Unit, board: Board) -> Option<Vec<MeasuredPiece>> {
    let of_board = SHIPPED.iter().filter(|(size, _)| *size == [board.files(), board.ranks()]);
    let pieces: Vec<MeasuredPiece> = of_board.flat_map(|(_, text)| read(text, unit, board)).collect();
    (!pieces.is_empty() && unit.piece() == Column::Piece(Letter::N)).then_some(pieces)
}

/// The boards on which the pieces were measured that come with the program.
///
/// # Panics
///
/// Never: a test reads the embedded files.
pub fn measured_boards() -> Vec<Board> {
    let mut boards: Vec<Board> = SHIPPED
        .iter()
        .map(|([files, ranks], _)| Board::new(*files, *ranks).expect("the embedded boards are boards"))
        .collect();
    boards.dedup();
    boards
}

/// The pieces of every board on which some were measured, in a unit of the knight's; `None` for another unit.
pub(super) fn all_shipped_pieces(unit: Unit) -> Option<Vec<MeasuredPiece>> {
    let pieces: Option<Vec<_>> =
        measured_boards().into_iter().map(|board| shipped_pieces(unit, board)).collect();
    pieces.map(|pieces| pieces.concat())
}

fn read(text: &str, unit: Unit, board: Board) -> Vec<MeasuredPiece> {
    let scale = unit.number() / KNIGHT;
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize::<Row>();
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
            without: row.without,
            centipawns: row.centipawns,
            games: row.games,
        }
    });
    pieces.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_are_read() {
        let unit = "N=6.5".parse().unwrap();
        let mut all = 0;
        for (files, ranks, number) in [(8, 8, 2 * 106), (10, 8, 30), (9, 9, 30)] {
            let pieces = shipped_pieces(unit, Board::new(files, ranks).unwrap()).unwrap();
            let waffle = pieces.iter().find(|piece| piece.betza == "WA").unwrap();
            assert!(waffle.value.unwrap().interval.contains(6.2), "{waffle:?}");
            assert_eq!(pieces.len(), number);
            all += number;
        }
        assert_eq!(all_shipped_pieces(unit).unwrap().len(), all);
        assert!(shipped_pieces("R=5".parse().unwrap(), Board::new(8, 8).unwrap()).is_none());
        assert!(shipped_pieces(unit, Board::new(8, 9).unwrap()).is_none());
    }
}
