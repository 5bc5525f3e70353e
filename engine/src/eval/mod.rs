//! Static evaluation.

mod attacks;
mod balance;
mod bare_king;
mod danger;
mod features;
mod last_piece;
mod packed;
mod pawns;
mod prepared;
mod threats;
mod winnable;

use std::sync::Arc;

use backrank_endgames::EndgameTables;
use backrank_rules::{Move, PieceKind, Position, Rules, Side};

use crate::net::{Accumulators, Net};
use crate::score::FORCED_WIN;
use crate::weights::Weights;
use balance::Balance;
pub(crate) use danger::{INPUTS as DANGER_INPUTS, MAX_DANGER};
pub(crate) use features::{EvalFeatures, FeatureExtractor};
use packed::PackedScore;
use pawns::{PawnCache, Pawns, Structure};
use prepared::Prepared;
pub(crate) use winnable::{HARDLY_WINNABLE, INPUTS as WINNABLE_INPUTS, MAX_WINNABLE};

/// The static evaluation.
///
/// It adds up material, piece-square tables, mobility, pawn structure, king safety and threats. Each has a score for the
/// opening and one for the endgame, which are interpolated by the material left on the board.
#[derive(Clone, Debug)]
pub struct Evaluator {
    prepared: Prepared,
    pawns: Pawns,
    /// A net in place of all these, if there is one for this game.
    net: Option<Arc<Net>>,
    /// The tables of endgames with few men, if there are any.
    tables: Option<Arc<EndgameTables>>,
}

/// The incremental part of the evaluation, kept up to date from move to move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EvalState {
    pub(super) balance: Balance,
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
    /// Prepares the tables of a game.
    pub fn new(rules: &Rules, weights: &Weights) -> Self {
        Self {
            prepared: Prepared::new(rules, weights),
            pawns: Pawns::new(rules, weights),
            net: weights.net.clone().filter(|net| net.is_for(rules)),
            tables: None,
        }
    }

    /// Adds endgame tables, which the evaluation then probes.
    pub(crate) fn set_tables(&mut self, tables: Option<Arc<EndgameTables>>) {
        self.tables = tables;
    }

    /// The endgame tables that the evaluation probes.
    #[inline]
    pub(crate) fn tables(&self) -> Option<&EndgameTables> {
        self.tables.as_deref()
    }

    /// The value of a kind of piece in an exchange, in centipawns. The king is worth more than all others.
    #[inline]
    pub fn value(&self, kind: PieceKind) -> i32 {
        self.prepared.exchange_values[kind.index()]
    }

    /// Whether a kind is the king.
    #[inline]
    pub(crate) fn is_royal(&self, kind: PieceKind) -> bool {
        self.prepared.kinds[kind.index()].royal
    }

    /// The kinds by their value in an exchange, the least valuable first.
    #[inline]
    pub(crate) fn by_value(&self) -> &[PieceKind] {
        &self.prepared.by_value
    }

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
            let accumulators = cache.accumulators.get_or_insert_with(|| Box::new(Accumulators::new(net)));
            return scaled_by_fifty_moves(position, net.evaluate(position, accumulators));
        }
        let pawns = self.pawns.structure(position, &mut cache.pawns);
        let activity = *state.activity.get_or_insert_with(|| self.activity(position, pawns, phases));
        let score = state.balance.score + pawns.score + activity + self.driving(position, phases);
        self.for_mover(position, score, pawns, phases)
    }

    /// The activity of White's pieces minus that of Black's: mobility, king safety and threats.
    fn activity(&self, position: &Position<'_>, pawns: &mut Structure, phases: [i32; 2]) -> PackedScore {
        let attacks = self.attacks(position, pawns);
        let shelters = Side::BOTH.map(|side| self.pawns.shelter(position, side, pawns));
        let on_their_way = |side: Side| self.pawns.on_their_way(position, side, pawns, attacks.all);
        attacks.score + shelters[0].score - shelters[1].score + on_their_way(Side::White)
            - on_their_way(Side::Black)
            + self.threats(position, &attacks, pawns)
            + self.danger(&self.danger_inputs(position, &attacks, shelters, phases))
    }

    /// How much of the opening there is, up to [`Prepared::full_phase`].
    fn phase(&self, phases: [i32; 2]) -> i32 {
        (phases[0] + phases[1]).min(self.prepared.full_phase)
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
        scaled_by_fifty_moves(
            position,
            (for_mover + prepared.weights.tempo).mixed(phase, prepared.full_phase),
        )
    }
}

/// The number of plies without a capture or a pawn move after which an advantage would count nothing. The game is drawn
/// after half of them: if the score fell to nothing by then, the side that is ahead would sacrifice to avoid it.
const FIFTY_MOVE_PARTS: i32 = 200;

/// The part of a score that is left, in two-hundredths, as the game comes near the fifty-move rule, so that progress is
/// rewarded.
fn fifty_move_parts(position: &Position<'_>) -> i32 {
    FIFTY_MOVE_PARTS - i32::from(position.halfmove_clock()).min(100)
}

/// The part of a score that is left, from 1/2 to 1.
pub(crate) fn fifty_move_scale(position: &Position<'_>) -> f32 {
    fifty_move_parts(position) as f32 / FIFTY_MOVE_PARTS as f32
}

/// A score as the fifty-move rule leaves it. However large the advantage is, only the search can prove a win.
fn scaled_by_fifty_moves(position: &Position<'_>, score: i32) -> i32 {
    (score * fifty_move_parts(position) / FIFTY_MOVE_PARTS).clamp(1 - FORCED_WIN, FORCED_WIN - 1)
}
