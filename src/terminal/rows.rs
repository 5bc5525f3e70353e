//! Setups as rows of a list.

use backrank_enumerate::{Sides, Space};
use backrank_rules::{Setup, StartFen, Variant};
use clap::ValueEnum;
use serde_json::Value;

use crate::terminal::output::is_safe_in_json;

/// The format of a list of setups.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// id,white,black,fen under a heading
    Csv,
    /// An object with the same names on each line; an id beyond 2^53 is text
    Jsonl,
    /// A FEN on each line
    Fen,
    /// White's first rank on each line; WHITE/BLACK where sides are independent
    Ranks,
    /// One object for all
    #[value(skip)]
    Json,
}

/// Writes setups in one format. No field contains a comma, a quote or a newline, so quoting is not needed.
pub struct Rows {
    format: Format,
    fen: StartFen,
    /// Whether to write Black's rank as well, because it does not follow from White's.
    both_ranks: bool,
}

impl Rows {
    /// Rows of setups of a game, as one JSON object if that is asked for.
    pub fn new(format: Format, json: bool, variant: &Variant, space: &Space) -> Self {
        Self {
            format: if json { Format::Json } else { format },
            fen: StartFen::new(variant),
            both_ranks: matches!(space.sides(), Sides::Independent | Sides::Listed(_)),
        }
    }

    /// What is written before the first row: a line with the names of columns, or the beginning of the object, which says first
    /// what all rows have in common.
    pub fn heading(&self, common: &[(&str, Value)]) -> String {
        match self.format {
            Format::Csv => "id,white,black,fen\n".to_string(),
            Format::Json => {
                let common = common.iter().map(|(name, value)| format!("\"{name}\":{value},"));
                format!("{{{}\"setups\":[", common.collect::<String>())
            }
            _ => String::new(),
        }
    }

    /// What is written after the last row.
    pub fn ending(&self) -> &'static str {
        if self.format == Format::Json { "\n]}\n" } else { "" }
    }

    /// Appends the first row.
    pub fn push_first(&self, text: &mut Vec<u8>, id: u128, setup: &Setup) {
        let start = text.len();
        self.push(text, id, setup);
        // In JSON a comma comes between rows.
        if self.format == Format::Json {
            text.remove(start);
        }
    }

    /// Appends a setup as an object of JSON, without a newline.
    fn push_object(&self, text: &mut Vec<u8>, id: u128, setup: &Setup) {
        text.extend_from_slice(b"{\"id\":");
        let quote: &[u8] = if is_safe_in_json(id) { b"" } else { b"\"" };
        text.extend_from_slice(quote);
        push_number(text, id);
        text.extend_from_slice(quote);
        text.extend_from_slice(b",\"white\":\"");
        setup.white.push(text);
        text.extend_from_slice(b"\",\"black\":\"");
        setup.black.push(text);
        text.extend_from_slice(b"\",\"fen\":\"");
        self.fen.push(text, setup);
        text.extend_from_slice(b"\"}");
    }

    /// Appends the row of a setup.
    pub fn push(&self, text: &mut Vec<u8>, id: u128, setup: &Setup) {
        match self.format {
            Format::Csv => {
                push_number(text, id);
                text.push(b',');
                setup.white.push(text);
                text.push(b',');
                setup.black.push(text);
                text.push(b',');
                self.fen.push(text, setup);
            }
            Format::Jsonl => self.push_object(text, id, setup),
            Format::Json => {
                text.extend_from_slice(b",\n");
                return self.push_object(text, id, setup);
            }
            Format::Fen => self.fen.push(text, setup),
            Format::Ranks => {
                setup.white.push(text);
                if self.both_ranks {
                    text.push(b'/');
                    setup.black.push(text);
                }
            }
        }
        text.push(b'\n');
    }
}

fn push_number(text: &mut Vec<u8>, number: u128) {
    // Ids beyond 64 bits are rare, and slow to divide.
    match u64::try_from(number) {
        Ok(number) => text.extend_from_slice(itoa::Buffer::new().format(number).as_bytes()),
        Err(_) => text.extend_from_slice(itoa::Buffer::new().format(number).as_bytes()),
    }
}
