//! Ending a study early by Ctrl-C.

use std::io::Write;
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};

use backrank_analysis::table::thousands;

use crate::terminal::failure::Failure;
use crate::terminal::signals;

const CONTINUE: &str = "run the same command again to continue";

/// Handles Ctrl-C. While games are played, it stops the run and keeps the games recorded so far; otherwise it ends the
/// program at once.
pub struct Interrupt {
    /// Set by Ctrl-C while games are played.
    pub stop: &'static AtomicBool,
    /// Whether games are being played.
    is_playing: &'static AtomicBool,
}

impl Interrupt {
    /// Listens for Ctrl-C from now on.
    pub fn listen() -> Result<Self, Failure> {
        let [stop, is_playing] =
            [(); 2].map(|()| -> &'static AtomicBool { Box::leak(Box::new(AtomicBool::new(false))) });
        signals::on_interrupt(move || {
            if !is_playing.load(Ordering::Relaxed) || stop.swap(true, Ordering::Relaxed) {
                let _no_more = signals::remove_unfinished();
                let _ = writeln!(std::io::stderr(), "error: stopped; {CONTINUE}");
                exit(1);
            }
        })?;
        Ok(Self { stop, is_playing })
    }

    /// Plays. Being stopped by Ctrl-C is a failure.
    pub fn while_playing(&self, play: impl FnOnce() -> Result<u64, Failure>) -> Result<(), Failure> {
        self.is_playing.store(true, Ordering::Relaxed);
        let games = play();
        self.is_playing.store(false, Ordering::Relaxed);
        let games = thousands(games?);
        match self.stop.load(Ordering::Relaxed) {
            true => Err(Failure::Other(format!("stopped after {games} more games; {CONTINUE}"))),
            false => Ok(()),
        }
    }
}
