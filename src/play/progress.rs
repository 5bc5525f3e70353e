//! How far a study is, on stderr.

use std::fmt::Write;
use std::io::IsTerminal;
use std::ops::Range;
use std::time::{Duration, Instant};

use backrank_selfplay::{Played, Tally};
use indicatif::{ProgressBar, ProgressStyle};

/// Where stderr is no terminal, a line now and then.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

pub struct Progress {
    /// A bar, where there is a terminal.
    bar: Option<ProgressBar>,
    start: Instant,
    last_line: Instant,
    played: u64,
    done: u64,
    all: u64,
}

impl Progress {
    /// Before the next game of a range.
    pub fn new(games: &Range<u64>, next: u64) -> Self {
        let (done, all) = (next - games.start, games.end - games.start);
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = "{bar:30} {pos}/{len} {per_sec} {eta} left  {msg}";
            let bar = ProgressBar::new(all).with_position(done);
            bar.reset_eta();
            bar.with_style(ProgressStyle::with_template(style).expect("a style that indicatif knows"))
        });
        let now = Instant::now();
        Self { bar, start: now, last_line: now, played: 0, done, all }
    }

    /// After a game.
    pub fn show(&mut self, played: &Played, tally: &Tally) {
        self.played += 1;
        self.done += 1;
        if let Some(failure) = &played.failure {
            self.say(&format!("game {}: {}: {}", played.record.game, failure.name, failure.problem));
        }
        match &self.bar {
            Some(bar) => {
                bar.set_position(self.done);
                bar.set_message(state(tally));
            }
            None if self.last_line.elapsed() >= BETWEEN_LINES => {
                self.last_line = Instant::now();
                let a_second = self.played as f64 / self.start.elapsed().as_secs_f64();
                let left = (self.all - self.done) as f64 / a_second;
                let (done, all, state) = (self.done, self.all, state(tally));
                eprintln!("{done} of {all} games, {a_second:.2} a second, {left:.0} s left, {state}");
            }
            None => (),
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.println(line),
            None => eprintln!("{line}"),
        }
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
