//! `scores.csv`: the scores that players gave their moves, beside `games.csv` and in the same order.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use backrank_engine::Score;
use serde::{Deserialize, Serialize};

use super::definition::Study;
use super::games::{GamesWriter, columns};
use super::record::GameRecord;
use crate::store::StoreError;
use crate::store::WholeLines;
use crate::store::{RecordRow, RowsWriter};

/// The score that a player gave the move it chose.
///
/// ```
/// use backrank_engine::Score;
/// use backrank_selfplay::study::MoveScore;
///
/// let winning = MoveScore { score: Score::mate_in(5), depth: 12 };
/// assert_eq!(winning.to_string(), "M5/12");
/// assert_eq!("M5/12".parse(), Ok(winning));
/// assert_eq!("-31/8".parse(), Ok(MoveScore { score: Score::centipawns(-31), depth: 8 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveScore {
    /// The score for the side that moves.
    pub score: Score,
    /// The depth of the search in plies; 0 if the player did not give it.
    pub depth: u32,
}

impl fmt::Display for MoveScore {
    /// Centipawns or `M` and the plies to mate, negative for a loss, then the depth.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score.as_plies_to_end() {
            Some(plies) if self.score > Score::DRAW => write!(f, "M{plies}/{}", self.depth),
            Some(plies) => write!(f, "-M{}/{}", -plies, self.depth),
            None => write!(f, "{}/{}", self.score.to_number(), self.depth),
        }
    }
}

impl FromStr for MoveScore {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a score with its depth, such as 31/8, -M4/10 or - for none");
        let (score, depth) = text.split_once('/').ok_or_else(wrong)?;
        let depth = depth.parse().map_err(|_| wrong())?;
        let plies = |plies: &str| plies.parse::<u16>().map(i32::from).map_err(|_| wrong());
        let score = match (score.strip_prefix("-M"), score.strip_prefix('M')) {
            (Some(lost), _) => Score::mated_in(plies(lost)?),
            (_, Some(won)) => Score::mate_in(plies(won)?),
            _ => Score::centipawns(score.parse().map_err(|_| wrong())?),
        };
        Ok(Self { score, depth })
    }
}

/// A row of `scores.csv`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameScores {
    /// The number of the game in its study, from 0.
    pub game: u64,
    /// The [`MoveScore`] of each move, separated by spaces; `-` if no player chose the move, or its player gave no
    /// score.
    pub scores: String,
}

impl GameScores {
    /// The row of a game.
    pub fn new(game: u64, scores: &[Option<MoveScore>]) -> Self {
        let mut texts = String::with_capacity(2 * scores.len());
        for (ply, score) in scores.iter().enumerate() {
            if ply > 0 {
                texts.push(' ');
            }
            match score {
                Some(score) => texts.push_str(&score.to_string()),
                None => texts.push('-'),
            }
        }
        Self { game, scores: texts }
    }

    /// The scores of a game of which none is known.
    pub(crate) fn none(plies: u64) -> String {
        let mut texts = "- ".repeat(plies as usize);
        texts.pop();
        texts
    }

    /// Reads the score of each move.
    fn read(&self) -> Result<Vec<Option<MoveScore>>, String> {
        let one = |text: &str| if text == "-" { Ok(None) } else { text.parse().map(Some) };
        self.scores.split_ascii_whitespace().map(one).collect()
    }
}

/// The columns, in order.
const COLUMNS: [&str; 2] = ["game", "scores"];

impl RecordRow for GameScores {
    type Definition = Study;

    fn columns(_: &Study) -> Vec<&'static str> {
        COLUMNS.to_vec()
    }
}

/// How many rows are written together.
const TOGETHER: usize = 1000;

/// Appends rows to a `scores.csv`.
pub type ScoresWriter = RowsWriter<GameScores>;

