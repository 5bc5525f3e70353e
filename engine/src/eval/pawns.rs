//! Pawns: passed, doubled, isolated, backward, connected, and around their king.

use std::ops::Range;

use backrank_rules::{
    Bitboard, BitboardPair, Board, CastlingEnd, MAX_SQUARES, PawnType, PieceKind, Position, Rules, Shifts,
    Side, Square,
};

use super::geometry::{Masks, around, set, steps_between};
use super::packed::PackedScore;
use crate::weights::{FILE_KINDS, Weights};

/// What follows from the squares of the pawns alone, for each side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Structure {
    /// All pawns of each side.
    pawns: BitboardPair,
    /// White's score minus Black's.
    pub score: PackedScore,
    /// Passed pawns, which no enemy pawn can stop.
    passed: [Bitboard; 2],
    /// The squares they attack.
    pub pawn_attacks: BitboardPair,
    /// The squares that two pawns attack.
    pub pawn_attacks_twice: BitboardPair,
    /// Outposts: squares beyond the middle that they attack and no enemy pawn ever can.
    pub outposts: BitboardPair,
    /// The squares directly behind a pawn of either side, as each side sees the board.
    pub behind: BitboardPair,
    /// Space: squares in the middle of the own half, close behind own pawns, that no enemy pawn attacks.
    pub room_behind: BitboardPair,
    /// The squares of the files on which they stand.
    files: BitboardPair,
    /// The number of them on dark squares and on light squares.
    pub pawns_by_colour: [[i32; 2]; 2],
    /// Whether there are pawns on both wings.
    pub on_both_wings: bool,
    /// Each king's shelter, with the king's square and the castling partners that it was worked out for.
    shelters: [(Option<Square>, Bitboard, Shelter); 2],
}

/// The pawns between a king and the enemy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shelter {
    /// The score of the shelter.
    pub score: PackedScore,
    /// Own pawns in front of the king, at most three.
    pub shield: i32,
    /// Files at the king without own pawns.
    pub open_files: i32,
    /// Enemy pawns that come near.
    pub storm: i32,
}

const NO_SHELTERS: [(Option<Square>, Bitboard, Shelter); 2] =
    [(None, Bitboard::EMPTY, Shelter { score: PackedScore::ZERO, shield: 0, open_files: 0, storm: 0 }); 2];

/// The pawn cache: pawns seldom change from one position to the next.
#[derive(Clone, Debug)]
pub(crate) struct PawnCache {
    known: Vec<Structure>,
}

impl Default for PawnCache {
    fn default() -> Self {
        // Its entries hold for a board without pawns.
        let none = BitboardPair::both(Bitboard::EMPTY);
        let nothing = Structure {
            pawns: none,
            score: PackedScore::ZERO,
            passed: [Bitboard::EMPTY; 2],
            pawn_attacks: none,
            pawn_attacks_twice: none,
            outposts: none,
            behind: none,
            room_behind: none,
            files: none,
            pawns_by_colour: [[0; 2]; 2],
            on_both_wings: false,
            shelters: NO_SHELTERS,
        };
        Self { known: vec![nothing; Self::SLOTS] }
    }
}

impl PawnCache {
    const SLOTS: usize = 1024;

