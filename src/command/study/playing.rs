//! Playing a study for a given time, which is divided into slices for games from all setups and for imbalances that the
//! planner chooses.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use backrank_analysis::{
    Imbalances, Interval, Material, Replayed, ReplayedGame, Sampling, Unit, ValueRow, thousands,
};
use backrank_selfplay::play::PlayedGame;

use super::parts::{Common, FROM_ALL_SETUPS, Match, Parts};
use crate::args::studies::{self, Bar};
use crate::terminal::failure::Failure;

/// The share of the time after which the fixed sample is set.
const FIXED_AFTER: f64 = 0.66;

/// The share of the remaining time that the fixed sample is planned to take, so that it is sure to be finished.
const SURELY_PLAYED: f64 = 0.9;

/// The approximate number of imbalances in the fixed sample.
const FIXED_IMBALANCES: u64 = 24;

/// The number of slices into which the time is divided, and the length of the shortest.
const SLICES: u32 = 60;
const SHORTEST_SLICE: Duration = Duration::from_millis(500);

/// The number of pairs in the first slice, when it is not known how long a game takes; with more threads, one for each
/// thread.
const FIRST: u64 = 8;

/// The games of a run.
pub struct Playing<'p, 'a> {
    parts: &'p mut Parts<'a>,
    common: &'p Common<'a>,
    unit: Unit,
    /// All games at odds so far.
    network: Imbalances,
    start: Instant,
    end: Instant,
    /// The number of games in this run and the time they took: those from all setups, and those at odds.
    took: [(u64, Duration); 2],
    /// The matches of the fixed sample that are left to play, with their pairs, once the sample is set.
    fixed: Option<Vec<(Match, u64)>>,
    /// The precision of the values, in words.
    sharpness: String,
}

impl<'p, 'a> Playing<'p, 'a> {
    /// Prepares to play until a point in time, after the games that were played before.
    pub fn new(
        parts: &'p mut Parts<'a>,
        common: &'p Common<'a>,
        unit: Unit,
        end: Instant,
    ) -> Result<Self, Failure> {
        let mut network = Imbalances::new(&Material::of(common.rules));
        let begun: Vec<_> = parts.all().skip(1).filter(|part| part.games() > 0).collect();
        if !begun.is_empty() {
            let paths: Vec<_> = begun.iter().map(|part| part.path.clone()).collect();
            studies::read(&studies::open(&paths)?, Sampling::default(), |game| network.add(&game))?;
        }
        let (start, took, sharpness) = (Instant::now(), Default::default(), String::new());
        Ok(Self { parts, common, unit, network, start, end, took, fixed: None, sharpness })
    }

    /// Plays until the end, and returns the number of games.
    pub fn play(mut self) -> Result<u64, Failure> {
        let time = self.end.saturating_duration_since(self.start);
        let slice = (time / SLICES).max(SHORTEST_SLICE);
        let bar = Bar::new("playing", time.as_millis() as u64);
        while !self.common.stop.load(Ordering::Relaxed) {
            let slice = slice.min(self.end.saturating_duration_since(Instant::now()));
            let before = self.games();
            self.play_slice(slice, time, &bar)?;
            if self.games() == before {
                break;
            }
        }
        bar.finish();
        Ok(self.games())
    }

    fn games(&self) -> u64 {
        self.took.iter().map(|(games, _)| games).sum()
    }

    /// Plays one slice: from all setups if these have had less than their share of the time, else at an imbalance.
    fn play_slice(&mut self, slice: Duration, time: Duration, bar: &Bar) -> Result<(), Failure> {
        let [(games, of_setups), (_, of_odds)] = self.took;
        if games == 0 || of_setups.as_secs_f64() < FROM_ALL_SETUPS * (of_setups + of_odds).as_secs_f64() {
            let games = self.games_in(0, slice);
            return self.play_games(None, games, bar);
        }
        let pairs = self.games_in(1, slice) / 2;
        if self.start.elapsed().as_secs_f64() < FIXED_AFTER * time.as_secs_f64() {
            let next = self.parts.planner.plan(&self.network, self.unit).next(pairs);
            let Some(candidate) = next else { return Ok(()) };
            return self.play_games(Some(Match { candidate, is_fixed: false }), 2 * pairs, bar);
        }
        if self.fixed.is_none() {
            self.fixed = Some(self.fix());
        }
        match self.fixed.as_mut().and_then(Vec::pop) {
            Some((part, pairs)) => self.play_games(Some(part), 2 * pairs, bar),
            // The rest of the time.
            None => {
                let games = self.games_in(0, slice);
                self.play_games(None, games, bar)
            }
        }
    }

