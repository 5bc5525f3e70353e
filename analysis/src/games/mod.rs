//! From a study's directory to what its games say: read as a stream, replayed by the rules, many at a time.

mod material;
mod replay;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use backrank_rules::{GameResult, Rules};
use backrank_selfplay::{Ending, GameRecord, GamesReader, Ratings, Study, StudyDirectory, StudyError};
use rayon::prelude::*;

pub use material::{Column, Difference, MAX_COLUMNS, Material, RATING_STEP};
pub use replay::{Adjusted, Replayed, Replayer, Samples, Sampling, Stage};

use crate::error::AnalysisError;

/// Games that are replayed between two readings: enough for every thread, few enough to be no burden.
const BATCH: usize = 2048;

/// Studies of one variant, open for reading.
#[derive(Debug)]
pub struct Studies {
    /// The directories and what was asked, in the order they were given.
    pub studies: Vec<(PathBuf, Study)>,
    /// The rules that all of them are played by.
    pub rules: Rules,
    /// What counts as material.
    pub material: Material,
}

/// A game of a study: its row without the moves, and what replaying it gave.
#[derive(Clone, Debug)]
pub struct ReplayedGame {
    /// Which of the [`Studies`] it is of.
    pub study: usize,
    /// The number of the game in its study.
    pub game: u64,
    /// The setup's id in the study's numbering.
    pub setup: u128,
    /// White's first rank in the setup.
    pub white_rank: String,
    /// Black's first rank in the setup.
    pub black_rank: String,
    /// What White lacks and what Black lacks, `M:Q`; empty without odds.
    pub odds: String,
    /// Who won.
    pub result: GameResult,
    /// Why it is over.
    pub termination: Ending,
    /// The number of plies.
    pub plies: u32,
    /// A number that another game has only if it is a copy: start, moves and result are the same, and so are the seed of
    /// its study, its odds and its number there.
    pub identity: u128,
    /// The ply of recorded games at which the positions were taken that it and others like it start from; none in games that
    /// start otherwise.
    pub at_ply: Option<u32>,
    /// White's rating less Black's, in an imported game of two rated players.
    pub rating_difference: Option<i32>,
    /// What replaying it gave.
    pub replayed: Replayed,
}

impl ReplayedGame {
    /// A game from its row and its replay; `study` is its study's place among [`Studies`], `seed` that study's seed. None
    /// for a game without a result.
    pub fn new(study: usize, seed: u64, record: &GameRecord, replayed: Replayed) -> Option<Self> {
        Some(Self {
            study,
            game: record.game,
            setup: record.setup,
            white_rank: record.white_rank.clone(),
            black_rank: record.black_rank.clone(),
            odds: record.odds.clone(),
            result: record.result?,
            termination: record.termination,
            plies: record.plies,
            identity: identity(seed, record),
            at_ply: None,
            rating_difference: record.ratings.and_then(Ratings::difference),
            replayed,
        })
    }

    /// The result as an ordered outcome: 0 where Black won, 1 for a draw, 2 where White won.
    ///
    /// Half of it is White's score.
    pub fn outcome(&self) -> usize {
        match self.result {
            GameResult::Win(backrank_rules::Side::Black) => 0,
            GameResult::Draw => 1,
            GameResult::Win(backrank_rules::Side::White) => 2,
        }
    }
}

/// How many games a reading found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GamesRead {
    /// Rows.
    pub games: u64,
    /// Rows of each study.
    pub by_study: Vec<u64>,
    /// Rows that are not a copy of an earlier one.
    pub different: u64,
    /// Rows of imported games that were not finished.
    pub unfinished: u64,
    /// Moves replayed.
    pub plies: u64,
}

impl Studies {
    /// Opens the studies in some directories.
    ///
    /// # Errors
    ///
    /// When one is no study, nothing of it was played, or it is not of the same variant as the first.
    ///
    /// # Panics
    ///
    /// When no directory is given.
    pub fn open(paths: &[PathBuf]) -> Result<Self, AnalysisError> {
        let mut studies: Vec<(PathBuf, Study)> = Vec::new();
        for path in paths {
            let study = StudyDirectory::read(path)?;
            StudyDirectory::read_games(path, &study)?;
            if let Some((first, other)) = studies.first().filter(|(_, other)| other.variant != study.variant)
            {
                return Err(AnalysisError::Variants {
                    line: line_of_variant(path),
                    path: toml(path),
                    key: study.variant.key.clone(),
                    first: toml(first),
                    first_key: other.variant.key.clone(),
                });
            }
            studies.push((path.clone(), study));
        }
        let (first, study) = &studies[0];
        let variant = study.variant().map_err(|error| AnalysisError::Variant { path: toml(first), error })?;
        let rules = Rules::new(&variant);
        let material = Material::of(&rules);
        Ok(Self { studies, rules, material })
    }

