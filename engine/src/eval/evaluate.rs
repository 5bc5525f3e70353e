//! The score of a position: all terms together.

use backrank_rules::{Bitboard, BitboardPair, Move, Position, Side};

use super::balance::Balance;
use super::evaluator::Evaluator;
use super::fifty_moves::scaled_by_fifty_moves;
use super::packed::PackedScore;
use super::pawns::{PawnCache, Structure};
use crate::net::{Accumulators, Base};

/// The incremental part of the evaluation, kept up to date from move to move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EvalState {
    pub(crate) balance: Balance,
    /// The activity of the pieces, White's minus Black's, once it has been worked out for this position, or for one that
    /// differs only in the side to move.
    activity: Option<PackedScore>,
}

/// What an evaluator remembers from position to position; never that of another.
#[derive(Debug, Default)]
pub(crate) struct EvalCache {
    pawns: PawnCache,
    accumulators: Option<Box<Accumulators>>,
}

impl Evaluator {
    /// The score of a position for the side to move, in centipawns.
    pub fn evaluate(&self, position: &Position<'_>) -> i32 {
        self.evaluate_from(position, &mut self.state(position), &mut EvalCache::default())
    }

    /// The incremental part for the root position.
    pub(crate) fn state(&self, position: &Position<'_>) -> EvalState {
        EvalState { balance: self.balance(position), activity: None }
    }

    /// The incremental part after a legal move, from that before.
    pub(crate) fn state_after(
        &self,
        state: &EvalState,
        before: &Position<'_>,
        played: Move,
        after: &Position<'_>,
    ) -> EvalState {
        let balance = self.balance_after(state.balance, before, played, after);
        EvalState { balance, activity: None }
    }

    /// The score of a position for the side to move, from its incremental part.
    pub(crate) fn evaluate_from(
        &self,
        position: &Position<'_>,
        state: &mut EvalState,
        cache: &mut EvalCache,
    ) -> i32 {
        if let Some(side) = self.mating_side(position) {
            // Without a capture or a pawn move, all lines come equally near to the fifty-move rule.
            let score = self.mating_score(position, side);
            return if side == position.side_to_move() { score } else { -score };
        }
        let phases = state.balance.phases;
        if let Some(net) = &self.net
            && self.driving_side(position, phases).is_none()
        {
            let base = match net.base {
                Base::Nothing => 0,
                Base::Structure => self.by_structure(position, state.balance, &mut cache.pawns),
                Base::Weights => self.by_weights(position, state, cache),
            };
            let accumulators = cache.accumulators.get_or_insert_with(|| Box::new(Accumulators::new(net)));
            return scaled_by_fifty_moves(position, base + net.evaluate(position, accumulators));
        }
        scaled_by_fifty_moves(position, self.by_weights(position, state, cache))
    }

    /// The score by the weights for the side to move, before the fifty-move rule counts.
    fn by_weights(&self, position: &Position<'_>, state: &mut EvalState, cache: &mut EvalCache) -> i32 {
        let phases = state.balance.phases;
        let pawns = self.pawns.structure(position, &mut cache.pawns);
        let activity = *state.activity.get_or_insert_with(|| self.activity(position, pawns, phases));
        let score = state.balance.score + pawns.score + activity + self.driving(position, phases);
        self.for_mover(position, score, pawns, phases)
    }

    /// The score by material, piece-square tables and what follows from the places of pawns and kings alone, for the side to move. Most
    /// of it is known from other positions.
    fn by_structure(&self, position: &Position<'_>, balance: Balance, cache: &mut PawnCache) -> i32 {
        let pawns = self.pawns.structure(position, cache);
        let shelters = Side::BOTH.map(|side| self.pawns.shelter(position, side, pawns).score);
        let attacked = BitboardPair::both(Bitboard::EMPTY);
        let on_their_way = |side: Side| self.pawns.on_their_way(position, side, pawns, attacked);
        let score = balance.score + pawns.score + shelters[0] - shelters[1] + on_their_way(Side::White)
            - on_their_way(Side::Black);
        self.for_mover(position, score, pawns, balance.phases)
    }

    /// The activity of White's pieces minus that of Black's: mobility, king safety and threats.
    pub(super) fn activity(
        &self,
        position: &Position<'_>,
        pawns: &mut Structure,
        phases: [i32; 2],
    ) -> PackedScore {
        let attacks = self.attacks(position, pawns);
        let shelters = Side::BOTH.map(|side| self.pawns.shelter(position, side, pawns));
        let on_their_way = |side: Side| self.pawns.on_their_way(position, side, pawns, attacks.all);
        attacks.score + shelters[0].score - shelters[1].score + on_their_way(Side::White)
            - on_their_way(Side::Black)
            + self.threats(position, &attacks, pawns)
            + self.danger(&self.danger_inputs(position, &attacks, shelters, phases))
    }

    /// White's score mixed by the phase of the game, as the side to move sees it.
    fn for_mover(
        &self,
        position: &Position<'_>,
        score: PackedScore,
        pawns: &Structure,
        phases: [i32; 2],
    ) -> i32 {
        let prepared = &self.prepared;
        let phase = self.phase(phases);
        let ahead = if score.endgame() > 0 { Side::White } else { Side::Black };
        let winnable = self.winnable(self.winnable_inputs(position, ahead, pawns, phases));
        let score = PackedScore::new(score.opening(), score.endgame() * winnable / 256);
        let for_mover = if position.side_to_move() == Side::White { score } else { -score };
        (for_mover + prepared.weights.tempo).mixed(phase, prepared.full_phase)
    }

    /// What a network is to learn of a position for the side to move: the score by the weights without the activity of pieces, and the
    /// whole of it, before the fifty-move rule counts. `None` where no network is asked.
    pub(crate) fn structure_and_score(
        &self,
        position: &Position<'_>,
        cache: &mut EvalCache,
    ) -> Option<[i32; 2]> {
        let mut state = self.state(position);
        if self.mating_side(position).is_some() || self.driving_side(position, state.balance.phases).is_some()
        {
            return None;
        }
        let structure = self.by_structure(position, state.balance, &mut cache.pawns);
        Some([structure, self.by_weights(position, &mut state, cache)])
    }
}
