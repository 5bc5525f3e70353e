//! How far a study is, on stderr.

use std::fmt::Write;
use std::ops::Range;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use backrank_selfplay::{Played, Tally};
use indicatif::{ProgressBar, ProgressStyle};

use crate::notes::{note, show_bars};

/// Where stderr is no terminal, a line now and then.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// What is shown while games are played.
pub enum GamesProgress {
    /// On a terminal.
    Bar(ProgressBar),
    /// Elsewhere.
    Lines(ProgressLines),
}

/// A line every ten seconds, however long a game takes.
pub struct ProgressLines {
    count: Arc<Mutex<GamesDone>>,
    /// Dropped to end the thread.
    end: Sender<()>,
    thread: JoinHandle<()>,
}

/// How far it is.
struct GamesDone {
    start: Instant,
    /// Games of this run.
    played: u64,
    /// Games of this run and those before it.
    done: u64,
    all: u64,
    state: String,
}

impl GamesProgress {
    /// Before the next game of a range.
    pub fn new(games: &Range<u64>, next: u64) -> Self {
        let (done, all) = (next - games.start, games.end - games.start);
        if !show_bars() {
            return Self::Lines(ProgressLines::new(done, all));
        }
        let style = "{bar:30} {pos}/{len} {per_sec} {eta} left  {msg}";
        let bar = ProgressBar::new(all).with_position(done);
        bar.reset_eta();
        // Time goes on while a long game does.
        bar.enable_steady_tick(Duration::from_secs(1));
        Self::Bar(bar.with_style(ProgressStyle::with_template(style).expect("a style that indicatif knows")))
    }

    /// After a game.
    pub fn show(&mut self, played: &Played, tally: &Tally) {
        if let Some(failure) = &played.failure {
            self.say(&format!("game {}: {}: {}", played.record.game, failure.name, failure.problem));
        }
        match self {
            Self::Bar(bar) => {
                bar.inc(1);
                bar.set_message(state(tally));
            }
            Self::Lines(lines) => {
                let mut count = lines.count.lock().unwrap_or_else(PoisonError::into_inner);
                count.played += 1;
                count.done += 1;
                count.state = state(tally);
            }
        }
    }

    /// Takes the bar away.
    pub fn finish(self) {
        match self {
            Self::Bar(bar) => bar.finish_and_clear(),
            Self::Lines(ProgressLines { end, thread, .. }) => {
                drop(end);
                let _ = thread.join();
            }
        }
    }

    fn say(&self, line: &str) {
        match self {
            Self::Bar(bar) => bar.println(line),
            Self::Lines(_) => note(line),
        }
    }
}

impl ProgressLines {
    fn new(done: u64, all: u64) -> Self {
        let count = GamesDone { start: Instant::now(), played: 0, done, all, state: String::new() };
        let count = Arc::new(Mutex::new(count));
        let (end, ended) = channel();
        let counted = Arc::clone(&count);
        let thread = std::thread::spawn(move || {
            while ended.recv_timeout(BETWEEN_LINES) == Err(RecvTimeoutError::Timeout) {
                note(counted.lock().unwrap_or_else(PoisonError::into_inner).line());
            }
        });
        Self { count, end, thread }
    }
}

impl GamesDone {
    fn line(&self) -> String {
        let Self { played, done, all, state, .. } = self;
        if *played == 0 {
            return format!("{done} of {all} games");
        }
        let a_second = *played as f64 / self.start.elapsed().as_secs_f64();
        let left = (all - done) as f64 / a_second;
        format!("{done} of {all} games, {a_second:.2} a second, {left:.0} s left, {state}")
    }
}

/// White's score, and how games ended.
fn state(tally: &Tally) -> String {
    let mut text = format!("white {:.1} %", 100.0 * tally.white_score());
    for (ending, games) in &tally.endings {
        write!(text, ", {ending} {games}").expect("a string takes it");
    }
    text
}
