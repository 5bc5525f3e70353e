//! Quiet positions of recorded games, with what became of them.

use std::path::Path;

use backrank_rules::{Game, GameResult, Position, Rules, Side};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::fit::expected;
use super::model::GameValues;
use crate::eval::{EvalFeatures, FeatureExtractor};
use crate::score::INFINITE;
use crate::search::Engine;
use crate::study::{GameRecord, GamesReader, MoveScore, ScoresReader, Study, StudyDirectory, StudyError};
use crate::weights::Weights;

/// A quiet position of a game.
#[derive(Debug)]
pub(super) struct TuningSample {
    pub features: EvalFeatures,
    pub values: GameValues,
    /// White's result: 1, 0.5 or 0.
    pub result: f64,
    /// What is to be predicted: how White stands, from 0 to 1, in the light of what came after.
    pub target: f64,
    /// Whether its game is left out of the fit, to see how well that does on games it does not know.
    pub is_test: bool,
}

/// What became of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Became {
    /// White's result: 1, 0.5 or 0.
    pub result: f64,
    /// What is to be predicted: how White stands, from 0 to 1, in the light of what came after.
    pub target: f64,
    /// Whether its game is left out, to see how well it is predicted when it is not known.
    pub is_test: bool,
}

/// Which positions of the games are looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Selection {
    /// About so many of each game.
    OfEachGame(f64),
    /// All of the games that are left out, or of the others.
    AllOf { left_out: bool },
}

/// How what came after a position tells how good it was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hindsight {
    /// A score of the search of so many centipawns expects 1/(1 + 1/e) = 73 %.
    pub scale: f64,
    /// What the position a ply later counts for against the search's score of this one, from 0 to 1.
    pub lambda: f64,
}

impl Hindsight {
    /// What is to be predicted at each ply of a game with a result and scores for White: the temporal-difference target of
    /// Sutton (1988). The end of the game expects the result; each position before it what the next one does, and by a
    /// share of 1 - lambda what the search said of it.
    fn targets(self, result: f64, scores: &[Option<f64>]) -> Vec<f64> {
        let mut target = result;
        let mut targets: Vec<f64> = scores
            .iter()
            .rev()
            .map(|score| {
                if let Some(score) = score {
                    target = self.lambda * target + (1.0 - self.lambda) * expected(score / self.scale);
                }
                target
            })
            .collect();
        targets.reverse();
        targets
    }
}

/// Positions of a game that are looked at; fewer are quiet.
const POSITIONS_OF_A_GAME: f64 = 40.0;

/// How far the score once nothing hangs may be from the evaluation of a quiet position, in centipawns.
const QUIET_MARGIN: i32 = 60;

/// A search that sees so much has found a win, which says nothing of the evaluation.
const DECIDED: f64 = 1_500.0;

/// One game of so many is left out of the fit.
const TEST_EVERY: u64 = 10;

