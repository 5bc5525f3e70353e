//! Weights, multiplied out for the board and the pieces of one game.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use backrank_rules::{Colour, MAX_SQUARES, Position, Rules, Side, Square};

use super::shifts::Shifts;
use crate::weights::{Tapered, Weights};

/// An opening and an endgame score, in centipawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pair {
    pub opening: i32,
    pub endgame: i32,
}

impl Pair {
    pub const ZERO: Self = Self { opening: 0, endgame: 0 };

    /// A weight times a number.
    pub fn of(weight: Tapered, times: f32) -> Self {
        Self {
            opening: (weight.opening * times).round() as i32,
            endgame: (weight.endgame * times).round() as i32,
        }
    }

    /// The opening score with all the phase's material on the board, the endgame score with none.
    #[inline]
    pub fn mixed(self, phase: i32, full: i32) -> i32 {
        (self.opening * phase + self.endgame * (full - phase)) / full
    }
}

impl Add for Pair {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self { opening: self.opening + other.opening, endgame: self.endgame + other.endgame }
    }
}

impl Sub for Pair {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl AddAssign for Pair {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Neg for Pair {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { opening: -self.opening, endgame: -self.endgame }
    }
}

impl Mul<i32> for Pair {
    type Output = Self;
    #[inline]
    fn mul(self, times: i32) -> Self {
        Self { opening: self.opening * times, endgame: self.endgame * times }
    }
}

/// A score for each square.
pub(super) type Places = Box<[Pair; MAX_SQUARES]>;

/// What is known of a kind of piece.
#[derive(Clone, Debug)]
pub(super) struct KindTerms {
    pub royal: bool,
    pub colour_bound: bool,
    /// Material and place, for each side.
    pub places: [Places; 2],
    /// By the number of squares it attacks.
    pub mobility: Vec<Pair>,
    /// How much an attack on a square beside the king counts.
    pub danger: i32,
    /// How much of the opening it is.
    pub phase: i32,
}

#[derive(Clone, Debug)]
pub(super) struct Prepared {
    /// The pawn, then the variant's pieces.
    pub kinds: Vec<KindTerms>,
    /// In an exchange.
    pub exchange_values: Vec<i32>,
    /// The kinds, the least valuable first.
    pub by_value: Vec<usize>,
    /// The kinds worth more than each kind by a pawn at least.
    worth_more: Vec<Vec<usize>>,
    /// The phase of the full armies.
    pub full_phase: i32,
    /// The squares around each side's king, by where it stands.
    pub king_zones: [Box<[u128; MAX_SQUARES]>; 2],
    king_attack: Tapered,
    pub bishop_pair: Pair,
    pub pawn_threat: Pair,
    pub threat: Pair,
    pub tempo: Pair,
    pub dark: u128,
    pub shifts: Shifts,
}

/// In an exchange a king is worth more than all the rest.
const KING_VALUE: i32 = 20_000;

impl Prepared {
    pub fn new(rules: &Rules, weights: &Weights) -> Self {
        let variant = rules.variant();
        let board = rules.board();
        let squares = || (0..board.squares() as u8).map(Square);
        let set = |holds: &dyn Fn(Square) -> bool| {
            squares().filter(|&square| holds(square)).fold(0u128, |set, square| set | 1 << square.0)
        };
        let value = |letter: u8| weights.material[(letter - b'A') as usize];
        let pawn_value = value(backrank_rules::PAWN);
        let mut kinds = vec![pawn_terms(rules, pawn_value)];
        let mut exchange_values = vec![pawn_value.round() as i32];
        for piece in &variant.pieces {
            kinds.push(piece_terms(rules, weights, piece));
            exchange_values.push(if piece.royal { KING_VALUE } else { value(piece.letter).round() as i32 });
        }
        let margin = pawn_value.round() as i32;
        let worth_more = exchange_values
            .iter()
            .map(|&worth| {
                let more = |kind: &usize| !kinds[*kind].royal && exchange_values[*kind] >= worth + margin;
                (1..kinds.len()).filter(more).collect()
            })
            .collect();
        let full_phase: i32 = variant
            .army
            .pieces()
            .filter_map(|(_, letter)| rules.kind_of(letter))
            .map(|kind| kinds[kind].phase)
            .sum();
        let king_zones = Side::BOTH.map(|side| {
            let mut zones = Box::new([0; MAX_SQUARES]);
            for king in squares() {
                let (file, rank) = (board.file_of(king).0 as i32, board.rank_of(king) as i32);
                let forward = if side == Side::White { 1 } else { -1 };
                zones[king.0 as usize] = set(&|square| {
                    let dx = board.file_of(square).0 as i32 - file;
                    let dy = (board.rank_of(square) as i32 - rank) * forward;
                    dx.abs() <= 1 && (-1..=2).contains(&dy)
                });
            }
            zones
        });
        let mut by_value: Vec<usize> = (0..kinds.len()).collect();
        by_value.sort_by_key(|&kind| exchange_values[kind]);
        Self {
            kinds,
            exchange_values,
            by_value,
            worth_more,
            full_phase: (2 * full_phase).max(1),
            king_zones,
            king_attack: weights.king_attack,
            bishop_pair: Pair::of(weights.bishop_pair, 1.0),
            pawn_threat: Pair::of(weights.pawn_threat, 1.0),
            threat: Pair::of(weights.threat, 1.0),
            tempo: Pair::of(weights.tempo, 1.0),
            dark: set(&|square| Colour::of(board.file_of(square), board.rank_of(square)) == Colour::Dark),
            shifts: Shifts::new(board),
        }
    }

