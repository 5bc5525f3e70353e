//! Setups of independent sides up to reflection.

use backrank_rules::{FirstRank, Setup};

use crate::army::Army;
use crate::constraint::{OwnReflection, Rule, UpToReflection};
use crate::rank_table::{RankTable, TooManyStates};

/// The pairs of ranks that do not come after their reflection, in alphabetical order.
///
/// A rank that comes before its own reflection goes with any rank of Black's. A rank that is its own reflection goes
/// with those ranks of Black's that do not come after theirs.
#[derive(Clone, Debug)]
pub(crate) struct PairsUpToReflection {
    /// All ranks that a side can have.
    any: RankTable,
    /// The ranks that do not come after their own reflection.
    not_after: RankTable,
    /// The ranks that are their own reflection.
    palindromes: RankTable,
}

impl PairsUpToReflection {
    /// The pairs of which both ranks satisfy some rules.
    pub(crate) fn new(army: &Army, rules: &[&dyn Rule]) -> Result<Self, TooManyStates> {
        let with = |rule: &dyn Rule| RankTable::new(army, &[rules, &[rule]].concat());
        Ok(Self {
            any: RankTable::new(army, rules)?,
            not_after: with(&UpToReflection)?,
            palindromes: with(&OwnReflection)?,
        })
    }

    /// The number of pairs.
    pub(crate) fn len(&self) -> u128 {
        self.before(self.not_after.len(), self.palindromes.len())
    }

    /// The number of pairs with the first `ranks` ranks of White's, of which `palindromes` are their own reflection.
    fn before(&self, ranks: u64, palindromes: u64) -> u128 {
        u128::from(ranks - palindromes) * u128::from(self.any.len())
            + u128::from(palindromes) * u128::from(self.not_after.len())
    }

    /// The number of pairs before those with this rank of White's, and the ranks of Black's that go with it.
    fn with_white(&self, number: u64, white: &FirstRank) -> (u128, &RankTable) {
        let palindromes =
            partition_point(self.palindromes.len(), |index| self.palindromes.unrank(index) < *white);
        let is_palindrome =
            palindromes < self.palindromes.len() && self.palindromes.unrank(palindromes) == *white;
        (self.before(number, palindromes), if is_palindrome { &self.not_after } else { &self.any })
    }

    /// The number of a pair, or `None` if it is not one of these.
    pub(crate) fn index_of(&self, setup: &Setup) -> Option<u128> {
        let number = self.not_after.index_of(&setup.white)?;
        let (before, blacks) = self.with_white(number, &setup.white);
        Some(before + u128::from(blacks.index_of(&setup.black)?))
    }

    /// The pair with a number.
    ///
    /// # Panics
    ///
    /// When the number is not below [`PairsUpToReflection::len`].
    pub(crate) fn unrank(&self, number: u128) -> Setup {
        let starts_after = |white| self.with_white(white, &self.not_after.unrank(white)).0 > number;
        let white_number = partition_point(self.not_after.len(), |white| !starts_after(white)) - 1;
        let white = self.not_after.unrank(white_number);
        let (before, blacks) = self.with_white(white_number, &white);
        Setup { white, black: blacks.unrank((number - before) as u64) }
    }
}

/// The first number below `end` for which a condition does not hold, or `end`. The condition must hold for all before
/// it.
fn partition_point(end: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, end);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
