//! The clocks of games.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use backrank_engine::Clock;
use serde::{Deserialize, Serialize};

/// A player may exceed its time by this much, to allow for the exchange of messages.
const MARGIN: Duration = Duration::from_millis(50);

/// The time of each side, written as `10+0.1` or `40/1:30+0.5`: the number of moves for which the time is given, the
/// time in minutes and seconds or only in seconds, and the increment after each move in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    /// The number of moves after which a side gets the time again; `None` if it is for the whole game.
    pub moves: Option<u32>,
    /// The time at the beginning, in milliseconds; at least 1.
    pub time: u64,
    /// The time that is added after each move, in milliseconds.
    pub increment: u64,
}

/// The clock of one side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunningClock {
    control: TimeControl,
    left: Duration,
    moves: u32,
}

impl TimeControl {
    /// A side's clock at the start of a game.
    pub(crate) fn start(self) -> RunningClock {
        RunningClock { control: self, left: Duration::from_millis(self.time), moves: 0 }
    }
}

impl RunningClock {
    /// The clock as a search gets it.
    pub fn read(&self) -> Clock {
        Clock {
            left: self.left,
            increment: Duration::from_millis(self.control.increment),
            moves_to_go: self.control.moves.map(|moves| moves - self.moves % moves),
        }
    }

    /// Stops the clock after a move that took this time. Returns false if the side ran out of time.
    pub fn stop(&mut self, taken: Duration) -> bool {
        if taken > self.left + MARGIN {
            return false;
        }
        self.moves += 1;
        let again = self.control.moves.is_some_and(|moves| self.moves.is_multiple_of(moves));
        let added = self.control.increment + if again { self.control.time } else { 0 };
        self.left = self.left.saturating_sub(taken) + Duration::from_millis(added);
        true
    }
}

impl FromStr for TimeControl {
    type Err = String;

    /// Reads it; `0/…`, which other programs write where the time is for the whole game, is read, too.
    fn from_str(text: &str) -> Result<Self, String> {
        if matches!(text, "inf" | "infinite") {
            return Err("without a clock there is none to set: leave it out, and limit each move".to_string());
        }
        let read = || {
            let (moves, rest) = match text.split_once('/') {
                Some((moves, rest)) => (Some(moves.parse().ok()?).filter(|&moves| moves > 0), rest),
                None => (None, text),
            };
            let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
            let time = match time.split_once(':') {
                Some((minutes, seconds)) => {
                    60_000 * u64::from(minutes.parse::<u32>().ok()?) + milliseconds(seconds)?
                }
                None => milliseconds(time)?,
            };
            Some(Self { moves, time, increment: milliseconds(increment)? })
        };
        let wrong =
            "it is written as SECONDS+INCREMENT, such as 10+0.1, or MOVES/SECONDS+INCREMENT: 40/60+0.5";
        match read() {
            None => Err(wrong.to_string()),
            Some(control) if control.time == 0 => Err(format!(
                "a side needs time for its first move, to which increments come only after it; {wrong}"
            )),
            Some(control) => Ok(control),
        }
    }
}

/// Seconds with at most three decimals, as milliseconds; at most a month.
fn milliseconds(seconds: &str) -> Option<u64> {
    let seconds: f64 = seconds.parse().ok().filter(|seconds| (0.0..=2.6e6).contains(seconds))?;
    Some((seconds * 1000.0).round() as u64)
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}+{}", self.time as f64 / 1000.0, self.increment as f64 / 1000.0)
    }
}

impl TryFrom<String> for TimeControl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> Self {
        control.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_round_trip() {
        for (text, written) in [
            ("10+0.1", "10+0.1"),
            ("40/60+0.5", "40/60+0.5"),
            ("5", "5+0"),
            ("1:30+1", "90+1"),
            ("0.25+0", "0.25+0"),
            ("0/10+1", "10+1"),
        ] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), written);
            assert_eq!(written.parse::<TimeControl>().unwrap(), control);
        }
        for text in ["", "0+1", "-1", "/10", "10+", "+1", "ten", "10+0.1+1", "NaN", "1e9"] {
            assert!(text.parse::<TimeControl>().unwrap_err().contains("10+0.1"), "{text}");
        }
        assert!("0+5".parse::<TimeControl>().unwrap_err().contains("time for its first move"));
        assert!("inf".parse::<TimeControl>().unwrap_err().contains("leave it out"));
    }

    #[test]
    fn a_clock_runs_out_and_is_set_again() {
        let ms = Duration::from_millis;
        let mut clock = "2/1+0.1".parse::<TimeControl>().unwrap().start();
        assert_eq!(clock.read(), Clock { left: ms(1000), increment: ms(100), moves_to_go: Some(2) });
        assert!(clock.stop(ms(600)));
        assert_eq!(clock.read(), Clock { left: ms(500), increment: ms(100), moves_to_go: Some(1) });
        // A little late is in time.
        assert!(clock.stop(ms(500) + MARGIN));
        assert_eq!(clock.read(), Clock { left: ms(1100), increment: ms(100), moves_to_go: Some(2) });
        assert!(!clock.stop(ms(1101) + MARGIN));
    }
}
