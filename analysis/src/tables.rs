//! Tables of results in CSV.

use std::borrow::Cow;
use std::io::Write;

use backrank_selfplay::study::{MoveLimits, Study};
use csv::{QuoteStyle, WriterBuilder};
use serde::Serialize;

use crate::atlas::{Agreement, AtlasMeasure, AtlasStatistics, JudgedSetups, MeasureSpread};
use crate::games::Column as PieceColumn;
use crate::setups::{AdjustmentUse, FeatureEffect, Features, ScoreHistogram, SetupScore, SetupStatistics};
#[cfg(feature = "groups")]
use crate::setups::{GroupKey, SetupGroup, SetupGroups};
use crate::stats::{Estimate, Interval};
use crate::values::{
    ComparedValue, Imbalance, ImbalanceValues, Mobility, RegressionValues, Sample, SampleRow, Unit,
};

/// A number with commas between thousands.
///
/// ```
/// assert_eq!(backrank_analysis::thousands(15_120_u64), "15,120");
/// ```
pub fn thousands(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A value that one method gives a piece: a row of `values.csv`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueRow {
    /// `imbalances`, `regression`, `regression-decided` or `mobility`.
    pub method: &'static str,
    /// The ply of the recorded positions from which the games start; `None` for games that start otherwise.
    pub at_ply: Option<u32>,
    /// The piece, or the pair.
    pub piece: PieceColumn,
    /// The number of games behind the value.
    pub games: u64,
    /// The value in the unit. The interval of a regression is that of the bootstrap.
    pub value: Option<Estimate>,
    /// The unit.
    pub unit: Unit,
    /// The value in pawns; `None` for mobility. The interval of a regression is that of the bootstrap.
    pub pawns: Option<Estimate>,
    /// The interval of a regression by the delta method, in pawns.
    pub delta: Option<Interval>,
    /// The value in Elo, between equals.
    pub elo: Option<Estimate>,
    /// Why there is no value, or a remark on it.
    pub note: Option<String>,
}

impl RegressionValues {
    /// The values as rows.
    pub fn rows(&self) -> Vec<ValueRow> {
        let method = match self.model {
            crate::Model::Ordered => "regression",
            crate::Model::Decided => "regression-decided",
        };
        let row = |piece: &crate::PieceValue| ValueRow {
            method,
            at_ply: None,
            piece: piece.piece,
            games: piece.games,
            value: piece.value,
            unit: self.unit,
            pawns: piece
                .pawns
                .map(|delta| Estimate { interval: piece.bootstrap.unwrap_or(delta.interval), ..delta }),
            delta: piece.pawns.map(|delta| delta.interval),
            elo: piece.elo,
            note: piece.note.clone().or_else(|| self.nothing.clone()),
        };
        self.pieces.iter().map(row).collect()
    }
}

impl ImbalanceValues {
    /// The values as rows, without those of games that start from recorded positions.
    pub fn rows(&self) -> Vec<ValueRow> {
        self.rows_at(None)
    }

    /// The values of games that start from recorded positions, as rows.
    pub fn rows_by_ply(&self) -> Vec<ValueRow> {
        self.by_ply.iter().flat_map(|found| found.values.rows_at(Some(found.ply))).collect()
    }

    fn rows_at(&self, at_ply: Option<u32>) -> Vec<ValueRow> {
        let row = |piece: &crate::ImbalancePiece| ValueRow {
            method: "imbalances",
            at_ply,
            piece: piece.piece,
            games: piece.games,
            value: piece.value,
            unit: self.unit,
            pawns: piece.pawns,
            delta: None,
            elo: piece.elo,
            note: piece.note.clone(),
        };
        self.pieces.iter().map(row).collect()
    }
}

impl Mobility {
    /// The value as a row. It is not an estimate, so it has no interval.
    pub fn row(&self) -> ValueRow {
        ValueRow {
            method: "mobility",
            at_ply: None,
            piece: self.piece,
            games: 0,
            value: Some(Estimate::exact(self.value)),
            unit: self.unit,
            pawns: None,
            delta: None,
            elo: None,
            note: None,
        }
    }
}

/// The values by every method: imbalances, those of games from recorded positions too, then regression and mobility.
pub fn value_rows(
    imbalances: Option<&ImbalanceValues>,
    regression: Option<&RegressionValues>,
    mobility: &[Mobility],
) -> Vec<ValueRow> {
    let by_imbalances = imbalances.into_iter().flat_map(|found| [found.rows(), found.rows_by_ply()].concat());
    let by_regression = regression.into_iter().flat_map(RegressionValues::rows);
    by_imbalances.chain(by_regression).chain(mobility.iter().map(Mobility::row)).collect()
}

/// The pieces for which any method has a value, in the order of the method that has the most.
pub fn pieces_of(rows: &[ValueRow]) -> Vec<PieceColumn> {
    let of = |method: &str| {
        let mut pieces: Vec<PieceColumn> = Vec::new();
        for row in rows.iter().filter(|row| row.method == method) {
            if !pieces.contains(&row.piece) {
                pieces.push(row.piece);
            }
        }
        pieces
    };
    let lists: Vec<Vec<PieceColumn>> = ["regression", "imbalances", "mobility"].map(of).to_vec();
    lists
        .into_iter()
        .reduce(|longest, list| if list.len() > longest.len() { list } else { longest })
        .unwrap_or_default()
}

/// The players of a study.
pub(crate) fn players_text(study: &Study) -> String {
    match study.white == study.black {
        true => study.white.name.clone(),
        false => format!("{} against {}", study.white.name, study.black.name),
    }
}

/// The limits of a search in words; a dash if there are none.
pub(crate) fn limits_text(limits: &MoveLimits) -> String {
    let limits = [
        limits.nodes.map(|nodes| format!("{} nodes", thousands(nodes))),
        limits.depth.map(|depth| format!("depth {depth}")),
        limits.time.map(|time| format!("{time} ms")),
        limits.clock.map(|clock| clock.to_string()),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    if limits.is_empty() { "—".to_string() } else { limits.join(", ") }
}

/// One field of a table.
#[derive(Serialize)]
#[serde(untagged)]
enum CsvCell {
    Text(String),
    Count(Option<u64>),
    Number(Option<f64>),
}

/// The cell of a column for an `R`.
type CellOf<'t, R> = Box<dyn Fn(&R) -> CsvCell + 't>;

/// The columns of a CSV table: a heading, and the cell for each `R`.
struct CsvTable<'t, R> {
    headings: Vec<String>,
    cells: Vec<CellOf<'t, R>>,
}

impl<'t, R> CsvTable<'t, R> {
    fn new() -> Self {
        Self { headings: Vec::new(), cells: Vec::new() }
    }

    fn column(mut self, heading: impl Into<String>, cell: impl Fn(&R) -> CsvCell + 't) -> Self {
        self.headings.push(heading.into());
        self.cells.push(Box::new(cell));
        self
    }

    fn text(self, heading: impl Into<String>, text: impl Fn(&R) -> String + 't) -> Self {
        self.column(heading, move |row| CsvCell::Text(quoted(text(row))))
    }

    fn count(self, heading: impl Into<String>, count: impl Fn(&R) -> u64 + 't) -> Self {
        self.column(heading, move |row| CsvCell::Count(Some(count(row))))
    }

    fn number(self, heading: impl Into<String>, number: impl Fn(&R) -> Option<f64> + 't) -> Self {
        self.column(heading, move |row| CsvCell::Number(number(row)))
    }

    /// Three columns: the estimate, and the ends of its interval.
    fn estimate(self, heading: &str, estimate: impl Fn(&R) -> Option<Estimate> + Copy + 't) -> Self {
        self.number(heading, move |row| Some(estimate(row)?.value))
            .interval(heading, move |row| Some(estimate(row)?.interval))
    }

    /// Two columns: the ends of the interval.
    fn interval(self, heading: &str, interval: impl Fn(&R) -> Option<Interval> + Copy + 't) -> Self {
        self.number(format!("{heading}_low"), move |row| Some(interval(row)?.low))
            .number(format!("{heading}_high"), move |row| Some(interval(row)?.high))
    }

    /// Three columns of games: won, drawn and lost.
    fn results(self, results: impl Fn(&R) -> Option<[u64; 3]> + Copy + 't) -> Self {
        ["won", "drawn", "lost"].into_iter().enumerate().fold(self, |table, (index, heading)| {
            table.column(heading, move |row| CsvCell::Count(results(row).map(|results| results[index])))
        })
    }

    /// Writes the heading and a line for each row. A missing value is an empty field, and an infinite end `inf` or
    /// `-inf`.
    fn write(self, rows: impl IntoIterator<Item = R>, out: &mut dyn Write) -> std::io::Result<()> {
        let mut writer = WriterBuilder::new().quote_style(QuoteStyle::Never).from_writer(out);
        writer.write_record(self.headings.into_iter().map(quoted))?;
        for row in rows {
            let cells: Vec<CsvCell> = self.cells.iter().map(|cell| cell(&row)).collect();
            writer.serialize(cells)?;
        }
        writer.flush()
    }
}

/// A text as a cell of a table that people open in spreadsheets, which take one that begins with `=`, `+`, `-`, `@`, a tab or a
/// carriage return for a formula: such a text gets an apostrophe before it. Numbers, and these characters alone, are left.
///
/// ```
/// use backrank_analysis::spreadsheet_text;
///
/// assert_eq!(spreadsheet_text("=HYPERLINK(1)"), "'=HYPERLINK(1)");
/// for text in ["Réti", "-3.5", "+12", "-inf", "-", ""] {
///     assert_eq!(spreadsheet_text(text), text);
/// }
/// ```
pub fn spreadsheet_text(text: &str) -> Cow<'_, str> {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    match is_formula && text.len() > 1 && text.parse::<f64>().is_err() {
        true => Cow::Owned(format!("'{text}")),
        false => Cow::Borrowed(text),
    }
}

