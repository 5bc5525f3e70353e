//! What a side attacks, and what of it the enemy does not hold.

use backrank_rules::{Position, Side};

use super::Evaluator;
use super::attacks::Attacks;
use super::pair::Pair;
use super::pawns::Structure;

impl Evaluator {
    /// The score of a side's threats and of the space it holds.
    pub(super) fn threats(
        &self,
        position: &Position<'_>,
        side: Side,
        us: &Attacks,
        them: &Attacks,
        known: &Structure,
    ) -> Pair {
        let prepared = &self.prepared;
        let shifts = &prepared.shifts;
        let number = |squares: u128| squares.count_ones() as i32;
        let own = position.pieces(side);
        let enemy = position.pieces(side.other());
        let all_pawns = position.of_kind(Position::PAWN);
        let enemy_pieces = enemy & !all_pawns & !(1 << position.king(side.other()).0);
        // What a pawn protects, or more pieces than attack it.
        let by_enemy_pawns = known.pawn_attacks[side.other() as usize];
        let held = by_enemy_pawns | them.twice & !us.twice;
        let weak = enemy & us.all & !held;
        let hanging = weak & (!them.all | enemy_pieces & us.twice);

        let steps = shifts.forward(all_pawns & own, side) & !position.occupied();
        let safe_steps = steps & !by_enemy_pawns & (us.all | !them.all);
        let pushed = shifts.pawn_attacks(safe_steps, side) & enemy_pieces;

        let behind = prepared.own_half_middle[side as usize];
        let room = behind & !(all_pawns & own) & !by_enemy_pawns;
        let safe_pawns = all_pawns & own & (us.all | !them.all);
        let pawns_behind = shifts.behind_within_three(all_pawns & own, side);
        prepared.pawn_threat * number(shifts.pawn_attacks(safe_pawns, side) & enemy_pieces)
            + prepared.light_threat * number(us.by_light & (enemy_pieces | weak))
            + prepared.push_threat * number(pushed)
            + prepared.threat * us.by_lesser
            + prepared.weak * number(weak)
            + prepared.hanging * number(hanging)
            + prepared.king_threat * number(weak & us.by_king)
            + prepared.contested * number(us.all & them.all & !held & !own)
            + prepared.space * number(room)
            + prepared.space_behind * number(room & pawns_behind & !them.all)
    }
}
