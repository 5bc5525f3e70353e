//! The recorded games of a study that is served.

use std::path::Path;

use backrank_selfplay::study::{GameRecord, StudyDirectory};
use serde::{Deserialize, Serialize};

/// Games that are listed at once.
const LISTED: usize = 50;

/// Which recorded games are asked for: those of a game that is served, from a number on.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedPlace {
    pub game: usize,
    pub from: u64,
}

/// A recorded game that is asked for: that of a game that is served, with a number.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedNumber {
    pub game: usize,
    pub number: u64,
}

/// Some of the games of a study.
#[derive(Default, Serialize)]
pub struct Listed {
    games: Vec<ListedGame>,
    /// The number of the first game that is not listed any more.
    next: Option<u64>,
}

#[derive(Serialize)]
struct ListedGame {
    number: u64,
    rank: String,
    white: String,
    black: String,
    result: String,
    ending: String,
    plies: u32,
}

/// A game of a study as the page shows it.
#[derive(Serialize)]
pub struct RecordedGame {
    number: u64,
    fen: String,
    moves: Vec<String>,
    white: String,
    black: String,
    result: String,
    ending: String,
}

/// The games of a study from a number on; none without a study.
pub fn list(study: Option<&Path>, asked: &RecordedPlace) -> Result<Listed, String> {
    let mut listed = Listed::default();
    let Some(path) = study else { return Ok(listed) };
    for record in records(path)? {
        let record = record?;
        if record.game < asked.from || !record.has_moves() {
            continue;
        }
        if listed.games.len() == LISTED {
            listed.next = Some(record.game);
            break;
        }
        listed.games.push(ListedGame {
            number: record.game,
            rank: record.white_rank.clone(),
            white: record.white.clone(),
            black: record.black.clone(),
            result: record.result_text(),
            ending: ending(&record),
            plies: record.plies,
        });
    }
    Ok(listed)
}

/// The game of a study with a number.
pub fn game(study: Option<&Path>, number: u64) -> Result<RecordedGame, String> {
    let none = || format!("there is no recorded game {number}");
    for record in records(study.ok_or_else(none)?)? {
        let record = record?;
        if record.game == number {
            return Ok(RecordedGame {
                number,
                moves: record.moves.split_ascii_whitespace().map(str::to_string).collect(),
                result: record.result_text(),
                ending: ending(&record),
                fen: record.fen,
                white: record.white,
                black: record.black,
            });
        }
    }
    Err(none())
}

fn records(path: &Path) -> Result<impl Iterator<Item = Result<GameRecord, String>>, String> {
    let study = StudyDirectory::read(path).map_err(|error| error.to_string())?;
    let games = StudyDirectory::read_games(path, &study).map_err(|error| error.to_string())?;
    Ok(games.map(|record| record.map_err(|error| error.to_string())))
}

fn ending(record: &GameRecord) -> String {
    record.termination.to_string().replace('-', " ")
}
