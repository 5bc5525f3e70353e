//! How much danger a king is in.

use backrank_rules::{Bitboard, BitboardPair, Position, Side};

use super::Evaluator;
use super::attacks::Attacks;
use super::packed::PackedScore;
use super::prepared::PHASE_OF_A_PAWN;

/// Danger grows no worse than this.
const MAX_DANGER: f32 = 300.0;

impl Evaluator {
    /// The score for the danger in which each side puts the enemy's king, White's minus Black's.
    pub(super) fn danger(
        &self,
        position: &Position<'_>,
        attacks: &Attacks,
        shelters: [PackedScore; 2],
        armies: [i32; 2],
    ) -> PackedScore {
        let prepared = &self.prepared;
        let kings = Side::BOTH.map(|side| position.king(side).index());
        // Around the enemy's king.
        let zones = BitboardPair::new(prepared.king_zones[1][kings[1]], prepared.king_zones[0][kings[0]]);
        let flanks = BitboardPair::new(prepared.flanks[1][kings[1]], prepared.flanks[0][kings[0]]);
        let own = position.both_sides();
        let (all, by_enemy) = (attacks.all, attacks.all.swapped());
        let weak = all & !attacks.but_by_king.swapped();
        let unprotected = all & !by_enemy | weak & attacks.twice;
        // A piece that is not taken gives check from an empty or an enemy's square.
        let safe = !own & (unprotected | !by_enemy);
        let mut safe_checks = BitboardPair::both(Bitboard::EMPTY);
        let mut all_checks = BitboardPair::both(Bitboard::EMPTY);
        let mut ways = [0.0; 2];
        for reached in attacks.checks {
            all_checks |= reached;
            safe_checks |= reached & safe;
            for (ways, safely) in ways.iter_mut().zip((reached & safe).halves()) {
                *ways += f32::from(u8::from(!safely.is_empty()));
            }
        }
        let weak_near = (zones & weak).counts();
        let safe_checks = safe_checks.counts();
        let unsafe_checks = (all_checks & !safe & !own).counts();
        let on_flank = (all & flanks).counts();
        let twice_on_flank = (attacks.twice & flanks).counts();
        let pinned = Side::BOTH.map(|side| position.shields(side.other()).count() as f32);
        let weights = &prepared.weights;
        let of_side = |us: usize| {
            let attackers = attacks.attackers[us] as f32;
            let danger = weights.danger_base
                + attacks.danger[us]
                + weights.danger_together * (attackers * (attackers - 1.0) / 2.0).max(0.0)
                + weights.danger_weak * weak_near[us] as f32
                + weights.danger_check * ways[us]
                + weights.danger_more_checks * (safe_checks[us] as f32 - 1.0).max(0.0)
                + weights.danger_unsafe_check * unsafe_checks[us] as f32
                + weights.danger_flank * (on_flank[us] + twice_on_flank[us]) as f32
                + weights.danger_pinned * pinned[us]
                + weights.danger_mobility * (attacks.mobility[1 - us] - attacks.mobility[us]) as f32
                + weights.danger_shelter * shelters[1 - us].opening() as f32
                + weights.danger_army / PHASE_OF_A_PAWN * armies[us] as f32;
            let danger = danger.clamp(0.0, MAX_DANGER);
            let opening = (weights.king_danger.opening * danger * danger / 100.0) as i32;
            PackedScore::new(opening, (weights.king_danger.endgame * danger) as i32)
        };
        of_side(0) - of_side(1)
    }
}
