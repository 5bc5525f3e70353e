//! The parts of a study: games from all setups, and games at imbalances, each a study of its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use backrank_analysis::{FIXED, Material, Planner};
use backrank_endgames::EndgameTables;
use backrank_rules::Rules;
use backrank_selfplay::cluster::ALL_SETUPS;
use backrank_selfplay::play::{PlayedGame, RecordError, Recorder, Run, RunError};
use backrank_selfplay::store::make_below;
use backrank_selfplay::study::{Odds, Study, StudyDirectory, StudyStarts};

use crate::command::play::{check_memory, note_written_again};
use crate::terminal::failure::Failure;

/// The share of the playing time that goes to games from all setups; the rest goes to games at odds.
pub const FROM_ALL_SETUPS: f64 = 0.2;

/// The difference between the seeds of two parts. No two parts draw the same random numbers, and neither do studies
/// with adjacent seeds.
const BETWEEN_SEEDS: u64 = 1_000_000;

/// What all parts have in common.
pub struct Common<'a> {
    pub rules: &'a Rules,
    /// The endgame tables of all parts, which are built when the first game needs them.
    pub tables: OnceLock<Arc<EndgameTables>>,
    pub threads: usize,
    pub stop: &'a AtomicBool,
}

/// A part, and the games played of it.
pub struct Part<'a> {
    /// Its directory.
    pub path: PathBuf,
    /// The directory of the study of which it is a part.
    root: PathBuf,
    /// Its definition.
    pub study: Study,
    common: &'a Common<'a>,
    starts: StudyStarts,
    /// Its recorder, once it has been opened.
    recorder: Option<Recorder>,
}

/// All parts of a study: games from all setups, in its directory, and games at imbalances, in directories below.
pub struct Parts<'a> {
    path: PathBuf,
    common: &'a Common<'a>,
    /// The games from all setups.
    pub games: Part<'a>,
    /// The planner, which chooses imbalances.
    pub planner: Planner,
    /// The matches that were begun.
    network: BTreeMap<Match, Part<'a>>,
}

/// A match at odds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Match {
    /// Its imbalance, one of the planner's candidates.
    pub candidate: usize,
    /// Whether it belongs to the fixed sample.
    pub is_fixed: bool,
}

impl Match {
    /// The pieces that each side starts without.
    pub fn odds(self, planner: &Planner) -> Odds {
        planner.candidates()[self.candidate].clone()
    }

    /// Its directory below that of the study.
    pub fn path(self, planner: &Planner) -> String {
        let name = planner.candidates()[self.candidate].directory();
        format!("{}/{name}", if self.is_fixed { FIXED } else { "odds" })
    }

    /// Its seed, given that of the games from all setups.
    pub fn seed(self, first: u64) -> u64 {
        let number = 2 * self.candidate as u64 + u64::from(self.is_fixed) + 1;
        first.wrapping_add(number * BETWEEN_SEEDS) & i64::MAX as u64
    }
}

impl<'a> Parts<'a> {
    /// The parts of the study in a directory, with the games that were played before. `first` is the definition of the
    /// games from all setups.
    pub fn open(path: &Path, first: Study, common: &'a Common<'a>) -> Result<Self, Failure> {
        let games = Part::new(path, path.to_path_buf(), first, common)?;
        let planner = Planner::new(common.rules, &Material::of(common.rules));
        let (path, network) = (path.to_path_buf(), BTreeMap::new());
        let mut parts = Self { path, common, games, planner, network };
        if StudyDirectory::is_in(&parts.games.path) {
            parts.games.begin()?;
        }
        for candidate in 0..parts.planner.candidates().len() {
            for is_fixed in [false, true] {
                let part = Match { candidate, is_fixed };
                if StudyDirectory::holds(&parts.path_of(part))? {
                    parts.part(part)?.begin()?;
                }
            }
        }
        Ok(parts)
    }

    fn path_of(&self, of: Match) -> PathBuf {
        self.path.join(of.path(&self.planner))
    }

