//! What an evaluation is made of, without the weights.

use backrank_rules::{PieceKind, Position, Rules, Side};

use super::danger::DangerInputs;
use super::packed::PackedScore;
use super::winnable::WinnableInputs;
use super::{Evaluator, FADED_AWAY, PawnCache, not_faded};
use crate::weights::{Tapered, Weight, Weights};

/// All that the evaluation of a position is worked out from but the weights.
#[derive(Clone, Debug)]
pub(crate) struct EvalFeatures {
    /// How often each score counts for White, in the opening and in the endgame alike, by its place among the scores of
    /// [`Weights::each`]; those that do not count are left out.
    pub scores: Vec<(u16, f32)>,
    /// How many pieces of each kind White has more than Black; kinds of which they have as many are left out.
    pub material: Vec<(PieceKind, f32)>,
    /// What makes the danger in which each side puts the enemy's king.
    pub danger: [DangerInputs; 2],
    /// What makes an advantage of each side one that wins.
    pub winnable: [Option<WinnableInputs>; 2],
    /// The part of the opening in the score.
    pub opening: f32,
    /// The part of the score that fifty moves without progress have left.
    pub not_faded: f32,
    /// Whose move it is.
    pub side_to_move: Side,
}

/// Finds out what the evaluation of a position is made of by asking the evaluation itself.
///
/// The score is linear in the weights that are scores. So an evaluation in which only one of them is not zero says how often
/// it counts; as halves of packed scores do not mix, each evaluation asks for two weights.
#[derive(Debug)]
pub(crate) struct FeatureExtractor {
    /// The evaluation without any weight but the values of pieces.
    plain: Probe,
    /// For each two scores an evaluation with one of them in the opening and the other one in the endgame.
    pairs: Vec<Probe>,
    number_of_scores: usize,
}

/// An evaluation that is asked, and its pawns.
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

/// The weight with which is asked: large, because weights are rounded to whole numbers after they are multiplied out.
const UNIT: f32 = 4096.0;

/// What is no more than rounding.
const NOTHING: f32 = 2.0 / UNIT;

impl FeatureExtractor {
    /// One for a game with the values of pieces that the weights have.
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
            for (place, score) in scores.enumerate() {
                score.opening = if place == first { UNIT } else { 0.0 };
                score.endgame = if place == first + 1 { UNIT } else { 0.0 };
            }
            Probe::new(rules, &weights)
        };
        let pairs = (0..number_of_scores).step_by(2).map(pair).collect();
        Self { plain: Probe::new(rules, &none), pairs, number_of_scores }
    }

    /// The features of a position; none where the evaluation only drives a bare king.
    pub fn extract(&mut self, position: &Position<'_>) -> Option<EvalFeatures> {
        let evaluator = &self.plain.evaluator;
        if evaluator.mating_side(position).is_some() {
            return None;
        }
        let phases = evaluator.balance(position).phases;
        let pawns = evaluator.pawns.structure(position, &mut self.plain.pawns);
        let winnable = Side::BOTH.map(|side| evaluator.winnable_inputs(position, side, pawns, phases));
        let attacks = evaluator.attacks(position, pawns);
        let shelters = Side::BOTH.map(|side| evaluator.pawns.shelter(position, side, pawns));
        let danger = evaluator.danger_inputs(position, &attacks, shelters, phases);
        let opening = evaluator.phase(phases) as f32 / evaluator.prepared.full_phase as f32;

        let plain = self.plain.white_score(position);
        let mut scores = Vec::new();
        for (place, probe) in self.pairs.iter_mut().enumerate() {
            let score = probe.white_score(position) - plain;
            let times = [score.opening(), score.endgame()].map(|score| score as f32 / UNIT);
            for (place, times) in (2 * place..self.number_of_scores).zip(times) {
                if times.abs() > NOTHING {
                    scores.push((place as u16, times));
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
            not_faded: not_faded(position) as f32 / FADED_AWAY as f32,
            side_to_move: position.side_to_move(),
        })
    }
}
