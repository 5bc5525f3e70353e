//! The squares that both sides' pieces attack, and the scores of single pieces that follow from them, such as mobility.

use arrayvec::ArrayVec;
use backrank_rules::{Bitboard, BitboardPair, MAX_SQUARES, PieceKind, Position, Side, Square};

use super::evaluator::Evaluator;
use super::packed::PackedScore;
use super::pawns::Structure;

/// The number of ways of giving check that are distinguished: along ranks and files, along diagonals, by a knight's leap
/// and so on. If a game has more, the others are counted with the last.
pub(super) const WAYS: usize = 4;

/// A piece that rides along files and has no more moves than this between its king and the edge is shut in.
const FEW_MOVES: u32 = 3;

/// What each side attacks; White first, as everywhere where there are two.
pub(super) struct Attacks {
    /// Attacked by any piece or pawn.
    pub all: BitboardPair,
    /// Attacked by two or more.
    pub twice: BitboardPair,
    /// Attacked by anything but the king.
    pub but_by_king: BitboardPair,
    /// Attacked by the king.
    pub by_king: BitboardPair,
    /// Attacked by light pieces.
    pub by_light: BitboardPair,
    /// For each way of giving check, the attacked squares from which the attacker would give check.
    pub checks: [BitboardPair; WAYS],
    /// The number of pieces attacked by a piece that is worth less by a pawn or more.
    pub by_lesser: [i32; 2],
    /// The number of pieces that attack squares around the enemy's king.
    pub attackers: [i32; 2],
    /// The sum of the square roots of their values in hundreds of centipawns.
    pub strength: [f32; 2],
    /// The number of attacks on squares around the enemy's king.
    pub near_king: [i32; 2],
    /// Mobility and the other scores of single pieces, White's minus Black's.
    pub score: PackedScore,
}

/// The attacks of one side's pawns and pieces without the king.
struct OfSide {
    all: Bitboard,
    twice: Bitboard,
    by_light: Bitboard,
    checks: [Bitboard; WAYS],
    by_lesser: i32,
    attackers: i32,
    strength: f32,
    near_king: i32,
    mobility: PackedScore,
    shut_in: PackedScore,
}

/// A piece and what it attacks.
#[derive(Clone, Copy)]
struct Attacker {
    kind: PieceKind,
    square: Square,
    attacked: Bitboard,
}

impl Evaluator {
    /// Both sides' attacks.
    pub(super) fn attacks(&self, position: &Position<'_>, known: &Structure) -> Attacks {
        let prepared = &self.prepared;
        // Both sides' pieces of the one, two, three … most valuable kinds.
        let mut most_valuable = [Bitboard::EMPTY; PieceKind::MAX];
        for (index, &kind) in prepared.attacking.iter().enumerate() {
            most_valuable[(index + 1) & (PieceKind::MAX - 1)] =
                most_valuable[index & (PieceKind::MAX - 1)] | position.of_kind(kind);
        }
        let sides = Side::BOTH.map(|side| self.attacks_of(position, side, known, &most_valuable));
        let of_both = |of: fn(&OfSide) -> Bitboard| BitboardPair::new(of(&sides[0]), of(&sides[1]));
        let but_by_king = of_both(|side| side.all);
        let kings = Side::BOTH.map(|side| position.king(side).index());
        let by_king = BitboardPair::new(prepared.king_steps[kings[0]], prepared.king_steps[kings[1]]);

        let own = position.both_sides();
        let light = own & both_of_kinds(position, &prepared.light);
        let file_riders = own & both_of_kinds(position, &prepared.file_riders);
        let score = sides[0].mobility - sides[1].mobility + sides[0].shut_in - sides[1].shut_in
            + prepared.weights.outpost * (light & known.outposts).lead()
            + prepared.weights.behind_pawn * (light & known.behind).lead()
            + self.bound_to_colour(position, own, known)
            + self.pawns.files_of(file_riders, known);
        Attacks {
            all: but_by_king | by_king,
            twice: of_both(|side| side.twice) | but_by_king & by_king,
            but_by_king,
            by_king,
            by_light: of_both(|side| side.by_light),
            checks: std::array::from_fn(|way| BitboardPair::new(sides[0].checks[way], sides[1].checks[way])),
            by_lesser: [sides[0].by_lesser, sides[1].by_lesser],
            attackers: [sides[0].attackers, sides[1].attackers],
            strength: [sides[0].strength, sides[1].strength],
            near_king: [sides[0].near_king, sides[1].near_king],
            score,
        }
    }