/// Text as a CSV field. Empty text is quoted, which distinguishes it from a missing value.
fn quoted(text: String) -> String {
    let text = spreadsheet_text(&text).into_owned();
    match text.is_empty() || text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

/// Writes values as CSV; `data/README.md` says what each column means.
///
/// # Errors
///
/// When writing fails.
pub fn write_values(rows: &[ValueRow], out: &mut dyn Write) -> std::io::Result<()> {
    CsvTable::<&ValueRow>::new()
        .text("method", |row| row.method.to_string())
        .text("piece", |row| row.piece.to_string())
        .count("games", |row| row.games)
        .number("value", |row| Some(row.value?.value))
        .number("low", |row| Some(row.value?.interval.low))
        .number("high", |row| Some(row.value?.interval.high))
        .text("unit", |row| row.unit.to_string())
        .estimate("pawns", |row| row.pawns)
        .interval("delta", |row| row.delta)
        .estimate("elo", |row| row.elo)
        .text("note", |row| row.note.clone().unwrap_or_default())
        .column("at_ply", |row| CsvCell::Count(row.at_ply.map(u64::from)))
        .write(rows, out)
}

/// Writes two measurements of the same pieces as CSV; `data/README.md` says what each column means.
///
/// # Errors
///
/// When writing fails.
pub fn write_compared_values(rows: &[ComparedValue], out: &mut dyn Write) -> std::io::Result<()> {
    CsvTable::<&ComparedValue>::new()
        .text("method", |row| row.method.to_string())
        .text("piece", |row| row.piece.to_string())
        .estimate("value", |row| Some(row.value))
        .estimate("against", |row| Some(row.against))
        .estimate("ratio", |row| Some(row.ratio))
        .estimate("elo_more", |row| row.elo_more)
        .column("at_ply", |row| CsvCell::Count(row.at_ply.map(u64::from)))
        .write(rows, out)
}

/// The columns of `setups.csv`.
fn setup_columns<'t>() -> CsvTable<'t, &'t SetupScore> {
    CsvTable::<&SetupScore>::new()
        .text("setup", |setup| setup.name.id.to_string())
        .text("white_rank", |setup| setup.name.white.clone())
        .text("black_rank", |setup| setup.name.black.clone())
        .count("games", |setup| setup.games)
        .results(|setup| Some(setup.results))
        .estimate("score", |setup| Some(setup.score))
        .estimate("shrunk", |setup| setup.shrunk)
        .number("p_value", |setup| Some(setup.p_value))
        .number("false_discovery_rate", |setup| Some(setup.false_discovery_rate))
}

