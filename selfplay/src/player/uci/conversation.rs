//! Lines of text that are exchanged with an engine.

use std::io::{BufRead, Read};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::player::PlayerError;

/// A longer line is cut; no line of UCI that matters here is so long.
const LONGEST_LINE: u64 = 1 << 16;

/// Something that is told lines and answers in lines: a program, or what one has written.
pub(in crate::player) trait Conversation {
    /// Tells a line.
    fn say(&mut self, line: &str);

    /// Reads lines up to the one whose first word is `awaited`, which is returned. `each` gets those before it.
    fn wait_for(
        &mut self,
        awaited: &'static str,
        timeout: Duration,
        stop: Option<&AtomicBool>,
        each: impl FnMut(&str),
    ) -> Result<String, PlayerError>;
}

/// Whether the first word of a line is the one that is awaited.
pub(super) fn is_awaited(line: &str, awaited: &str) -> bool {
    line.split_ascii_whitespace().next() == Some(awaited)
}

/// The lines that a program writes, as text without the blanks around it. Whatever is no text is replaced.
pub(super) fn lines(mut from: impl BufRead) -> impl Iterator<Item = String> {
    let mut bytes = Vec::new();
    std::iter::from_fn(move || {
        bytes.clear();
        let read = from.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        read.is_ok_and(|read| read > 0).then(|| String::from_utf8_lossy(&bytes).trim().to_string())
    })
}

/// What a program has written before. It is told nothing.
pub(super) struct Transcript<L>(pub L);

impl<L: Iterator<Item = String>> Conversation for Transcript<L> {
    fn say(&mut self, _: &str) {}

    fn wait_for(
        &mut self,
        awaited: &'static str,
        _: Duration,
        _: Option<&AtomicBool>,
        mut each: impl FnMut(&str),
    ) -> Result<String, PlayerError> {
        for line in self.0.by_ref() {
            if is_awaited(&line, awaited) {
                return Ok(line);
            }
            each(&line);
        }
        Err(PlayerError::Ended { awaited })
    }
}
