//! The setups of a space in which a king stands in check.

use backrank_rules::Setup;
use rayon::prelude::*;

use super::Space;
use crate::army::Army;
use crate::constraint::{Constraint, NoCheck};
use crate::error::SpaceError;
use crate::numbering::Numbering;
use crate::sides::Sides;

/// The setups of a space in which a king stands in check before the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InCheck {
    /// How many there are.
    pub number: u128,
    /// The first of them in alphabetical order.
    pub first: Setup,
}

impl Space {
    /// The setups of this space in which a king, White's or Black's, stands in check before the first move; `None` if there
    /// are none. Where Black's king does, the game cannot be played from the setup: White could take it.
    ///
    /// They are counted as fast as all setups. In games whose pieces cannot attack from one first rank to the other, this
    /// takes no time.
    ///
    /// ```
    /// use backrank_enumerate::Space;
    /// use backrank_rules::Variant;
    ///
    /// let chess960 = Variant::find("chess960")?;
    /// assert_eq!(Space::new(&chess960)?.in_check()?, None);
    ///
    /// // On a board of four ranks a camel leaps from one first rank to the other.
    /// let low = chess960.text().replace("ranks = 8", "ranks = 4").replace("betza = \"N\"", "betza = \"C\"");
    /// let low = Space::new(&Variant::parse("low", "low.toml", &low)?)?;
    /// assert_eq!(low.in_check()?.map(|found| found.number), Some(460));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When they cannot be counted, because they depend on too much of a rank's beginning.
    pub fn in_check(&self) -> Result<Option<InCheck>, SpaceError> {
        let army = self.army();
        if army.has_pawn_choices() {
            return self.in_check_one_by_one();
        }
        let can_be = matches!(self.sides, Sides::Listed(_)) || army.can_give_check();
        let has_king = |army: &Army| army.kings() > 0 || army.gaze().fixed_king(army.side()).is_some();
        let has_kings = self.armies.iter().any(has_king);
        if !can_be || !has_kings || self.constraints.contains(&Constraint::NoCheck(NoCheck)) {
            return Ok(None);
        }
        let mut constraints = self.constraints.clone();
        constraints.push(Constraint::NoCheck(NoCheck));
        let (armies, sides) = (self.armies.clone(), self.sides.clone());
        let others = Self::of_parts(&self.key, armies, sides, constraints, Vec::new(), true)?;
        let number = self.len() - others.len();
        // The others are in the same order, so the first setup that is not among them is the first that differs.
        let is_same = |id: u128| others.unrank_by(&Numbering::Lex, id) == self.unrank_by(&Numbering::Lex, id);
        let (mut low, mut high) = (0, others.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if is_same(middle) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let first = (number > 0).then(|| self.unrank_by(&Numbering::Lex, low)).flatten();
        Ok(first.map(|first| InCheck { number, first }))
    }

    /// Counts them where pawns do not stand alike in all setups, so that each has to be looked at.
    fn in_check_one_by_one(&self) -> Result<Option<InCheck>, SpaceError> {
        const MOST: u128 = 1 << 22;
        if self.len() > MOST {
            return Err(SpaceError::TooManyToSee { key: self.key.clone(), setups: self.len() });
        }
        let checks = (0..self.len()).into_par_iter().filter_map(|id| {
            let setup = self.unrank_by(&Numbering::Lex, id)?;
            self.has_check(&setup).then_some((id, setup))
        });
        let found: Vec<(u128, Setup)> = checks.collect();
        let first = found.iter().min_by_key(|(id, _)| id);
        Ok(first.map(|&(_, first)| InCheck { number: found.len() as u128, first }))
    }

    /// Whether a king, White's or Black's, stands in check before the first move from a setup of this game.
    pub fn has_check(&self, setup: &Setup) -> bool {
        !NoCheck.holds_for(setup, self.army())
    }
}
