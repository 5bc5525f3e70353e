//! What a position is worth without looking ahead.

mod pawns;
mod prepared;
mod shifts;

use backrank_rules::{Position, Rules, Side, Squares};

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

/// What the sides' terms share.
struct Attacks {
    /// By any piece or pawn, of each side.
    pawns: [u128; 2],
    /// Opening and endgame scores, White's minus Black's.
    total: Pair,
}

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
        let prepared = &self.prepared;
        let all_pawns = position.of_kind(Position::PAWN);
        let pawns =
            Side::BOTH.map(|side| prepared.shifts.pawn_attacks(all_pawns & position.pieces(side), side));
        let mut attacks = Attacks { pawns, total: Pair::ZERO };
        attacks.total += self.pawns.evaluate(position);
        let mut phase = 0;
        for side in Side::BOTH {
            let (score, material) = self.side(position, side, &attacks);
            attacks.total += if side == Side::White { score } else { -score };
            phase += material;
        }
        let phase = phase.min(prepared.full_phase);
        let score = attacks.total.mixed(phase, prepared.full_phase);
        let tempo = prepared.tempo.mixed(phase, prepared.full_phase);
        tempo + if position.side_to_move() == Side::White { score } else { -score }
    }

    /// One side's pieces: their score, and their material for the phase.
    fn side(&self, position: &Position<'_>, side: Side, attacks: &Attacks) -> (Pair, i32) {
        let prepared = &self.prepared;
        let (us, them) = (side as usize, side.other() as usize);
        let own = position.pieces(side);
        let enemy = position.pieces(side.other());
        let enemy_king = position.king(side.other());
        let zone = prepared.king_zones[them][enemy_king.0 as usize];
        let reachable = !own & !attacks.pawns[them];
        let mut score = Pair::ZERO;
        let mut phase = 0;
        let mut danger = 0;
        let mut attackers = 0;
        for (kind, terms) in prepared.kinds.iter().enumerate() {
            let pieces = position.of_kind(kind) & own;
            if pieces == 0 {
                continue;
            }
            let places = &terms.places[us];
            if kind == Position::PAWN {
                for square in Squares(pieces) {
                    score += places[square.0 as usize];
                }
                continue;
            }
            if terms.royal {
                score += places[position.king(side).0 as usize];
                continue;
            }
            let worth_more = prepared.worth_more(position, kind) & enemy;
            for square in Squares(pieces) {
                score += places[square.0 as usize];
                let attacked = position.attacks_of(kind, side, square);
                score += terms.mobility
                    [((attacked & reachable).count_ones() as usize).min(terms.mobility.len() - 1)];
                let near_king = (attacked & zone).count_ones() as i32;
                danger += near_king * terms.danger;
                attackers += i32::from(near_king > 0);
                score += prepared.threat * (attacked & worth_more).count_ones() as i32;
                phase += terms.phase;
            }
            if terms.colour_bound && pieces & prepared.dark != 0 && pieces & !prepared.dark != 0 {
                score += prepared.bishop_pair;
            }
        }
        let threatened = attacks.pawns[us] & enemy & !position.of_kind(Position::PAWN);
        score += prepared.pawn_threat * threatened.count_ones() as i32;
        if attackers > 1 {
            score += prepared.king_attack(danger);
        }
        score += self.pawns.shelter(position, side);
        (score, phase)
    }
}
