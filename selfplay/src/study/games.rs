//! Reading `games.csv`, compressed or not, and adding games to it.

use std::io::{self, Read, Seek};
use std::path::Path;

use backrank_rules::files::{LONGEST_LINE, open_file};

use super::columns::GameColumn;
use super::definition::Study;
use super::odds::Odds;
use super::record::{GameRecord, Ratings};
use super::row::RowCheck;
use crate::store::StoreError;
use crate::store::WholeLines;
use crate::store::{DirectoryKind, RecordRow, RowsWriter};

/// The columns of the ratings, if games were imported.
const RATING_COLUMNS: [&str; 2] = ["white_elo", "black_elo"];

/// The columns of a study's `games.csv`, in order.
pub(super) fn columns(study: &Study) -> Vec<&'static str> {
    GameColumn::of_study(study).map(|column| column.name).collect()
}

/// One past the number of the last complete row of a `games.csv` that begins with game 0, and the length in bytes of
/// the complete rows. Only the end of the file is read.
pub(super) fn end_of_rows(path: &Path) -> Result<(u64, u64), StoreError> {
    let mut file = open_file(path).map_err(StoreError::reading(path))?;
    let length = file.metadata().map_err(StoreError::reading(path))?.len();
    let mut tail = 1 << 16;
    loop {
        let from = length.saturating_sub(tail);
        let mut bytes = Vec::new();
        let mut read = || file.seek(io::SeekFrom::Start(from)).and_then(|_| file.read_to_end(&mut bytes));
        read().map_err(StoreError::reading(path))?;
        let breaks = |bytes: &[u8]| bytes.iter().rposition(|&byte| byte == b'\n');
        let last = breaks(&bytes);
        match last.map(|last| (last, breaks(&bytes[..last]))) {
            Some((last, Some(before))) => {
                let number = bytes[before + 1..last].split(|&byte| byte == b',').next().unwrap_or_default();
                let number = std::str::from_utf8(number).ok().and_then(|number| number.parse::<u64>().ok());
                let problem = || "the last row does not begin with a game number".to_string();
                let number = number.ok_or_else(|| StoreError::Definition {
                    what: DirectoryKind::Study,
                    path: path.to_path_buf(),
                    problem: problem(),
                })?;
                return Ok((number.saturating_add(1), from + last as u64 + 1));
            }
            // There is only the heading.
            Some((last, None)) if from == 0 => return Ok((0, last as u64 + 1)),
            None if from == 0 => return Ok((0, 0)),
            _ if tail > LONGEST_LINE => {
                let problem = format!("its last row has more than {} MiB", LONGEST_LINE >> 20);
                return Err(StoreError::Definition {
                    what: DirectoryKind::Study,
                    path: path.to_path_buf(),
                    problem,
                });
            }
            _ => tail *= 4,
        }
    }
}

impl RecordRow for GameRecord {
    type Definition = Study;

    fn columns(study: &Study) -> Vec<&'static str> {
        columns(study)
    }
}

/// Appends rows to a `games.csv`.
pub type GamesWriter = RowsWriter<GameRecord>;

/// Reads the rows of a `games.csv` or `games.csv.gz`, and checks each against its study. A last line that a crash left
/// incomplete is not read.
#[derive(Debug)]
pub struct GamesReader {
    lines: WholeLines,
    /// The number the next row must have.
    next: u64,
    check: RowCheck,
}

impl GamesReader {
    /// Opens a file of games and reads its heading. A file without a complete heading has no rows.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, its columns are not those of the study, or the study is not valid. If there is a
    /// checksum, whoever reads to the end gets an error there where the file is not what it was when it was finished.
    pub fn open(path: &Path, study: &Study) -> Result<Self, StoreError> {
        Self::open_as(path, study, false)
    }