impl ScoresWriter {
    /// Adds rows for the games that were written so far, of which no score is known.
    pub(crate) fn write_none_for(&mut self, games: &GamesWriter, study: &Study) -> Result<(), StoreError> {
        let columns = columns(study);
        let index = |name| columns.iter().position(|&column| column == name).expect("every study has it");
        let [game, plies] = ["game", "plies"].map(index);
        let mut lines = WholeLines::open_as(games.path(), "games.csv", columns, true)?;
        let mut rows = Vec::new();
        while let Some(fields) = lines.next_fields()? {
            let number = |index: usize, name: &str| {
                fields[index].parse().map_err(|_| lines.wrong(format!("{name} is no number")))
            };
            let (game, plies) = (number(game, "game")?, number(plies, "plies")?);
            rows.push(GameScores { game, scores: GameScores::none(plies) });
            if rows.len() == TOGETHER {
                self.write_all(&rows)?;
                rows.clear();
            }
        }
        self.write_all(&rows)
    }
}

/// Reads the rows of a `scores.csv`, in the order of their games.
#[derive(Debug)]
pub struct ScoresReader {
    lines: WholeLines,
}

impl ScoresReader {
    /// Opens a file and reads its heading.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or has other columns.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { lines: WholeLines::open(path, "scores.csv", COLUMNS.to_vec())? })
    }

    /// The same for a file that may be continued: then it is no error if its end is missing.
    pub(crate) fn open_as(path: &Path, is_continued: bool) -> Result<Self, StoreError> {
        Ok(Self { lines: WholeLines::open_as(path, "scores.csv", COLUMNS.to_vec(), is_continued)? })
    }

    /// Says if the file is not what it was when it was finished. To be called when no game is left to ask for.
    ///
    /// # Errors
    ///
    /// When it is not, as far as it was read.
    pub fn verify(&mut self) -> Result<(), StoreError> {
        self.lines.verify()
    }

    /// The length in bytes of the complete lines read so far.
    pub fn end(&self) -> u64 {
        self.lines.end()
    }

    /// The score of each move of a game. Games must be asked for in the order of the file.
    ///
    /// # Errors
    ///
    /// When the next row is not that of the game.
    pub fn scores_of(&mut self, record: &GameRecord) -> Result<Vec<Option<MoveScore>>, StoreError> {
        match self.next_scores_of(record)? {
            Some(scores) => Ok(scores),
            None => Err(self.lines.missing(format!("the scores of game {} are missing", record.game))),
        }
    }

    /// The same; none where the file ends before it.
    pub(crate) fn next_scores_of(
        &mut self,
        record: &GameRecord,
    ) -> Result<Option<Vec<Option<MoveScore>>>, StoreError> {
        let lines = &mut self.lines;
        let Some(row) = lines.next_row::<GameScores>()? else { return Ok(None) };
        if row.game != record.game {
            return Err(
                lines.wrong(format!("this is game {}, where game {} should be", row.game, record.game))
            );
        }
        let scores = row.read().map_err(|problem| lines.wrong(problem))?;
        if scores.len() != record.plies as usize {
            let (scores, plies) = (scores.len(), record.plies);
            return Err(lines.wrong(format!("there are {scores} scores, but the game has {plies} moves")));
        }
        Ok(Some(scores))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_round_trip() {
        let score = |score, depth| Some(MoveScore { score, depth });
        let scores = [
            None,
            score(Score::centipawns(31), 8),
            score(Score::centipawns(-12), 9),
            score(Score::mate_in(3), 10),
            score(Score::mated_in(2), 11),
            score(Score::DRAW, 0),
        ];
        let row = GameScores::new(7, &scores);
        assert_eq!(row.scores, "- 31/8 -12/9 M3/10 -M2/11 0/0");
        assert_eq!(row.read().unwrap(), scores);
        for wrong in ["31", "31/", "/8", "M/8", "M-3/8", "x/8", "3.1/8", "--"] {
            let row = GameScores { game: 0, scores: wrong.to_string() };
            assert!(row.read().unwrap_err().contains(wrong), "{wrong}");
        }
    }
}
