//! Apache Parquet: the columns of `games.csv`, typed and packed by gzip.
//!
//! Each column of a group of games is one page of plain values. The format's own metadata are in Thrift's compact protocol.
//! Sources: the Parquet format's `parquet.thrift` and `Encodings.md`, and Thrift's compact protocol specification. This is the
//! small part of the format that is needed.

use std::io::{self, Write};

use backrank_selfplay::{GameRecord, GameScores};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::RecordedStudy;
use crate::failure::Failure;
use crate::output::Output;

/// The number of games that are written together: in memory at a time, and read at a time.
const GROUP: usize = 1 << 16;

/// What a file begins and ends with.
const MAGIC: &[u8] = b"PAR1";

/// A game as a row.
struct ParquetRow {
    record: GameRecord,
    scores: Option<String>,
}

/// A column: its name, and its value in a row; none where it is missing.
struct ParquetColumn {
    name: &'static str,
    value: ColumnValue,
}

enum ColumnValue {
    Number(fn(&ParquetRow) -> Option<i64>),
    Text(fn(&ParquetRow) -> Option<String>),
}

/// Where a column of a group stands in the file.
struct ColumnChunk {
    /// The place of its only page, and the bytes of the page with its header, packed and unpacked.
    offset: u64,
    packed: usize,
    unpacked: usize,
}

/// The games of a group, and where each of its columns stands.
struct RowGroup {
    rows: usize,
    chunks: Vec<ColumnChunk>,
}

/// The numbers that the format gives to its types, encodings and codecs.
mod code {
    pub const INT64: i32 = 2;
    pub const BYTE_ARRAY: i32 = 6;
    pub const UTF8: i32 = 0;
    pub const OPTIONAL: i32 = 1;
    pub const PLAIN: i32 = 0;
    pub const RLE: i32 = 3;
    pub const GZIP: i32 = 2;
    pub const DATA_PAGE: i32 = 0;
}

