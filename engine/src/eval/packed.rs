//! Packed scores, which change with the phase of the game.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use crate::weights::Tapered;

/// An opening and an endgame score in centipawns. Each takes half of one number, so that both are added or multiplied at
/// once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PackedScore(i64);

impl PackedScore {
    pub const ZERO: Self = Self(0);

    #[inline]
    pub const fn new(opening: i32, endgame: i32) -> Self {
        Self(((opening as i64) << 32) + endgame as i64)
    }

    /// A weight times a number.
    pub fn of(weight: Tapered, times: f32) -> Self {
        Self::new((weight.opening * times).round() as i32, (weight.endgame * times).round() as i32)
    }

    #[inline]
    pub const fn opening(self) -> i32 {
        // A negative endgame score has borrowed one from the upper half.
        ((self.0 + (1 << 31)) >> 32) as i32
    }

    #[inline]
    pub const fn endgame(self) -> i32 {
        self.0 as i32
    }

    /// Both scores times a number of 256ths.
    #[inline]
    pub const fn in_256ths(self, number: i32) -> Self {
        Self::new(self.opening() * number / 256, self.endgame() * number / 256)
    }

    /// The opening score with all the phase's material on the board, the endgame score with none.
    #[inline]
    pub fn mixed(self, phase: i32, full: i32) -> i32 {
        (self.opening() * phase + self.endgame() * (full - phase)) / full
    }
}

impl Add for PackedScore {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for PackedScore {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl AddAssign for PackedScore {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Neg for PackedScore {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<i32> for PackedScore {
    type Output = Self;
    #[inline]
    fn mul(self, times: i32) -> Self {
        Self(self.0 * i64::from(times))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_mix() {
        for (opening, endgame) in [(0, -1), (-1, 0), (-7, 30_000), (30_000, -7), (-20_000, -1)] {
            let pair = PackedScore::new(opening, endgame);
            assert_eq!((pair.opening(), pair.endgame()), (opening, endgame));
            let sum = pair * -3 + pair - -pair;
            assert_eq!((sum.opening(), sum.endgame()), (-opening, -endgame));
        }
    }
}
