//! Random numbers for the keys of positions: the same on every machine and in every run.

use crate::board::MAX_SQUARES;
use crate::letter::Letter;
use crate::piece_kind::PieceKind;
use crate::square::{Side, Square};

/// A number for each thing that tells positions apart.
#[derive(Clone, Debug)]
pub(crate) struct Zobrist {
    /// For each kind, side and square.
    pieces: Vec<[[u64; MAX_SQUARES]; 2]>,
    castling: [u64; MAX_SQUARES],
    unmoved: [u64; MAX_SQUARES],
    en_passant: [u64; MAX_SQUARES],
    checks: [[u64; 16]; 2],
    /// Black is to move.
    pub black: u64,
}

impl Zobrist {
    /// Numbers for kinds of these letters.
    pub fn new(letters: impl Iterator<Item = Letter>) -> Self {
        let table = |seed: u64| std::array::from_fn(|square| mixed(seed << 8 | square as u64));
        Self {
            pieces: letters
                .map(|letter| [0, 128].map(|side| table(u64::from(letter.as_u8()) + side)))
                .collect(),
            castling: table(0x100),
            unmoved: table(0x101),
            en_passant: table(0x102),
            checks: [0x104, 0x105]
                .map(|seed: u64| std::array::from_fn(|left| mixed(seed << 8 | left as u64))),
            black: mixed(0x10300),
        }
    }

    pub fn piece(&self, kind: PieceKind, side: Side, square: Square) -> u64 {
        self.pieces[kind.index()][side as usize][square.index()]
    }

    pub fn castling(&self, square: Square) -> u64 {
        self.castling[square.index()]
    }

    pub fn unmoved(&self, square: Square) -> u64 {
        self.unmoved[square.index()]
    }

    /// The number for a side that needs so many more checks.
    pub fn checks(&self, side: Side, left: u8) -> u64 {
        self.checks[side as usize][usize::from(left & 15)]
    }

    pub fn en_passant(&self, square: Square) -> u64 {
        self.en_passant[square.index()]
    }
}

/// SplitMix64 by Sebastiano Vigna: spreads consecutive numbers over all of 64 bits.
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