    #[inline(never)]
    fn attacks_of(
        &self,
        position: &Position<'_>,
        side: Side,
        known: &Structure,
        most_valuable: &[Bitboard; PieceKind::MAX],
    ) -> OfSide {
        let prepared = &self.prepared;
        let (us, them) = (side as usize, side.other() as usize);
        let own = position.pieces(side);
        let enemy = position.pieces(side.other());
        let pawn_attacks = known.pawn_attacks.halves();
        let enemy_king = position.king(side.other()).index();
        let zone = prepared.king_zones[them][enemy_king];
        let reachable = !own & !pawn_attacks[them];
        let mut found: ArrayVec<Attacker, MAX_SQUARES> = ArrayVec::new();
        position.for_each_attacking(side, |kind, square, attacked| {
            found.push(Attacker { kind, square, attacked });
        });
        let mut all = pawn_attacks[us];
        let mut twice = known.pawn_attacks_twice.halves()[us];
        let mut by_kinds = [Bitboard::EMPTY; PieceKind::MAX];
        for &Attacker { kind, attacked, .. } in &found {
            twice |= all & attacked;
            all |= attacked;
            by_kinds[kind.index()] |= attacked;
        }
        let (mut attackers, mut near_king, mut strength) = (0, 0, 0.0);
        let mut mobility = PackedScore::ZERO;
        for &Attacker { kind, attacked, .. } in &found {
            let moves = (attacked & reachable).count() as usize;
            let terms = &prepared.kinds[kind.index()];
            mobility += terms.mobility[moves & (MAX_SQUARES - 1)];
            let near = (attacked & zone).count();
            near_king += near as i32;
            let is_near = u8::from(near != 0);
            attackers += i32::from(is_near);
            strength += terms.strength * f32::from(is_near);
        }
        let mut by_lesser = 0;
        for &kind in &prepared.attacking {
            let worth_more = most_valuable[prepared.worth_more[kind.index()] & (PieceKind::MAX - 1)];
            by_lesser += (by_kinds[kind.index()] & enemy & worth_more).count() as i32;
        }
        let mut checks = [Bitboard::EMPTY; WAYS];
        let mut way = 0;
        position.for_each_checking(side, |kinds, squares| {
            checks[way] |= squares & kinds.union(|kind| by_kinds[kind.index()]);
            way = (way + 1).min(WAYS - 1);
        });
        OfSide {
            all,
            twice,
            by_light: prepared.light.iter().fold(Bitboard::EMPTY, |by, kind| by | by_kinds[kind.index()]),
            checks,
            by_lesser,
            attackers,
            strength,
            near_king,
            mobility,
            shut_in: self.shut_in(position, side, &found, reachable),
        }
    }

    /// The score of pieces that ride along files and are shut in between their king and the edge.
    fn shut_in(
        &self,
        position: &Position<'_>,
        side: Side,
        found: &[Attacker],
        reachable: Bitboard,
    ) -> PackedScore {
        let prepared = &self.prepared;
        let king = position.king(side).index();
        let own = position.pieces(side);
        let cornered = own & of_kinds(position, &prepared.file_riders) & prepared.corners[king];
        if cornered.is_empty() {
            return PackedScore::ZERO;
        }
        let is_shut_in = |found: &&Attacker| {
            cornered.contains(found.square) && (found.attacked & reachable).count() <= FEW_MOVES
        };
        let may_castle = !position.castling().is_disjoint(own);
        let for_good = if may_castle { PackedScore::ZERO } else { prepared.weights.shut_in_for_good };
        (prepared.weights.shut_in + for_good) * found.iter().filter(is_shut_in).count() as i32
    }

    /// The score of pieces that never leave their colour: for pawns on that colour, and for a pair on both colours. White's
    /// minus Black's.
    fn bound_to_colour(&self, position: &Position<'_>, own: BitboardPair, known: &Structure) -> PackedScore {
        let prepared = &self.prepared;
        let dark = BitboardPair::both(prepared.dark);
        let bound = own & both_of_kinds(position, &prepared.bound_to_colour);
        let (on_dark, on_light) = ((bound & dark).counts(), (bound & !dark).counts());
        let in_the_way = |side: usize| {
            let [pawns_on_dark, pawns_on_light] = known.pawns_by_colour[side];
            on_dark[side] * pawns_on_dark + on_light[side] * pawns_on_light
        };
        let pairs = |side: Side| {
            let is_pair = |&&kind: &&PieceKind| {
                let pieces = position.pieces(side) & position.of_kind(kind);
                !pieces.is_disjoint(prepared.dark) && !pieces.is_disjoint(!prepared.dark)
            };
            prepared.bound_to_colour.iter().filter(is_pair).count() as i32
        };
        prepared.weights.pawn_on_colour * (in_the_way(0) - in_the_way(1))
            + prepared.weights.bishop_pair * (pairs(Side::White) - pairs(Side::Black))
    }
}

/// Pieces of some kinds, whoever they belong to.
fn of_kinds(position: &Position<'_>, kinds: &[PieceKind]) -> Bitboard {
    kinds.iter().map(|&kind| position.of_kind(kind)).collect()
}

/// The pieces of both sides of some kinds.
fn both_of_kinds(position: &Position<'_>, kinds: &[PieceKind]) -> BitboardPair {
    BitboardPair::both(of_kinds(position, kinds))
}