    /// The number of games, in pairs, that fit into a time.
    fn games_in(&self, kind: usize, time: Duration) -> u64 {
        let (games, took) = self.took[kind];
        let first = FIRST.max(self.common.threads as u64);
        let fit = match games {
            0 => first,
            _ => (time.as_secs_f64() * games as f64 / took.as_secs_f64().max(1e-9) / 2.0) as u64,
        };
        2 * fit
    }

    /// The imbalances, with their numbers of pairs, that fill the time left for games at odds.
    fn fix(&self) -> Vec<(Match, u64)> {
        let left = self.end.saturating_duration_since(Instant::now());
        let pairs = self.games_in(1, left.mul_f64(SURELY_PLAYED * (1.0 - FROM_ALL_SETUPS))) / 2;
        let each = (pairs / FIXED_IMBALANCES).max(1);
        let mut plan = self.parts.planner.fixed(&self.network, self.unit);
        let mut fixed: Vec<(Match, u64)> = Vec::new();
        for _ in 0..pairs / each {
            let Some(candidate) = plan.next(each) else { break };
            let part = Match { candidate, is_fixed: true };
            match fixed.iter_mut().find(|(other, _)| *other == part) {
                Some((_, pairs)) => *pairs += each,
                None => fixed.push((part, each)),
            }
        }
        fixed.reverse();
        fixed
    }

    /// Plays games of a match, or from all setups.
    fn play_games(&mut self, of: Option<Match>, games: u64, bar: &Bar) -> Result<(), Failure> {
        let start = Instant::now();
        let (part, name) = match of {
            None => (&mut self.parts.games, "all setups".to_string()),
            Some(of) => {
                let odds = &self.parts.planner.candidates()[of.candidate];
                let name = if of.is_fixed { format!("{odds}, fixed before") } else { odds.to_string() };
                (self.parts.part(of)?, name)
            }
        };
        let study = of.map_or(0, |of| 1 + 2 * of.candidate + usize::from(of.is_fixed));
        let (network, before, begin, sharpness) = (&mut self.network, self.took, self.start, &self.sharpness);
        let mut played: u64 = 0;
        let result = part.play(games, |game: &PlayedGame| {
            if let Some(game) = ReplayedGame::new(study, &game.record, Replayed::default()) {
                network.add(&game);
            }
            played += 1;
            let all = before[0].0 + before[1].0 + played;
            let time = begin.elapsed();
            let a_second = all as f64 / time.as_secs_f64();
            let state = format!("{} games, {a_second:.0} a second, now {name}{sharpness}", thousands(all));
            bar.tell(time.as_millis() as u64, state);
        });
        let took = &mut self.took[usize::from(of.is_some())];
        took.0 += played;
        took.1 += start.elapsed();
        if of.is_some() {
            self.sharpness = sharpness_of(&self.network.values(self.unit).rows());
        }
        result
    }
}

/// The precision of the least certain of these values, in words.
fn sharpness_of(rows: &[ValueRow]) -> String {
    let relative = rows.iter().map(|row| {
        let relative = row.value.map_or(f64::INFINITY, |value| {
            let Interval { low, high } = value.interval;
            0.5 * (high - low) / value.value
        });
        (row.piece, relative)
    });
    match relative.max_by(|one, other| one.1.total_cmp(&other.1)) {
        Some((piece, relative)) if relative < 1.0 => {
            format!("; values within {:.0} % ({piece}) or less", 100.0 * relative)
        }
        _ => "; no values yet".to_string(),
    }
}
