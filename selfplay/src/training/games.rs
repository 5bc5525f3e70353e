//! The games of a study, for [`backrank_engine::learn`].

use std::path::Path;

use backrank_engine::Weights;
use backrank_engine::learn::{Label, QuietPositions, ScoredGame, TdReturn, nearby_positions};
use backrank_rules::{Game, GameResult, Position, Rules, Side};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::store::StoreError;
use crate::study::{GameRecord, GamesReader, MoveScore, ScoresReader, Study, StudyDirectory};

/// Which positions of the games are looked at.
#[derive(Clone, Copy, Debug)]
pub(super) enum Selection {
    /// About so many of each game.
    OfEachGame(f64),
    /// All of the held-out games, or of the others.
    AllOf { held_out: bool },
}

/// One game of so many is held out of the fit.
const TEST_EVERY: u64 = 10;

/// Games a chunk of work.
const CHUNK: usize = 64;

/// A recorded game, with the search's score at each ply for White in centipawns, where it was recorded.
struct TrainingGame {
    record: GameRecord,
    scores: Vec<Option<f64>>,
}

impl TrainingGame {
    /// White's result: 1, 0.5 or 0.
    fn result(&self) -> f64 {
        match self.record.result {
            Some(GameResult::Win(Side::White)) => 1.0,
            Some(GameResult::Win(Side::Black)) => 0.0,
            Some(GameResult::Draw) | None => 0.5,
        }
    }
}

/// The games of a study, with the scores of their moves.
pub(super) struct TrainingGames {
    reader: GamesReader,
    games: Vec<TrainingGame>,
    is_in_pairs: bool,
}

impl TrainingGames {
    /// Reads the games that ended by moves.
    ///
    /// # Errors
    ///
    /// When the study cannot be read.
    pub fn read(path: &Path, study: &Study) -> Result<Self, StoreError> {
        let mut reader = StudyDirectory::read_games(path, study)?;
        let mut scores =
            study.scores.then(|| ScoresReader::open(&StudyDirectory::scores(path))).transpose()?;
        let mut games = Vec::new();
        while let Some(record) = reader.next().transpose()? {
            let scores = match &mut scores {
                Some(scores) => scores.scores_of(&record)?,
                None => vec![None; record.plies as usize],
            };
            if !record.termination.is_by_moves() {
                continue;
            }
            let for_white = |(side, score): (Side, Option<MoveScore>)| {
                let score = f64::from(score?.score.to_number());
                Some(if side == Side::White { score } else { -score })
            };
            let scores = record.sides_to_move().zip(scores).map(for_white).collect();
            games.push(TrainingGame { record, scores });
        }
        scores.as_mut().map_or(Ok(()), ScoresReader::verify)?;
        Ok(Self { reader, games, is_in_pairs: study.pairs })
    }

    /// Each score of an undecided position with the result of its game.
    pub fn scores_and_results(&self) -> impl Iterator<Item = (f64, f64)> {
        self.games.iter().flat_map(|game| ScoredGame::scores_and_result(&game.scores, game.result()))
    }

    /// What a function makes of the quiet positions among those that are selected, always the same ones.
    ///
    /// # Errors
    ///
    /// When a game cannot be replayed.
    pub fn quiet_positions<T: Send, S: FnMut(&Position<'_>, Label) -> Option<T>>(
        &self,
        rules: &Rules,
        weights: &Weights,
        td_return: TdReturn,
        selection: Selection,
        sampler: impl Fn() -> S + Sync,
    ) -> Result<Vec<T>, StoreError> {
        let (of_each_game, only) = match selection {
            Selection::OfEachGame(positions) => (positions, None),
            Selection::AllOf { held_out } => (f64::INFINITY, Some(held_out)),
        };
        self.of_chunks(|chunk| {
            let mut sampler = sampler();
            let mut positions = QuietPositions::new(rules, weights, td_return);
            let mut samples = Vec::new();
            for game in chunk {
                let is_test = self.is_test(&game.record);
                if only.is_none_or(|held_out| held_out == is_test) {
                    let scored = ScoredGame {
                        game: game.record.replay(rules)?,
                        scores: &game.scores,
                        result: game.result(),
                        opening_plies: game.record.opening_plies as usize,
                        seed: game.record.game,
                        is_test,
                    };
                    positions.visit(&scored, of_each_game, |position, label| {
                        samples.extend(sampler(position, label));
                    });
                }
            }
            Ok(samples)
        })
    }

    /// What a function makes of positions a random move away from the games, always the same ones.
    ///
    /// # Errors
    ///
    /// When a game cannot be replayed.
    pub fn positions_nearby<T: Send>(
        &self,
        rules: &Rules,
        sampler: impl Fn(&Position<'_>) -> T + Sync,
    ) -> Result<Vec<T>, StoreError> {
        self.of_chunks(|chunk| {
            let mut samples = Vec::new();
            for TrainingGame { record, .. } in chunk {
                let game: Game<'_> = record.replay(rules)?;
                nearby_positions(&game, record.game, |position| samples.push(sampler(position)));
            }
            Ok(samples)
        })
    }

    /// What a function makes of the games, a chunk at a time.
    fn of_chunks<T: Send>(
        &self,
        of_chunk: impl Fn(&[TrainingGame]) -> Result<Vec<T>, String> + Sync + Send,
    ) -> Result<Vec<T>, StoreError> {
        let chunks: Result<Vec<Vec<T>>, String> = self.games.par_chunks(CHUNK).map(of_chunk).collect();
        let samples = chunks.map_err(|problem| self.reader.wrong(problem))?;
        Ok(samples.into_iter().flatten().collect())
    }

    /// Whether a game is held out.
    fn is_test(&self, record: &GameRecord) -> bool {
        // Games of a pair begin alike.
        let group = if self.is_in_pairs { record.game / 2 } else { record.game };
        ChaCha8Rng::seed_from_u64(group).random_range(0..TEST_EVERY) == 0
    }
}
