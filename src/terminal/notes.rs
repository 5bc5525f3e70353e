//! Progress and notes on stderr, which `--quiet` suppresses.

use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use backrank_rules::printable;

static QUIET: AtomicBool = AtomicBool::new(false);

/// Suppresses notes from now on.
pub fn silence() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether progress bars are shown, which is only on a terminal.
pub fn show_bars() -> bool {
    !QUIET.load(Ordering::Relaxed) && std::io::stderr().is_terminal()
}

/// Writes a line. If stderr cannot be written, nothing happens.
pub fn note(line: impl Display) {
    if !QUIET.load(Ordering::Relaxed) {
        let _ = writeln!(std::io::stderr(), "{}", printable(&line.to_string()));
    }
}
