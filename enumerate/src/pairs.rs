//! Setups of independent sides whose ranks depend on each other.

use backrank_rules::{FirstRank, Setup};

use crate::army::Army;
use crate::constraint::{
    BeforeReflection, CheckClass, GoesWith, IsOfClass, OwnReflection, Rule, UpToReflection,
};
use crate::rank_table::{RankTable, TooManyStates};

/// Pairs of ranks in alphabetical order.
///
/// White's ranks are divided into classes, such that with all ranks of a class the same ranks of Black's go. Up to
/// reflection, a rank that comes before its own reflection goes with any rank of Black's, and one that is its own reflection
/// goes with those that do not come after theirs. Where no king may stand in check, it matters where White's kings stand and
/// what its pieces attack.
#[derive(Clone, Debug)]
pub(crate) struct Pairs {
    /// All ranks that White can have in any of the classes, and perhaps others.
    any: RankTable,
    classes: Vec<Class>,
}

/// Some of White's ranks, and the ranks of Black's that go with each of them.
#[derive(Clone, Debug)]
struct Class {
    whites: RankTable,
    blacks: RankTable,
}

impl Pairs {
    /// The pairs of which both ranks satisfy some rules, and together do not come after their reflection, or have no king
    /// in check.
    pub(crate) fn new(
        [of_white, of_black]: &[Army; 2],
        rules: &[&dyn Rule],
        up_to_reflection: bool,
        no_check: bool,
    ) -> Result<Self, TooManyStates> {
        let checks = match no_check {
            true => CheckClass::all(of_white).ok_or(TooManyStates)?.into_iter().map(Some).collect(),
            false => vec![None],
        };
        let reflections: &[[Option<&dyn Rule>; 2]] = match up_to_reflection {
            true => &[[Some(&BeforeReflection), None], [Some(&OwnReflection), Some(&UpToReflection)]],
            false => &[[None, None]],
        };
        let mut classes = Vec::new();
        for check in checks {
            let (is_of_class, goes_with) = (check.map(IsOfClass), check.map(GoesWith));
            for &[white, black] in reflections {
                let table = |army, of_check: Option<&dyn Rule>, of_reflection: Option<&dyn Rule>| {
                    let rules: Vec<&dyn Rule> =
                        rules.iter().copied().chain(of_check).chain(of_reflection).collect();
                    RankTable::new(army, &rules)
                };
                let whites = table(of_white, is_of_class.as_ref().map(|rule| rule as &dyn Rule), white)?;
                if whites.len() == 0 {
                    continue;
                }
                let blacks = table(of_black, goes_with.as_ref().map(|rule| rule as &dyn Rule), black)?;
                if blacks.len() > 0 {
                    classes.push(Class { whites, blacks });
                }
            }
        }
        Ok(Self { any: RankTable::new(of_white, rules)?, classes })
    }

    /// The number of pairs.
    pub(crate) fn len(&self) -> u128 {
        self.classes.iter().map(|class| u128::from(class.whites.len()) * u128::from(class.blacks.len())).sum()
    }

    /// The number of pairs whose rank of White's comes before this one.
    fn before(&self, white: &FirstRank) -> u128 {
        let of_class =
            |class: &Class| u128::from(class.whites.number_before(white)) * u128::from(class.blacks.len());
        self.classes.iter().map(of_class).sum()
    }

    /// The ranks of Black's that go with a rank of White's.
    fn with_white(&self, white: &FirstRank) -> Option<&RankTable> {
        self.classes.iter().find(|class| class.whites.index_of(white).is_some()).map(|class| &class.blacks)
    }

    /// The number of a pair, or `None` if it is not one of these.
    pub(crate) fn index_of(&self, setup: &Setup) -> Option<u128> {
        let index = self.with_white(&setup.white)?.index_of(&setup.black)?;
        Some(self.before(&setup.white) + u128::from(index))
    }

    /// The pair with a number.
    ///
    /// # Panics
    ///
    /// When the number is not below [`Pairs::len`].
    pub(crate) fn unrank(&self, number: u128) -> Setup {
        // Ranks that nothing goes with have the same number before them as the next one, so the last is the right one.
        let starts_after = |white| self.before(&self.any.unrank(white)) > number;
        let white = self.any.unrank(partition_point(self.any.len(), |white| !starts_after(white)) - 1);
        let blacks = self.with_white(&white).expect("pairs begin with this rank");
        Setup { white, black: blacks.unrank((number - self.before(&white)) as u64) }
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
