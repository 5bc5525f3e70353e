//! The parts of a study: games from all setups, and matches at odds, each a study of its own.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use backrank_analysis::{PairsSoFar, PartCost};
use backrank_endgames::EndgameTables;
use backrank_rules::{Rules, Variant};
use backrank_selfplay::{Odds, Played, RecordError, Recorder, Run, RunError, Study, StudyStarts, Weights};

use crate::args::Narrowing;
use crate::failure::Failure;
use crate::play::options::StudyOptions;
use crate::play::{begin, check_memory};

/// A part asks for so many games, or pairs of them, each from a setup drawn at random: more than will be played, so that
/// there is always something left to play.
const GAMES: u64 = 1_000_000;

/// The seeds of parts are so far apart: no two parts draw the same random numbers, nor do studies whose seeds are
/// neighbours.
const BETWEEN_SEEDS: u64 = 1_000_000;

/// What all parts have in common.
pub struct Common<'a> {
    pub variant: &'a Variant,
    pub rules: &'a Rules,
    /// The embedded engine's, for this variant.
    pub fingerprint: String,
    /// The endgame tables of all parts, once the first game needs them.
    pub tables: OnceLock<Arc<EndgameTables>>,
    pub narrowing: &'a Narrowing,
    pub threads: usize,
    pub stop: &'a AtomicBool,
}

/// A part, and what was played of it.
pub struct Part<'a> {
    /// Its directory.
    pub path: PathBuf,
    /// What it asks.
    pub study: Study,
    common: &'a Common<'a>,
    starts: StudyStarts,
    /// Once it is begun.
    recorder: Option<Recorder>,
    /// Games of this run, and what they took.
    played: u64,
    time: Duration,
}

/// The matches at odds that tell what a variant's pieces are worth: the pawn and each kind of piece against nothing, and
/// each kind against the one that the engine takes to be the next cheaper.
pub fn matches(rules: &Rules) -> Vec<Odds> {
    let variant = rules.variant();
    let worth = Weights::new(rules).material;
    let worth = |letter: u8| worth[usize::from(letter - b'A')];
    let kinds = variant.pieces.iter().filter(|piece| !piece.royal).map(|piece| piece.letter);
    let in_army = |letter: &u8| variant.army.pieces().any(|(_, other)| other == *letter);
    let mut kinds: Vec<u8> = kinds.filter(in_army).collect();
    kinds.sort_by(|&one, &other| worth(one).total_cmp(&worth(other)));
    let letter = |kind: u8| char::from(kind).to_string();
    let nothing = kinds.iter().map(|&kind| format!("{}:-", letter(kind)));
    let neighbours = kinds.windows(2).map(|two| format!("{}:{}", letter(two[1]), letter(two[0])));
    let all = std::iter::once("P:-".to_string()).chain(nothing).chain(neighbours);
    all.map(|odds| odds.parse().expect("odds that are written right")).collect()
}

/// The parts of a study in a directory: games from all setups first, then the matches, in directories below.
pub fn all<'a>(path: &Path, nodes: u64, seed: u64, common: &'a Common<'a>) -> Result<Vec<Part<'a>>, Failure> {
    let games = Part::new(path.to_path_buf(), None, nodes, seed, common);
    let matches = matches(common.rules).into_iter().zip(1..).map(|(odds, number)| {
        let name = odds.to_string().trim_end_matches(":-").replace(':', "-");
        let seed = seed.wrapping_add(number * BETWEEN_SEEDS) & i64::MAX as u64;
        Part::new(path.join("odds").join(name), Some(odds), nodes, seed, common)
    });
    std::iter::once(games).chain(matches).collect()
}

impl<'a> Part<'a> {
    fn new(
        path: PathBuf,
        odds: Option<Odds>,
        nodes: u64,
        seed: u64,
        common: &'a Common<'a>,
    ) -> Result<Self, Failure> {
        let mut study = StudyOptions::drawn(GAMES, odds, nodes, seed, common.narrowing.clone())
            .new_study(common.variant)?;
        let own = |_: &_| Ok::<_, Infallible>(common.fingerprint.clone());
        let Ok(()) = study.set_fingerprints(own);
        let starts = StudyStarts::of(&study, common.rules)?;
        Ok(Self { path, study, common, starts, recorder: None, played: 0, time: Duration::ZERO })
    }

    /// What it is about.
    pub fn name(&self) -> String {
        self.study.odds.as_ref().map_or("all setups".to_string(), ToString::to_string)
    }

    /// The games played so far, in all runs.
    pub fn games(&self) -> u64 {
        self.recorder.as_ref().map_or(0, Recorder::next)
    }

    /// What it has taken so far.
    pub fn cost(&self) -> PartCost {
        let seconds_a_game = (self.played > 0).then(|| self.time.as_secs_f64() / self.played as f64);
        PartCost { games: self.games(), seconds_a_game, is_over: self.games() == self.study.all_games() }
    }

    /// The pairs of the match, where this is one.
    pub fn pairs(&self) -> Option<PairsSoFar> {
        let odds = self.study.odds.clone()?;
        // The study's White lacks the first.
        let mut pairs = self.recorder.as_ref().map_or([0; 5], |recorder| recorder.tally().pairs);
        pairs.reverse();
        Some(PairsSoFar { odds, pairs })
    }

    /// Whether there is memory for the games that are played at a time.
    pub fn check_memory(&self) -> Result<(), Failure> {
        check_memory(&run(&self.study, &self.starts, self.common))
    }

    /// Begins it, or reads what was played and gets ready to go on.
    pub fn begin(&mut self) -> Result<(), Failure> {
        if self.recorder.is_none() {
            let directory = begin(&self.path, &self.study)?;
            self.recorder = Some(Recorder::resume(directory, &run(&self.study, &self.starts, self.common))?);
        }
        Ok(())
    }

    /// Plays so many more games, fewer where it is told to stop; each is recorded, then handed over.
    pub fn play(&mut self, games: u64, mut each: impl FnMut(&Played)) -> Result<(), Failure> {
        self.begin()?;
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        let start = Instant::now();
        let next = recorder.next();
        let end = (next + games).min(self.study.all_games());
        let result = run(&self.study, &self.starts, self.common).play(next..end, |played| {
            let next = recorder.add(&played)?;
            each(&played);
            Ok::<_, RecordError>(next)
        });
        self.played += recorder.next() - next;
        self.time += start.elapsed();
        result.map_err(|error: RunError<RecordError>| Failure::Other(error.to_string()))
    }
}

fn run<'x>(study: &'x Study, starts: &'x StudyStarts, common: &'x Common<'x>) -> Run<'x, 'x> {
    let Common { rules, ref tables, threads, stop, .. } = *common;
    // The embedded player is asked for nothing that it could fail to answer.
    Run { study, rules, starts, tables, threads, timeout: Duration::MAX, stop }
}

#[cfg(test)]
mod tests {
    use backrank_rules::catalogue;

    use super::*;

    #[test]
    fn matches_follow_from_the_army() {
        let of = |key: &str| {
            let odds = matches(&Rules::new(&Variant::find(key).unwrap()));
            odds.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of("pmrc"), "P:- N:- B:- R:- M:- Q:- B:N R:B M:R Q:M");
        assert_eq!(of("chess"), "P:- N:- B:- R:- Q:- B:N R:B Q:R");
    }

    #[test]
    fn every_game_that_is_played_can_be_played_at_these_odds() {
        for variant in catalogue().filter(|variant| !variant.count_only) {
            for odds in matches(&Rules::new(&variant)) {
                assert_eq!(odds.check(&variant), Ok(()), "{}", variant.key);
            }
        }
    }
}