    fn slot(pawns: BitboardPair) -> usize {
        let mix = |pawns: Bitboard| {
            let pawns = pawns.bits();
            (pawns as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
                ^ ((pawns >> 64) as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
        };
        let [white, black] = pawns.halves();
        let mixed = (mix(white) ^ mix(black).rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (u64::BITS - Self::SLOTS.ilog2())) as usize
    }
}

#[derive(Clone, Debug)]
pub(super) struct Pawns {
    shifts: Shifts,
    /// Whether pawns go diagonally and capture straight on.
    berolina: bool,
    dark: Bitboard,
    board: Board,
    /// The ranks beyond the middle but the last two.
    far_half: BitboardPair,
    /// The middle files of the own half but the first rank.
    own_half_middle: BitboardPair,
    /// The two ranks in front of a king, on its file and the next, for each side.
    shield: [Masks; 2],
    /// The four ranks in front of a king, on its file and the next, for each side.
    storm: [Masks; 2],
    /// The files a king looks at: its own and those beside it.
    king_files: Box<[[Bitboard; 3]; MAX_SQUARES]>,
    /// The files whose pawns make a king's shelter, each with its kind: at the edge they are those of a king beside it.
    shelter_files: Box<[[(Bitboard, usize); 3]; MAX_SQUARES]>,
    /// The rank behind the one on which pawns start, from 0 and from the own side.
    before_pawns: usize,
    /// How castling with a partner on the king's left ends, and with one on its right.
    castling: Option<[CastlingEnd; 2]>,
    /// How much the terms of a passed or connected pawn count, by rank as its side sees it, in 256ths.
    way: Vec<i32>,
    /// The squares ahead on the file, for each side.
    path: [Masks; 2],
    /// The two halves of the board; a file in the middle is in neither.
    wings: [Bitboard; 2],
    weights: Weights<PackedScore>,
}

impl Pawns {
    pub fn new(rules: &Rules, weights: &Weights) -> Self {
        let board = rules.board();
        let variant = rules.variant();
        let in_front = |ranks: i32| {
            [1, -1]
                .map(|forward| around(board, |dx, dy| dx.abs() <= 1 && (1..=ranks).contains(&(dy * forward))))
        };
        let mut king_files = Box::new([[Bitboard::EMPTY; 3]; MAX_SQUARES]);
        for (index, dx) in [-1, 0, 1].into_iter().enumerate() {
            let files = around(board, |other, _| other == dx);
            (0..MAX_SQUARES).for_each(|square| king_files[square][index] = files[square]);
        }
        let mut shelter_files = Box::new([[(Bitboard::EMPTY, 0); 3]; MAX_SQUARES]);
        for square in board.all_squares() {
            let before = usize::from(board.file_of(square).0).saturating_sub(1);
            let first = before.min(board.files().saturating_sub(3));
            for (index, file) in (first..board.files()).take(3).enumerate() {
                let kind = file.min(board.files() - 1 - file).min(FILE_KINDS - 1);
                shelter_files[square.index()][index] = (set(board, |other, _| other == file), kind);
            }
        }
        let castling = variant
            .castling
            .as_ref()
            .map(|castling| [&castling.left, &castling.right].map(|landing| landing.end));
        let start = variant.pawn_rank(Side::White) as f32;
        let last = (board.ranks() - 1) as f32;
        let way = |rank: usize| {
            let part = ((rank as f32 - start) / (last - start)).max(0.0);
            (256.0 * (0.04 + part * part)).round() as i32
        };
        let ranks = board.ranks();
        // The squares of some ranks, as each side counts them, without the outer files.
        let squares_of = |edge: usize, wanted: Range<usize>| {
            let files = edge..board.files() - edge;
            let [white, black] = Side::BOTH.map(|side| {
                set(board, |file, rank| {
                    let rank = if side == Side::White { rank } else { ranks - 1 - rank };
                    files.contains(&file) && wanted.contains(&rank)
                })
            });
            BitboardPair::new(white, black)
        };
        Self {
            shifts: Shifts::new(board).with_pawns(variant.pawn.moves),
            berolina: variant.pawn.moves == PawnType::Berolina,
            dark: board.dark_squares(),
            board,
            far_half: squares_of(0, ranks / 2..ranks - 2),
            own_half_middle: squares_of(board.files() / 4, variant.pawn_rank(Side::White)..ranks / 2),
            shield: in_front(2),
            storm: in_front(4),
            king_files,
            shelter_files,
            before_pawns: variant.pawn_rank(Side::White) - 1,
            castling,
            way: (0..board.ranks()).map(way).collect(),
            path: [1, -1].map(|forward| around(board, |dx, dy| dx == 0 && dy * forward > 0)),
            wings: [0, 1].map(|right| {
                set(board, |file, _| {
                    let from_edge = if right == 1 { board.files() - 1 - file } else { file };
                    2 * from_edge < board.files() - 1
                })
            }),
            weights: weights.map(|weight| PackedScore::of(weight, 1.0)),
        }
    }

    /// What follows from the pawns alone, from the cache if it is there.
    #[inline]
    pub fn structure<'c>(&self, position: &Position<'_>, cache: &'c mut PawnCache) -> &'c mut Structure {
        let pawns = position.both_sides() & BitboardPair::both(position.of_kind(PieceKind::PAWN));
        let known = &mut cache.known[PawnCache::slot(pawns)];
        if known.pawns != pawns {
            *known = self.structure_of(pawns);
        }
        known
    }

    #[inline(never)]
    fn structure_of(&self, pawns: BitboardPair) -> Structure {
        let shifts = &self.shifts;
        let ahead = shifts.ahead(pawns);
        let behind = shifts.behind(pawns);
        let [left, right] = shifts.pawn_attacks_by_file(pawns);
        let attacks = left | right;
        // Berolina pawns protect each other on a file, leave it with every step, and need no neighbours: they are not doubled,
        // isolated, backward or side by side to any effect.
        let orthodox = if self.berolina { Bitboard::EMPTY } else { !Bitboard::EMPTY };
        let orthodox = pawns & BitboardPair::both(orthodox);

        let doubled = orthodox & behind;
        let isolated = orthodox & !shifts.beside(ahead | behind | pawns);
        let phalanx = orthodox & shifts.beside(pawns);
        let protected = pawns & attacks;
        // Backward pawns: no other pawn can come to protect them, and an enemy pawn guards the square in front.
        let guarded = shifts.backward(attacks.swapped());
        let backward = orthodox & guarded & !shifts.beside(pawns | ahead) & !isolated;
        let before_enemy = ahead.swapped();
        let passed = pawns & !(before_enemy | shifts.beside(before_enemy)) & !behind;
        let attack_spans = if self.berolina { ahead | shifts.beside(ahead) } else { shifts.beside(ahead) };
        let room = self.own_half_middle & !pawns & !attacks.swapped();
        let dark = BitboardPair::both(self.dark);
        let (on_dark, on_light) = ((pawns & dark).counts(), (pawns & !dark).counts());
        let connected = (phalanx | protected).halves();
        let way = Side::BOTH.map(|side| {
            connected[side as usize].iter().map(|pawn| self.way[self.up(side, pawn)]).sum::<i32>()
        });
        let [white, black] = pawns.halves();
        Structure {
            pawns,
            score: self.weights.doubled * doubled.lead()
                + self.weights.isolated * isolated.lead()
                + self.weights.backward * backward.lead()
                + self.weights.phalanx * phalanx.lead()
                + self.weights.protected * protected.lead()
                + self.weights.connected_up.in_256ths(way[0] - way[1])
                + self.weights.space * room.lead(),
            pawn_attacks: attacks,
            pawn_attacks_twice: left & right,
            shelters: NO_SHELTERS,
            passed: passed.halves(),
            outposts: self.far_half & !attack_spans.swapped() & attacks,
            behind: shifts.backward(pawns | pawns.swapped()),
            room_behind: room & shifts.behind_within_three(pawns),
            files: ahead | behind | pawns,
            pawns_by_colour: [0, 1].map(|side| [on_dark[side], on_light[side]]),
            on_both_wings: self.wings.iter().all(|&wing| !wing.is_disjoint(white | black)),
        }
    }

    /// The score of passed pawns, by what is in their way.
    pub fn on_their_way(
        &self,
        position: &Position<'_>,
        side: Side,
        known: &Structure,
        attacked: BitboardPair,
    ) -> PackedScore {
        let mut score = PackedScore::ZERO;
        let passed = known.passed[side as usize];
        if passed.is_empty() {
            return score;
        }
        let [supported, attacked] = [side, side.other()].map(|side| attacked.halves()[side as usize]);
        let occupied = position.occupied();
        let kings = [position.king(side), position.king(side.other())];
        let weights = &self.weights;
        let enemy_pieces = position.pieces(side.other()) & !position.of_kind(PieceKind::PAWN);
        let last = self.board.ranks() - 1;
        if self.berolina {
            let on_its_way = |pawn| self.on_its_way_aslant(pawn, side, kings, supported, attacked, occupied);
            return passed.iter().map(on_its_way).fold(score, |sum, terms| sum + terms);
        }
        for pawn in passed {
            let up = self.up(side, pawn);
            let path = self.path[side as usize][pawn.index()];
            let step = self.shifts.one_forward(pawn.into(), side);
            let Some(ahead) = step.first() else { continue };
            let [own_king, enemy_king] = kings.map(|king| self.steps_between(ahead, king).min(5));
            let mut terms =
                weights.passed + weights.passed_own_king * own_king + weights.passed_enemy_king * enemy_king;
            if !occupied.contains(ahead) {
                terms += weights.passed_free;
            }
            if !attacked.contains(ahead) {
                terms += weights.passed_safe;
            }
            if supported.contains(ahead) {
                terms += weights.passed_supported;
            }
            if path.is_disjoint(attacked) {
                terms += weights.passed_safe_path;
            }
            if path.is_disjoint(occupied) {
                terms += weights.passed_free_path;
                if enemy_pieces.is_single() {
                    let end = if side == Side::White { last } else { 0 };
                    let promotion = self.board.square(self.board.file_of(pawn), end);
                    // Whichever side is to move: with the enemy to move, its king is a step nearer.
                    if self.steps_between(promotion, kings[1]) - 1 > (last - up) as i32 {
                        score += weights.passed_unstoppable;
                    }
                }
            }
            score += terms.in_256ths(self.way[up]);
        }
        score
    }

    /// The score of a passed pawn that goes diagonally: what matters are the squares of its steps, not its file.
    #[inline(never)]
    fn on_its_way_aslant(
        &self,
        pawn: Square,
        side: Side,
        kings: [Square; 2],
        supported: Bitboard,
        attacked: Bitboard,
        occupied: Bitboard,
    ) -> PackedScore {
        let weights = &self.weights;
        let alone = match side {
            Side::White => BitboardPair::new(pawn.into(), Bitboard::EMPTY),
            Side::Black => BitboardPair::new(Bitboard::EMPTY, pawn.into()),
        };
        let steps = self.shifts.pawn_steps(alone).halves()[side as usize];
        let [own_king, enemy_king] = kings.map(|king| self.steps_between(pawn, king).min(5));
        let mut terms =
            weights.passed + weights.passed_own_king * own_king + weights.passed_enemy_king * enemy_king;
        let free = steps & !occupied;
        if !free.is_empty() {
            terms += weights.passed_free;
        }
        if !(free & !attacked).is_empty() {
            terms += weights.passed_safe;
        }
        if !(free & supported).is_empty() {
            terms += weights.passed_supported;
        }
        terms.in_256ths(self.way[self.up(side, pawn)])
    }

    /// A square's rank as a side sees it.
    fn up(&self, side: Side, square: Square) -> usize {
        let rank = self.board.rank_of(square);
        if side == Side::White { rank } else { self.board.ranks() - 1 - rank }
    }

    /// The number of king's moves between two squares.
    pub fn steps_between(&self, one: Square, other: Square) -> i32 {
        steps_between(self.board, one, other)
    }

    /// The score of pieces that ride along files, on files without pawns. White's minus Black's.
    pub fn files_of(&self, pieces: BitboardPair, known: &Structure) -> PackedScore {
        let half_open = pieces & !known.files;
        let open = half_open & !known.files.swapped();
        self.weights.half_open_file * half_open.lead() + self.weights.open_file * open.lead()
    }

    /// The shelter of a side's king, where it stands or, if that is safer, where it may castle to.
    #[inline]
    pub fn shelter(&self, position: &Position<'_>, side: Side, known: &mut Structure) -> Shelter {
        let king = position.king(side);
        let partners = position.castling() & position.pieces(side);
        let pawns = known.pawns;
        let known = &mut known.shelters[side as usize];
        if (known.0, known.1) != (Some(king), partners) {
            *known = (Some(king), partners, self.shelter_of(king, partners, side, pawns.halves()));
        }
        known.2
    }

    #[inline(never)]
    fn shelter_of(&self, king: Square, partners: Bitboard, side: Side, pawns: [Bitboard; 2]) -> Shelter {
        let castled = self.castling.iter().flat_map(|ends| {
            partners.iter().map(move |partner| {
                let [king_file, partner_file] = [king, partner].map(|square| self.board.file_of(square));
                let end = ends[usize::from(partner > king)];
                let (lands, _) = end.files(king_file, partner_file, self.board.files());
                self.board.square(lands, self.board.rank_of(king))
            })
        });
        let ways = castled.clone().count() as i32;
        let safest = std::iter::once(king)
            .chain(castled)
            .map(|square| (square, self.shelter_at(square, side, pawns)))
            // Of equally safe ones, the first.
            .reduce(|safest, other| if other.1.safety() > safest.1.safety() { other } else { safest });
        let (square, shelter) = safest.unwrap_or((king, Shelter::default()));
        let score = self.shelter_score(square, side, pawns) + self.weights.may_castle * ways;
        Shelter { score, ..shelter }
    }

    /// The score of the pawns on the files at a king on a square.
    fn shelter_score(&self, king: Square, side: Side, pawns: [Bitboard; 2]) -> PackedScore {
        let weights = &self.weights;
        let king_up = self.up(side, king);
        // The rank of the nearest pawn, where 1 is the rank on which pawns begin.
        let nearest = |pawns: Bitboard| {
            let ranks = pawns.iter().map(|pawn| self.up(side, pawn)).filter(|&up| up >= king_up);
            ranks.min().map(|up| up.saturating_sub(self.before_pawns))
        };
        let of_file = |&(file, kind): &(Bitboard, usize)| {
            let [own, enemy] = [side, side.other()].map(|side| nearest(file & pawns[side as usize]));
            let shelter = match own {
                Some(..=1) => weights.shelter_first[kind],
                Some(2) => weights.shelter_second[kind],
                Some(3) => weights.shelter_third[kind],
                Some(_) => PackedScore::ZERO,
                None if enemy.is_none() => weights.shelter_none[kind] + weights.shelter_open,
                None => weights.shelter_none[kind],
            };
            let is_stopped = own.zip(enemy).is_some_and(|(own, enemy)| own + 1 == enemy);
            let storm = match enemy {
                Some(..=3) if is_stopped => weights.storm_stopped_near,
                Some(4..=5) if is_stopped => weights.storm_stopped,
                Some(..=2) => weights.storm_second[kind],
                Some(3) => weights.storm_third[kind],
                Some(4) => weights.storm_fourth[kind],
                Some(5) => weights.storm_fifth[kind],
                _ => PackedScore::ZERO,
            };
            shelter + storm
        };
        let files = self.shelter_files[king.index()].iter().filter(|(file, _)| !file.is_empty());
        files.map(of_file).fold(PackedScore::ZERO, |sum, score| sum + score)
    }

    /// The shelter of a king on a square, without its score.
    fn shelter_at(&self, king: Square, side: Side, pawns: [Bitboard; 2]) -> Shelter {
        let (own, enemy) = (pawns[side as usize], pawns[side.other() as usize]);
        let king = king.index();
        let is_open = |file: &&Bitboard| !file.is_empty() && file.is_disjoint(own);
        Shelter {
            score: PackedScore::ZERO,
            shield: ((self.shield[side as usize][king] & own).count() as i32).min(3),
            open_files: self.king_files[king].iter().filter(is_open).count() as i32,
            storm: (self.storm[side as usize][king] & enemy).count() as i32,
        }
    }
}

impl Shelter {
    /// A measure to choose between shelters. It depends on no weight, so that the evaluation is linear in all weights.
    fn safety(self) -> i32 {
        2 * self.shield - 2 * self.open_files - self.storm
    }
}