    /// The pieces worth more than one of a kind, by a pawn at least.
    #[inline]
    pub fn worth_more(&self, position: &Position<'_>, kind: usize) -> u128 {
        self.worth_more[kind].iter().fold(0, |pieces, &kind| pieces | position.of_kind(kind))
    }

    /// The score of attacks around a king.
    #[inline]
    pub fn king_attack(&self, danger: i32) -> Pair {
        let squared = (danger * danger).min(4_000_000) as f32 / 10_000.0;
        Pair {
            opening: (self.king_attack.opening * squared) as i32,
            endgame: (self.king_attack.endgame * squared) as i32,
        }
    }
}

/// A table by square as White sees it, and turned upside down for Black.
fn both_sides(rules: &Rules, of: impl Fn(f32, f32, Square) -> Pair) -> [Places; 2] {
    let board = rules.board();
    Side::BOTH.map(|side| {
        let mut places = Box::new([Pair::ZERO; MAX_SQUARES]);
        for square in (0..board.squares() as u8).map(Square) {
            let (file, rank) = (board.file_of(square), board.rank_of(square));
            let rank = if side == Side::White { rank } else { board.ranks() - 1 - rank };
            // Both from 0 to 1: how far from the edge files, how far up.
            let half = (board.files() - 1) as f32 / 2.0;
            let inward = 1.0 - (file.0 as f32 - half).abs() / half;
            let up = rank as f32 / (board.ranks() - 1) as f32;
            places[square.0 as usize] = of(inward, up, board.square(file, rank));
        }
        places
    })
}

fn pawn_terms(rules: &Rules, value: f32) -> KindTerms {
    let places = both_sides(rules, |inward, up, _| {
        // In the middle forward pawns take space.
        let space = 14.0 * inward * (up * 2.0).min(1.0);
        Pair::of(Tapered { opening: value * 0.9 + space, endgame: value * 1.1 + 12.0 * up }, 1.0)
    });
    KindTerms { royal: false, colour_bound: false, places, mobility: vec![Pair::ZERO], danger: 0, phase: 0 }
}

fn piece_terms(rules: &Rules, weights: &Weights, piece: &backrank_rules::Piece) -> KindTerms {
    let variant = rules.variant();
    let board = rules.board();
    let value = weights.material[(piece.letter - b'A') as usize];
    let empty_board = rules.mobility(piece.letter, 0.0);
    let mean_empty = rules.mean_mobility(piece.letter, 0.0) as f32;
    let mean = (rules.mean_mobility(piece.letter, 1.0 / 3.0) as f32).max(1.0);
    let home = variant.first_rank as f32 / (board.ranks() - 1) as f32;
    let middle = (board.ranks() / 2) as f32 / (board.ranks() - 1) as f32;
    let places = both_sides(rules, |inward, up, square| {
        if piece.royal {
            let way = ((up - home) / (middle - home)).clamp(0.0, 1.0);
            let Tapered { opening, endgame } = weights.king_place;
            // In the opening every step up is a risk, and so is the middle of the first rank.
            return Pair {
                opening: (opening * (way + 0.6 * inward)).round() as i32,
                endgame: (endgame * (way.min(2.0 - 2.0 * up) + inward)).round() as i32,
            };
        }
        let beyond = empty_board[square.0 as usize] as f32 - mean_empty;
        let mut pair = Pair::of(Tapered { opening: value, endgame: value }, 1.0)
            + Pair::of(weights.place, beyond * (6.0 / mean_empty.max(1.0)).min(1.5));
        // The heavy pieces are in no hurry to come out.
        if board.rank_of(square) == variant.first_rank
            && value < 5.0 * weights.material[(backrank_rules::PAWN - b'A') as usize]
        {
            pair += Pair::of(weights.undeveloped, 1.0);
        }
        pair
    });
    let mobility = (0..MAX_SQUARES)
        .map(|squares| Pair::of(weights.mobility, (squares as f32 - mean * 0.75) / mean.sqrt()));
    KindTerms {
        royal: piece.royal,
        colour_bound: piece.betza.is_colour_bound(),
        places,
        mobility: mobility.collect(),
        danger: (value.sqrt() * 1.5).round() as i32,
        phase: if piece.royal { 0 } else { (value.max(1.0) / 10.0).round() as i32 },
    }
}
