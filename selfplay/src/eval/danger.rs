//! How much danger a king is in.

use backrank_rules::{MAX_SQUARES, Position, Side};

use super::Evaluator;
use super::attacks::Attacks;
use super::pair::Pair;
use super::prepared::PHASE_OF_A_PAWN;

/// Danger grows no worse than this.
const MOST_DANGER: f32 = 300.0;

impl Evaluator {
    /// The score of a side for the danger in which it puts the enemy's king.
    pub(super) fn danger(
        &self,
        position: &Position<'_>,
        side: Side,
        [us, them]: [&Attacks; 2],
        shelter: Pair,
        army: i32,
    ) -> Pair {
        let prepared = &self.prepared;
        let king = position.king(side.other());
        let zone = prepared.king_zones[side.other() as usize][king.0 as usize & (MAX_SQUARES - 1)];
        let weak = us.all & !them.but_by_king;
        let unprotected = us.all & !them.all | weak & us.twice;
        // A piece that is not taken gives check from an empty or an enemy's square.
        let safe = !position.pieces(side) & (unprotected | !them.all);
        let number = |squares: u128| squares.count_ones() as f32;
        let (mut safe_checks, mut unsafe_checks, mut ways) = (0, 0, 0.0);
        for reached in us.checks {
            safe_checks |= reached & safe;
            unsafe_checks |= reached & !safe & !position.pieces(side);
            ways += f32::from(u8::from(reached & safe != 0));
        }
        let flank = prepared.flanks[side.other() as usize][king.0 as usize & (MAX_SQUARES - 1)];
        let attackers = us.attackers as f32;
        let weights = &prepared.weights;
        let danger = weights.danger_base
            + us.danger
            + weights.danger_together * (attackers * (attackers - 1.0) / 2.0).max(0.0)
            + weights.danger_weak * number(zone & weak)
            + weights.danger_check * ways
            + weights.danger_more_checks * (number(safe_checks) - 1.0).max(0.0)
            + weights.danger_unsafe_check * number(unsafe_checks)
            + weights.danger_flank * (number(us.all & flank) + number(us.twice & flank))
            + weights.danger_pinned * number(position.shields(side.other()))
            + weights.danger_mobility * (them.mobility - us.mobility) as f32
            + weights.danger_shelter * shelter.opening() as f32
            + weights.danger_army / PHASE_OF_A_PAWN * army as f32;
        let danger = danger.clamp(0.0, MOST_DANGER);
        let opening = (weights.king_danger.opening * danger * danger / 100.0) as i32;
        Pair::new(opening, (weights.king_danger.endgame * danger) as i32)
    }
}
