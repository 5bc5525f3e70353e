//! The games in which a piece was measured, as a file.

use std::io::{Read, Write};

use backrank_rules::Letter;
use backrank_selfplay::study::Odds;

use crate::values::{OUTCOMES, PairCounts};

/// The columns before the numbers of pairs.
const COLUMNS: [&str; 9] =
    ["piece", "letter", "betza", "variant", WITHOUT, "nodes", "stage", "centipawns", "odds"];

/// The column that files of earlier versions do not have.
const WITHOUT: &str = "without";
const PLACE_OF_WITHOUT: usize = 4;

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
    /// What neither side has in any of its games, pawns last.
    pub without: Vec<Letter>,
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
            Odds::side_text(&record.without),
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
    reader.headers().is_ok_and(|headings| has_without(headings).is_some())
}

/// Whether a file with these headings has the column of what neither side has; `None` if it is no file of records.
fn has_without(headings: &csv::StringRecord) -> Option<bool> {
    let expected = COLUMNS.iter().chain(&OUTCOMES).copied();
    let is_without = |heading: &&str| *heading == WITHOUT;
    let has = headings.iter().any(|heading| is_without(&heading));
    let is_right = match has {
        true => headings.iter().eq(expected),
        false => headings.iter().eq(expected.filter(|heading| !is_without(heading))),
    };
    is_right.then_some(has)
}

/// Reads the records of a file, or of several, one after the other.
///
/// # Errors
///
/// When a line is not a record. The text says which, and what is wrong.
pub fn read_records(file: impl Read) -> Result<Vec<PieceRecord>, String> {
    let mut reader = csv::Reader::from_reader(file);
    let headings = reader.headers().map_err(|error| error.to_string())?;
    let Some(has_without) = has_without(headings) else {
        let expected: Vec<&str> = COLUMNS.iter().chain(&OUTCOMES).copied().collect();
        return Err(format!("line 1 is not the heading {}", expected.join(",")));
    };
    let mut records = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|error| error.to_string())?;
        let line = row.position().map_or(0, csv::Position::line);
        records.push(read_record(&row, has_without).map_err(|problem| format!("line {line}: {problem}"))?);
    }
    Ok(records)
}

fn read_record(row: &csv::StringRecord, has_without: bool) -> Result<PieceRecord, String> {
    let mut fields: Vec<&str> = row.iter().collect();
    if !has_without {
        fields.insert(PLACE_OF_WITHOUT, "-");
    }
    let text = |index: usize| fields.get(index).copied().unwrap_or_default();
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
        without: Odds::side_letters(text(PLACE_OF_WITHOUT))
            .ok_or_else(|| format!("pieces are written as 4P or N+4P, not `{}`", text(PLACE_OF_WITHOUT)))?,
        nodes: text(5).parse().map_err(|_| format!("`{}` is no number of nodes", text(5)))?,
        is_pilot: match text(6) {
            PILOT => true,
            MEASURED => false,
            other => return Err(format!("the stage is {PILOT} or {MEASURED}, not `{other}`")),
        },
        centipawns: match text(7).parse() {
            Ok(centipawns) if (1.0..1e6).contains(&centipawns) => centipawns,
            _ => return Err(format!("`{}` is no number of centipawns", text(7))),
        },
        odds: text(8).parse().map_err(|problem| format!("`{}`: {problem}", text(8)))?,
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
            without: Vec::new(),
            nodes: 1000,
            is_pilot: true,
            centipawns: 351.0,
            odds: "2N=2W+P:-".parse().unwrap(),
            pairs: [[1, 2, 3], [4, 5, 6], [7, 8, 9]],
        };
        let later = Odds::side_letters("R+2P").unwrap();
        let records = [record.clone(), PieceRecord { is_pilot: false, without: later, ..record.clone() }];
        let mut file = Vec::new();
        write_records(&records, &mut file).unwrap();
        assert_eq!(read_records(&file[..]).unwrap(), records);
        // As earlier versions wrote them.
        let earlier =
            String::from_utf8(file.clone()).unwrap().replace(",without,", ",").replace(",-,1000", ",1000");
        let earlier: Vec<&str> = earlier.lines().take(2).collect();
        assert_eq!(read_records(earlier.join("\n").as_bytes()).unwrap(), [record]);
        assert!(is_of_records(earlier[0].as_bytes()) && is_of_records(&file[..]));
        for (from, to, says) in [
            (",pilot,", ",first,", "line 2: the stage is pilot or measured, not `first`"),
            (",R+2P,", ",R2P,", "line 3: pieces are written as 4P or N+4P, not `R2P`"),
            ("351", "-3", "line 2: `-3` is no number of centipawns"),
            ("betza", "moves", "line 1 is not the heading piece,letter,betza"),
        ] {
            let text = String::from_utf8(file.clone()).unwrap().replace(from, to);
            let problem = read_records(text.as_bytes()).unwrap_err();
            assert!(problem.starts_with(says), "{problem}");
        }
    }
}
