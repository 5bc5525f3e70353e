//! Progress and notes: what goes to stderr beside errors, nothing of it with `--quiet`.

use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

static QUIET: AtomicBool = AtomicBool::new(false);

/// Says nothing from now on.
pub fn silence() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether bars are to be shown: on a terminal only.
pub fn show_bars() -> bool {
    !QUIET.load(Ordering::Relaxed) && std::io::stderr().is_terminal()
}

/// Writes a line. One that nobody can read any more is no failure.
pub fn note(line: impl Display) {
    if !QUIET.load(Ordering::Relaxed) {
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}