/// The columns of a study.
fn columns(recorded: &RecordedStudy) -> Vec<ParquetColumn> {
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
pub fn write(recorded: &mut RecordedStudy, out: &mut Output) -> Result<(), Failure> {
    let columns = columns(recorded);
    out.write_all(MAGIC)?;
    let mut offset = MAGIC.len() as u64;
    let mut groups = Vec::new();
    loop {
        let rows = next_rows(recorded)?;
        if rows.is_empty() {
            break;
        }
        let mut chunks = Vec::with_capacity(columns.len());
        for column in &columns {
            let (page, unpacked) = page(&rows, column)?;
            out.write_all(&page)?;
            chunks.push(ColumnChunk { offset, packed: page.len(), unpacked });
            offset += page.len() as u64;
        }
        groups.push(RowGroup { rows: rows.len(), chunks });
    }
    let metadata = metadata(&columns, &groups);
    out.write_all(&metadata)?;
    out.write_all(&(metadata.len() as u32).to_le_bytes())?;
    Ok(out.write_all(MAGIC)?)
}

fn next_rows(recorded: &mut RecordedStudy) -> Result<Vec<ParquetRow>, Failure> {
    let mut rows = Vec::new();
    while rows.len() < GROUP
        && let Some((record, scores)) = recorded.next()?
    {
        let scores = scores.map(|scores| GameScores::new(record.game, &scores).scores);
        rows.push(ParquetRow { record, scores });
    }
    Ok(rows)
}

/// A page with its header, and the number of its bytes when it is unpacked. First it says which values are there, as a run
/// for each row (the hybrid of runs and bits, of one bit), then it has those values.
fn page(rows: &[ParquetRow], column: &ParquetColumn) -> io::Result<(Vec<u8>, usize)> {
    let (mut present, mut values) = (Vec::new(), Vec::new());
    for row in rows {
        let before = values.len();
        match column.value {
            ColumnValue::Number(value) => {
                values.extend(value(row).into_iter().flat_map(i64::to_le_bytes));
            }
            ColumnValue::Text(value) => {
                if let Some(text) = value(row) {
                    values.extend((text.len() as u32).to_le_bytes());
                    values.extend(text.as_bytes());
                }
            }
        }
        present.push(values.len() > before);
    }
    let mut runs = Vec::new();
    for run in present.chunk_by(|one, other| one == other) {
        push_varint(&mut runs, (run.len() as u64) << 1);
        runs.push(u8::from(run[0]));
    }
    let mut plain = (runs.len() as u32).to_le_bytes().to_vec();
    plain.append(&mut runs);
    plain.append(&mut values);
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(&plain)?;
    let packed = packer.finish()?;

    let mut header = ThriftStruct::default();
    header.int(1, code::DATA_PAGE.into());
    header.int(2, plain.len() as i64);
    header.int(3, packed.len() as i64);
    let mut data_page = ThriftStruct::default();
    data_page.int(1, rows.len() as i64);
    data_page.int(2, code::PLAIN.into());
    data_page.int(3, code::RLE.into());
    data_page.int(4, code::RLE.into());
    header.structure(5, data_page);
    let header = header.finish();
    let unpacked = header.len() + plain.len();
    Ok(([header, packed].concat(), unpacked))
}

/// What stands at the end of the file: the schema, and where everything is.
fn metadata(columns: &[ParquetColumn], groups: &[RowGroup]) -> Vec<u8> {
    let kind = |column: &ParquetColumn| match column.value {
        ColumnValue::Number(_) => code::INT64,
        ColumnValue::Text(_) => code::BYTE_ARRAY,
    };
    let mut root = ThriftStruct::default();
    root.text(4, "games");
    root.int(5, columns.len() as i64);
    let fields = columns.iter().map(|column| {
        let mut field = ThriftStruct::default();
        field.int(1, kind(column).into());
        field.int(3, code::OPTIONAL.into());
        field.text(4, column.name);
        if let ColumnValue::Text(_) = column.value {
            field.int(6, code::UTF8.into());
        }
        field
    });
    let schema = std::iter::once(root).chain(fields).collect();
    let chunk = |(column, chunk): (&ParquetColumn, &ColumnChunk), rows: usize| {
        let mut data = ThriftStruct::default();
        data.int(1, kind(column).into());
        data.ints(2, &[code::PLAIN, code::RLE]);
        data.texts(3, &[column.name]);
        data.int(4, code::GZIP.into());
        data.long(5, rows as i64);
        data.long(6, chunk.unpacked as i64);
        data.long(7, chunk.packed as i64);
        data.long(9, chunk.offset as i64);
        let mut whole = ThriftStruct::default();
        whole.long(2, chunk.offset as i64);
        whole.structure(3, data);
        whole
    };
    let row_groups = groups.iter().map(|group| {
        let mut whole = ThriftStruct::default();
        let chunks = columns.iter().zip(&group.chunks).map(|pair| chunk(pair, group.rows));
        whole.structures(1, chunks.collect());
        whole.long(2, group.chunks.iter().map(|chunk| chunk.unpacked as i64).sum());
        whole.long(3, group.rows as i64);
        whole
    });
    let row_groups: Vec<ThriftStruct> = row_groups.collect();
    let mut file = ThriftStruct::default();
    file.int(1, 1);
    file.structures(2, schema);
    file.long(3, groups.iter().map(|group| group.rows as i64).sum());
    file.structures(4, row_groups);
    file.text(6, concat!("backrank version ", env!("CARGO_PKG_VERSION")));
    file.finish()
}

/// A structure in Thrift's compact protocol: fields in ascending order, each with its type and the distance from the last.
#[derive(Default)]
struct ThriftStruct {
    bytes: Vec<u8>,
    last: u8,
}

/// The protocol's numbers for the types of fields.
mod thrift {
    pub const INT: u8 = 5;
    pub const LONG: u8 = 6;
    pub const TEXT: u8 = 8;
    pub const LIST: u8 = 9;
    pub const STRUCTURE: u8 = 12;
}

impl ThriftStruct {
    fn field(&mut self, number: u8, kind: u8) {
        self.bytes.push((number - self.last) << 4 | kind);
        self.last = number;
    }

    fn int(&mut self, number: u8, value: i64) {
        self.field(number, thrift::INT);
        push_varint(&mut self.bytes, zigzag(value));
    }

    fn long(&mut self, number: u8, value: i64) {
        self.field(number, thrift::LONG);
        push_varint(&mut self.bytes, zigzag(value));
    }

    fn text(&mut self, number: u8, text: &str) {
        self.field(number, thrift::TEXT);
        push_text(&mut self.bytes, text);
    }

    fn structure(&mut self, number: u8, inner: Self) {
        self.field(number, thrift::STRUCTURE);
        self.bytes.append(&mut inner.finish());
    }

    fn list(&mut self, number: u8, kind: u8, length: usize) {
        self.field(number, thrift::LIST);
        match u8::try_from(length) {
            Ok(length) if length < 15 => self.bytes.push(length << 4 | kind),
            _ => {
                self.bytes.push(0xf0 | kind);
                push_varint(&mut self.bytes, length as u64);
            }
        }
    }

    fn ints(&mut self, number: u8, values: &[i32]) {
        self.list(number, thrift::INT, values.len());
        values.iter().for_each(|&value| push_varint(&mut self.bytes, zigzag(value.into())));
    }

    fn texts(&mut self, number: u8, texts: &[&str]) {
        self.list(number, thrift::TEXT, texts.len());
        texts.iter().for_each(|text| push_text(&mut self.bytes, text));
    }

    fn structures(&mut self, number: u8, inner: Vec<Self>) {
        self.list(number, thrift::STRUCTURE, inner.len());
        inner.into_iter().for_each(|inner| self.bytes.append(&mut inner.finish()));
    }

    /// The bytes, with the sign that no field follows.
    fn finish(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

/// Numbers near zero become small ones without a sign.
fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// Seven bits in a byte, the lowest first.
fn push_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn push_text(bytes: &mut Vec<u8>, text: &str) {
    push_varint(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}
