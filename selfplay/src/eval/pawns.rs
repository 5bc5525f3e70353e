//! Pawns: passed, doubled, isolated, backward, connected, and around their king.

use backrank_rules::{Board, MAX_SQUARES, Position, Rules, Side, Square, Squares};

use super::pair::Pair;
use super::shifts::Shifts;
use crate::weights::{Tapered, Weights};

/// A bitboard for each square.
type Masks = Box<[u128; MAX_SQUARES]>;

/// What is known of the pawns of both sides from where they stand alone; of each side in its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Structure {
    /// All pawns of each side.
    pawns: [u128; 2],
    /// White's score minus Black's.
    pub score: Pair,
    /// Pawns no enemy pawn can stop.
    pub passed: [u128; 2],
    /// The squares they attack.
    pub pawn_attacks: [u128; 2],
    /// The squares that two attack.
    pub pawn_attacks_twice: [u128; 2],
    /// Every square they attack or will as they go on.
    pub attack_spans: [u128; 2],
    /// The squares of files that have one.
    files: [u128; 2],
    /// Each king's shelter, and for which king and castling partners it was worked out; those of no king at first.
    shelters: [(u8, u128, Pair); 2],
}

const NO_SHELTERS: [(u8, u128, Pair); 2] = [(u8::MAX, 0, Pair::ZERO); 2];

/// What was found of pawns before: they change seldom.
#[derive(Clone, Debug)]
pub(crate) struct PawnCache {
    known: Vec<Structure>,
}

impl Default for PawnCache {
    fn default() -> Self {
        // What it says of no pawns is right.
        let nothing = Structure {
            pawns: [0; 2],
            score: Pair::ZERO,
            passed: [0; 2],
            pawn_attacks: [0; 2],
            pawn_attacks_twice: [0; 2],
            attack_spans: [0; 2],
            files: [0; 2],
            shelters: NO_SHELTERS,
        };
        Self { known: vec![nothing; Self::PLACES] }
    }
}

impl PawnCache {
    const PLACES: usize = 2048;

