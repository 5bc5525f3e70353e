//! Apache Parquet: the columns of `games.csv` with types, compressed by gzip.

use std::sync::Arc;

use backrank_selfplay::study::{ColumnValue, GameColumn, GameRecord, GameScores};
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

/// A column: one of `games.csv`, or the scores.
enum ParquetColumn {
    OfGame(GameColumn),
    Scores,
}

impl ParquetColumn {
    fn name(&self) -> &'static str {
        match self {
            Self::OfGame(column) => column.name,
            Self::Scores => "scores",
        }
    }
}

/// The columns of a study.
fn columns(recorded: &ExportedStudy) -> Vec<ParquetColumn> {
    let scores = recorded.scores.as_ref().map(|_| ParquetColumn::Scores);
    GameColumn::of_study(&recorded.study).map(ParquetColumn::OfGame).chain(scores).collect()
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
            let bytes = |text: Option<String>| text.map(|text| ByteArray::from(text.as_str()));
            match column {
                ParquetColumn::OfGame(GameColumn { value: ColumnValue::Number(value), .. }) => {
                    write_column::<Int64Type>(&mut group, rows.iter().map(|row| value(&row.record)))?;
                }
                ParquetColumn::OfGame(GameColumn { value: ColumnValue::Text(value), .. }) => {
                    let texts = rows.iter().map(|row| bytes(value(&row.record)));
                    write_column::<ByteArrayType>(&mut group, texts)?;
                }
                ParquetColumn::Scores => {
                    let texts = rows.iter().map(|row| bytes(row.scores.clone()));
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
        let field = match column {
            ParquetColumn::OfGame(GameColumn { value: ColumnValue::Number(_), .. }) => {
                Type::primitive_type_builder(column.name(), PhysicalType::INT64)
            }
            ParquetColumn::OfGame(_) | ParquetColumn::Scores => {
                Type::primitive_type_builder(column.name(), PhysicalType::BYTE_ARRAY)
                    .with_logical_type(Some(LogicalType::String))
            }
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
