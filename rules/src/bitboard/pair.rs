//! Two bitboards worked on at once.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use super::Bitboard;
use wide::Wide;

/// Two bitboards, White's and Black's, worked on at once: what is done to one is done to the other.
///
/// Where the program is built for processors with AVX2, both are in one register, and one instruction does what would take
/// four for the halves of two `u128`.
///
/// ```
/// use backrank_rules::{Bitboard, BitboardPair};
///
/// let attacked = BitboardPair::new(Bitboard::from_bits(0b0110), Bitboard::from_bits(0b1100));
/// let held = attacked & attacked.swapped();
/// assert_eq!(held.halves(), [Bitboard::from_bits(0b0100); 2]);
/// assert_eq!((attacked & !held).counts(), [1, 1]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BitboardPair(Wide);

impl BitboardPair {
    /// Pairs White's bitboard with Black's.
    #[inline(always)]
    pub fn new(white: Bitboard, black: Bitboard) -> Self {
        Self(wide::new(white.0, black.0))
    }

    /// Pairs a bitboard with itself.
    #[inline(always)]
    pub fn both(squares: Bitboard) -> Self {
        Self(wide::both(squares.0))
    }

    /// White's bitboard and Black's.
    #[inline(always)]
    pub fn halves(self) -> [Bitboard; 2] {
        let [white, black] = wide::halves(self.0);
        [Bitboard(white), Bitboard(black)]
    }

    /// The pair with White's and Black's bitboards exchanged: what one side has, as the other sees it.
    #[inline(always)]
    pub fn swapped(self) -> Self {
        Self(wide::swapped(self.0))
    }

    /// Whether both bitboards are empty.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        wide::is_zero(self.0)
    }

    /// How many squares each bitboard has.
    #[inline(always)]
    pub fn counts(self) -> [i32; 2] {
        wide::counts(self.0)
    }

    /// How many more squares White's bitboard has than Black's.
    #[inline(always)]
    pub fn lead(self) -> i32 {
        let [white, black] = self.counts();
        white - black
    }

    /// Both bitboards with every index raised by one.
    #[inline(always)]
    pub(super) fn up_one(self) -> Self {
        Self(wide::up_one(self.0))
    }

    /// Both bitboards with every index lowered by one.
    #[inline(always)]
    pub(super) fn down_one(self) -> Self {
        Self(wide::down_one(self.0))
    }

    /// Pairs a bitboard with its own reverse.
    #[inline(always)]
    pub(crate) fn and_reversed(squares: Bitboard) -> Self {
        Self(wide::and_reversed(squares.0))
    }

    /// The union of the first bitboard and the reverse of the second.
    #[inline(always)]
    pub(crate) fn or_reversed(self) -> Bitboard {
        Bitboard(wide::or_reversed(self.0))
    }

    /// In each bitboard, the lowest square and all squares below it; all squares if it is empty.
    #[inline(always)]
    pub(crate) fn up_to_lowest(self) -> Self {
        Self(wide::up_to_lowest(self.0))
    }
}

impl PartialEq for BitboardPair {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        wide::is_zero(wide::xor(self.0, other.0))
    }
}

impl Eq for BitboardPair {}

impl BitAnd for BitboardPair {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(wide::and(self.0, other.0))
    }
}

impl BitOr for BitboardPair {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(wide::or(self.0, other.0))
    }
}

impl Not for BitboardPair {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(wide::not(self.0))
    }
}

impl BitAndAssign for BitboardPair {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitOrAssign for BitboardPair {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// Moves the first bitboard to higher indices and the second to lower ones, as White and Black go forwards, or the other
/// way around.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shift(wide::Amounts);

impl Shift {
    /// A shift by 1 to 63 indices, forwards or backwards.
    ///
    /// # Panics
    ///
    /// When `by` is not between 1 and 63.
    pub fn new(by: u32, forwards: bool) -> Self {
        assert!((1..64).contains(&by), "a shift by {by}");
        Self(wide::amounts(by, forwards))
    }

    /// Shifts both bitboards; squares that leave the 128 bits are lost.
    #[inline(always)]
    pub fn of(&self, squares: BitboardPair) -> BitboardPair {
        BitboardPair(wide::shifted(squares.0, &self.0))
    }
}

/// The implementation with AVX2.
#[cfg(target_feature = "avx2")]
mod wide {
    use std::arch::x86_64::*;

    pub type Wide = __m256i;

    /// How far each half of a bitboard goes up and down (64 means not at all), and what it carries to the other half.
    #[derive(Clone, Copy, Debug)]
    pub struct Amounts {
        up: Wide,
        down: Wide,
        carried_up: Wide,
        carried_down: Wide,
    }

    pub fn amounts(numbers: u32, forwards: bool) -> Amounts {
        let each = |by: u32, moves: bool| u128::from(if moves { by } else { 64 }) * (1 << 64 | 1);
        let two = |by: u32, first: bool| new(each(by, first), each(by, !first));
        Amounts {
            up: two(numbers, forwards),
            down: two(numbers, !forwards),
            carried_up: two(64 - numbers, forwards),
            carried_down: two(64 - numbers, !forwards),
        }
    }