    /// The same for a file that is to be continued: it is no error if its end is missing.
    ///
    /// # Errors
    ///
    /// As [`Self::open`], but for that.
    pub fn open_to_continue(path: &Path, study: &Study) -> Result<Self, StoreError> {
        Self::open_as(path, study, true)
    }

    fn open_as(path: &Path, study: &Study, is_continued: bool) -> Result<Self, StoreError> {
        let check = RowCheck::new(study).map_err(|error| StoreError::Definition {
            what: DirectoryKind::Study,
            path: path.with_file_name("study.toml"),
            problem: error.to_string(),
        })?;
        let lines = WholeLines::open_as(path, "games.csv", columns(study), is_continued)?;
        Ok(Self { lines, next: check.first(), check })
    }

    /// Whether the file is to be continued.
    pub(crate) fn is_continued(&self) -> bool {
        self.lines.is_continued()
    }

    /// The length in bytes of the complete lines read so far; for a compressed file, after decompression.
    pub fn end(&self) -> u64 {
        self.lines.end()
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        self.lines.path()
    }

    /// The number of bytes of the file read so far, for a progress bar; for a compressed file, before decompression.
    pub fn position(&self) -> u64 {
        self.lines.position()
    }

    /// An error about the row that was read last.
    pub fn wrong(&self, problem: impl Into<String>) -> StoreError {
        self.lines.wrong(problem)
    }

    /// Removes the ratings from the end of a row, if the file has them.
    fn ratings(&self, fields: &mut csv::StringRecord) -> Result<Option<Ratings>, StoreError> {
        if !self.lines.columns().ends_with(&RATING_COLUMNS) {
            return Ok(None);
        }
        let first = self.lines.columns().len() - RATING_COLUMNS.len();
        let rating = |column: usize| match &fields[first + column] {
            "" => Ok(None),
            text => text
                .parse()
                .map(Some)
                .map_err(|_| self.wrong(format!("{}: `{text}` is not a rating", RATING_COLUMNS[column]))),
        };
        let ratings = Ratings { white: rating(0)?, black: rating(1)? };
        fields.truncate(first);
        Ok(Some(ratings))
    }

    fn next_row(&mut self) -> Result<Option<GameRecord>, StoreError> {
        let Some(mut fields) = self.lines.next_fields()? else { return Ok(None) };
        let ratings = self.ratings(&mut fields)?;
        let mut row: GameRecord = self.lines.deserialize(&fields)?;
        row.ratings = ratings;
        if row.game != self.next {
            return Err(self.wrong(format!("this is game {}, where game {} should be", row.game, self.next)));
        }
        self.next += 1;
        let moves = row.moves.split_ascii_whitespace().count();
        if self.check.has_moves() && moves != row.plies as usize {
            return Err(self.wrong(format!("there are {moves} moves, but plies is {}", row.plies)));
        } else if !self.check.has_moves() && moves > 0 {
            return Err(self.wrong(format!("there are {moves} moves, but the study is without_moves")));
        }
        self.check.check(&row).map_err(|problem| self.wrong(problem))?;
        if let Ok(odds) = row.odds.parse::<Odds>() {
            // Earlier versions wrote the pieces of odds in any order.
            row.odds = odds.to_string();
        }
        Ok(Some(row))
    }
}

impl Iterator for GamesReader {
    type Item = Result<GameRecord, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.next_row();
        if row.is_err() {
            self.lines.stop();
        }
        row.transpose()
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use backrank_rules::{GameResult, Position, Rules, Setup, Side, Termination, Variant};

    use super::super::record::Ending;
    use super::super::setup_choice::SetupChoice;
    use super::super::spec::StudySpec;
    use super::*;

    const WHITE: &str = "an \"engine\", quoted";

    /// Three games of chess.
    fn study() -> Study {
        let chess = Variant::find("chess").unwrap();
        let mut spec = StudySpec { games: 3, ..StudySpec::new(&chess, SetupChoice::All.into(), "lex", 1) };
        spec.white.name = WHITE.to_string();
        Study::new(spec).unwrap()
    }