/// Writes setups as CSV; `data/README.md` says what each column means.
///
/// # Errors
///
/// When writing fails.
pub fn write_setups(statistics: &SetupStatistics, out: &mut dyn Write) -> std::io::Result<()> {
    setup_columns().write(&statistics.setups, out)
}

/// Writes setups as CSV, with the measures of an atlas in further columns; `data/README.md` says what each column
/// means.
///
/// # Errors
///
/// When writing fails.
pub fn write_judged_setups(
    statistics: &SetupStatistics,
    judged: &JudgedSetups,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let columns = AtlasMeasure::ALL.into_iter().fold(setup_columns(), |table, measure| {
        table.number(measure.column(), move |setup| {
            Some(measure.of(judged.get(&setup.name.white, &setup.name.black)?))
        })
    });
    columns.write(&statistics.setups, out)
}

/// Writes groups of setups as CSV; `data/README.md` says what each column means.
///
/// # Errors
///
/// When writing fails.
#[cfg(feature = "groups")]
pub fn write_groups(groups: &SetupGroups, out: &mut dyn Write) -> std::io::Result<()> {
    let keys = groups.columns.iter().enumerate();
    keys.fold(CsvTable::<&SetupGroup>::new(), |table, (index, name)| {
        table.column(name, move |group| match &group.key[index] {
            GroupKey::Text(text) => CsvCell::Text(quoted(text.clone())),
            GroupKey::Number(number) => CsvCell::Number(Some(*number)),
        })
    })
    .count("setups", |group| group.setups)
    .count("games", |group| group.games)
    .results(|group| Some(group.results))
    .estimate("score", |group| Some(group.score))
    .estimate("draws", |group| Some(group.draws))
    .count("could_adjust", |group| group.could_adjust)
    .count("adjusted", |group| group.adjusted)
    .estimate("adjusting", |group| group.adjusting)
    .write(&groups.groups, out)
}

