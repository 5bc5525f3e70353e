//! The progress of a study, on stderr.

use std::fmt::Write;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use backrank_analysis::stats::{MatchScore, likelihood_of_superiority};
use backrank_rules::printable_line;
use backrank_selfplay::play::{PlayedGame, Tally};
use backrank_selfplay::study::{Sprt, Study};
use indicatif::{ProgressBar, ProgressStyle};

use crate::terminal::notes::{note, show_bars};

/// The time between lines if stderr is not a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// What is shown while games are played.
pub struct GamesProgress {
    shown: Shown,
    /// Whether the players differ; the score of the match is then shown.
    is_match: bool,
    sprt: Option<Sprt>,
}

enum Shown {
    /// On a terminal.
    Bar(ProgressBar),
    /// Elsewhere.
    Lines(ProgressLines),
}

/// Prints a line every ten seconds, however long a game takes.
struct ProgressLines {
    count: Arc<Mutex<GamesDone>>,
    /// Dropped to end the thread.
    end: Sender<()>,
    thread: JoinHandle<()>,
}

/// The progress so far.
struct GamesDone {
    start: Instant,
    /// The games of this run.
    played: u64,
    /// The games of this run and of earlier ones.
    done: u64,
    all: u64,
    state: String,
}

impl GamesProgress {
    /// Before the next game of a study.
    pub fn new(study: &Study, next: u64) -> Self {
        let games = study.range();
        let shown = Shown::new(next - games.start, games.end - games.start);
        Self { shown, is_match: study.white != study.black || study.sprt.is_some(), sprt: study.sprt }
    }

    /// After a game.
    pub fn show(&mut self, played: &PlayedGame, tally: &Tally) {
        if let Some(failure) = &played.failure {
            self.shown.say(&format!("game {}: {}: {}", played.record.game, failure.name, failure.problem));
        }
        let state = self.state(tally);
        match &self.shown {
            Shown::Bar(bar) => {
                bar.inc(1);
                bar.set_message(printable_line(&state).into_owned());
            }
            Shown::Lines(lines) => {
                let mut count = lines.count.lock().unwrap_or_else(PoisonError::into_inner);
                count.played += 1;
                count.done += 1;
                count.state = state;
            }
        }
    }

    /// White's score, the score of the match, and how games ended.
    fn state(&self, tally: &Tally) -> String {
        let mut text = format!("white {:.1} %", 100.0 * tally.white_score());
        if self.is_match {
            let pairs = tally.pairs;
            let found = MatchScore::of_pairs(pairs).or_else(|| MatchScore::of_games(tally.results));
            let elo = found.map(|found| format!(", Elo {:+.0}", found.elo)).unwrap_or_default();
            text += &elo;
            if pairs != [0; 5] {
                write!(text, ", LOS {:.1} %", 100.0 * likelihood_of_superiority(&pairs))
                    .expect("a string takes it");
            }
        }
        if let Some(test) = self.sprt {
            let ([low, high], ratio) = (test.bounds(), test.log_likelihood_ratio(&tally.pairs));
            write!(text, ", LLR {ratio:.2} ({low:.2} to {high:.2})").expect("a string takes it");
        }
        for (ending, games) in &tally.endings {
            write!(text, ", {ending} {games}").expect("a string takes it");
        }
        text
    }

    /// Removes the bar.
    pub fn finish(self) {
        match self.shown {
            Shown::Bar(bar) => bar.finish_and_clear(),
            Shown::Lines(ProgressLines { end, thread, .. }) => {
                drop(end);
                let _ = thread.join();
            }
        }
    }
}

impl Shown {
    fn new(done: u64, all: u64) -> Self {
        if !show_bars() {
            return Self::Lines(ProgressLines::new(done, all));
        }
        let style = "{bar:20} {pos}/{len} {per_sec} {eta} left  {wide_msg}";
        let bar = ProgressBar::new(all).with_position(done);
        bar.reset_eta();
        // The clock must keep running during a long game.
        bar.enable_steady_tick(Duration::from_secs(1));
        Self::Bar(bar.with_style(ProgressStyle::with_template(style).expect("a valid style")))
    }

    fn say(&self, line: &str) {
        match self {
            Self::Bar(bar) => bar.println(printable_line(line)),
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
