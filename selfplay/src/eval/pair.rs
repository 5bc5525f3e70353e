//! Scores that change with the phase of the game.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use crate::weights::Tapered;

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
