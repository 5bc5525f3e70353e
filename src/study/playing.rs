//! Playing: the time is handed out in slices, each to the part that the planner chooses.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use backrank_analysis::{
    Clustering, Material, Model, REGRESSION_PART, RegressionOptions, ReplayedGame, Replayer, Sample,
    Sampling, ValuesSoFar, next_part, thousands,
};

use super::parts::{Common, Part};
use crate::failure::Failure;
use crate::studies::{self, Bar};

/// Each part gets so many games before parts are compared; with more threads two for each.
const FIRST: u64 = 32;

/// After that the time is handed out in so many slices, each of half a second at least.
const SLICES: u32 = 50;
const SHORTEST_SLICE: Duration = Duration::from_millis(500);

/// The games of a run, part after part.
pub struct Playing<'p, 'a> {
    parts: &'p mut [Part<'a>],
    common: &'p Common<'a>,
    /// What regression goes by so far.
    sample: Sample,
    start: Instant,
    end: Instant,
    games: u64,
}

impl<'p, 'a> Playing<'p, 'a> {
    /// Ready to play until an end, knowing what was played before.
    pub fn new(parts: &'p mut [Part<'a>], common: &'p Common<'a>, end: Instant) -> Result<Self, Failure> {
        let games = &parts[REGRESSION_PART];
        let studies = studies::open(std::slice::from_ref(&games.path))?;
        let mut sample = Sample::new(&studies.material, Clustering::Game);
        if games.games() > 0 {
            studies::read(&studies, Sampling::default(), |game| sample.add(&game))?;
        }
        Ok(Self { parts, common, sample, start: Instant::now(), end, games: 0 })
    }

    /// Plays until the end, and tells how many games.
    pub fn play(mut self) -> Result<u64, Failure> {
        let time = self.end.saturating_duration_since(self.start);
        let slice = (time / SLICES).max(SHORTEST_SLICE);
        let bar = Bar::new("playing", time.as_millis() as u64);
        while !self.common.stop.load(Ordering::Relaxed)
            && let Some(part) = self.next()
        {
            let left = self.end.saturating_duration_since(Instant::now());
            let games = self.slice(part, slice.min(left));
            if games == 0 {
                break;
            }
            self.play_slice(part, games, &bar)?;
        }
        bar.finish();
        Ok(self.games)
    }

    /// A part with hardly a game, or else the one that the planner chooses.
    fn next(&self) -> Option<usize> {
        if let Some(part) = self.parts.iter().position(|part| part.games() < self.first()) {
            return Some(part);
        }
        let options = RegressionOptions { model: Model::Ordered, replicates: 0, seed: 0 };
        let known = ValuesSoFar {
            regression: self.sample.values(options, &|_| ()).pieces,
            matches: self.parts.iter().filter_map(Part::pairs).collect(),
        };
        let costs: Vec<_> = self.parts.iter().map(Part::cost).collect();
        next_part(&costs, |twice| known.doubt(twice))
    }

    fn first(&self) -> u64 {
        FIRST.max(2 * self.common.threads as u64)
    }

    /// How many games of a part fit in a slice of time, in pairs.
    fn slice(&self, part: usize, time: Duration) -> u64 {
        let missing = self.first().saturating_sub(self.parts[part].games());
        match self.parts[part].cost().seconds_a_game {
            _ if missing > 0 => missing.next_multiple_of(2),
            Some(seconds) => (time.as_secs_f64() / seconds / 2.0) as u64 * 2,
            None => self.first(),
        }
    }

    fn play_slice(&mut self, part: usize, games: u64, bar: &Bar) -> Result<(), Failure> {
        let material = Material::of(self.common.rules);
        let mut replayer = Replayer::new(self.common.rules, &material, Sampling::default());
        let name = self.parts[part].name();
        let (sample, start, all) = (&mut self.sample, self.start, &mut self.games);
        self.parts[part].play(games, |played| {
            if part == REGRESSION_PART
                && let Ok(replayed) = replayer.replay(&played.record)
            {
                sample.add(&ReplayedGame::new(REGRESSION_PART, None, &played.record, replayed));
            }
            *all += 1;
            let time = start.elapsed();
            let a_second = *all as f64 / time.as_secs_f64();
            let state = format!("{} games, {a_second:.0} a second, now {name}", thousands(*all));
            bar.tell(time.as_millis() as u64, state);
        })
    }
}
