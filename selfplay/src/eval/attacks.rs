//! What one side's pieces attack, and what comes of it for each of them alone.

use backrank_rules::{MAX_SQUARES, Position, Side, Squares};

use super::Evaluator;
use super::pair::Pair;
use super::pawns::Structure;

/// More kinds than a game has, which has the pawn and a piece for every other letter at most.
const MOST_KINDS: usize = 32;

/// Ways of giving check that are told apart: along ranks and files, along diagonals, by a knight's leap and so on; all
/// further ways of a game count as the last.
pub(super) const WAYS: usize = 4;

/// A piece that rides along files and has no more moves than this between its king and the edge is shut in.
const FEW_MOVES: usize = 3;

/// What one side attacks.
pub(super) struct Attacks {
    /// By any piece or pawn.
    pub all: u128,
    /// By two or more.
    pub twice: u128,
    /// By anything but the king.
    pub but_by_king: u128,
    /// By the king.
    pub by_king: u128,
    /// By light pieces.
    pub by_light: u128,
    /// Those squares from which what attacks them would give check, by the way of it.
    pub checks: [u128; WAYS],
    /// How many pieces a kind worth less, by a pawn at least, attacks.
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
    #[inline(never)]
    pub(super) fn attacks(&self, position: &Position<'_>, side: Side, known: &Structure) -> Attacks {
        let prepared = &self.prepared;
        let (us, them) = (side as usize, side.other() as usize);
        let own = position.pieces(side);
        let enemy = position.pieces(side.other());
        let pawns = position.of_kind(Position::PAWN);
        let king = position.king(side).0 as usize & (MAX_SQUARES - 1);
        let enemy_king = position.king(side.other()).0 as usize & (MAX_SQUARES - 1);
        let zone = prepared.king_zones[them][enemy_king];
        let by_pawns = known.pawn_attacks[us];
        let reachable = !own & !known.pawn_attacks[them];
        // Squares where no enemy pawn can ever attack a piece, on the far side of the middle.
        let outposts = prepared.far_half[us] & !known.attack_spans[them] & by_pawns;
        let behind_pawns = prepared.shifts.forward(pawns, side.other());
        let mut all = by_pawns;
        let mut twice = known.pawn_attacks_twice[us];
        let mut by_light = 0;
        let mut by_lesser = 0;
        let mut by_kinds = [0; MOST_KINDS];
        let (mut attackers, mut near_king, mut danger) = (0, 0, 0.0);
        let mut score = Pair::ZERO;
        let mut mobility = Pair::ZERO;
        for (kind, terms) in prepared.kinds.iter().enumerate().skip(1) {
            let pieces = position.of_kind(kind) & own;
            if pieces == 0 || terms.royal {
                continue;
            }
            let mut by_kind = 0;
            let mut with_few_moves = 0;
            let attacks = position.attacks_of_kind(kind, side);
            for square in Squares(pieces) {
                let attacked = attacks.from(square);
                twice |= all & attacked;
                all |= attacked;
                by_kind |= attacked;
                let moves = (attacked & reachable).count_ones() as usize;
                mobility += terms.mobility[moves & (MAX_SQUARES - 1)];
                if moves <= FEW_MOVES {
                    with_few_moves |= 1 << square.0;
                }
                let near = attacked & zone;
                if near != 0 {
                    attackers += 1;
                    near_king += near.count_ones();
                    danger += terms.danger;
                }
            }
            by_kinds[kind & (MOST_KINDS - 1)] = by_kind;
            let hit = by_kind & enemy;
            if hit != 0 {
                by_lesser += (hit & prepared.worth_more(position, kind)).count_ones() as i32;
            }
            if terms.light {
                by_light |= by_kind;
                score += prepared.outpost * (pieces & outposts).count_ones() as i32
                    + prepared.behind_pawn * (pieces & behind_pawns).count_ones() as i32;
            }
            if terms.colour_bound {
                score += self.bound_to_colour(pieces, pawns & own);
            }
            if terms.rides_files {
                score += self.pawns.files_of(pieces, known, us);
                let shut_in = with_few_moves & prepared.corners[king];
                if shut_in != 0 {
                    let may_castle = position.castling() & own != 0;
                    let for_good = if may_castle { Pair::ZERO } else { prepared.shut_in_for_good };
                    score += (prepared.shut_in + for_good) * shut_in.count_ones() as i32;
                }
            }
        }
        let mut checks = [0; WAYS];
        let mut way = 0;
        position.for_each_checking(side, |kinds, squares| {
            let [one, two, three] = kinds.map(|kind| by_kinds[kind as usize & (MOST_KINDS - 1)]);
            let reached = one | two | three;
            checks[way] |= squares & reached;
            way = (way + 1).min(WAYS - 1);
        });
        let by_king = prepared.king_steps[king];
        Attacks {
            all: all | by_king,
            twice: twice | all & by_king,
            but_by_king: all,
            by_king,
            by_light,
            checks,
            by_lesser,
            danger: danger + prepared.weights.danger_attack * near_king as f32,
            attackers,
            mobility: mobility.opening(),
            score: score + mobility,
        }
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