/// Games that are worked on in one piece.
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
pub(crate) struct TrainingGames {
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
    pub fn read(path: &Path, study: &Study) -> Result<Self, StudyError> {
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
            let is_white_first = record.fen.split(' ').nth(1) == Some("w");
            let for_white = |(ply, score): (usize, Option<MoveScore>)| {
                let score = f64::from(score?.score.0);
                Some(if (ply % 2 == 0) == is_white_first { score } else { -score })
            };
            let scores = scores.into_iter().enumerate().map(for_white).collect();
            games.push(TrainingGame { record, scores });
        }
        scores.as_mut().map_or(Ok(()), ScoresReader::verify)?;
        Ok(Self { reader, games, is_in_pairs: study.pairs })
    }

    /// Each score with the result of its game.
    pub fn scores_and_results(&self) -> impl Iterator<Item = (f64, f64)> {
        self.games.iter().flat_map(|game| {
            let undecided = game.scores.iter().flatten().filter(|score| score.abs() < DECIDED);
            undecided.map(|&score| (score, game.result()))
        })
    }

    /// Samples of the weights' fit, from at most so many positions of a game.
    ///
    /// # Errors
    ///
    /// When a game cannot be replayed.
    pub(super) fn tuning_samples(
        &self,
        rules: &Rules,
        weights: &Weights,
        values: GameValues,
        hindsight: Hindsight,
    ) -> Result<Vec<TuningSample>, StudyError> {
        let sampler = || {
            let mut extractor = FeatureExtractor::new(rules, weights);
            move |position: &Position<'_>, became: Became| {
                let features = extractor.extract(position)?;
                let Became { result, target, is_test } = became;
                Some(TuningSample { features, values, result, target, is_test })
            }
        };
        self.quiet_positions(rules, weights, hindsight, Selection::OfEachGame(POSITIONS_OF_A_GAME), sampler)
    }

    /// What a function makes of the quiet positions among those that are selected, always the same ones.
    ///
    /// # Errors
    ///
    /// When a game cannot be replayed.
    pub fn quiet_positions<T: Send, S: FnMut(&Position<'_>, Became) -> Option<T>>(
        &self,
        rules: &Rules,
        weights: &Weights,
        hindsight: Hindsight,
        selection: Selection,
        sampler: impl Fn() -> S + Sync,
    ) -> Result<Vec<T>, StudyError> {
        let (of_each_game, only) = match selection {
            Selection::OfEachGame(positions) => (positions, None),
            Selection::AllOf { left_out } => (f64::INFINITY, Some(left_out)),
        };
        let of_chunk = |chunk: &[TrainingGame]| {
            let mut taker =
                Taker { engine: Engine::new(rules, weights, 1), sampler: sampler(), hindsight, of_each_game };
            let mut samples = Vec::new();
            for game in chunk {
                let is_test = self.is_test(&game.record);
                if only.is_none_or(|left_out| left_out == is_test) {
                    taker.take(rules, game, is_test, &mut samples)?;
                }
            }
            Ok(samples)
        };
        self.of_chunks(of_chunk)
    }

    /// What a function makes of positions a random move away from the games that are neither over nor in check: one for each
    /// ply, always the same ones. A search spends most of its time in such positions, which players avoid.
    ///
    /// # Errors
    ///
    /// When a game cannot be replayed.
    pub fn positions_nearby<T: Send>(
        &self,
        rules: &Rules,
        sampler: impl Fn(&Position<'_>) -> T + Sync,
    ) -> Result<Vec<T>, StudyError> {
        let of_chunk = |chunk: &[TrainingGame]| {
            let mut samples = Vec::new();
            for TrainingGame { record, .. } in chunk {
                let game = record.replay(rules)?;
                let mut rng = ChaCha8Rng::seed_from_u64(record.game);
                let mut position = *game.start();
                for &played in game.moves() {
                    let moves = position.legal_moves();
                    let nearby = position.after(moves[rng.random_range(0..moves.len())]);
                    if !nearby.is_check() && nearby.outcome().is_none() {
                        samples.push(sampler(&nearby));
                    }
                    position.play(played);
                }
            }
            Ok(samples)
        };
        self.of_chunks(of_chunk)
    }

    /// What a function makes of the games, a few at a time.
    fn of_chunks<T: Send>(
        &self,
        of_chunk: impl Fn(&[TrainingGame]) -> Result<Vec<T>, String> + Sync + Send,
    ) -> Result<Vec<T>, StudyError> {
        let chunks: Result<Vec<Vec<T>>, String> = self.games.par_chunks(CHUNK).map(of_chunk).collect();
        let samples = chunks.map_err(|problem| self.reader.wrong(problem))?;
        Ok(samples.into_iter().flatten().collect())
    }

    /// Whether a game is left out.
    fn is_test(&self, record: &GameRecord) -> bool {
        // Games of a pair begin alike.
        let group = if self.is_in_pairs { record.game / 2 } else { record.game };
        ChaCha8Rng::seed_from_u64(group).random_range(0..TEST_EVERY) == 0
    }
}

/// Takes positions from games.
struct Taker<'r, S> {
    engine: Engine<'r>,
    sampler: S,
    hindsight: Hindsight,
    /// About how many positions of each game are looked at.
    of_each_game: f64,
}

impl<'r, S> Taker<'r, S> {
    fn take<T>(
        &mut self,
        rules: &'r Rules,
        scored: &TrainingGame,
        is_test: bool,
        samples: &mut Vec<T>,
    ) -> Result<(), String>
    where
        S: FnMut(&Position<'_>, Became) -> Option<T>,
    {
        let record = &scored.record;
        let game = record.replay(rules)?;
        self.engine.clear();
        let targets = self.hindsight.targets(scored.result(), &scored.scores);
        let mut rng = ChaCha8Rng::seed_from_u64(record.game);
        let plies = record.plies.saturating_sub(record.opening_plies);
        let chance = (self.of_each_game / f64::from(plies.max(1))).min(1.0);
        let mut position = *game.start();
        for (ply, &played) in game.moves().iter().enumerate() {
            let is_wanted = ply >= record.opening_plies as usize
                && rng.random_bool(chance)
                && !position.is_tactical(played)
                && !position.is_check()
                && scored.scores[ply].is_none_or(|score| score.abs() < DECIDED);
            if is_wanted && self.is_quiet(&position) {
                let became = Became { result: scored.result(), target: targets[ply], is_test };
                samples.extend((self.sampler)(&position, became));
            }
            position.play(played);
        }
        Ok(())
    }

    /// Whether captures and checks change little.
    fn is_quiet(&mut self, position: &Position<'r>) -> bool {
        let score = self.engine.score_within(&Game::new(*position), 0, -INFINITE, INFINITE);
        (score - self.engine.evaluator().evaluate(position)).abs() <= QUIET_MARGIN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(lambda: f64, scores: &[Option<f64>]) -> Vec<f64> {
        Hindsight { scale: 100.0, lambda }.targets(1.0, scores)
    }

    #[test]
    fn targets_look_ahead_by_lambda() {
        let scores = [None, Some(0.0), Some(100.0), Some(30_000.0)];
        assert_eq!(targets(1.0, &scores), [1.0; 4]);
        let third = 1.0 / (1.0 + (-1.0_f64).exp());
        assert_eq!(targets(0.0, &scores), [0.5, 0.5, third, 1.0]);
        let found = targets(0.8, &scores);
        let before = 0.8 + 0.2 * third;
        let second = 0.8 * before + 0.2 * 0.5;
        for (found, known) in found.into_iter().zip([second, second, before, 1.0]) {
            assert!((found - known).abs() < 1e-12, "{found} {known}");
        }
    }
}
