//! How much of an advantage in the endgame can be turned into a win.

use backrank_rules::{PieceKind, Position, Side};

use super::evaluator::Evaluator;
use super::inputs::{HARDLY_WINNABLE, MAX_WINNABLE, WinnableInputs};
use super::pawns::Structure;
use super::phase::WINNING_PHASE;

impl Evaluator {
    /// The inputs for an advantage of a side; `None` if it has no pawns and hardly more pieces.
    pub(super) fn winnable_inputs(
        &self,
        position: &Position<'_>,
        ahead: Side,
        pawns: &Structure,
        phases: [i32; 2],
    ) -> Option<WinnableInputs> {
        let (us, them) = (ahead as usize, ahead.other() as usize);
        let [on_dark, on_light] = pawns.pawns_by_colour[us];
        let own_pawns = on_dark + on_light;
        if own_pawns == 0 && phases[us] - phases[them] < WINNING_PHASE {
            return None;
        }
        let mut inputs = [1, own_pawns, i32::from(pawns.on_both_wings), i32::from(phases == [0, 0]), 0, 0];
        if self.has_opposite_bishops(position) {
            let men =
                Side::BOTH.map(|side| (position.pieces(side) & !position.of_kind(PieceKind::PAWN)).count());
            inputs[4] = 1;
            inputs[5] = i32::from(men == [2, 2]);
        }
        Some(inputs)
    }

    /// Whether each side has one piece that never leaves its colour, and the two are on opposite colours.
    fn has_opposite_bishops(&self, position: &Position<'_>) -> bool {
        let prepared = &self.prepared;
        let bound = prepared.bound_to_colour.iter().map(|&kind| position.of_kind(kind)).collect();
        let [white, black] = Side::BOTH.map(|side| position.pieces(side) & bound);
        white.is_single()
            && black.is_single()
            && white.is_disjoint(prepared.dark) != black.is_disjoint(prepared.dark)
    }

    /// The part of an advantage that counts, in 256ths.
    pub(super) fn winnable(&self, inputs: Option<WinnableInputs>) -> i32 {
        let Some(inputs) = inputs else { return HARDLY_WINNABLE };
        let part: i32 =
            inputs.iter().zip(&self.prepared.winnable).map(|(input, weight)| input * weight).sum();
        part.clamp(0, MAX_WINNABLE)
    }
}