    fn place(pawns: [u128; 2]) -> usize {
        let mix = |pawns: u128| {
            (pawns as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
                ^ ((pawns >> 64) as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
        };
        let mixed = (mix(pawns[0]) ^ mix(pawns[1]).rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 53) as usize
    }
}

#[derive(Clone, Debug)]
pub(super) struct Pawns {
    shifts: Shifts,
    board: Board,
    /// The two ranks in front of a king, on its file and the next, for each side.
    shield: [Masks; 2],
    /// The four ranks in front of a king, on its file and the next, for each side.
    storm: [Masks; 2],
    /// The files a king looks at: its own and those beside it.
    king_files: Box<[[u128; 3]; MAX_SQUARES]>,
    /// Where the king lands with a partner on its left and on its right, for each side.
    castled: Option<[[Square; 2]; 2]>,
    /// How much a passed pawn's terms count, by rank as its side sees it, in 256ths.
    way: Vec<i32>,
    passed: Pair,
    passed_free: Pair,
    passed_safe: Pair,
    passed_enemy_king: Pair,
    passed_own_king: Pair,
    doubled: Pair,
    isolated: Pair,
    backward: Pair,
    phalanx: Pair,
    protected: Pair,
    half_open_file: Pair,
    open_file: Pair,
    king_shelter: Pair,
    king_open_file: Pair,
    king_storm: Pair,
    may_castle: Pair,
}

impl Pawns {
    pub fn new(rules: &Rules, weights: &Weights) -> Self {
        let board = rules.board();
        let variant = rules.variant();
        let place = |square: Square| (board.file_of(square).0 as i32, board.rank_of(square) as i32);
        // For each square, the squares at a distance that a condition on (dx, dy) picks; dy counts up the board.
        let masks = |holds: &dyn Fn(i32, i32) -> bool| -> Masks {
            let mut masks = Box::new([0; MAX_SQUARES]);
            for from in (0..board.squares() as u8).map(Square) {
                for to in (0..board.squares() as u8).map(Square) {
                    let ((x, y), (to_x, to_y)) = (place(from), place(to));
                    if holds(to_x - x, to_y - y) {
                        masks[from.0 as usize] |= 1 << to.0;
                    }
                }
            }
            masks
        };
        let in_front = |ranks: i32| {
            [1, -1].map(|forward| masks(&|dx, dy| dx.abs() <= 1 && (1..=ranks).contains(&(dy * forward))))
        };
        let mut king_files = Box::new([[0; 3]; MAX_SQUARES]);
        for (index, dx) in [-1, 0, 1].into_iter().enumerate() {
            let files = masks(&|other, _| other == dx);
            (0..MAX_SQUARES).for_each(|square| king_files[square][index] = files[square]);
        }
        let castled = variant.castling.as_ref().map(|castling| {
            [variant.first_rank, board.ranks() - 1 - variant.first_rank]
                .map(|rank| [&castling.left, &castling.right].map(|landing| board.square(landing.king, rank)))
        });
        let start = (variant.first_rank + 1) as f32;
        let last = (board.ranks() - 1) as f32;
        let way = |rank: usize| {
            let part = ((rank as f32 - start) / (last - start)).max(0.0);
            (256.0 * (0.04 + part * part)).round() as i32
        };
        let pair = |weight: Tapered| Pair::of(weight, 1.0);
        Self {
            shifts: Shifts::new(board),
            board,
            shield: in_front(2),
            storm: in_front(4),
            king_files,
            castled,
            way: (0..board.ranks()).map(way).collect(),
            passed: pair(weights.passed),
            passed_free: pair(weights.passed_free),
            passed_safe: pair(weights.passed_safe),
            passed_enemy_king: pair(weights.passed_enemy_king),
            passed_own_king: pair(weights.passed_own_king),
            doubled: pair(weights.doubled),
            isolated: pair(weights.isolated),
            backward: pair(weights.backward),
            phalanx: pair(weights.phalanx),
            protected: pair(weights.protected),
            half_open_file: pair(weights.half_open_file),
            open_file: pair(weights.open_file),
            king_shelter: pair(weights.king_shelter),
            king_open_file: pair(weights.king_open_file),
            king_storm: pair(weights.king_storm),
            may_castle: pair(weights.may_castle),
        }
    }

    /// The pawns among themselves, from the cache where it knows them.
    #[inline]
    pub fn structure<'c>(&self, position: &Position<'_>, cache: &'c mut PawnCache) -> &'c mut Structure {
        let all = position.of_kind(Position::PAWN);
        let pawns = Side::BOTH.map(|side| all & position.pieces(side));
        let known = &mut cache.known[PawnCache::place(pawns)];
        if known.pawns != pawns {
            *known = self.structure_of(pawns);
        }
        known
    }

    #[inline(never)]
    fn structure_of(&self, pawns: [u128; 2]) -> Structure {
        let shifts = &self.shifts;
        let [white, black] = [self.side(pawns, Side::White), self.side(pawns, Side::Black)];
        let ahead = Side::BOTH.map(|side| shifts.ahead(pawns[side as usize], side));
        let behind = Side::BOTH.map(|side| shifts.ahead(pawns[side as usize], side.other()));
        let attacks = Side::BOTH.map(|side| shifts.pawn_attacks_by_file(pawns[side as usize], side));
        Structure {
            pawns,
            score: white.0 - black.0,
            pawn_attacks: attacks.map(|[left, right]| left | right),
            pawn_attacks_twice: attacks.map(|[left, right]| left & right),
            shelters: NO_SHELTERS,
            passed: [white.1, black.1],
            attack_spans: ahead.map(|ahead| shifts.beside(ahead)),
            files: [0, 1].map(|side| ahead[side] | behind[side] | pawns[side]),
        }
    }

    /// The score of a side's pawns, and those that are passed.
    fn side(&self, pawns: [u128; 2], side: Side) -> (Pair, u128) {
        let shifts = &self.shifts;
        let (own, enemy) = (pawns[side as usize], pawns[side.other() as usize]);
        let number = |squares: u128| squares.count_ones() as i32;

        let behind_own = shifts.ahead(own, side.other());
        let ahead_of_own = shifts.ahead(own, side);
        let doubled = own & behind_own;
        let isolated = own & !shifts.beside(ahead_of_own | behind_own | own);
        let phalanx = own & shifts.beside(own);
        let protected = own & shifts.pawn_attacks(own, side);
        // Pawns that no other of their side can come to protect, nor can they come up to one: the step is guarded.
        let guarded = shifts.forward(shifts.pawn_attacks(enemy, side.other()), side.other());
        let backward = own & guarded & !shifts.beside(own | ahead_of_own) & !isolated;
        let before_enemy = shifts.ahead(enemy, side.other());
        let passed = own & !(before_enemy | shifts.beside(before_enemy)) & !behind_own;
        let score = self.doubled * number(doubled)
            + self.isolated * number(isolated)
            + self.backward * number(backward)
            + self.phalanx * number(phalanx)
            + self.protected * number(protected);
        (score, passed)
    }

    /// What passed pawns are worth, and what is in their way.
    pub fn on_their_way(&self, position: &Position<'_>, side: Side, passed: u128, attacked: u128) -> Pair {
        let mut score = Pair::ZERO;
        if passed == 0 {
            return score;
        }
        let before = |squares: u128| self.shifts.forward(squares, side.other());
        let (free, safe) = (before(!position.occupied()), before(!attacked));
        let kings = [position.king(side), position.king(side.other())];
        for pawn in Squares(passed) {
            let rank = self.board.rank_of(pawn);
            let up = if side == Side::White { rank } else { self.board.ranks() - 1 - rank };
            let [own_king, enemy_king] = kings.map(|king| self.steps_between(pawn, king).min(5));
            let mut terms =
                self.passed + self.passed_own_king * own_king + self.passed_enemy_king * enemy_king;
            if free >> pawn.0 & 1 != 0 {
                terms += self.passed_free;
            }
            if safe >> pawn.0 & 1 != 0 {
                terms += self.passed_safe;
            }
            let way = self.way[up];
            score += Pair::new(terms.opening() * way / 256, terms.endgame() * way / 256);
        }
        score
    }

    pub fn steps_between(&self, one: Square, other: Square) -> i32 {
        let files = self.board.file_of(one).0.abs_diff(self.board.file_of(other).0);
        let ranks = self.board.rank_of(one).abs_diff(self.board.rank_of(other));
        i32::from(files).max(ranks as i32)
    }

    /// Pieces that ride along files: how many are on files without pawns.
    pub fn files_of(&self, pieces: u128, known: &Structure, side: usize) -> Pair {
        let half_open = pieces & !known.files[side];
        let open = half_open & !known.files[1 - side];
        self.half_open_file * half_open.count_ones() as i32 + self.open_file * open.count_ones() as i32
    }

    /// What stands between a side's king and the enemy, where it stands or, where that is better, where it may castle to.
    #[inline]
    pub fn shelter(&self, position: &Position<'_>, side: Side, known: &mut Structure) -> Pair {
        let king = position.king(side);
        let partners = position.castling() & position.pieces(side);
        let pawns = known.pawns;
        let known = &mut known.shelters[side as usize];
        if (known.0, known.1) != (king.0, partners) {
            *known = (king.0, partners, self.shelter_of(king, partners, side, pawns));
        }
        known.2
    }

    #[inline(never)]
    fn shelter_of(&self, king: Square, partners: u128, side: Side, pawns: [u128; 2]) -> Pair {
        let (own, enemy) = (pawns[side as usize], pawns[side.other() as usize]);
        let mut best = self.shelter_at(king, side, own, enemy);
        let mut ways = 0;
        if let Some(castled) = &self.castled {
            for partner in Squares(partners) {
                ways += 1;
                let there = castled[side as usize][usize::from(partner > king)];
                let sheltered = self.shelter_at(there, side, own, enemy);
                if sheltered.opening() > best.opening() {
                    best = sheltered;
                }
            }
        }
        best + self.may_castle * ways
    }

    fn shelter_at(&self, king: Square, side: Side, own: u128, enemy: u128) -> Pair {
        let king = king.0 as usize & (MAX_SQUARES - 1);
        let shield = (self.shield[side as usize][king] & own).count_ones() as i32;
        let storm = (self.storm[side as usize][king] & enemy).count_ones() as i32;
        let open = self.king_files[king].iter().filter(|&&file| file != 0 && file & own == 0).count() as i32;
        self.king_shelter * shield.min(3) + self.king_open_file * open + self.king_storm * storm
    }
}
