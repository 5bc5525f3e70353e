//! The games in which a piece was measured, as a file.

use std::io::{Read, Write};

use backrank_rules::Letter;
use backrank_selfplay::study::Odds;

use crate::values::{OUTCOMES, PairCounts};

/// The columns before the numbers of pairs.
const COLUMNS: [&str; 8] = ["piece", "letter", "betza", "variant", "nodes", "stage", "centipawns", "odds"];

/// The words of the two stages in the file.
const PILOT: &str = "pilot";
const MEASURED: &str = "measured";

/// The pairs of games at one imbalance of a piece.
#[derive(Clone, Debug, PartialEq)]
pub struct PieceRecord {
    /// The name of the piece.
    pub piece: String,
    /// Its letter in the odds.
    pub letter: Letter,
    /// How it moves.
    pub betza: String,
    /// The key of the game.
    pub variant: String,
    /// The nodes of each search.
    pub nodes: u64,
    /// Whether the games are the pilot's.
    pub is_pilot: bool,
    /// What the engine took the piece for, in centipawns.
    pub centipawns: f64,
    /// The odds.
    pub odds: Odds,
    /// The pairs, as [`Imbalances::add_pairs`](crate::values::Imbalances::add_pairs) takes them.
    pub pairs: PairCounts,
}

/// Writes records as CSV.
///
/// # Errors
///
/// When writing fails.
pub fn write_records<'r>(
    records: impl IntoIterator<Item = &'r PieceRecord>,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(COLUMNS.iter().chain(&OUTCOMES))?;
    for record in records {
        let stage = if record.is_pilot { PILOT } else { MEASURED };
        let before = [
            record.piece.clone(),
            record.letter.to_string(),
            record.betza.clone(),
            record.variant.clone(),
            record.nodes.to_string(),
            stage.to_string(),
            format!("{:.0}", record.centipawns),
            record.odds.to_string(),
        ];
        writer.write_record(before.into_iter().chain(record.pairs.iter().flatten().map(u64::to_string)))?;
    }
    writer.flush()
}

/// Whether a file begins as one of records does.
pub fn is_of_records(file: impl Read) -> bool {
    let mut reader = csv::Reader::from_reader(file);
    reader.headers().is_ok_and(|headings| headings.iter().eq(COLUMNS.iter().chain(&OUTCOMES).copied()))
}

/// Reads the records of a file, or of several, one after the other.
///
/// # Errors
///
/// When a line is not a record. The text says which, and what is wrong.
pub fn read_records(file: impl Read) -> Result<Vec<PieceRecord>, String> {
    let mut reader = csv::Reader::from_reader(file);
    let headings = reader.headers().map_err(|error| error.to_string())?;
    let expected = COLUMNS.iter().chain(&OUTCOMES).copied();
    if !headings.iter().eq(expected.clone()) {
        let expected: Vec<&str> = expected.collect();
        return Err(format!("line 1 is not the heading {}", expected.join(",")));
    }
    let mut records = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|error| error.to_string())?;
        let line = row.position().map_or(0, csv::Position::line);
        records.push(read_record(&row).map_err(|problem| format!("line {line}: {problem}"))?);
    }
    Ok(records)
}

fn read_record(row: &csv::StringRecord) -> Result<PieceRecord, String> {
    let text = |index: usize| row.get(index).unwrap_or_default();
    let number = |index: usize| {
        text(index)
            .parse::<u32>()
            .map(u64::from)
            .map_err(|_| format!("`{}` is no number of pairs", text(index)))
    };
    let mut pairs = PairCounts::default();
    for (index, count) in pairs.iter_mut().flatten().enumerate() {
        *count = number(COLUMNS.len() + index)?;
    }
    Ok(PieceRecord {
        piece: text(0).to_string(),
        letter: text(1).parse().map_err(|problem| format!("`{}`: {problem}", text(1)))?,
        betza: text(2).to_string(),
        variant: text(3).to_string(),
        nodes: text(4).parse().map_err(|_| format!("`{}` is no number of nodes", text(4)))?,
        is_pilot: match text(5) {
            PILOT => true,
            MEASURED => false,
            other => return Err(format!("the stage is {PILOT} or {MEASURED}, not `{other}`")),
        },
        centipawns: match text(6).parse() {
            Ok(centipawns) if (1.0..1e6).contains(&centipawns) => centipawns,
            _ => return Err(format!("`{}` is no number of centipawns", text(6))),
        },
        odds: text(7).parse().map_err(|problem| format!("`{}`: {problem}", text(7)))?,
        pairs,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_they_are_written() {
        let record = PieceRecord {
            piece: "waffle, or phoenix".to_string(),
            letter: Letter::W,
            betza: "WA".to_string(),
            variant: "chess960".to_string(),
            nodes: 1000,
            is_pilot: true,
            centipawns: 351.0,
            odds: "2N=2W+P:-".parse().unwrap(),
            pairs: [[1, 2, 3], [4, 5, 6], [7, 8, 9]],
        };
        let records = [record.clone(), PieceRecord { is_pilot: false, ..record }];
        let mut file = Vec::new();
        write_records(&records, &mut file).unwrap();
        assert_eq!(read_records(&file[..]).unwrap(), records);
        for (from, to, says) in [
            (",pilot,", ",first,", "line 2: the stage is pilot or measured, not `first`"),
            ("351", "-3", "line 2: `-3` is no number of centipawns"),
            ("betza", "moves", "line 1 is not the heading piece,letter,betza"),
        ] {
            let text = String::from_utf8(file.clone()).unwrap().replace(from, to);
            let problem = read_records(text.as_bytes()).unwrap_err();
            assert!(problem.starts_with(says), "{problem}");
        }
    }
}