/// Writes matches at odds as CSV, those from recorded positions last, with the fields of
/// [`Imbalance`](crate::Imbalance).
///
/// # Errors
///
/// When writing fails.
pub fn write_imbalances(found: &ImbalanceValues, out: &mut dyn Write) -> std::io::Result<()> {
    let at = |ply: Option<u32>| move |found| (ply, found);
    let whole = found.imbalances.iter().map(at(None));
    let by_ply = found.by_ply.iter().flat_map(|one| one.values.imbalances.iter().map(at(Some(one.ply))));
    CsvTable::<(Option<u32>, &Imbalance)>::new()
        // Letters and numbers, and perhaps a lone `-` before the colon.
        .column("odds", |(_, found)| CsvCell::Text(found.odds.clone()))
        .column("at_ply", |(ply, _)| CsvCell::Count(ply.map(u64::from)))
        .results(|(_, found)| Some(found.results))
        .count("pairs", |(_, found)| found.pairs.iter().sum())
        .estimate("score", |(_, found)| Some(found.score))
        .estimate("elo", |(_, found)| Some(found.elo))
        .number("expected", |(_, found)| found.expected)
        .estimate("residual", |(_, found)| found.residual)
        .write(whole.chain(by_ply), out)
}

/// Writes the histogram of setups as CSV, with a row for each bin.
///
/// # Errors
///
/// When writing fails.
pub fn write_histogram(histogram: &ScoreHistogram, out: &mut dyn Write) -> std::io::Result<()> {
    let steps = (histogram.setups.len() - 1) as f64;
    let rows = histogram.setups.iter().zip(&histogram.chance).enumerate();
    CsvTable::<(usize, (&u64, &f64))>::new()
        .number("score", move |(step, _)| Some(*step as f64 / steps))
        .count("setups", |(_, (setups, _))| **setups)
        .number("chance", |(_, (_, chance))| Some(**chance))
        .write(rows, out)
}

/// Writes the distributions of the measures of an atlas as CSV.
///
/// # Errors
///
/// When writing fails.
pub fn write_measures(found: &AtlasStatistics, out: &mut dyn Write) -> std::io::Result<()> {
    let table = CsvTable::<&MeasureSpread>::new()
        .text("measure", |found| found.measure.column().to_string())
        .estimate("mean", |found| Some(found.spread.mean))
        .number("deviation", |found| Some(found.spread.deviation));
    ["least", "lower_quartile", "median", "upper_quartile", "most"]
        .into_iter()
        .enumerate()
        .fold(table, |table, (index, heading)| {
            table.number(heading, move |found| Some(found.spread.quartiles[index]))
        })
        .write(&found.measures, out)
}