    fn row(game: u64) -> GameRecord {
        let rules = Rules::new(&study().variant().unwrap());
        let army = rules.variant().armies[0];
        GameRecord {
            game,
            setup: 0,
            white_rank: army.to_string(),
            black_rank: army.to_string(),
            fen: Position::new(&rules, &Setup { white: army, black: army }).unwrap().to_fen(),
            odds: String::new(),
            white: WHITE.to_string(),
            black: "builtin".to_string(),
            result: Some(GameResult::Win(Side::Black)),
            termination: Ending::Rules(Termination::FiftyMoves),
            plies: 2,
            opening_plies: 0,
            moves: "e2e4 e7e5".to_string(),
            source: None,
            ratings: None,
        }
    }

    fn written(rows: u64) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.csv");
        let mut writer = GamesWriter::resume(&path, 0, &study()).unwrap();
        (0..rows).for_each(|game| writer.write(&row(game)).unwrap());
        (folder, path)
    }

    fn problem(text: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.csv");
        std::fs::write(&path, text).unwrap();
        let error =
            GamesReader::open(&path, &study()).and_then(Iterator::collect::<Result<Vec<_>, _>>).unwrap_err();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "reading changes nothing");
        error.to_string().split_once("games.csv, ").unwrap().1.to_string()
    }

    #[test]
    fn rows_round_trip() {
        let (_folder, path) = written(3);
        let rows: Vec<GameRecord> = GamesReader::open(&path, &study()).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows, [row(0), row(1), row(2)]);
    }

    #[test]
    fn a_torn_file_is_continued_after_its_last_whole_row() {
        let (_folder, path) = written(3);
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut reader = GamesReader::open(&path, &study()).unwrap();
            let kept = reader.by_ref().map(Result::unwrap).count() as u64;
            let mut writer = GamesWriter::resume(&path, reader.end(), &study()).unwrap();
            (kept..3).for_each(|game| writer.write(&row(game)).unwrap());
            assert_eq!(std::fs::read(&path).unwrap(), whole, "torn at {length}");
        }
    }

    #[test]
    fn errors_name_the_line_and_the_column() {
        let (_folder, path) = written(3);
        let whole = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = whole.lines().collect();
        for (from, to, says) in [
            ("game,setup", "game,colour", "line 1: `colour` is not a column of this games.csv"),
            ("game,setup", "setup,game", "line 1: the columns should be game,setup"),
            ("0-1", "0-2", "line 2: `0-2` is not a result"),
            ("fifty-moves", "fifty", "line 2: `fifty` is not a termination"),
            ("e2e4 ", "", "line 2: there are 1 moves, but plies is 2"),
            (",builtin", "", "line 2: "),
            ("0,0,RNBQKBNR", "0,7,RNBQKBNR", "line 2: setup is 7, but should be 0"),
            ("0,0,RNBQKBNR", "0,0,RNBKQBNR", "line 2: white_rank is RNBKQBNR, but should be RNBQKBNR"),
            ("/RNBQKBNR w", "/RNBQKBN w", "line 2: fen: "),
            ("PPPPPPPP/RNBQKBNR w", "PPPPPPPP/RNBQKNBR w", "line 2: fen is rnbqkbnr/"),
            (",builtin,", ",another,", "line 2: black is another, but should be builtin"),
            ("\n1,", "\n7,", "line 3: this is game 7, where game 1 should be"),
            ("\n1,", "\n\n1,", "line 3: the line is empty"),
        ] {
            let problem = problem(&whole.replacen(from, to, 1));
            assert!(problem.starts_with(says), "{problem}");
        }
        let fourth = format!("{whole}{}\n", lines[3].replacen('2', "3", 1));
        assert!(problem(&fourth).starts_with("line 5: game 3 is not one of this study"));
        assert!(problem(&lines.join("\r\n")).starts_with("line 1: the line ends in CR LF"));
    }
}
