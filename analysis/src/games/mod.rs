//! Reading the games of studies as a stream, and replaying them by the rules in parallel.
//!
//! [`Studies`] opens studies of one game and passes every game that is not a copy of an earlier one, replayed, to a function, in the
//! order of the files. A [`ReplayedGame`] has its result, what was adjusted, and the material of its quiet positions, counted in the
//! columns of a [`Material`]: one for each kind of piece, and for pairs of pieces that never leave their colour.
//!
//! ```no_run
//! use backrank_analysis::games::{Sampling, Studies};
//!
//! let studies = Studies::open(&["runs/all".into()])?;
//! let mut plies = 0;
//! let read = studies.read(Sampling::default(), &mut |_bytes| (), &mut |game| plies += u64::from(game.plies))?;
//! println!("{plies} plies in {} games", read.different);
//! # Ok::<(), backrank_analysis::AnalysisError>(())
//! ```

mod identity;
mod material;
mod replay;
mod wording;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use backrank_rules::files::{MAX_TEXT, read_text};
use backrank_rules::{GameResult, Rules};
use backrank_selfplay::store::{DirectoryKind, StoreError};
use backrank_selfplay::study::{Ending, GameRecord, GamesReader, Ratings, Study, StudyDirectory};
use rayon::prelude::*;

pub use material::{Column, Difference, MAX_COLUMNS, Material, RATING_STEP};
pub use replay::{PlayedAdjustment, Replay, Replayer, Samples, Sampling, Stage};

use crate::error::AnalysisError;
use crate::table::thousands;
use identity::Identity;
pub(crate) use wording::{limits_text, players_text};

/// The number of games replayed in parallel before more are read: enough for every thread, and few enough to fit in
/// memory.
const BATCH: usize = 2048;

/// Studies of the same variant, to be read together.
#[derive(Debug)]
pub struct Studies {
    /// The directory and the definition of each study, in the order given.
    pub studies: Vec<(PathBuf, Study)>,
    /// The rules of their variant.
    pub rules: Rules,
    /// The columns that material is counted in.
    pub material: Material,
}

/// A game of a study: its row without the moves, and the result of replaying it.
#[derive(Clone, Debug)]
pub struct ReplayedGame {
    /// The index of its study in [`Studies::studies`].
    pub study: usize,
    /// The number of the game in its study.
    pub game: u64,
    /// The setup's id in the study's numbering.
    pub setup: u128,
    /// White's first rank in the setup.
    pub white_rank: String,
    /// Black's first rank in the setup.
    pub black_rank: String,
    /// The pieces that White and Black lack, such as `M:Q`; empty without odds.
    pub odds: String,
    /// The result.
    pub result: GameResult,
    /// Why the game ended.
    pub termination: Ending,
    /// The number of plies.
    pub plies: u32,
    /// In a game that starts from a recorded position, the ply at which the study took its positions; `None` in other
    /// games.
    pub at_ply: Option<u32>,
    /// White's rating minus Black's, in an imported game between two rated players.
    pub rating_difference: Option<i32>,
    /// The result of replaying it.
    pub replayed: Replay,
}

impl ReplayedGame {
    /// Makes a game from its row and its replay. `study` is the index of its study in [`Studies::studies`]. `None` for a
    /// game without a result.
    pub fn new(study: usize, record: &GameRecord, replayed: Replay) -> Option<Self> {
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
            at_ply: None,
            rating_difference: record.ratings.and_then(Ratings::difference),
            replayed,
        })
    }

    /// The result as an ordered outcome: 0 where Black won, 1 for a draw, 2 where White won.
    ///
    /// White's score is half of it.
    pub fn outcome(&self) -> usize {
        match self.result {
            GameResult::Win(backrank_rules::Side::Black) => 0,
            GameResult::Draw => 1,
            GameResult::Win(backrank_rules::Side::White) => 2,
        }
    }
}

/// The numbers of games and plies that were read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GamesRead {
    /// All rows.
    pub games: u64,
    /// The rows of each study, in the order of [`Studies::studies`].
    pub by_study: Vec<u64>,
    /// Rows that are not copies of earlier ones.
    pub different: u64,
    /// Rows of imported games without a result.
    pub unfinished: u64,
    /// Rows without moves, whose start and result alone are checked.
    pub without_moves: u64,
    /// The plies of the games.
    pub plies: u64,
}

