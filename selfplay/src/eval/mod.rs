//! What a position is worth without looking ahead.

mod attacks;
mod balance;
mod bare_king;
mod danger;
mod features;
mod packed;
mod pawns;
mod prepared;
mod threats;
mod winnable;

use std::sync::Arc;

use backrank_endgames::EndgameTables;
use backrank_rules::{Move, PieceKind, Position, Rules, Side};

use crate::score::{FORCED_WIN, INFINITE};
use crate::weights::Weights;
use balance::Balance;
pub(crate) use danger::{INPUTS as DANGER_INPUTS, MAX_DANGER};
pub(crate) use features::{EvalFeatures, FeatureExtractor};
use packed::PackedScore;
pub(crate) use pawns::PawnCache;
use pawns::{Pawns, Structure};
use prepared::Prepared;
pub(crate) use winnable::{HARDLY_WINNABLE, INPUTS as WINNABLE_INPUTS, MAX_WINNABLE};

/// Tells what a position is worth.
///
/// Material, places, mobility, pawns, king safety and threats, each a part for the opening and one for the endgame, mixed
/// by the material left on the board.
#[derive(Clone, Debug)]
pub struct Evaluator {
    prepared: Prepared,
    pawns: Pawns,
    /// Where they are known, endgames of few men.
    tables: Option<Arc<EndgameTables>>,
}

/// How far outside a window a score has to be by what pieces did a few plies before, in centipawns, for what they do now
/// to make no difference.
const LAZY_MARGIN: i32 = 200;

/// The incremental part of the evaluation, kept up to date from move to move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EvalState {
    pub(super) balance: Balance,
    /// What pieces do, White's minus Black's, when it was last worked out.
    activity: PackedScore,
    /// Whether that was for this position, or for one that differs only in whose move it is.
    is_current: bool,
}

/// What a position is worth for the side to move, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Evaluation {
    pub score: i32,
    /// Whether it was worked out, and not only found to be far outside the window.
    pub exact: bool,
}

impl Evaluator {
    /// Prepares the tables of a game.
    pub fn new(rules: &Rules, weights: &Weights) -> Self {
        Self { prepared: Prepared::new(rules, weights), pawns: Pawns::new(rules, weights), tables: None }
    }

    /// Lets it ask endgame tables.
    pub(crate) fn set_tables(&mut self, tables: Option<Arc<EndgameTables>>) {
        self.tables = tables;
    }

    /// The endgame tables that it may ask.
    #[inline]
    pub(crate) fn tables(&self) -> Option<&EndgameTables> {
        self.tables.as_deref()
    }

    /// What a kind of piece is worth in an exchange, in centipawns. The king is worth more than all others.
    #[inline]
    pub fn value(&self, kind: PieceKind) -> i32 {
        self.prepared.exchange_values[kind.index()]
    }

    /// Whether a kind is the king.
    #[inline]
    pub(crate) fn is_royal(&self, kind: PieceKind) -> bool {
        self.prepared.kinds[kind.index()].royal
    }

    /// The kinds by what they are worth in an exchange, the least first.
    #[inline]
    pub(crate) fn by_value(&self) -> &[PieceKind] {
        &self.prepared.by_value
    }

    /// The worth of a position for the side to move, in centipawns.
    pub fn evaluate(&self, position: &Position<'_>) -> i32 {
        let mut cache = PawnCache::default();
        self.evaluate_within(position, &mut self.state(position), &mut cache, -INFINITE, INFINITE).score
    }

    /// The incremental part for a position that is the first to be looked at.
    pub(crate) fn state(&self, position: &Position<'_>) -> EvalState {
        EvalState { balance: self.balance(position), activity: PackedScore::ZERO, is_current: false }
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
        EvalState { balance, activity: state.activity, is_current: false }
    }

    /// The worth of a position for the side to move; where what is known puts it far outside a window, not exactly.
    pub(crate) fn evaluate_within(
        &self,
        position: &Position<'_>,
        state: &mut EvalState,
        cache: &mut PawnCache,
        alpha: i32,
        beta: i32,
    ) -> Evaluation {
        if let Some(side) = self.mating_side(position) {
            // Without a capture or a pawn move ahead, all lines are as near to fifty moves.
            let score = self.mating_score(position, side);
            return Evaluation {
                score: if side == position.side_to_move() { score } else { -score },
                exact: true,
            };
        }
        let phases = state.balance.phases;
        let pawns = self.pawns.structure(position, cache);
        let quiet = state.balance.score + pawns.score;
        let roughly = self.for_mover(position, quiet + state.activity, pawns, phases);
        if state.is_current {
            return Evaluation { score: roughly, exact: true };
        }
        if roughly < alpha.saturating_sub(LAZY_MARGIN) || roughly > beta.saturating_add(LAZY_MARGIN) {
            return Evaluation { score: roughly, exact: false };
        }
        state.activity = self.activity(position, pawns, phases);
        state.is_current = true;
        Evaluation { score: self.for_mover(position, quiet + state.activity, pawns, phases), exact: true }
    }

    /// What White's pieces do minus what Black's do.
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
        let score = (for_mover + prepared.weights.tempo).mixed(phase, prepared.full_phase);
        // However many queens there are, only a search can see a win.
        (score * not_faded(position) / FADED_AWAY).clamp(1 - FORCED_WIN, FORCED_WIN - 1)
    }
}

/// Moves without a capture or a pawn move after which an advantage would be worth nothing. The game is drawn after half of
/// them, but a score that fell to nothing would make the last moves before that a reason for sacrifices.
const FADED_AWAY: i32 = 200;

/// How many two-hundredths of a score are left as the game nears a draw by fifty moves: progress is worth something.
fn not_faded(position: &Position<'_>) -> i32 {
    FADED_AWAY - i32::from(position.halfmove_clock()).min(100)
}
