//! The same pieces in several games.

use serde::Serialize;

use super::measured::MeasuredPiece;
use crate::stats::Estimate;
use crate::table::{Format, Table};
use crate::values::estimates_ratio;

const VALUE: Format = Format::digits(2);

/// What a piece is worth in several games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PieceInGames {
    /// Its name.
    pub piece: String,
    /// How it moves.
    pub betza: String,
    /// Its value in each of the games, if it was measured there.
    pub values: Vec<Option<Estimate>>,
    /// How many times as much it is worth in each of the games as in the first one; `None` there, and where it is not certain to be worth
    /// anything or was not measured.
    pub times: Vec<Option<Estimate>>,
}

/// The games of some pieces in the order of their first pieces, as [`MeasuredPiece::game`] names them, and the pieces that were measured
/// in more than one of them.
pub fn pieces_in_games(pieces: &[MeasuredPiece]) -> (Vec<String>, Vec<PieceInGames>) {
    let mut games: Vec<String> = Vec::new();
    for game in pieces.iter().map(MeasuredPiece::game) {
        if !games.contains(&game) {
            games.push(game);
        }
    }
    let mut found: Vec<PieceInGames> = Vec::new();
    for measured in pieces {
        let game = measured.game();
        let game = games.iter().position(|other| *other == game).expect("it is one of the games");
        let place = found.iter().position(|piece| piece.betza == measured.betza).unwrap_or_else(|| {
            let (piece, betza) = (measured.piece.clone(), measured.betza.clone());
            let none = vec![None; games.len()];
            found.push(PieceInGames { piece, betza, values: none.clone(), times: none });
            found.len() - 1
        });
        found[place].values[game] = measured.value;
    }
    found.retain(|piece| piece.values.iter().flatten().count() > 1);
    for piece in &mut found {
        for game in 1..games.len() {
            let ratio = piece.values[game]
                .zip(piece.values[0])
                .and_then(|(there, first)| estimates_ratio(there, first));
            piece.times[game] = ratio.filter(|ratio| ratio.interval.is_finite());
        }
    }
    (games, found)
}

/// Pieces with their values in several games, and how many times as much they are worth there as in the first one.
pub fn in_games_table<'t>(games: &[String]) -> Table<'t, PieceInGames> {
    let table = Table::<PieceInGames>::new()
        .text("piece", |row: &PieceInGames| row.piece.clone())
        .text("betza", |row| row.betza.clone())
        .heading("moves");
    let table = games.iter().enumerate().fold(table, |table, (game, key)| {
        table.estimate(key.clone(), move |row: &PieceInGames| row.values[game]).format(VALUE)
    });
    games.iter().enumerate().skip(1).fold(table, |table, (game, key)| {
        table.estimate(format!("times in {key}"), move |row: &PieceInGames| row.times[game]).format(VALUE)
    })
}
