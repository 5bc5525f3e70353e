//! Sets of squares.

mod pair;
mod shifts;
mod squares;

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

pub use pair::BitboardPair;
pub use shifts::Shifts;

use crate::board::MAX_SQUARES;
use crate::square::Square;

const _: () = assert!(MAX_SQUARES == u128::BITS as usize);

/// A set of squares, one bit for each by its index.
///
/// ```
/// use backrank_rules::{Bitboard, Board};
///
/// let board = Board::new(9, 10)?;
/// let [a1, c10] = ["a1", "c10"].map(|name| board.parse_square(name).unwrap());
/// let corner = Bitboard::from(a1);
/// let both: Bitboard = [a1, c10].into_iter().collect();
/// assert!(both.contains(c10) && !corner.contains(c10));
/// assert_eq!(both.count(), 2);
/// assert_eq!(both & !corner, Bitboard::from(c10));
/// assert!(both.iter().eq([a1, c10]));
/// # Ok::<(), backrank_rules::BoardError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Bitboard(pub(crate) u128);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);

    /// All 128 squares, whether a board has them or not.
    pub const FULL: Self = Self(u128::MAX);

    /// The squares whose bits are set.
    #[inline(always)]
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits)
    }

    /// A bit for each square, the lowest for a1.
    #[inline(always)]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// Whether it has no square.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it has exactly one square.
    #[inline(always)]
    pub const fn is_single(self) -> bool {
        self.0.is_power_of_two()
    }

    /// How many squares it has.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether it has a square.
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        !self.is_disjoint(square.bitboard())
    }

    /// Whether it has no square in common with another.
    #[inline(always)]
    pub const fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }

    /// Its square of the lowest index.
    #[inline(always)]
    pub fn first(self) -> Option<Square> {
        self.into_iter().next()
    }

    /// Its square of the highest index.
    #[inline(always)]
    pub fn last(self) -> Option<Square> {
        (!self.is_empty()).then(|| Square::at(127 - self.0.leading_zeros() as u8))
    }

    /// All squares of lower indices than a given one.
    #[inline(always)]
    pub const fn before(square: Square) -> Self {
        Self(square.bitboard().0 - 1)
    }

    /// Its squares, from the lowest index.
    #[inline(always)]
    pub const fn iter(self) -> BitboardIter {
        BitboardIter(self)
    }
}

/// The bitboard with one square.
impl From<Square> for Bitboard {
    #[inline(always)]
    fn from(square: Square) -> Self {
        square.bitboard()
    }
}

/// The bitboard with the square, or none.
impl From<Option<Square>> for Bitboard {
    #[inline(always)]
    fn from(square: Option<Square>) -> Self {
        square.map_or(Self::EMPTY, Self::from)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square.into())
    }
}

/// The squares in some of the bitboards.
impl FromIterator<Bitboard> for Bitboard {
    #[inline(always)]
    fn from_iter<I: IntoIterator<Item = Bitboard>>(sets: I) -> Self {
        sets.into_iter().fold(Self::EMPTY, |union, set| union | set)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = BitboardIter;

    #[inline(always)]
    fn into_iter(self) -> BitboardIter {
        self.iter()
    }
}

/// Prints the indices of the squares, as their names depend on the board.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bitboard ")?;
        f.debug_set().entries(self.into_iter().map(Square::index)).finish()
    }
}

/// The operators of `u128`, square by square.
macro_rules! operators {
    ($($operator:ident $function:ident, $assign:ident $assign_function:ident;)*) => {$(
        impl $operator for Bitboard {
            type Output = Self;
            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Self(self.0.$function(other.0))
            }
        }

        impl $assign for Bitboard {
            #[inline(always)]
            fn $assign_function(&mut self, other: Self) {
                self.0.$assign_function(other.0);
            }
        }
    )*};
}

operators! {
    BitAnd bitand, BitAndAssign bitand_assign;
    BitOr bitor, BitOrAssign bitor_assign;
    BitXor bitxor, BitXorAssign bitxor_assign;
}

impl Not for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// Raises the index of each square. Squares that leave the 128 bits are lost, and files wrap around.
impl Shl<u32> for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn shl(self, by: u32) -> Self {
        Self(self.0 << by)
    }
}

/// Lowers the index of each square. Squares that leave the 128 bits are lost, and files wrap around.
impl Shr<u32> for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        Self(self.0 >> by)
    }
}

/// The squares of a [`Bitboard`], from the lowest index.
#[derive(Clone, Copy, Debug)]
pub struct BitboardIter(Bitboard);

impl Iterator for BitboardIter {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let bits = self.0.0;
        if bits == 0 {
            return None;
        }
        self.0 = Bitboard(bits & (bits - 1));
        Some(Square::at(bits.trailing_zeros() as u8))
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }

    /// `for_each`, `map` and the like call this, which is faster than `next`: it walks one half of the bits at a time.
    #[inline(always)]
    fn fold<B, F: FnMut(B, Square) -> B>(self, first: B, mut f: F) -> B {
        let bits = self.0.0;
        let mut folded = first;
        for (start, mut half) in [(0, bits as u64), (64, (bits >> 64) as u64)] {
            while half != 0 {
                folded = f(folded, Square::at(start + half.trailing_zeros() as u8));
                half &= half - 1;
            }
        }
        folded
    }
}

impl ExactSizeIterator for BitboardIter {}

impl FusedIterator for BitboardIter {}
