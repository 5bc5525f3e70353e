//! Playing an experiment for a given time, which is divided into slices. Each slice is for one part: games from all setups, or
//! at the imbalance that the design chooses by the games so far.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use backrank_analysis::games::Column;
use backrank_analysis::stats::Interval;
use backrank_analysis::values::ValueRow;

use super::{Experiment, PlayProgress};
use crate::design::{Allocation, CHOICES, ImbalanceSample, PartId};
use crate::error::ExperimentError;

/// The share of the time after which the confirmatory sample is chosen.
const CONFIRMATORY_AFTER: f64 = 0.66;

/// The share of the remaining time that the confirmatory sample is planned to take, so that it is sure to be finished.
const SURELY_PLAYED: f64 = 0.9;

/// The number of slices into which the time is divided, and the length of the shortest.
const SLICES: u32 = 60;
const SHORTEST_SLICE: Duration = Duration::from_millis(500);

/// The number of pairs in the first slice, when it is not known how long a game takes; with more threads, one for each
/// thread.
const FIRST_PAIRS: u64 = 8;

/// The time between two looks whether the run is to be stopped.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The share of the time that is reserved for reading the games and estimating.
const RESERVED: f64 = 0.08;

/// The times for which an experiment can be played: from a second to 366 days.
pub const TIMES: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_secs(366 * 24 * 60 * 60);

/// The point in time at which playing must end so that everything takes about this time from `start`.
pub fn end_of_playing(start: Instant, time: Duration) -> Instant {
    start + time.mul_f64(1.0 - RESERVED)
}

/// The division of a time among the parts.
#[derive(Debug)]
struct Schedule {
    start: Instant,
    end: Instant,
    slice: Duration,
    first_pairs: u64,
    from_all_setups: Pace,
    at_odds: Pace,
    /// What is left to play of the confirmatory sample, once it is chosen.
    confirmatory: Option<Vec<Allocation>>,
}

/// How many games were played in which time.
#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    games: u64,
    time: Duration,
}

impl Pace {
    /// The number of pairs that fit into a time; `first` if no game has been played yet.
    fn pairs_in(self, time: Duration, first: u64) -> u64 {
        match self.games {
            0 => first,
            games => (time.as_secs_f64() * games as f64 / self.time.as_secs_f64().max(1e-9) / 2.0) as u64,
        }
    }
}

impl Schedule {
    fn new(start: Instant, end: Instant, threads: usize) -> Self {
        Self {
            start,
            end,
            slice: (end.saturating_duration_since(start) / SLICES).max(SHORTEST_SLICE),
            first_pairs: FIRST_PAIRS.max(threads as u64),
            from_all_setups: Pace::default(),
            at_odds: Pace::default(),
            confirmatory: None,
        }
    }

    /// What is played in the slice that begins now.
    fn next(&mut self, now: Instant, experiment: &Experiment<'_>) -> Option<Allocation> {
        let slice = self.slice.min(self.end.saturating_duration_since(now));
        let from_all_setups = Allocation {
            part: PartId::AllSetups,
            pairs: self.from_all_setups.pairs_in(slice, self.first_pairs),
        };
        let [of_setups, of_odds] = [self.from_all_setups.time, self.at_odds.time];
        let share = experiment.design.share_of_all_setups();
        if share == 0.0 {
            // New pieces are in games at odds only.
            let pairs = self.at_odds.pairs_in(slice, self.first_pairs);
            return experiment.choose(ImbalanceSample::Exploratory, pairs, 1).pop();
        }
        let is_their_turn = of_setups.as_secs_f64() <= share * (of_setups + of_odds).as_secs_f64();
        if self.from_all_setups.games == 0 || is_their_turn {
            return Some(from_all_setups);
        }
        let whole = self.end.saturating_duration_since(self.start);
        if now.duration_since(self.start).as_secs_f64() < CONFIRMATORY_AFTER * whole.as_secs_f64() {
            let pairs = self.at_odds.pairs_in(slice, self.first_pairs);
            return experiment.choose(ImbalanceSample::Exploratory, pairs, 1).pop();
        }
        if self.confirmatory.is_none() {
            let left = self.end.saturating_duration_since(now);
            let left = left.mul_f64(SURELY_PLAYED * (1.0 - share));
            let pairs = self.at_odds.pairs_in(left, self.first_pairs);
            let mut sample = experiment.choose(ImbalanceSample::Confirmatory, pairs, CHOICES);
            sample.reverse();
            self.confirmatory = Some(sample);
        }
        // The rest of the time goes to games from all setups.
        self.confirmatory.as_mut().and_then(Vec::pop).or(Some(from_all_setups))
    }

