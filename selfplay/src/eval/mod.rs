//! What a position is worth without looking ahead.

mod attacks;
mod danger;
mod pair;
mod pawns;
mod prepared;
mod shifts;
mod threats;

use backrank_rules::{MAX_SQUARES, Position, Rules, Side, Squares};

use crate::score::{FORCED_WIN, INFINITE};
use crate::weights::Weights;
use pair::Pair;
use pawns::Pawns;
use prepared::Prepared;

/// Tells what a position is worth.
///
/// Material, places, mobility, pawns, king safety and threats, each a part for the opening and one for the endgame, mixed
/// by the material left on the board.
#[derive(Clone, Debug)]
pub struct Evaluator {
    prepared: Prepared,
    pawns: Pawns,
}

/// What pieces do hardly ever makes up for more than this, in centipawns.
const FAR_OUTSIDE: i32 = 400;

impl Evaluator {
    /// Prepares the tables of a game.
    pub fn new(rules: &Rules, weights: &Weights) -> Self {
        Self { prepared: Prepared::new(rules, weights), pawns: Pawns::new(rules, weights) }
    }

    /// What a kind of piece is worth in an exchange, in centipawns. The king is worth more than all others.
    #[inline]
    pub fn value(&self, kind: usize) -> i32 {
        self.prepared.exchange_values[kind]
    }

    /// Whether a kind is the king.
    #[inline]
    pub(crate) fn is_royal(&self, kind: usize) -> bool {
        self.prepared.kinds[kind].royal
    }

    /// The kinds by what they are worth in an exchange, the least first.
    #[inline]
    pub(crate) fn by_value(&self) -> &[usize] {
        &self.prepared.by_value
    }

    /// The worth of a position for the side to move, in centipawns.
    pub fn evaluate(&self, position: &Position<'_>) -> i32 {
        self.evaluate_within(position, -INFINITE, INFINITE)
    }

    /// The worth of a position for the side to move; where material, places and pawns alone put it far outside a window,
    /// without the rest.
    pub(crate) fn evaluate_within(&self, position: &Position<'_>, alpha: i32, beta: i32) -> i32 {
        let [white, black] = Side::BOTH.map(|side| self.material_and_places(position, side));
        let phases = [white.1, black.1];
        let structure = Side::BOTH.map(|side| self.pawns.structure(position, side));
        let mut score = white.0 - black.0 + structure[0].score - structure[1].score;
        let roughly = self.for_mover(position, score, phases);
        if roughly < alpha.saturating_sub(FAR_OUTSIDE) || roughly > beta.saturating_add(FAR_OUTSIDE) {
            return roughly;
        }
        let attacks = Side::BOTH.map(|side| self.attacks(position, side));
        let shelters = Side::BOTH.map(|side| self.pawns.shelter(position, side));
        for side in Side::BOTH {
            let (us, them) = (&attacks[side as usize], &attacks[side.other() as usize]);
            let own = us.score
                + shelters[side as usize]
                + self.pawns.on_their_way(position, side, structure[side as usize].passed, them.all)
                + self.threats(position, side, us, them)
                + self.danger(
                    position,
                    side,
                    [us, them],
                    shelters[side.other() as usize],
                    phases[side as usize],
                );
            score += if side == Side::White { own } else { -own };
        }
        self.for_mover(position, score, phases)
    }

    /// White's score mixed by the phase of the game, as the side to move sees it.
    fn for_mover(&self, position: &Position<'_>, mut score: Pair, phases: [i32; 2]) -> i32 {
        let prepared = &self.prepared;
        let phase = (phases[0] + phases[1]).min(prepared.full_phase);
        // Without pawns, a small advantage in pieces wins nothing.
        let (ahead, side) = if score.endgame > 0 {
            (phases[0] - phases[1], Side::White)
        } else {
            (phases[1] - phases[0], Side::Black)
        };
        if position.of_kind(Position::PAWN) & position.pieces(side) == 0 && ahead < prepared.winning_phase {
            score.endgame /= 4;
        }
        let mixed = score.mixed(phase, prepared.full_phase);
        let score = prepared.tempo.mixed(phase, prepared.full_phase)
            + if position.side_to_move() == Side::White { mixed } else { -mixed };
        // However many queens there are, only a search can see a win.
        score.clamp(1 - FORCED_WIN, FORCED_WIN - 1)
    }

    /// One side's pieces for what they are and where they stand, and how much of the opening they are.
    fn material_and_places(&self, position: &Position<'_>, side: Side) -> (Pair, i32) {
        let own = position.pieces(side);
        let mut score = Pair::ZERO;
        let mut phase = 0;
        for (kind, terms) in self.prepared.kinds.iter().enumerate() {
            let places = &terms.places[side as usize];
            let pieces = position.of_kind(kind) & own;
            phase += terms.phase * pieces.count_ones() as i32;
            for square in Squares(pieces) {
                score += places[square.0 as usize & (MAX_SQUARES - 1)];
            }
        }
        (score, phase)
    }
}
