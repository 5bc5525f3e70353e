use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;

use backrank_enumerate::Space;
use clap::Args;
use rayon::prelude::*;

use crate::args::{NumberingArg, SpaceArgs};
use crate::terminal::failure::Failure;
use crate::terminal::output::Output;
use crate::terminal::rows::{Format, Rows};

/// List every setup of a game, one row each, in the order of ids
#[derive(Args)]
#[command(after_help = examples!(
    "backrank list chess8400 -o chess8400.csv",
    "backrank list pmrc --range 100..200 --format ranks",
    "backrank list pmc --json",
))]
pub struct ListCommand {
    #[command(flatten)]
    space: SpaceArgs,

    #[command(flatten)]
    numbering: NumberingArg,

    /// How to write a setup
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,

    /// Write one object in JSON: the game, the numbering, and all rows
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Only the ids from A up to B - 1, as A..B; either may be left out
    #[arg(long, value_name = "A..B", value_parser = read_range)]
    range: Option<IdRange>,

    /// Write to a file, which appears when it is complete; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The ids from the first up to, but not including, the second. The second may be missing.
type IdRange = (u128, Option<u128>);

fn read_range(text: &str) -> Result<IdRange, String> {
    let wrong = || "a range is written as 100..200, 100.. or ..200".to_string();
    let (start, end) = text.split_once("..").ok_or_else(wrong)?;
    let start = if start.is_empty() { 0 } else { start.parse().map_err(|_| wrong())? };
    let end = if end.is_empty() { None } else { Some(end.parse().map_err(|_| wrong())?) };
    match end {
        Some(end) if end < start => Err(format!("the end {end} is before the start {start}")),
        _ => Ok((start, end)),
    }
}

/// The number of rows in a task.
const CHUNK: u128 = 4096;
/// The number of tasks in a batch. While one batch is written, the next is made.
const LOT: u128 = 64;

impl ListCommand {
    pub fn run(self) -> Result<(), Failure> {
        let (variant, space) = self.space.load()?;
        let numbering = self.numbering.of(&space)?;
        let (start, end) = self.range.unwrap_or((0, None));
        let end = end.unwrap_or(space.len());
        if start > space.len() || end > space.len() {
            return Err(Failure::Input(format!(
                "--range {start}..{end} goes beyond the last id: {} has {} setups",
                variant.key,
                space.len()
            )));
        }
        let rows = Rows::new(self.format, self.json, &variant, &space);
        let make = |lot: Range<u128>| -> Vec<Vec<u8>> { make_lot(&space, numbering, &rows, start, lot) };
        let mut out = Output::open(self.output.as_deref())?;
        let failed = |error: std::io::Error| match &self.output {
            Some(path) => Failure::writing(path, &error),
            None => error.into(),
        };
        let common = [("variant", variant.key.as_str().into()), ("numbering", numbering.name().into())];
        out.write_all(rows.heading(&common).as_bytes()).map_err(failed)?;
        let mut next = start;
        let mut made = Vec::new();
        // Makes one batch while the one before it is written.
        loop {
            let lot = next..end.min(next + LOT * CHUNK);
            next = lot.end;
            let mut more = Vec::new();
            let written = rayon::in_place_scope(|scope| {
                scope.spawn(|_| more = make(lot));
                made.iter().try_for_each(|text: &Vec<u8>| out.write_all(text))
            });
            written.map_err(failed)?;
            if more.is_empty() {
                break;
            }
            made = more;
        }
        out.write_all(rows.ending().as_bytes()).map_err(failed)?;
        out.finish()
    }
}

fn make_lot(
    space: &Space,
    numbering: &backrank_enumerate::Numbering,
    rows: &Rows,
    start: u128,
    lot: Range<u128>,
) -> Vec<Vec<u8>> {
    let chunks = (lot.end - lot.start).div_ceil(CHUNK) as u64;
    (0..chunks as usize)
        .into_par_iter()
        .map(|chunk| {
            let first = lot.start + chunk as u128 * CHUNK;
            let ids = first..lot.end.min(first + CHUNK);
            let mut text = Vec::with_capacity(128 * CHUNK as usize);
            for (id, setup) in ids.clone().zip(space.range_by(numbering, ids)) {
                if id == start {
                    rows.push_first(&mut text, id, &setup);
                } else {
                    rows.push(&mut text, id, &setup);
                }
            }
            text
        })
        .collect()
}
