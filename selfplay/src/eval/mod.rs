//! What a position is worth without looking ahead.

mod pawns;
mod prepared;
mod shifts;

use backrank_rules::{MAX_SQUARES, Position, Rules, Side, Squares};

use crate::score::{FORCED_WIN, INFINITE};
use crate::weights::Weights;
use pawns::Pawns;
use prepared::{Pair, Prepared};

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

    /// The worth of a position for the side to move; where material and places alone put it far outside a window, without
    /// the rest.
    pub(crate) fn evaluate_within(&self, position: &Position<'_>, alpha: i32, beta: i32) -> i32 {
        let prepared = &self.prepared;
        let [white, black] = Side::BOTH.map(|side| self.material_and_places(position, side));
        let phase = (white.1 + black.1).min(prepared.full_phase);
        let mut score = white.0 - black.0 + self.pawns.evaluate(position);
        let for_mover = |score: Pair| {
            let mixed = score.mixed(phase, prepared.full_phase);
            let score = prepared.tempo.mixed(phase, prepared.full_phase)
                + if position.side_to_move() == Side::White { mixed } else { -mixed };
            // However many queens there are, only a search can see a win.
            score.clamp(1 - FORCED_WIN, FORCED_WIN - 1)
        };
        let roughly = for_mover(score);
        if roughly < alpha.saturating_sub(FAR_OUTSIDE) || roughly > beta.saturating_add(FAR_OUTSIDE) {
            return roughly;
        }
        let all_pawns = position.of_kind(Position::PAWN);
        let by_pawns =
            Side::BOTH.map(|side| prepared.shifts.pawn_attacks(all_pawns & position.pieces(side), side));
        score +=
            self.activity(position, Side::White, by_pawns) - self.activity(position, Side::Black, by_pawns);
        for_mover(score)
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

    /// What one side's pieces do: mobility, threats, king attack, shelter and the bishop pair.
    fn activity(&self, position: &Position<'_>, side: Side, by_pawns: [u128; 2]) -> Pair {
        let prepared = &self.prepared;
        let (us, them) = (side as usize, side.other() as usize);
        let own = position.pieces(side);
        let enemy = position.pieces(side.other());
        let zone = prepared.king_zones[them][position.king(side.other()).0 as usize];
        let reachable = !own & !by_pawns[them];
        let mut score = self.pawns.shelter(position, side);
        let mut danger = 0;
        let mut attackers = 0;
        for (kind, terms) in prepared.kinds.iter().enumerate().skip(1) {
            let pieces = position.of_kind(kind) & own;
            if pieces == 0 || terms.royal {
                continue;
            }
            let worth_more = prepared.worth_more(position, kind) & enemy;
            for square in Squares(pieces) {
                let attacked = position.attacks_of(kind, side, square);
                let moves = (attacked & reachable).count_ones() as usize;
                score += terms.mobility[moves & (MAX_SQUARES - 1)];
                score += prepared.threat * (attacked & worth_more).count_ones() as i32;
                let near_king = (attacked & zone).count_ones() as i32;
                danger += near_king * terms.danger;
                attackers += i32::from(near_king > 0);
            }
            if terms.colour_bound && pieces & prepared.dark != 0 && pieces & !prepared.dark != 0 {
                score += prepared.bishop_pair;
            }
        }
        let threatened = by_pawns[us] & enemy & !position.of_kind(Position::PAWN);
        score += prepared.pawn_threat * threatened.count_ones() as i32;
        if attackers > 1 {
            score += prepared.king_attack(danger);
        }
        score
    }
}