    fn add(&mut self, part: PartId, games: u64, time: Duration) {
        let pace = match part {
            PartId::AllSetups => &mut self.from_all_setups,
            PartId::Imbalance { .. } => &mut self.at_odds,
        };
        pace.games += games;
        pace.time += time;
    }
}

impl Experiment<'_> {
    /// Plays until a point in time, or until `stop` is set, and returns the number of games that were played. Games that are
    /// not finished then are given up.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or written.
    pub fn play_until(
        &mut self,
        end: Instant,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&PlayProgress<'_>),
    ) -> Result<u64, ExperimentError> {
        let is_over = AtomicBool::new(false);
        let (playing, has_ended) = channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let has_ended = has_ended;
                loop {
                    let left = end.saturating_duration_since(Instant::now());
                    if left.is_zero() || stop.load(Ordering::Relaxed) {
                        return is_over.store(true, Ordering::Relaxed);
                    }
                    if has_ended.recv_timeout(left.min(POLL_INTERVAL)) != Err(RecvTimeoutError::Timeout) {
                        return;
                    }
                }
            });
            let played = self.play_slices(end, &is_over, progress);
            drop(playing);
            played
        })
    }

    fn play_slices(
        &mut self,
        end: Instant,
        is_over: &AtomicBool,
        progress: &mut dyn FnMut(&PlayProgress<'_>),
    ) -> Result<u64, ExperimentError> {
        let start = Instant::now();
        let mut schedule = Schedule::new(start, end, self.settings.threads);
        let before = self.games();
        let (mut played, mut precision) = (0, None);
        while !is_over.load(Ordering::Relaxed) {
            let begin = Instant::now();
            let Some(Allocation { part: id, pairs }) = schedule.next(begin, self) else { break };
            let of_slice = played;
            self.part(id)?;
            let part = self.parts.get_mut(&id).expect("it is there");
            let design = &self.design;
            let result = part.play(2 * pairs, is_over, || {
                played += 1;
                let (games, elapsed) = (before + played, start.elapsed());
                progress(&PlayProgress { played, games, elapsed, part: id, design, round: None, precision });
            });
            schedule.add(id, played - of_slice, begin.elapsed());
            result?;
            if played == of_slice {
                break;
            }
            if id != PartId::AllSetups {
                precision = least_certain(&self.known().values(self.design.unit()).rows());
            }
        }
        Ok(played)
    }

    /// The imbalances that these pairs are for, by the games so far.
    fn choose(&self, sample: ImbalanceSample, pairs: u64, choices: u64) -> Vec<Allocation> {
        self.design.choose(sample, pairs, choices, &self.known())
    }
}

/// The piece whose value is least certain, and half the width of its interval relative to the value; `None` if that is as large
/// as the value.
fn least_certain(rows: &[ValueRow]) -> Option<(Column, f64)> {
    let relative = rows.iter().map(|row| {
        let relative = row.value.map_or(f64::INFINITY, |value| {
            let Interval { low, high } = value.interval;
            0.5 * (high - low) / value.value
        });
        (row.piece, relative)
    });
    relative.max_by(|one, other| one.1.total_cmp(&other.1)).filter(|(_, relative)| *relative < 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pace_turns_time_into_pairs() {
        let second = Duration::from_secs(1);
        assert_eq!(Pace::default().pairs_in(second, 8), 8);
        let pace = Pace { games: 30, time: 10 * second };
        assert_eq!([1, 2, 60].map(|seconds| pace.pairs_in(seconds * second, 8)), [1, 3, 90]);
        assert_eq!(pace.pairs_in(Duration::ZERO, 8), 0);
    }
}
