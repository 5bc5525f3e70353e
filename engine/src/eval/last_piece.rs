//! The evaluation against a king that has one piece left: a queen wins against a bishop, but the mate lies far beyond the
//! search.

use backrank_rules::{PieceKind, Position, Side};

use super::evaluator::Evaluator;
use super::packed::PackedScore;
use super::phase::WINNING_PHASE;

impl Evaluator {
    /// The side that is so far ahead, without a pawn on the board, that it should win although its enemy has one piece
    /// left; `None` if that is neither.
    pub(super) fn driving_side(&self, position: &Position<'_>, phases: [i32; 2]) -> Option<Side> {
        if !position.of_kind(PieceKind::PAWN).is_empty() {
            return None;
        }
        Side::BOTH.into_iter().find(|&side| {
            let enemy = side.other();
            position.pieces(enemy).count() == 2
                && phases[side as usize] - phases[enemy as usize] >= WINNING_PHASE
        })
    }

    /// The score for driving such an enemy's king out and approaching it, White's minus Black's. Without the own king
    /// there is no mate, and checks alone, which the search likes, get nowhere.
    pub(super) fn driving(&self, position: &Position<'_>, phases: [i32; 2]) -> PackedScore {
        let Some(side) = self.driving_side(position, phases) else { return PackedScore::ZERO };
        let weights = &self.prepared.weights;
        let [own_king, king] = [position.king(side), position.king(side.other())];
        let score = weights.last_piece_driven_out * i32::from(self.prepared.from_middle[king.index()])
            + weights.last_piece_kings_apart * self.pawns.steps_between(own_king, king);
        if side == Side::White { score } else { -score }
    }
}
