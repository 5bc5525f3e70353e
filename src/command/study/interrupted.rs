//! Ending a study early by Ctrl-C, or at the end of its time.

use std::io::Write;
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Instant;

use backrank_analysis::table::thousands;

use crate::terminal::failure::Failure;
use crate::terminal::signals;

const GO_ON: &str = "run the same command again to continue";

/// Handles Ctrl-C. While games are played, it stops the run and keeps the games recorded so far; otherwise it ends the
/// program at once.
pub struct Interrupted {
    /// Set to stop playing, for whatever reason.
    pub stop: &'static AtomicBool,
    /// Whether games are being played.
    playing: &'static AtomicBool,
    /// Whether Ctrl-C stopped them.
    by_hand: &'static AtomicBool,
}

impl Interrupted {
    /// Listens for Ctrl-C from now on.
    pub fn listen() -> Result<Self, Failure> {
        let [stop, playing, by_hand] =
            [(); 3].map(|()| -> &'static AtomicBool { Box::leak(Box::new(AtomicBool::new(false))) });
        signals::on_interrupt(move || {
            let again = by_hand.swap(true, Ordering::Relaxed);
            if again || !playing.load(Ordering::Relaxed) {
                let _no_more = signals::remove_unfinished();
                let _ = writeln!(std::io::stderr(), "error: stopped; {GO_ON}");
                exit(1);
            }
            stop.store(true, Ordering::Relaxed);
        })?;
        Ok(Self { stop, playing, by_hand })
    }

    /// Plays until a point in time, if one is given. Being stopped by Ctrl-C is a failure.
    pub fn while_playing(
        &self,
        end: Option<Instant>,
        play: impl FnOnce() -> Result<u64, Failure>,
    ) -> Result<(), Failure> {
        self.playing.store(true, Ordering::Relaxed);
        let (over, is_over) = channel::<()>();
        let stop = self.stop;
        let clock = end.map(|end| {
            std::thread::spawn(move || {
                let left = end.saturating_duration_since(Instant::now());
                if is_over.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                    stop.store(true, Ordering::Relaxed);
                }
            })
        });
        let games = play();
        drop(over);
        clock.map(std::thread::JoinHandle::join);
        self.playing.store(false, Ordering::Relaxed);
        let games = games?;
        if self.by_hand.load(Ordering::Relaxed) {
            let games = thousands(games);
            return Err(Failure::Other(format!("stopped after {games} more games; {GO_ON}")));
        }
        Ok(())
    }
}