/// Writes the agreement of an atlas's judgements as CSV: of setups and their reflections, and of all nodes and a
/// quarter of them.
///
/// # Errors
///
/// When writing fails.
pub fn write_agreements(found: &AtlasStatistics, out: &mut dyn Write) -> std::io::Result<()> {
    let rows = [
        ("reflection", AtlasMeasure::Score, &found.reflection),
        ("reflection", AtlasMeasure::Complexity, &found.reflection_complexity),
        ("quarter", AtlasMeasure::Score, &found.quarter),
    ];
    let rows = rows.into_iter().filter_map(|(of, measure, found)| Some((of, measure, found.as_ref()?)));
    CsvTable::<(&str, AtlasMeasure, &Agreement)>::new()
        .text("of", |(of, ..)| of.to_string())
        .text("measure", |(_, measure, _)| measure.column().to_string())
        .count("pairs", |(.., found)| found.pairs)
        .number("change", |(.., found)| Some(found.change))
        .number("noise", |(.., found)| Some(found.noise))
        .estimate("correlation", |(.., found)| found.correlation)
        .write(rows, out)
}

/// Writes the effects of features on White's score as CSV; `data/README.md` says what each column means.
///
/// # Errors
///
/// When writing fails.
pub fn write_features(features: &Features, out: &mut dyn Write) -> std::io::Result<()> {
    let table = CsvTable::<&FeatureEffect>::new().text("feature", |effect| effect.feature.clone());
    ["least", "mean", "most"]
        .into_iter()
        .enumerate()
        .fold(table, |table, (index, heading)| table.number(heading, move |effect| Some(effect.range[index])))
        .estimate("effect", |effect| effect.effect)
        .number("p_value", |effect| effect.p_value)
        .number("false_discovery_rate", |effect| effect.false_discovery_rate)
        .write(&features.effects, out)
}

/// What is counted, its name, the number, the results (won, drawn and lost), and the score.
type AdjustmentRow = (&'static str, String, u64, Option<[u64; 3]>, Option<Estimate>);

/// Writes the use of the Bishop Adjustment as CSV; `data/README.md` says what each column means.
///
/// # Errors
///
/// When writing fails.
pub fn write_adjustments(found: &AdjustmentUse, out: &mut dyn Write) -> std::io::Result<()> {
    let mut rows: Vec<AdjustmentRow> = vec![
        ("sides", "could".to_string(), found.could, None, None),
        ("sides", "did".to_string(), found.did, None, None),
    ];
    rows.extend(found.by_whom.iter().map(|by| {
        let games = by.results.iter().sum();
        ("games", by.who.to_string(), games, Some(by.results), by.score)
    }));
    rows.extend(
        found
            .partners
            .iter()
            .map(|by| ("partner", by.partner.to_string(), by.number, Some(by.results), Some(by.score))),
    );
    rows.extend((1..).zip(&found.moves).map(|(at, &number)| ("move", at.to_string(), number, None, None)));
    CsvTable::<AdjustmentRow>::new()
        .text("of", |row| row.0.to_string())
        .text("name", |row| row.1.clone())
        .count("number", |row| row.2)
        .results(|row| row.3)
        .estimate("score", |row| row.4)
        .write(rows, out)
}

/// Writes the observations of a regression as CSV, from a sample made by [`Sample::with_setups`]; `data/README.md` says
/// what each column means.
///
/// # Errors
///
/// When writing fails.
pub fn write_positions(sample: &Sample, out: &mut dyn Write) -> std::io::Result<()> {
    let table = CsvTable::new()
        .count("game", |row: &SampleRow<'_>| row.game as u64)
        .text("setup", |row| row.setup.to_string())
        .count("outcome", |row| row.outcome.into())
        .number("weight", |row| Some(row.weight));
    let columns = sample.columns().iter().enumerate();
    columns
        .fold(table, |table, (index, column)| {
            table.text(column.to_string(), move |row| row.difference[index].to_string())
        })
        .write(sample.rows(), out)
}