    /// The part of a match.
    pub fn part(&mut self, of: Match) -> Result<&mut Part<'a>, Failure> {
        if !self.network.contains_key(&of) {
            let first = &self.games.study;
            let study = first.part(Some(of.odds(&self.planner)), of.seed(first.seed));
            let part = Part::new(&self.path, self.path_of(of), study, self.common)?;
            self.network.insert(of, part);
        }
        Ok(self.network.get_mut(&of).expect("it was put there"))
    }

    /// The part with this path in a plan.
    pub fn planned(&mut self, path: &str) -> Result<&mut Part<'a>, Failure> {
        if path == ALL_SETUPS {
            return Ok(&mut self.games);
        }
        let matches = (0..self.planner.candidates().len())
            .flat_map(|candidate| [false, true].map(|is_fixed| Match { candidate, is_fixed }));
        let found = matches.into_iter().find(|of| of.path(&self.planner) == path);
        let problem = || {
            Failure::Input(format!(
                "{}: the plan has {path}, which is not an imbalance of this game",
                self.path.display()
            ))
        };
        self.part(found.ok_or_else(problem)?)
    }

    /// Every part that was begun: games from all setups first, then the matches.
    pub fn all(&self) -> impl Iterator<Item = &Part<'a>> {
        std::iter::once(&self.games).chain(self.network.values())
    }

    /// The same, to change them.
    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut Part<'a>> {
        std::iter::once(&mut self.games).chain(self.network.values_mut())
    }
}

impl<'a> Part<'a> {
    /// The part in a directory.
    pub fn new(root: &Path, path: PathBuf, study: Study, common: &'a Common<'a>) -> Result<Self, Failure> {
        let starts = StudyStarts::of(&study, common.rules)?;
        Ok(Self { path, root: root.to_path_buf(), study, common, starts, recorder: None })
    }

    /// The games played so far, in all runs.
    pub fn games(&self) -> u64 {
        self.recorder.as_ref().map_or(0, Recorder::next)
    }

    /// Checks that there is enough memory for the games that are played at a time.
    pub fn check_memory(&self) -> Result<(), Failure> {
        check_memory(&run(&self.study, &self.starts, self.common))
    }

    /// Begins the part, or reads its games so far in order to continue it.
    pub fn begin(&mut self) -> Result<(), Failure> {
        if self.recorder.is_none() {
            make_below(&self.root, &self.path).map_err(|error| Failure::writing(&self.path, &error))?;
            let directory = StudyDirectory::create_or_open(&self.path, &self.study)?;
            self.resume(directory)?;
        }
        Ok(())
    }

    /// Writes the definition again that a crash has damaged, if the games that are there are its own. `whole` has the plan, too.
    pub fn write_again(&mut self, whole: &Study) -> Result<(), Failure> {
        let mut directory = StudyDirectory::create_or_open(&self.path, whole)?;
        match StudyDirectory::recorded(&self.path)? {
            Some(_) => self.resume(directory),
            None => Ok(directory.write_again()?),
        }
    }

    fn resume(&mut self, directory: StudyDirectory) -> Result<(), Failure> {
        let is_torn = directory.is_torn();
        self.recorder = Some(Recorder::resume(directory, &run(&self.study, &self.starts, self.common))?);
        if is_torn {
            note_written_again(&self.path);
        }
        Ok(())
    }

    /// Puts the games so far on the disk.
    pub fn sync(&mut self) -> Result<(), Failure> {
        Ok(self.recorder.as_mut().map_or(Ok(()), Recorder::sync)?)
    }

    /// Puts them on the disk at the end of this run, with their checksum.
    pub fn finish(&mut self) -> Result<(), Failure> {
        Ok(self.recorder.as_mut().map_or(Ok(()), Recorder::finish)?)
    }

    /// Plays this many more games, or fewer if it is told to stop. Each is recorded, then passed on.
    pub fn play(&mut self, games: u64, mut each: impl FnMut(&PlayedGame)) -> Result<(), Failure> {
        self.begin()?;
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        let next = recorder.next();
        let end = (next + games).min(self.study.all_games());
        let result = run(&self.study, &self.starts, self.common).play(next..end, |played| {
            let next = recorder.add(&played)?;
            each(&played);
            Ok::<_, RecordError>(next)
        });
        result.map_err(|error: RunError<RecordError>| Failure::Other(error.to_string()))?;
        Ok(recorder.check_files()?)
    }
}

fn run<'x>(study: &'x Study, starts: &'x StudyStarts, common: &'x Common<'x>) -> Run<'x, 'x> {
    let Common { rules, ref tables, threads, stop, .. } = *common;
    // The embedded engine always answers, so there is no timeout.
    Run { study, rules, starts, tables, threads, timeout: Duration::MAX, stop }
}
