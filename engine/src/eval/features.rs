//! The features of an evaluation, to which the weights are applied.

use backrank_rules::{PieceKind, Position, Rules, Side};

use super::evaluator::Evaluator;
use super::fifty_moves::fifty_move_scale;
use super::inputs::{DangerInputs, WinnableInputs};
use super::packed::PackedScore;
use super::pawns::PawnCache;
use crate::weights::{Tapered, Weight, Weights};

/// Everything that the evaluation of a position depends on, except the weights.
#[derive(Clone, Debug)]
pub(crate) struct EvalFeatures {
    /// How often each score counts for White, in the opening and in the endgame alike, by its place among the scores of
    /// [`Weights::each`]; those that do not count are left out.
    pub scores: Vec<(u16, f32)>,
    /// The difference in pieces of each kind, White's minus Black's; kinds without a difference are left out.
    pub material: Vec<(PieceKind, f32)>,
    /// The inputs of king danger for each side's attack.
    pub danger: [DangerInputs; 2],
    /// The inputs that say how winnable an advantage of each side is.
    pub winnable: [Option<WinnableInputs>; 2],
    /// The part of the opening in the score.
    pub opening: f32,
    /// The part of the score that is left after moves without progress.
    pub fifty_move_scale: f32,
    /// Whose move it is.
    pub side_to_move: Side,
}

/// Extracts the features of positions by running the evaluation itself.
///
/// The evaluation is linear in the weights that are scores. An evaluation in which only one of them is not zero therefore
/// gives how often it counts. The halves of packed scores do not mix, so each evaluation probes two weights.
#[derive(Debug)]
pub(crate) struct FeatureExtractor {
    /// The evaluation with the values of pieces and no other weight.
    plain: Probe,
    /// For each two weights, an evaluation with one of them in the opening and the other in the endgame.
    pairs: Vec<Probe>,
    number_of_scores: usize,
}

/// An evaluation that probes two weights, and its pawn cache.
#[derive(Debug)]
struct Probe {
    evaluator: Evaluator,
    pawns: PawnCache,
}

impl Probe {
    fn new(rules: &Rules, weights: &Weights) -> Self {
        Self { evaluator: Evaluator::new(rules, weights), pawns: PawnCache::default() }
    }

    fn white_score(&mut self, position: &Position<'_>) -> PackedScore {
        let Self { evaluator, pawns } = self;
        let balance = evaluator.balance(position);
        let known = evaluator.pawns.structure(position, pawns);
        balance.score + known.score + evaluator.activity(position, known, balance.phases)
    }
}

/// The value that probed weights get. It is large because weights are rounded to integers after they are multiplied out.
const UNIT: f32 = 4096.0;

/// Anything below this is a rounding error.
const NOTHING: f32 = 2.0 / UNIT;

impl FeatureExtractor {
    /// An extractor for a game, with the values of pieces in `weights`.
    pub fn new(rules: &Rules, weights: &Weights) -> Self {
        let mut none = weights.clone();
        let mut number_of_scores = 0;
        for (_, weight) in none.each() {
            match weight {
                Weight::Score(score) => {
                    *score = Tapered::default();
                    number_of_scores += 1;
                }
                Weight::Number(number) => *number = 0.0,
            }
        }
        let pair = |first: usize| {
            let mut weights = none.clone();
            let scores = weights.each().into_iter().filter_map(|(_, weight)| match weight {
                Weight::Score(score) => Some(score),
                Weight::Number(_) => None,
            });
            for (index, score) in scores.enumerate() {
                score.opening = if index == first { UNIT } else { 0.0 };
                score.endgame = if index == first + 1 { UNIT } else { 0.0 };
            }
            Probe::new(rules, &weights)
        };
        let pairs = (0..number_of_scores).step_by(2).map(pair).collect();
        Self { plain: Probe::new(rules, &none), pairs, number_of_scores }
    }

    /// The features of a position; `None` where the weights that count are set by hand: against a bare king, and against
    /// one with a single piece that cannot hold.
    pub fn extract(&mut self, position: &Position<'_>) -> Option<EvalFeatures> {
        let evaluator = &self.plain.evaluator;
        let phases = evaluator.balance(position).phases;
        if evaluator.mating_side(position).is_some() || evaluator.driving_side(position, phases).is_some() {
            return None;
        }
        let pawns = evaluator.pawns.structure(position, &mut self.plain.pawns);
        let winnable = Side::BOTH.map(|side| evaluator.winnable_inputs(position, side, pawns, phases));
        let attacks = evaluator.attacks(position, pawns);
        let shelters = Side::BOTH.map(|side| evaluator.pawns.shelter(position, side, pawns));
        let danger = evaluator.danger_inputs(position, &attacks, shelters, phases);
        let opening = evaluator.phase(phases) as f32 / evaluator.prepared.full_phase as f32;

        let plain = self.plain.white_score(position);
        let mut scores = Vec::new();
        for (index, probe) in self.pairs.iter_mut().enumerate() {
            let score = probe.white_score(position) - plain;
            let times = [score.opening(), score.endgame()].map(|score| score as f32 / UNIT);
            for (number, times) in (2 * index..self.number_of_scores).zip(times) {
                if times.abs() > NOTHING {
                    scores.push((number as u16, times));
                }
            }
        }
        let lead = |kind: PieceKind| {
            let [white, black] =
                Side::BOTH.map(|side| (position.of_kind(kind) & position.pieces(side)).count() as f32);
            (kind, white - black)
        };
        Some(EvalFeatures {
            scores,
            material: position.rules().kinds().map(lead).filter(|&(_, lead)| lead != 0.0).collect(),
            danger,
            winnable,
            opening,
            fifty_move_scale: fifty_move_scale(position),
            side_to_move: position.side_to_move(),
        })
    }
}
