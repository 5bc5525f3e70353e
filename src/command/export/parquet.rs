//! Apache Parquet: the columns of `games.csv` with types, compressed by gzip.

use std::sync::Arc;

use backrank_selfplay::{GameRecord, GameScores};
use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use super::ExportedStudy;
use crate::terminal::failure::Failure;
use crate::terminal::output::Output;

/// The number of games in a row group, all of which are in memory at the same time.
const GROUP: usize = 1 << 16;

/// A game as a row.
struct ParquetRow {
    record: GameRecord,
    scores: Option<String>,
}

/// A column: its name, and its value in a row, if it has one.
struct ParquetColumn {
    name: &'static str,
    value: ColumnValue,
}

enum ColumnValue {
    Number(fn(&ParquetRow) -> Option<i64>),
    Text(fn(&ParquetRow) -> Option<String>),
}

/// The columns of a study.
fn columns(recorded: &ExportedStudy) -> Vec<ParquetColumn> {
    let number = |name, value| ParquetColumn { name, value: ColumnValue::Number(value) };
    let text = |name, value| ParquetColumn { name, value: ColumnValue::Text(value) };
    let mut columns = vec![
        number("game", |row| i64::try_from(row.record.game).ok()),
        number("setup", |row| i64::try_from(row.record.setup).ok()),
        text("white_rank", |row| Some(row.record.white_rank.clone())),
        text("black_rank", |row| Some(row.record.black_rank.clone())),
        text("fen", |row| Some(row.record.fen.clone())),
        text("odds", |row| Some(row.record.odds.clone()).filter(|odds| !odds.is_empty())),
        text("white", |row| Some(row.record.white.clone())),
        text("black", |row| Some(row.record.black.clone())),
        text("result", |row| Some(row.record.result_text())),
        text("termination", |row| Some(row.record.termination.to_string())),
        number("plies", |row| Some(row.record.plies.into())),
        number("opening_plies", |row| Some(row.record.opening_plies.into())),
        text("moves", |row| Some(row.record.moves.clone())),
    ];
    if recorded.study.from.is_some() {
        columns.push(number("source_game", |row| i64::try_from(row.record.source?.game).ok()));
        columns.push(number("source_ply", |row| Some(row.record.source?.ply.into())));
    }
    if recorded.study.import.is_some() {
        columns.push(number("white_elo", |row| Some(row.record.ratings?.white?.into())));
        columns.push(number("black_elo", |row| Some(row.record.ratings?.black?.into())));
    }
    if recorded.scores.is_some() {
        columns.push(text("scores", |row| row.scores.clone()));
    }
    columns
}

/// Writes all games.
pub fn write(recorded: &mut ExportedStudy, out: &mut Output) -> Result<(), Failure> {
    let columns = columns(recorded);
    let properties = WriterProperties::builder()
        .set_compression(Compression::GZIP(Default::default()))
        .set_created_by(concat!("backrank version ", env!("CARGO_PKG_VERSION")).to_string())
        .build();
    let mut writer = SerializedFileWriter::new(out, Arc::new(schema(&columns)?), Arc::new(properties))?;
    loop {
        let rows = next_rows(recorded)?;
        if rows.is_empty() {
            break;
        }
        let mut group = writer.next_row_group()?;
        for column in &columns {
            match column.value {
                ColumnValue::Number(value) => write_column::<Int64Type>(&mut group, rows.iter().map(value))?,
                ColumnValue::Text(value) => {
                    let texts = rows.iter().map(|row| value(row).map(|text| ByteArray::from(text.as_str())));
                    write_column::<ByteArrayType>(&mut group, texts)?;
                }
            }
        }
        group.close()?;
    }
    writer.close()?;
    Ok(())
}

fn schema(columns: &[ParquetColumn]) -> Result<Type, ParquetError> {
    let fields = columns.iter().map(|column| {
        let field = match column.value {
            ColumnValue::Number(_) => Type::primitive_type_builder(column.name, PhysicalType::INT64),
            ColumnValue::Text(_) => Type::primitive_type_builder(column.name, PhysicalType::BYTE_ARRAY)
                .with_logical_type(Some(LogicalType::String)),
        };
        field.with_repetition(Repetition::OPTIONAL).build().map(Arc::new)
    });
    Type::group_type_builder("games").with_fields(fields.collect::<Result<_, _>>()?).build()
}

/// Writes the next column of a group: the values that are there, and for each row whether there is one.
fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, &mut Output>,
    values: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let values: Vec<Option<T::T>> = values.collect();
    let present: Vec<i16> = values.iter().map(|value| value.is_some().into()).collect();
    let values: Vec<T::T> = values.into_iter().flatten().collect();
    let mut column = group.next_column()?.expect("the schema has as many columns");
    column.typed::<T>().write_batch(&values, Some(&present), None)?;
    column.close()
}

fn next_rows(recorded: &mut ExportedStudy) -> Result<Vec<ParquetRow>, Failure> {
    let mut rows = Vec::new();
    while rows.len() < GROUP
        && let Some((record, scores)) = recorded.next()?
    {
        let scores = scores.map(|scores| GameScores::new(record.game, &scores).scores);
        rows.push(ParquetRow { record, scores });
    }
    Ok(rows)
}
