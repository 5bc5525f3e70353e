//! What one side's pieces attack, and what comes of it for each of them alone.

use backrank_rules::{MAX_SQUARES, Position, Side, Squares};

use super::Evaluator;
use super::pair::Pair;

/// The most kinds a game has: the pawn and a piece for every other letter.
pub(super) const MOST_KINDS: usize = 26;

/// What one side attacks.
pub(super) struct Attacks {
    /// By any piece or pawn.
    pub all: u128,
    /// By two or more.
    pub twice: u128,
    /// By pawns.
    pub by_pawns: u128,
    /// By anything but the king.
    pub but_by_king: u128,
    /// By the king.
    pub by_king: u128,
    /// By light pieces.
    pub by_light: u128,
    /// By pieces of each kind; not filled in for pawns and the king.
    pub by_kind: [u128; MOST_KINDS],
    /// By pieces worth less than what they attack, by a pawn at least: how often.
    pub by_lesser: i32,
    /// The danger in which pieces around the enemy's king put it.
    pub danger: f32,
    /// How many pieces attack squares around the enemy's king.
    pub attackers: i32,
    /// The opening part of mobility.
    pub mobility: i32,
    /// Mobility and what else is said of each piece by itself.
    pub score: Pair,
}

impl Evaluator {
    /// One side's attacks.
    pub(super) fn attacks(&self, position: &Position<'_>, side: Side) -> Attacks {
        let prepared = &self.prepared;
        let (us, them) = (side as usize, side.other() as usize);
        let own = position.pieces(side);
        let enemy = position.pieces(side.other());
        let pawns = position.of_kind(Position::PAWN);
        let shifts = &prepared.shifts;
        let [left, right] = shifts.pawn_attacks_by_file(pawns & own, side);
        let by_enemy_pawns = shifts.pawn_attacks(pawns & enemy, side.other());
        let king = position.king(side);
        let king_steps = prepared.king_steps[king.0 as usize & (MAX_SQUARES - 1)];
        let mut attacks = Attacks {
            all: left | right,
            twice: left & right,
            by_pawns: left | right,
            but_by_king: 0,
            by_king: king_steps,
            by_light: 0,
            mobility: 0,
            by_kind: [0; MOST_KINDS],
            by_lesser: 0,
            danger: 0.0,
            attackers: 0,
            score: Pair::ZERO,
        };
        let zone = prepared.king_zones[them][position.king(side.other()).0 as usize & (MAX_SQUARES - 1)];
        let reachable = !own & !by_enemy_pawns;
        // Squares where no enemy pawn can ever attack a piece, on the far side of the middle.
        let safe_from_pawns = prepared.far_half[us] & !self.pawns.attack_spans(pawns & enemy, side.other());
        let outposts = safe_from_pawns & attacks.by_pawns;
        let behind_pawns = shifts.forward(pawns, side.other());
        // Between the king and the nearer edge.
        let king_bit = 1u128 << king.0;
        let corner_side = usize::from(king_bit & prepared.left_half == 0);
        let corner = prepared.along_rank[corner_side][king.0 as usize & (MAX_SQUARES - 1)];
        let may_castle = position.castling_partners(side).next().is_some();
        let mut score = Pair::ZERO;
        let mut mobility = Pair::ZERO;
        for (kind, terms) in prepared.kinds.iter().enumerate().skip(1) {
            let pieces = position.of_kind(kind) & own;
            if pieces == 0 || terms.royal {
                continue;
            }
            let worth_more = prepared.worth_more(position, kind) & enemy;
            let mut by_kind = 0;
            for square in Squares(pieces) {
                let attacked = position.attacks_of(kind, side, square);
                attacks.twice |= attacks.all & attacked;
                attacks.all |= attacked;
                by_kind |= attacked;
                let moves = (attacked & reachable).count_ones() as usize;
                mobility += terms.mobility[moves & (MAX_SQUARES - 1)];
                if terms.rides_files && moves <= 3 && corner >> square.0 & 1 != 0 {
                    score += prepared.shut_in;
                    if !may_castle {
                        score += prepared.shut_in_for_good;
                    }
                }
                attacks.by_lesser += (attacked & worth_more).count_ones() as i32;
                let near_king = (attacked & zone).count_ones();
                if near_king > 0 {
                    attacks.attackers += 1;
                    attacks.danger += terms.danger + prepared.danger_attack * near_king as f32;
                }
            }
            attacks.by_kind[kind] = by_kind;
            if terms.light {
                attacks.by_light |= by_kind;
                score += prepared.outpost * (pieces & outposts).count_ones() as i32
                    + prepared.behind_pawn * (pieces & behind_pawns).count_ones() as i32;
            }
            if terms.colour_bound {
                score += self.bound_to_colour(pieces, pawns & own);
            }
            if terms.rides_files {
                score += self.pawns.files_of(pieces, pawns, own);
            }
        }
        attacks.but_by_king = attacks.all;
        attacks.twice |= attacks.all & king_steps;
        attacks.all |= king_steps;
        attacks.mobility = mobility.opening;
        attacks.score = score + mobility;
        attacks
    }

    /// Pieces that never leave their colour: pawns in their way, and whether they make up for each other.
    fn bound_to_colour(&self, pieces: u128, pawns: u128) -> Pair {
        let dark = self.prepared.dark;
        let number = |squares: u128| squares.count_ones() as i32;
        let in_the_way =
            number(pieces & dark) * number(pawns & dark) + number(pieces & !dark) * number(pawns & !dark);
        let mut score = self.prepared.pawn_on_colour * in_the_way;
        if pieces & dark != 0 && pieces & !dark != 0 {
            score += self.prepared.bishop_pair;
        }
        score
    }
}
