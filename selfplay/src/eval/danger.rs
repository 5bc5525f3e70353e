//! How much danger a king is in.

use backrank_rules::{MAX_SQUARES, Position, Side};

use super::Evaluator;
use super::attacks::Attacks;
use super::pair::Pair;

/// Danger grows no worse than this.
const MOST_DANGER: f32 = 300.0;

impl Evaluator {
    /// The score of a side for the danger in which it puts the enemy's king.
    pub(super) fn danger(
        &self,
        position: &Position<'_>,
        side: Side,
        us: &Attacks,
        them: &Attacks,
        army: i32,
    ) -> Pair {
        let prepared = &self.prepared;
        let king = position.king(side.other());
        let zone = prepared.king_zones[side.other() as usize][king.0 as usize & (MAX_SQUARES - 1)];
        let weak = us.all & !them.but_by_king;
        let unprotected = us.all & !them.all | weak & us.twice;
        // A piece that is not taken gives check from an empty or an enemy's square.
        let safe = !position.pieces(side) & (unprotected | !them.all);
        let mut checks = 0;
        position.for_each_checking(side, |kinds, squares| {
            let reached = kinds.iter().fold(0, |reached, &kind| reached | us.by_kind[kind as usize]);
            checks |= squares & reached & safe;
        });
        let danger = prepared.danger_base
            + us.danger
            + prepared.danger_weak * (zone & weak).count_ones() as f32
            + prepared.danger_check * checks.count_ones() as f32
            + prepared.danger_army * army as f32;
        let danger = danger.clamp(0.0, MOST_DANGER);
        Pair {
            opening: (prepared.king_danger.opening * danger * danger / 100.0) as i32,
            endgame: (prepared.king_danger.endgame * danger) as i32,
        }
    }
}
