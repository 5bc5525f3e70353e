//! A PGN as a stream of games, with one batch at a time in memory.

use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use memchr::memchr_iter;

use super::not_games::NotGames;
use super::source::Unpacked;
use super::splitter::{GameSplitter, starts_without_tags};
use super::text::end_lines;

/// The number of bytes that are read before they are divided into games.
const BATCH: usize = 4 << 20;

/// A little more room, in which reading finds out that there is no more.
const PROBE: usize = 64;

/// The largest game that is read. A longer text is passed over.
const MAX_GAME: usize = 16 << 20;

/// The longest text without a game that is passed over before the file is given up as something else.
const MAX_LONG_GAME: u64 = 1 << 30;

/// The texts of some games.
#[derive(Debug, Default)]
pub(crate) struct PgnBatch {
    pub text: Vec<u8>,
    /// Where each game stands in the text.
    pub games: Vec<PgnPlace>,
}

/// Where a game stands.
#[derive(Clone, Debug)]
pub(crate) struct PgnPlace {
    /// In the text of its batch; empty for a game that is too long to be read.
    pub range: Range<usize>,
    /// Its first line in the file, from 1.
    pub line: u64,
}

/// Reads games from a file, plain or compressed.
pub(crate) struct PgnStream {
    source: Box<dyn Read + Send>,
    /// The number of bytes of the file itself that were read.
    read: Arc<AtomicU64>,
    /// The number of bytes after the end of what is compressed in the file.
    left_over: Arc<AtomicU64>,
    /// Bytes that were read but belong to no batch yet.
    rest: Vec<u8>,
    /// How many of them have lines that end in a line feed.
    ended_lines: usize,
    /// The line at which it begins, from 1.
    line: u64,
    /// Whether all was read.
    at_end: bool,
    /// The number of bytes passed over of a game that is too long to be read, within which the rest begins.
    long_game: u64,
}

impl PgnStream {
    /// Reads games from any source of bytes, plain or compressed by gzip or by zstd.
    pub fn of(source: impl Read + Send + 'static) -> io::Result<Self> {
        let Unpacked { source, read, left_over } = Unpacked::of(source)?;
        Ok(Self {
            source,
            read,
            left_over,
            rest: Vec::new(),
            ended_lines: 0,
            line: 1,
            at_end: false,
            long_game: 0,
        })
    }

    /// A counter of the bytes of the file itself that were read.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.read)
    }

    /// The number of bytes found after the end of what is compressed in the file.
    pub fn left_over(&self) -> u64 {
        self.left_over.load(Ordering::Relaxed)
    }

    /// The next batch of games; `None` at the end.
    pub fn next_batch(&mut self) -> io::Result<Option<PgnBatch>> {
        while !self.at_end || !self.rest.is_empty() {
            if !self.at_end {
                self.rest.reserve(BATCH + PROBE);
                let read = self.source.by_ref().take(BATCH as u64).read_to_end(&mut self.rest)?;
                self.at_end = read < BATCH;
                self.ended_lines = end_lines(&mut self.rest, self.ended_lines);
            }
            if self.long_game > MAX_LONG_GAME {
                let problem = format!(
                    "there is no game in {} MiB from line {} on: this is not PGN",
                    MAX_LONG_GAME >> 20,
                    self.line
                );
                return Err(NotGames(problem).into());
            }
            let mut batch = self.divide();
            batch.games.retain(|place| !is_blank(&batch.text[place.range.clone()]) || place.range.is_empty());
            if !batch.games.is_empty() {
                return Ok(Some(batch));
            }
        }
        Ok(None)
    }

    /// Takes the complete games from what was read.
    fn divide(&mut self) -> PgnBatch {
        let mut starts = GameSplitter::default().starts(&self.rest);
        if starts.len() == 1 && self.rest.len() > MAX_GAME {
            starts = starts_without_tags(&self.rest);
        }
        // The last game may continue in what has not been read yet.
        let end = match (self.at_end, starts.last()) {
            (true, _) => self.rest.len(),
            (false, Some(&(last, _))) if last > 0 => last,
            (false, _) if self.rest.len() > MAX_GAME => {
                // One game fills everything.
                let line = self.line;
                self.line += memchr_iter(b'\n', &self.rest).count() as u64;
                let games =
                    if self.long_game > 0 { Vec::new() } else { vec![PgnPlace { range: 0..0, line }] };
                self.long_game += self.rest.len() as u64;
                self.rest.clear();
                self.ended_lines = 0;
                return PgnBatch { text: Vec::new(), games };
            }
            (false, _) => return PgnBatch::default(),
        };
        let mut games: Vec<PgnPlace> = Vec::with_capacity(starts.len());
        for (index, &(start, line)) in starts.iter().enumerate().filter(|(_, (start, _))| *start < end) {
            let to = starts.get(index + 1).map_or(end, |&(next, _)| next.min(end));
            games.push(PgnPlace { range: start..to, line: self.line + line });
        }
        if std::mem::take(&mut self.long_game) > 0 {
            // What comes before the first start still belongs to the long game.
            games.remove(0);
        }
        for place in games.iter_mut().filter(|place| place.range.len() > MAX_GAME) {
            place.range = 0..0;
        }
        self.line += memchr_iter(b'\n', &self.rest[..end]).count() as u64;
        let rest = self.rest.split_off(end);
        self.ended_lines -= end.min(self.ended_lines);
        PgnBatch { text: std::mem::replace(&mut self.rest, rest), games }
    }
}

