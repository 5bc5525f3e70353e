//! Threats, and the space that a side holds safely.

use backrank_rules::{BitboardPair, PieceKind, Position, Side};

use super::attacks::Attacks;
use super::evaluator::Evaluator;
use super::packed::PackedScore;
use super::pawns::Structure;

impl Evaluator {
    /// The score of threats and of the space held safely, White's minus Black's.
    pub(super) fn threats(
        &self,
        position: &Position<'_>,
        attacks: &Attacks,
        known: &Structure,
    ) -> PackedScore {
        let prepared = &self.prepared;
        let shifts = &prepared.shifts;
        let own = position.both_sides();
        let enemy = own.swapped();
        let own_pawns = own & BitboardPair::both(position.of_kind(PieceKind::PAWN));
        let [white_king, black_king] = Side::BOTH.map(|side| position.king(side).bitboard());
        let enemy_pieces = (own & !own_pawns & !BitboardPair::new(white_king, black_king)).swapped();
        let all = attacks.all;
        let by_enemy = all.swapped();
        // Squares that are protected by a pawn, or by more pieces than attack them.
        let by_enemy_pawns = known.pawn_attacks.swapped();
        let held = by_enemy_pawns | attacks.twice.swapped() & !attacks.twice;
        let weak = enemy & all & !held;
        let hanging = weak & (!by_enemy | enemy_pieces & attacks.twice);

        let safe = all | !by_enemy;
        let steps = shifts.pawn_steps(own_pawns) & !(own | enemy);
        let pushed = shifts.pawn_attacks(steps & !by_enemy_pawns & safe) & enemy_pieces;
        let by_pawns = shifts.pawn_attacks(own_pawns & safe) & enemy_pieces;
        prepared.weights.pawn_threat * by_pawns.lead()
            + prepared.weights.light_threat * (attacks.by_light & (enemy_pieces | weak)).lead()
            + prepared.weights.push_threat * pushed.lead()
            + prepared.weights.threat * (attacks.by_lesser[0] - attacks.by_lesser[1])
            + prepared.weights.weak * weak.lead()
            + prepared.weights.hanging * hanging.lead()
            + prepared.weights.king_threat * (weak & attacks.by_king).lead()
            + prepared.weights.contested * (all & by_enemy & !held & !own).lead()
            + prepared.weights.space_behind * (known.room_behind & !by_enemy).lead()
    }
}
