//! Lines that are sent to the other program.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Writes whole lines from any thread, each at once.
pub struct Lines<'o>(Mutex<State<'o>>);

struct State<'o> {
    output: &'o mut (dyn Write + Send),
    /// The first error; after it nothing more is written.
    error: Option<io::Error>,
}

/// The largest number of letters in a remark, because some programs read lines into a buffer of fixed size.
const LONGEST_REMARK: usize = 300;

impl<'o> Lines<'o> {
    pub fn new(output: &'o mut (dyn Write + Send)) -> Self {
        Self(Mutex::new(State { output, error: None }))
    }

    fn state(&self) -> MutexGuard<'_, State<'o>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends lines that belong together; the last one has no newline at its end.
    pub fn send(&self, text: fmt::Arguments<'_>) {
        let mut state = self.state();
        if state.error.is_some() {
            return;
        }
        let text = format!("{text}\n");
        if let Err(error) = state.output.write_all(text.as_bytes()).and_then(|()| state.output.flush()) {
            state.error = Some(error);
        }
    }

    /// Sends a remark to the person at the other end, as `info string`.
    pub fn remark(&self, text: &str) {
        for line in text.lines() {
            let clean: String = line
                .chars()
                .take(LONGEST_REMARK)
                .map(|letter| if letter.is_control() { char::REPLACEMENT_CHARACTER } else { letter })
                .collect();
            let more = if line.chars().nth(LONGEST_REMARK).is_some() { " …" } else { "" };
            self.send(format_args!("info string {clean}{more}"));
        }
    }

    /// Whether writing has failed.
    pub fn is_closed(&self) -> bool {
        self.state().error.is_some()
    }

    /// The first error, if there was one.
    pub fn finish(self) -> io::Result<()> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).error.map_or(Ok(()), Err)
    }
}
