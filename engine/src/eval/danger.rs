//! King safety: the danger that a king is in.

use backrank_rules::{Bitboard, BitboardPair, Position, Side};

use super::attacks::Attacks;
use super::evaluator::Evaluator;
use super::inputs::{DangerInputs, MAX_DANGER};
use super::packed::PackedScore;
use super::pawns::Shelter;
use super::phase::PHASE_OF_A_HUNDRED;

impl Evaluator {
    /// The inputs for each side's attack on the enemy's king.
    pub(super) fn danger_inputs(
        &self,
        position: &Position<'_>,
        attacks: &Attacks,
        shelters: [Shelter; 2],
        armies: [i32; 2],
    ) -> [DangerInputs; 2] {
        let prepared = &self.prepared;
        let kings = Side::BOTH.map(|side| position.king(side).index());
        // The squares around the enemy's king.
        let zones = BitboardPair::new(prepared.king_zones[1][kings[1]], prepared.king_zones[0][kings[0]]);
        let flanks = BitboardPair::new(prepared.flanks[1][kings[1]], prepared.flanks[0][kings[0]]);
        let own = position.both_sides();
        let (all, by_enemy) = (attacks.all, attacks.all.swapped());
        let weak = all & !attacks.but_by_king.swapped();
        let unprotected = all & !by_enemy | weak & attacks.twice;
        // A safe check comes from a square that is empty or held by an enemy piece.
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
        let pinned = Side::BOTH.map(|side| position.shields(side.other()).count());
        [0, 1].map(|us| {
            let attackers = attacks.attackers[us];
            let shelter = shelters[1 - us];
            [
                1.0,
                attackers as f32,
                attacks.strength[us],
                (attackers * (attackers - 1) / 2) as f32,
                attacks.near_king[us] as f32,
                weak_near[us] as f32,
                ways[us],
                (safe_checks[us] - 1).max(0) as f32,
                unsafe_checks[us] as f32,
                (on_flank[us] + twice_on_flank[us]) as f32,
                pinned[us] as f32,
                shelter.shield as f32,
                shelter.open_files as f32,
                shelter.storm as f32,
                armies[us] as f32 / PHASE_OF_A_HUNDRED,
            ]
        })
    }

    /// The score of each side's attack on the enemy's king, White's minus Black's.
    pub(super) fn danger(&self, inputs: &[DangerInputs; 2]) -> PackedScore {
        let prepared = &self.prepared;
        let [white, black] = inputs.each_ref().map(|inputs| {
            let danger: f32 = inputs.iter().zip(&prepared.danger).map(|(input, weight)| input * weight).sum();
            let danger = danger.clamp(0.0, MAX_DANGER);
            let endgame = prepared.weights.king_danger * danger;
            PackedScore::new((danger * danger / 100.0) as i32, endgame as i32)
        });
        white - black
    }
}