fn is_blank(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The games of a text, each with its first line.
    fn games(text: &[u8]) -> Vec<(u64, String)> {
        let mut stream = PgnStream::of(io::Cursor::new(text.to_vec())).unwrap();
        let mut all = Vec::new();
        while let Some(batch) = stream.next_batch().unwrap() {
            for PgnPlace { range, line } in batch.games {
                all.push((line, String::from_utf8_lossy(&batch.text[range]).into_owned()));
            }
        }
        all
    }

    #[test]
    fn games_are_divided_where_tags_begin_again() {
        let text = "[Event \"a\"]\n[Site \"x\"]\n\n1. e4 {a comment\n[%clk 0:01]\n} e5 *\n\n[Event \"b\"]\r\n\r\n1. d4 *\r\n";
        let found = games(text.as_bytes());
        let lines: Vec<u64> = found.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [1, 8]);
        assert!(found[0].1.ends_with("e5 *\n\n") && found[1].1.starts_with("[Event \"b\"]"));
        assert_eq!(games(b"\xef\xbb\xbf[Event \"a\"]\n\n*\n")[0].1, "[Event \"a\"]\n\n*\n");
        assert_eq!(games(b"1. e4 e5 *"), [(1, "1. e4 e5 *".to_string())]);
        assert_eq!(games(b"").len() + games(b"\n \n").len(), 0);
    }

    #[test]
    fn a_comment_without_an_end_takes_one_game_alone() {
        let text = "[Event \"a\"]\n\n1. e4 {no end\n\n[Event \"b\"]\n\n1. d4 *\n";
        assert_eq!(games(text.as_bytes()).len(), 2);
    }

    #[test]
    fn a_game_that_is_too_long_is_passed_over() {
        let long = format!("[Event \"long\"]\n\n1. e4 {{{}\n}} *\n\n", "x".repeat(3 * MAX_GAME));
        let text = format!("{long}[Event \"b\"]\n\n1. d4 *\n");
        assert_eq!(
            games(text.as_bytes()),
            [(1, String::new()), (6, "[Event \"b\"]\n\n1. d4 *\n".to_string())]
        );
    }

    #[test]
    fn batches_hold_all_games_in_order() {
        let game = |number: usize| format!("[Event \"{number}\"]\n\n1. e4 e5 *\n\n");
        let text: String = (0..400_000).map(game).collect();
        assert!(text.len() > 2 * BATCH);
        let found = games(text.as_bytes());
        assert_eq!(found.len(), 400_000);
        assert!(found.iter().enumerate().all(|(number, (line, text))| {
            *line == 1 + 4 * number as u64 && text.trim() == game(number).trim()
        }));
    }
}