    /// Defines functions for processors with AVX2 that can be called like any other.
    macro_rules! with_avx2 {
        ($($(#[$doc:meta])* fn $name:ident($($given:ident: $type:ty),*) -> $result:ty $body:block)*) => {$(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name($($given: $type),*) -> $result {
                #[inline]
                #[target_feature(enable = "avx2")]
                fn inner($($given: $type),*) -> $result $body
                // SAFETY: this module exists only in builds for processors with AVX2.
                unsafe { inner($($given),*) }
            }
        )*};
    }

    with_avx2! {
        fn new(first: u128, second: u128) -> Wide {
            let half = |bits: u128| _mm_set_epi64x((bits >> 64) as i64, bits as i64);
            _mm256_set_m128i(half(second), half(first))
        }

        fn both(squares: u128) -> Wide {
            _mm256_broadcastsi128_si256(_mm_set_epi64x((squares >> 64) as i64, squares as i64))
        }

        fn halves(squares: Wide) -> [u128; 2] {
            let half = |half: __m128i| {
                let [low, high] = [_mm_cvtsi128_si64(half), _mm_extract_epi64::<1>(half)];
                u128::from(low as u64) | u128::from(high as u64) << 64
            };
            [half(_mm256_castsi256_si128(squares)), half(_mm256_extracti128_si256::<1>(squares))]
        }

        fn and(one: Wide, other: Wide) -> Wide {
            _mm256_and_si256(one, other)
        }

        fn or(one: Wide, other: Wide) -> Wide {
            _mm256_or_si256(one, other)
        }

        fn xor(one: Wide, other: Wide) -> Wide {
            _mm256_xor_si256(one, other)
        }

        fn not(squares: Wide) -> Wide {
            _mm256_xor_si256(squares, _mm256_set1_epi64x(-1))
        }

        fn swapped(squares: Wide) -> Wide {
            _mm256_permute4x64_epi64::<0b01_00_11_10>(squares)
        }

        fn is_zero(squares: Wide) -> bool {
            _mm256_testz_si256(squares, squares) != 0
        }

        fn counts(squares: Wide) -> [i32; 2] {
            let number = |bits: i64| bits.count_ones() as i32;
            let first = _mm256_castsi256_si128(squares);
            let second = _mm256_extracti128_si256::<1>(squares);
            [first, second].map(|half| number(_mm_cvtsi128_si64(half)) + number(_mm_extract_epi64::<1>(half)))
        }

        fn up_one(squares: Wide) -> Wide {
            let carried = _mm256_srli_epi64::<63>(_mm256_slli_si256::<8>(squares));
            _mm256_or_si256(_mm256_slli_epi64::<1>(squares), carried)
        }

        fn down_one(squares: Wide) -> Wide {
            let carried = _mm256_slli_epi64::<63>(_mm256_srli_si256::<8>(squares));
            _mm256_or_si256(_mm256_srli_epi64::<1>(squares), carried)
        }

        fn shifted(squares: Wide, by: &Amounts) -> Wide {
            let up = _mm256_sllv_epi64(squares, by.up);
            let carried_up = _mm256_srlv_epi64(_mm256_slli_si256::<8>(squares), by.carried_up);
            let down = _mm256_srlv_epi64(squares, by.down);
            let carried_down = _mm256_sllv_epi64(_mm256_srli_si256::<8>(squares), by.carried_down);
            _mm256_or_si256(_mm256_or_si256(up, carried_up), _mm256_or_si256(down, carried_down))
        }

        fn and_reversed(squares: u128) -> Wide {
            let squares = _mm_set_epi64x((squares >> 64) as i64, squares as i64);
            _mm256_set_m128i(reversed(squares), squares)
        }

        fn or_reversed(squares: Wide) -> u128 {
            let second = reversed(_mm256_extracti128_si256::<1>(squares));
            let either = _mm_or_si128(_mm256_castsi256_si128(squares), second);
            let [low, high] = [_mm_cvtsi128_si64(either), _mm_extract_epi64::<1>(either)];
            u128::from(low as u64) | u128::from(high as u64) << 64
        }

        fn up_to_lowest(squares: Wide) -> Wide {
            // Subtracts one from each bitboard: the upper half loses one where the lower half is 0 and has to borrow.
            let lends_none = _mm256_cmpeq_epi64(squares, _mm256_setzero_si256());
            let minus_one = _mm256_or_si256(_mm256_slli_si256::<8>(lends_none), _mm256_set_epi64x(0, -1, 0, -1));
            _mm256_xor_si256(squares, _mm256_add_epi64(squares, minus_one))
        }
    }

