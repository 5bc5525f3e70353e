//! Tables of setups with any columns, such as atlases.

use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use backrank_rules::Variant;
use backrank_rules::files::{LONGEST_LINE, ShortLines, UpTo, open_file};
use flate2::read::MultiGzDecoder;

use crate::atlas::{AtlasMeasure, Judgements};
use crate::error::AnalysisError;
use crate::stats::Interval;

/// A table with a row for each setup, such as `atlas.csv`.
#[derive(Clone, Debug)]
pub struct AtlasTable {
    /// The file.
    pub path: PathBuf,
    /// The first ranks of each row's setup, White's and Black's. Black's is empty if the table does not have it.
    pub ranks: Vec<[String; 2]>,
    /// Every other column.
    pub columns: Vec<AtlasColumn>,
}

/// A column of an atlas.
#[derive(Clone, Debug)]
pub struct AtlasColumn {
    /// Its heading.
    pub name: String,
    /// Its value in each row.
    pub values: AtlasValues,
    /// Whether its numbers are scores in pawns, for White.
    pub in_pawns: bool,
    /// Why setups are not ranked by it, as a sentence.
    pub why_no_ranks: Option<String>,
}

/// The values of a column, one for each row.
#[derive(Clone, Debug)]
pub enum AtlasValues {
    /// Numbers; `None` for an empty field.
    Numbers(Vec<Option<f64>>),
    /// Text.
    Texts(Vec<String>),
}

impl AtlasTable {
    /// Reads a table of setups in CSV, compressed by gzip if its name ends in `.gz`. It must have a column
    /// `white_rank`. A column of which every field is empty or a number is numeric.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is not CSV, or has no column `white_rank`.
    pub fn read(path: &Path) -> Result<Self, AnalysisError> {
        let wrong =
            |line: u64, problem: String| AnalysisError::Atlas { path: path.to_path_buf(), line, problem };
        let mut reader = csv::Reader::from_reader(open(path).map_err(|error| wrong(1, error.to_string()))?);
        let csv_error = |error: csv::Error, after: u64| {
            let line = error.position().map_or(after, csv::Position::line);
            wrong(line, error.to_string())
        };
        let headings = reader.headers().map_err(|error| csv_error(error, 1))?.clone();
        let column = |name: &str| headings.iter().position(|heading| heading == name);
        let white = column("white_rank").ok_or_else(|| {
            wrong(1, "an atlas must have a column `white_rank`, and this file has none".to_string())
        })?;
        let black = column("black_rank");
        let mut ranks = Vec::new();
        let mut fields = vec![Vec::new(); headings.len()];
        for row in reader.records() {
            let row = row.map_err(|error| csv_error(error, ranks.len() as u64 + 2))?;
            ranks.push([Some(white), black].map(|at| at.map_or("", |at| &row[at]).to_string()));
            fields.iter_mut().zip(&row).for_each(|(fields, field)| fields.push(field.to_string()));
        }
        let names = ["setup", "white_rank", "black_rank"];
        let kept = headings.iter().zip(fields).filter(|(name, _)| !names.contains(name));
        let columns = kept.map(|(name, fields)| AtlasColumn {
            name: name.to_string(),
            values: values(fields),
            in_pawns: false,
            why_no_ranks: None,
        });
        Ok(Self { path: path.to_path_buf(), ranks, columns: columns.collect() })
    }
}

impl AtlasTable {
    /// The table of an atlas, with what is known of each setup in place of what one search gave, scores in pawns, and a sentence
    /// about each setup.
    ///
    /// # Errors
    ///
    /// As of [`AtlasTable::read`].
    pub fn judged(path: &Path, judgements: &Judgements, variant: &Variant) -> Result<Self, AnalysisError> {
        let mut table = Self::read(path)?;
        // A last line that a crash has torn is no row.
        table.ranks.truncate(judgements.rows.len());
        let rows = 0..judgements.rows.len();
        let numbers = |of: &dyn Fn(usize) -> f64| {
            AtlasValues::Numbers(
                rows.clone().map(|index| Some(of(index)).filter(|found| found.is_finite())).collect(),
            )
        };
        table.columns.retain(|column| !column.name.starts_with("expected_score_"));
        let mut ends = Vec::new();
        for column in &mut table.columns {
            if let Some(measure) =
                AtlasMeasure::ALL.into_iter().find(|measure| measure.column() == column.name)
            {
                column.values = numbers(&|index| judgements.of(index, measure).value);
                column.why_no_ranks = judgements.why_no_ranks(measure);
                if measure == AtlasMeasure::ExpectedScore {
                    for (end, of) in
                        [("low", (|found| found.low) as fn(Interval) -> f64), ("high", |found| found.high)]
                    {
                        ends.push(AtlasColumn {
                            name: format!("{}_{end}", column.name),
                            values: numbers(&|index| of(judgements.of(index, measure).interval)),
                            in_pawns: false,
                            why_no_ranks: column.why_no_ranks.clone(),
                        });
                    }
                }
            }
            if let (Some(name), AtlasValues::Numbers(values)) =
                (column.name.strip_suffix("_cp"), &mut column.values)
            {
                column.name = format!("{name}_pawns");
                column.in_pawns = true;
                values.iter_mut().flatten().for_each(|value| *value /= 100.0);
            }
        }
        table.columns.extend(ends);
        table.columns.push(AtlasColumn {
            name: "in_words".to_string(),
            values: AtlasValues::Texts(
                rows.clone().map(|index| judgements.in_words(index, variant)).collect(),
            ),
            in_pawns: false,
            why_no_ranks: None,
        });
        Ok(table)
    }
}

/// The largest table, in bytes when it is decompressed. It is read whole.
const LARGEST: u64 = 1 << 30;

fn open(path: &Path) -> io::Result<impl Read> {
    let file = BufReader::new(open_file(path)?);
    let all: Box<dyn Read> = match path.extension().is_some_and(|extension| extension == "gz") {
        true => Box::new(MultiGzDecoder::new(file)),
        false => Box::new(file),
    };
    Ok(UpTo::new(ShortLines::new(all, LONGEST_LINE), LARGEST))
}

fn values(fields: Vec<String>) -> AtlasValues {
    let number = |field: &String| match field.is_empty() {
        true => Some(None),
        false => field.parse().ok().filter(|number: &f64| number.is_finite()).map(Some),
    };
    match fields.iter().map(number).collect() {
        Some(numbers) => AtlasValues::Numbers(numbers),
        None => AtlasValues::Texts(fields),
    }
}
