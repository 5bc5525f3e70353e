//! A PGN as a stream of games, with one batch at a time in memory.

use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;
use memchr::{memchr, memchr_iter, memchr2};

use super::zstd::ZstdReader;

/// The number of bytes that are read before they are divided into games.
const BATCH: usize = 4 << 20;

/// The largest game that is read. A longer text is passed over.
const MAX_GAME: usize = 16 << 20;

/// The texts of some games.
#[derive(Debug, Default)]
pub(super) struct PgnBatch {
    pub text: Vec<u8>,
    /// Where each game stands in the text.
    pub games: Vec<PgnPlace>,
}

/// Where a game stands.
#[derive(Clone, Debug)]
pub(super) struct PgnPlace {
    /// In the text of its batch; empty for a game that is too long to be read.
    pub range: Range<usize>,
    /// Its first line in the file, from 1.
    pub line: u64,
}

/// Reads games from a file, plain or compressed.
pub(super) struct PgnStream {
    source: Box<dyn Read + Send>,
    /// The number of bytes of the file itself that were read.
    read: Arc<AtomicU64>,
    /// Bytes that were read but belong to no batch yet.
    rest: Vec<u8>,
    /// The line at which it begins, from 1.
    line: u64,
    /// Whether all was read.
    at_end: bool,
    /// Whether these bytes begin within a game that is too long to be read.
    in_long_game: bool,
}

/// Counts the bytes that go through it.
struct CountedBytes<R> {
    source: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for CountedBytes<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(bytes)?;
        self.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl PgnStream {
    /// Reads games from any source of bytes. The first of them say whether it is compressed by gzip or by zstd.
    pub fn of(source: impl Read + Send + 'static) -> io::Result<Self> {
        let read = Arc::new(AtomicU64::new(0));
        let mut source = BufReader::with_capacity(1 << 18, CountedBytes { source, read: Arc::clone(&read) });
        let mut magic = Vec::new();
        source.by_ref().take(4).read_to_end(&mut magic)?;
        let bytes = io::Cursor::new(magic.clone()).chain(source);
        let mut source: Box<dyn Read + Send> = match magic[..] {
            [0x1f, 0x8b, ..] => Box::new(MultiGzDecoder::new(BufReader::with_capacity(1 << 18, bytes))),
            [0x28, 0xb5, 0x2f, 0xfd] => Box::new(ZstdReader::new(BufReader::with_capacity(1 << 18, bytes))),
            _ => Box::new(bytes),
        };
        let mut rest = Vec::new();
        source.by_ref().take(3).read_to_end(&mut rest)?;
        if rest == b"\xef\xbb\xbf" {
            // A byte order mark.
            rest.clear();
        }
        Ok(Self { source, read, rest, line: 1, at_end: false, in_long_game: false })
    }

    /// A counter of the bytes of the file itself that were read.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.read)
    }

    /// The next batch of games; `None` at the end.
    pub fn next_batch(&mut self) -> io::Result<Option<PgnBatch>> {
        while !self.at_end || !self.rest.is_empty() {
            if !self.at_end {
                let read = self.source.by_ref().take(BATCH as u64).read_to_end(&mut self.rest)?;
                self.at_end = read < BATCH;
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
        let mut splitter = GameSplitter::default();
        let starts = splitter.starts(&self.rest);
        // The last game may continue in what has not been read yet.
        let end = match (self.at_end, starts.last()) {
            (true, _) => self.rest.len(),
            (false, Some(&(last, _))) if last > 0 => last,
            (false, _) if self.rest.len() > MAX_GAME => {
                // One game fills everything.
                let line = self.line;
                self.line += memchr_iter(b'\n', &self.rest).count() as u64;
                self.rest.clear();
                let games = if self.in_long_game { Vec::new() } else { vec![PgnPlace { range: 0..0, line }] };
                self.in_long_game = true;
                return PgnBatch { text: Vec::new(), games };
            }
            (false, _) => return PgnBatch::default(),
        };
        let mut games: Vec<PgnPlace> = Vec::with_capacity(starts.len());
        for (index, &(start, line)) in starts.iter().enumerate().filter(|(_, (start, _))| *start < end) {
            let to = starts.get(index + 1).map_or(end, |&(next, _)| next.min(end));
            games.push(PgnPlace { range: start..to, line: self.line + line });
        }
        if std::mem::take(&mut self.in_long_game) {
            // What comes before the first start still belongs to the long game.
            games.remove(0);
        }
        for place in games.iter_mut().filter(|place| place.range.len() > MAX_GAME) {
            place.range = 0..0;
        }
        self.line += memchr_iter(b'\n', &self.rest[..end]).count() as u64;
        let rest = self.rest.split_off(end);
        PgnBatch { text: std::mem::replace(&mut self.rest, rest), games }
    }
}

fn is_blank(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_whitespace)
}

/// Finds where games begin: at a tag after moves, or at `[Event` after an empty line, even in a comment that nothing ends.
#[derive(Default)]
struct GameSplitter {
    in_comment: bool,
    /// Whether the game has more than tags already.
    has_moves: bool,
    after_empty_line: bool,
}

impl GameSplitter {
    /// The places where games begin, the first always 0, each with the number of lines before it.
    fn starts(&mut self, text: &[u8]) -> Vec<(usize, u64)> {
        let mut starts = vec![(0, 0)];
        let (mut at, mut line_number) = (0, 0);
        while at < text.len() {
            let length = memchr(b'\n', &text[at..]).map_or(text.len() - at, |length| length + 1);
            let line = &text[at..at + length];
            if self.begins_game(line) && at > 0 {
                starts.push((at, line_number));
            }
            at += length;
            line_number += 1;
        }
        starts
    }

    /// Whether a game begins with this line.
    fn begins_game(&mut self, line: &[u8]) -> bool {
        let is_tag = line.first() == Some(&b'[') && line.get(1).is_some_and(u8::is_ascii_alphabetic);
        let is_event = is_tag && self.after_empty_line && line.starts_with(b"[Event ");
        let begins = is_event || (is_tag && self.has_moves && !self.in_comment);
        if begins {
            self.has_moves = false;
            self.in_comment = false;
        }
        self.after_empty_line = line.trim_ascii().is_empty();
        if (is_tag && !self.in_comment) || self.after_empty_line || line[0] == b'%' {
            return begins;
        }
        self.has_moves = true;
        self.follow_comments(line);
        begins
    }

    /// Finds whether a line ends within a comment.
    fn follow_comments(&mut self, mut line: &[u8]) {
        loop {
            let found = match self.in_comment {
                true => memchr(b'}', line),
                false => memchr2(b'{', b';', line),
            };
            let Some(found) = found else { return };
            if line[found] == b';' {
                return;
            }
            self.in_comment = !self.in_comment;
            line = &line[found + 1..];
        }
    }
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