    /// The number of bytes in all files of games, for a progress bar.
    pub fn bytes(&self) -> u64 {
        let file = |path: &Path| StudyDirectory::recorded(path).ok().flatten();
        let size = |path: PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
        self.studies.iter().filter_map(|(path, _)| file(path)).map(size).sum()
    }

    /// Reads and replays every game, one study after the other, and hands over each that is not a copy of an earlier one
    /// and has a result, in the order of the files; `progress` is told the number of bytes read so far.
    ///
    /// Only a batch of games is in memory at a time, and a number for each game. A copy has the same start, moves, result,
    /// seed, odds and number in its study. It says nothing new: counting it would shorten every interval. A game that
    /// merely went the same way after an opening that was drawn twice is no copy.
    ///
    /// # Errors
    ///
    /// When a row is not what was written or its moves are not legal, with the file and the line; when there is no whole
    /// row in any study.
    pub fn read(
        &self,
        sampling: Sampling,
        progress: &mut dyn FnMut(u64),
        each: &mut dyn FnMut(ReplayedGame),
    ) -> Result<GamesRead, AnalysisError> {
        let mut seen = HashSet::new();
        let mut read = GamesRead::default();
        let mut bytes = 0;
        for (study, (path, asked)) in self.studies.iter().enumerate() {
            let mut reader = StudyDirectory::read_games(path, asked)?;
            let path = reader.path().to_path_buf();
            let (mut line, before) = (2, read.games);
            let mut batch = next_batch(&mut reader);
            loop {
                let (rows, failed) = batch;
                let number = rows.len();
                let read_on = || (number == BATCH && failed.is_none()).then(|| next_batch(&mut reader));
                let (replayed, following) = rayon::join(|| self.replay(study, &rows, sampling), read_on);
                for (at, game) in replayed.into_iter().enumerate() {
                    let game = game.map_err(|problem| StudyError::Row {
                        path: path.clone(),
                        line: line + at as u64,
                        problem,
                    })?;
                    read.games += 1;
                    let Some(game) = game else {
                        read.unfinished += 1;
                        continue;
                    };
                    read.plies += u64::from(game.plies);
                    if seen.insert(game.identity) {
                        read.different += 1;
                        each(game);
                    }
                }
                if let Some(error) = failed {
                    return Err(error.into());
                }
                line += number as u64;
                progress(bytes + reader.position());
                let Some(following) = following else { break };
                batch = following;
            }
            bytes += reader.position();
            read.by_study.push(read.games - before);
        }
        if read.games == 0 {
            return Err(StudyError::NoGames(self.studies[0].0.clone()).into());
        }
        Ok(read)
    }

    /// The studies that were not played to their end, with the number of games that each has and is to have.
    pub fn unfinished(&self, read: &GamesRead) -> Vec<(&Path, u64, u64)> {
        let studies = self.studies.iter().zip(&read.by_study);
        studies
            .map(|((path, study), &games)| (path.as_path(), games, study.range().end - study.range().start))
            .filter(|(_, games, all)| games < all)
            .collect()
    }

    fn replay(
        &self,
        study: usize,
        rows: &[GameRecord],
        sampling: Sampling,
    ) -> Vec<Result<Option<ReplayedGame>, String>> {
        let Study { seed, from, .. } = &self.studies[study].1;
        let at_ply = |record: &GameRecord| from.as_ref()?.stage(record.source?);
        let replay = |replayer: &mut Replayer<'_>, record: &GameRecord| {
            let replayed = replayer.replay(record)?;
            let game = ReplayedGame::new(study, *seed, record, replayed);
            Ok(game.map(|game| ReplayedGame { at_ply: at_ply(record), ..game }))
        };
        rows.par_iter().map_init(|| Replayer::new(&self.rules, &self.material, sampling), replay).collect()
    }
}

/// The next rows, and what stopped them before their time.
fn next_batch(reader: &mut GamesReader) -> (Vec<GameRecord>, Option<StudyError>) {
    let mut rows = Vec::with_capacity(BATCH);
    while rows.len() < BATCH {
        match reader.next() {
            Some(Ok(row)) => rows.push(row),
            Some(Err(error)) => return (rows, Some(error)),
            None => break,
        }
    }
    (rows, None)
}

/// Two hashes of 64 bits, one of which begins elsewhere: among a million games two that differ are taken for the same
/// with a chance of about 10⁻²⁷.
fn identity(seed: u64, record: &GameRecord) -> u128 {
    let GameRecord { game, fen, odds, moves, .. } = record;
    let hash = |begin: u8| {
        let mut hasher = DefaultHasher::new();
        (begin, seed, game, odds, fen, moves, record.result_text()).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    hash(0) << 64 | hash(1)
}

fn toml(path: &Path) -> PathBuf {
    path.join("study.toml")
}

/// The line of a `study.toml` that says which game it is.
fn line_of_variant(path: &Path) -> usize {
    let text = std::fs::read_to_string(toml(path)).unwrap_or_default();
    let section = text.lines().position(|line| line.trim() == "[variant]");
    section.map_or(1, |section| section + 1)
}