    /// Reverses the bytes, and then the bits of each byte by a table for its two halves.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn reversed(squares: __m128i) -> __m128i {
        let low_half = _mm_set1_epi8(0x0f);
        let in_low = _mm_setr_epi8(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15);
        let in_high = _mm_slli_epi16::<4>(in_low);
        let first = _mm_shuffle_epi8(in_high, _mm_and_si128(squares, low_half));
        let second = _mm_shuffle_epi8(in_low, _mm_and_si128(_mm_srli_epi16::<4>(squares), low_half));
        let bytes = _mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
        _mm_shuffle_epi8(_mm_or_si128(first, second), bytes)
    }
}

/// The implementation without AVX2.
#[cfg(not(target_feature = "avx2"))]
mod wide {
    pub type Wide = [u128; 2];

    /// The number of indices, and whether the first bitboard goes up.
    #[derive(Clone, Copy, Debug)]
    pub struct Amounts(u32, bool);

    pub fn amounts(numbers: u32, forwards: bool) -> Amounts {
        Amounts(numbers, forwards)
    }

    pub fn new(first: u128, second: u128) -> Wide {
        [first, second]
    }

    pub fn both(squares: u128) -> Wide {
        [squares; 2]
    }

    pub fn halves(squares: Wide) -> [u128; 2] {
        squares
    }

    pub fn and([first, second]: Wide, other: Wide) -> Wide {
        [first & other[0], second & other[1]]
    }

    pub fn or([first, second]: Wide, other: Wide) -> Wide {
        [first | other[0], second | other[1]]
    }

    pub fn xor([first, second]: Wide, other: Wide) -> Wide {
        [first ^ other[0], second ^ other[1]]
    }

    pub fn not(squares: Wide) -> Wide {
        squares.map(|squares| !squares)
    }

    pub fn swapped([first, second]: Wide) -> Wide {
        [second, first]
    }

    pub fn is_zero(squares: Wide) -> bool {
        squares == [0; 2]
    }

    pub fn counts(squares: Wide) -> [i32; 2] {
        squares.map(|squares| squares.count_ones() as i32)
    }

    pub fn up_one(squares: Wide) -> Wide {
        squares.map(|squares| squares << 1)
    }

    pub fn down_one(squares: Wide) -> Wide {
        squares.map(|squares| squares >> 1)
    }

    pub fn shifted([first, second]: Wide, &Amounts(numbers, forwards): &Amounts) -> Wide {
        match forwards {
            true => [first << numbers, second >> numbers],
            false => [first >> numbers, second << numbers],
        }
    }

    pub fn and_reversed(squares: u128) -> Wide {
        [squares, squares.reverse_bits()]
    }

    pub fn or_reversed([first, second]: Wide) -> u128 {
        first | second.reverse_bits()
    }

    pub fn up_to_lowest(squares: Wide) -> Wide {
        squares.map(|squares| squares ^ squares.wrapping_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// Whatever the processor, the results are those of `u128`.
    #[test]
    fn each_half_is_worked_on_as_a_number() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for round in 0..2_000 {
            let mut some = || match round % 4 {
                0 => 1 << random.random_range(0..128),
                1 => random.random::<u128>() << random.random_range(0..128),
                2 => 0,
                _ => random.random::<u128>(),
            };
            let [a, b, c, d] = [some(), some(), some(), some() | 1];
            let pair = |white, black| BitboardPair::new(Bitboard(white), Bitboard(black));
            let halves = |pair: BitboardPair| pair.halves().map(Bitboard::bits);
            let (one, other) = (pair(a, b), pair(c, d));
            assert_eq!(halves(one & other), [a & c, b & d]);
            assert_eq!(halves(one | other), [a | c, b | d]);
            assert_eq!(halves(!one), [!a, !b]);
            assert_eq!(one == other, (a, b) == (c, d));
            assert_eq!(one, pair(a, b));
            assert_eq!(halves(one.swapped()), [b, a]);
            assert_eq!(halves(BitboardPair::both(Bitboard(a))), [a, a]);
            assert_eq!(one.is_empty(), a | b == 0);
            assert_eq!(one.counts(), [a.count_ones() as i32, b.count_ones() as i32]);
            assert_eq!(one.lead(), a.count_ones() as i32 - b.count_ones() as i32);
            assert_eq!(halves(one.up_one()), [a << 1, b << 1]);
            assert_eq!(halves(one.down_one()), [a >> 1, b >> 1]);
            assert_eq!(halves(BitboardPair::and_reversed(Bitboard(a))), [a, a.reverse_bits()]);
            assert_eq!(one.or_reversed().bits(), a | b.reverse_bits());
            assert_eq!(halves(one.up_to_lowest()), [a ^ a.wrapping_sub(1), b ^ b.wrapping_sub(1)]);
            for by in [1, 8, 9, 11, 16, 63] {
                assert_eq!(halves(Shift::new(by, true).of(one)), [a << by, b >> by]);
                assert_eq!(halves(Shift::new(by, false).of(one)), [a >> by, b << by]);
            }
        }
    }
}
