//! Setups as rows of a list.

use backrank_rules::{FirstRank, Setup, StartFen};
use clap::ValueEnum;

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
}

/// Writes setups in one format. No field contains a comma, a quote or a newline, so quoting is not needed.
pub struct Rows {
    pub format: Format,
    pub fen: StartFen,
    /// Whether to write Black's rank as well, because it does not follow from White's.
    pub both_ranks: bool,
}

impl Rows {
    /// The line before the first row.
    pub fn heading(&self) -> &'static [u8] {
        match self.format {
            Format::Csv => b"id,white,black,fen\n",
            _ => b"",
        }
    }

    /// Appends the row of a setup.
    pub fn push(&self, text: &mut Vec<u8>, id: u128, setup: &Setup) {
        match self.format {
            Format::Csv => {
                push_number(text, id);
                text.push(b',');
                push_letters(text, &setup.white);
                text.push(b',');
                push_letters(text, &setup.black);
                text.push(b',');
                self.fen.push(text, setup);
            }
            Format::Jsonl => {
                text.extend_from_slice(b"{\"id\":");
                let quote: &[u8] = if is_safe_in_json(id) { b"" } else { b"\"" };
                text.extend_from_slice(quote);
                push_number(text, id);
                text.extend_from_slice(quote);
                text.extend_from_slice(b",\"white\":\"");
                push_letters(text, &setup.white);
                text.extend_from_slice(b"\",\"black\":\"");
                push_letters(text, &setup.black);
                text.extend_from_slice(b"\",\"fen\":\"");
                self.fen.push(text, setup);
                text.extend_from_slice(b"\"}");
            }
            Format::Fen => self.fen.push(text, setup),
            Format::Ranks => {
                push_letters(text, &setup.white);
                if self.both_ranks {
                    text.push(b'/');
                    push_letters(text, &setup.black);
                }
            }
        }
        text.push(b'\n');
    }
}

fn push_letters(text: &mut Vec<u8>, rank: &FirstRank) {
    text.extend(rank.pieces().map(|(_, letter)| letter.as_u8()));
}

fn push_number(text: &mut Vec<u8>, number: u128) {
    // Ids beyond 64 bits are rare, and slow to divide.
    match u64::try_from(number) {
        Ok(number) => text.extend_from_slice(itoa::Buffer::new().format(number).as_bytes()),
        Err(_) => text.extend_from_slice(itoa::Buffer::new().format(number).as_bytes()),
    }
}
