//! Quiet positions of recorded games, with what became of them.

use std::path::Path;

use backrank_rules::{Game, GameResult, Position, Rules, Side};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::model::GameValues;
use crate::eval::{EvalFeatures, FeatureExtractor};
use crate::score::INFINITE;
use crate::search::Engine;
use crate::study::{GameRecord, MoveScore, ScoresReader, Study, StudyDirectory, StudyError};
use crate::weights::Weights;

/// A quiet position of a game.
#[derive(Debug)]
pub(super) struct TuningSample {
    pub features: EvalFeatures,
    pub values: GameValues,
    /// White's result: 1, 0.5 or 0.
    pub result: f64,
    /// The search's score for White in centipawns, where it was recorded.
    pub score: Option<f64>,
    /// Whether its game is left out of the fit, to see how well that does on games it does not know.
    pub is_test: bool,
}

/// Positions of a game that are looked at; fewer are quiet.
const POSITIONS_OF_A_GAME: f64 = 40.0;

/// How far the score once nothing hangs may be from the evaluation of a quiet position, in centipawns.
const QUIET_MARGIN: i32 = 60;

/// A search that sees so much has found a win, which says nothing of the evaluation.
const DECIDED: i32 = 1_500;

/// One game of so many is left out of the fit.
const TEST_EVERY: u64 = 10;

/// Games that are worked on in one piece.
const CHUNK: usize = 64;

/// The quiet positions of a study's games, always the same ones.
///
/// # Errors
///
/// When the study cannot be read.
pub(super) fn samples_of(
    path: &Path,
    study: &Study,
    rules: &Rules,
    weights: &Weights,
    values: GameValues,
) -> Result<Vec<TuningSample>, StudyError> {
    let mut games = StudyDirectory::read_games(path, study)?;
    let mut scores = study.scores.then(|| ScoresReader::open(&StudyDirectory::scores(path))).transpose()?;
    let mut records: Vec<(GameRecord, Vec<Option<MoveScore>>)> = Vec::new();
    while let Some(record) = games.next().transpose()? {
        let scores = scores.as_mut().map(|scores| scores.scores_of(&record)).transpose()?;
        if record.termination.is_by_moves() {
            records.push((record, scores.unwrap_or_default()));
        }
    }
    let of_chunk = |chunk: &[(GameRecord, Vec<Option<MoveScore>>)]| {
        let mut taker = Taker {
            engine: Engine::new(rules, weights, 1),
            extractor: FeatureExtractor::new(rules, weights),
            values,
            is_in_pairs: study.pairs,
        };
        let mut samples = Vec::new();
        for (record, scores) in chunk {
            taker.take(rules, record, scores, &mut samples)?;
        }
        Ok(samples)
    };
    let chunks: Result<Vec<Vec<TuningSample>>, String> = records.par_chunks(CHUNK).map(of_chunk).collect();
    let samples = chunks.map_err(|problem| games.wrong(problem))?;
    Ok(samples.into_iter().flatten().collect())
}

/// Takes positions from games.
struct Taker<'r> {
    engine: Engine<'r>,
    extractor: FeatureExtractor,
    values: GameValues,
    is_in_pairs: bool,
}

impl<'r> Taker<'r> {
    fn take(
        &mut self,
        rules: &'r Rules,
        record: &GameRecord,
        scores: &[Option<MoveScore>],
        samples: &mut Vec<TuningSample>,
    ) -> Result<(), String> {
        let game = record.replay(rules)?;
        let result = match record.result {
            Some(GameResult::Win(Side::White)) => 1.0,
            Some(GameResult::Win(Side::Black)) => 0.0,
            Some(GameResult::Draw) | None => 0.5,
        };
        // Games of a pair begin alike.
        let group = if self.is_in_pairs { record.game / 2 } else { record.game };
        let is_test = ChaCha8Rng::seed_from_u64(group).random_range(0..TEST_EVERY) == 0;
        let mut rng = ChaCha8Rng::seed_from_u64(record.game);
        let plies = record.plies.saturating_sub(record.opening_plies);
        let chance = (POSITIONS_OF_A_GAME / f64::from(plies.max(1))).min(1.0);
        let mut position = *game.start();
        for (ply, &played) in game.moves().iter().enumerate() {
            let score = scores.get(ply).copied().flatten().map(|score| score.score);
            let is_wanted = ply >= record.opening_plies as usize
                && rng.random_bool(chance)
                && !position.is_tactical(played)
                && !position.is_check()
                && score.is_none_or(|score| score.0.abs() < DECIDED);
            if is_wanted
                && self.is_quiet(&position)
                && let Some(features) = self.extractor.extract(&position)
            {
                let for_white = if position.side_to_move() == Side::White { 1.0 } else { -1.0 };
                samples.push(TuningSample {
                    features,
                    values: self.values,
                    result,
                    score: score.map(|score| for_white * f64::from(score.0)),
                    is_test,
                });
            }
            position.play(played);
        }
        Ok(())
    }

    /// Whether captures and checks change little.
    fn is_quiet(&mut self, position: &Position<'r>) -> bool {
        self.engine.clear();
        let score = self.engine.score_within(&Game::new(*position), 0, -INFINITE, INFINITE);
        (score - self.engine.evaluator().evaluate(position)).abs() <= QUIET_MARGIN
    }
}
