//! The columns of `games.csv`, declared once: for its heading, for Parquet, and for `data/README.md`, which a test reads.

use super::record::GameRecord;
use super::spec::StudySpec;
use super::starts::Starts;

/// A column of `games.csv`.
#[derive(Clone, Copy, Debug)]
pub struct GameColumn {
    /// Its name in the heading.
    pub name: &'static str,
    /// Its value in a row.
    pub value: ColumnValue,
    /// Which studies have it.
    pub of: ColumnOwner,
}

/// The type of a column, and its value in a row.
#[derive(Clone, Copy, Debug)]
pub enum ColumnValue {
    /// A number; none where it is not known, or beyond 2^63.
    Number(fn(&GameRecord) -> Option<i64>),
    /// A text; none where it is empty.
    Text(fn(&GameRecord) -> Option<String>),
}

/// Which studies have a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnOwner {
    /// Every study.
    All,
    /// Studies whose games start from recorded positions.
    Recorded,
    /// Studies of imported games.
    Imported,
}

const fn number(name: &'static str, value: fn(&GameRecord) -> Option<i64>) -> GameColumn {
    GameColumn { name, value: ColumnValue::Number(value), of: ColumnOwner::All }
}

const fn text(name: &'static str, value: fn(&GameRecord) -> Option<String>) -> GameColumn {
    GameColumn { name, value: ColumnValue::Text(value), of: ColumnOwner::All }
}

const fn only(of: ColumnOwner, column: GameColumn) -> GameColumn {
    GameColumn { of, ..column }
}

impl GameColumn {
    /// Every column, in order. The fields of [`GameRecord`] are in the same order.
    pub const ALL: [Self; 17] = [
        number("game", |row| i64::try_from(row.game).ok()),
        number("setup", |row| i64::try_from(row.setup).ok()),
        text("white_rank", |row| Some(row.white_rank.clone())),
        text("black_rank", |row| Some(row.black_rank.clone())),
        text("fen", |row| Some(row.fen.clone())),
        text("odds", |row| Some(row.odds.clone()).filter(|odds| !odds.is_empty())),
        text("white", |row| Some(row.white.clone())),
        text("black", |row| Some(row.black.clone())),
        text("result", |row| Some(row.result_text())),
        text("termination", |row| Some(row.termination.to_string())),
        number("plies", |row| Some(row.plies.into())),
        number("opening_plies", |row| Some(row.opening_plies.into())),
        text("moves", |row| Some(row.moves.clone())),
        only(ColumnOwner::Recorded, number("source_game", |row| i64::try_from(row.source?.game).ok())),
        only(ColumnOwner::Recorded, number("source_ply", |row| Some(row.source?.ply.into()))),
        only(ColumnOwner::Imported, number("white_elo", |row| Some(row.ratings?.white?.into()))),
        only(ColumnOwner::Imported, number("black_elo", |row| Some(row.ratings?.black?.into()))),
    ];

    /// The columns of a study's `games.csv`, in order.
    pub fn of_study(study: &StudySpec) -> impl Iterator<Item = Self> {
        let special = match study.starts {
            Starts::Recorded(_) => ColumnOwner::Recorded,
            Starts::Imported(_) => ColumnOwner::Imported,
            Starts::Setups(_) | Starts::Book(_) => ColumnOwner::All,
        };
        Self::ALL.into_iter().filter(move |column| column.of == ColumnOwner::All || column.of == special)
    }
}

#[cfg(test)]
mod tests {
    use backrank_rules::{GameResult, Side, Termination};

    use super::super::record::{Ending, Ratings, SourcePosition};
    use super::*;

    fn record() -> GameRecord {
        GameRecord {
            game: 7,
            setup: 518,
            white_rank: "RNBQKBNR".to_string(),
            black_rank: "RNBKQBNR".to_string(),
            fen: "a position".to_string(),
            odds: "M:Q".to_string(),
            white: "one".to_string(),
            black: "other".to_string(),
            result: Some(GameResult::Win(Side::Black)),
            termination: Ending::Rules(Termination::Checkmate),
            plies: 4,
            opening_plies: 2,
            moves: "f2f3 e7e5 g2g4 d8h4".to_string(),
            source: None,
            ratings: None,
        }
    }

    #[test]
    fn rows_have_the_values_of_the_columns_in_their_order() {
        let source = Some(SourcePosition { game: 3, ply: 40 });
        let ratings = Some(Ratings { white: Some(1500), black: Some(1600) });
        for (of, record) in [
            (ColumnOwner::All, record()),
            (ColumnOwner::Recorded, GameRecord { source, ..record() }),
            (ColumnOwner::Imported, GameRecord { ratings, ..record() }),
        ] {
            let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
            writer.serialize(&record).unwrap();
            let row = String::from_utf8(writer.into_inner().unwrap()).unwrap();
            let columns = GameColumn::ALL.iter().filter(|column| [ColumnOwner::All, of].contains(&column.of));
            let values: Vec<String> = columns
                .map(|column| match column.value {
                    ColumnValue::Number(value) => value(&record).map(|number| number.to_string()),
                    ColumnValue::Text(value) => value(&record),
                })
                .map(Option::unwrap)
                .collect();
            assert_eq!(row.trim_end().split(',').collect::<Vec<_>>(), values, "{of:?}");
        }
    }

    #[test]
    fn the_dictionary_of_data_names_just_these_columns() {
        let text = include_str!("../../../data/README.md");
        let (_, section) = text.split_once("### `games.csv`: the games\n").unwrap();
        let section = section.split("\n#").next().unwrap();
        let cells = section.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
        let named: Vec<&str> = cells.flat_map(|cell| cell.trim_end_matches('`').split("`, `")).collect();
        assert_eq!(named, GameColumn::ALL.map(|column| column.name));
    }
}