impl GamesRead {
    /// Says in a sentence why these games say nothing of setups, where [`SetupGames`](crate::setups::SetupGames) took none of them.
    pub fn why_no_setups(&self) -> String {
        let games = thousands(self.games);
        match self.unfinished {
            0 if self.games == 0 => "there are no games yet".to_string(),
            0 => "none of these games starts from a setup: all start from a book or from recorded games"
                .to_string(),
            unfinished if unfinished == self.games => {
                format!(
                    "none of these {games} games was finished, so they say nothing of their setups' scores"
                )
            }
            unfinished => format!(
                "none of these {games} games counts: {} were not finished, and the others start from a book or from recorded games",
                thousands(unfinished)
            ),
        }
    }
}

impl Studies {
    /// Opens the studies in these directories.
    ///
    /// # Errors
    ///
    /// When a directory holds no study, no game of a study is finished, or its variant is not that of the first study.
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

    /// The total size of the files of games in bytes, for a progress bar.
    pub fn bytes(&self) -> u64 {
        let file = |path: &Path| StudyDirectory::recorded(path).ok().flatten();
        let size = |path: PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
        self.studies.iter().filter_map(|(path, _)| file(path)).map(size).sum()
    }

    /// Reads and replays every game, one study after another, and passes each that has a result and is not a copy of an
    /// earlier one to `each`, in the order of the files. `progress` is called with the number of bytes read so far.
    ///
    /// Only one batch of games is in memory at a time, besides a hash of every game. A copy has the same number in a study
    /// of the same definition, the same start and the same end. It adds no information, and counting it would make every
    /// interval too narrow. A game that merely took the same course after an opening that was drawn twice is not a copy.
    ///
    /// # Errors
    ///
    /// When a row is not valid or its moves are not legal (the error names the file and the line), or when no study has
    /// a complete row.
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
            let identity = Identity::of(asked);
            let mut batch = next_batch(&mut reader);
            loop {
                let (rows, failed) = batch;
                let number = rows.len();
                let read_on = || (number == BATCH && failed.is_none()).then(|| next_batch(&mut reader));
                let (replayed, following) =
                    rayon::join(|| self.replay(study, &identity, &rows, sampling), read_on);
                for (at, game) in replayed.into_iter().enumerate() {
                    let game = game.map_err(|problem| StoreError::Row {
                        path: path.clone(),
                        line: line + at as u64,
                        problem,
                    })?;
                    read.games += 1;
                    read.without_moves += u64::from(asked.without_moves);
                    let Some((identity, game)) = game else {
                        read.unfinished += 1;
                        continue;
                    };
                    read.plies += u64::from(game.plies);
                    if seen.insert(identity) {
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
            return Err(
                StoreError::NoRows { what: DirectoryKind::Study, path: self.studies[0].0.clone() }.into()
            );
        }
        Ok(read)
    }

    /// In what the studies differ of all that decides how well is played: limits or players, each with its values in the
    /// order of the studies.
    pub fn unlike(&self) -> Vec<(&'static str, Vec<String>)> {
        let of_all = |of: fn(&Study) -> String| {
            let mut values: Vec<String> = Vec::new();
            for (_, study) in &self.studies {
                let value = of(study);
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            values
        };
        let settings =
            [("limits", of_all(|study| limits_text(&study.limits))), ("players", of_all(players_text))];
        settings.into_iter().filter(|(_, values)| values.len() > 1).collect()
    }

    /// The studies that are not complete, each with the number of games it has and the number it should have.
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
        identity: &Identity,
        rows: &[GameRecord],
        sampling: Sampling,
    ) -> Vec<Result<Option<(u128, ReplayedGame)>, String>> {
        let from = self.studies[study].1.starts.recorded();
        let at_ply = |record: &GameRecord| from?.stage(record.source?);
        let replay = |replayer: &mut Replayer<'_>, record: &GameRecord| {
            let replayed = replayer.replay(record)?;
            let game = ReplayedGame::new(study, record, replayed);
            Ok(game.map(|game| (identity.of_game(record), ReplayedGame { at_ply: at_ply(record), ..game })))
        };
        rows.par_iter().map_init(|| Replayer::new(&self.rules, &self.material, sampling), replay).collect()
    }
}

/// The next batch of rows, and the error that ended it early, if there was one.
fn next_batch(reader: &mut GamesReader) -> (Vec<GameRecord>, Option<StoreError>) {
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

fn toml(path: &Path) -> PathBuf {
    path.join("study.toml")
}

/// The line of `study.toml` on which the variant's table begins.
fn line_of_variant(path: &Path) -> usize {
    let text = read_text(&toml(path), MAX_TEXT).unwrap_or_default();
    let section = text.lines().position(|line| line.trim() == "[variant]");
    section.map_or(1, |section| section + 1)
}
