//! What a new piece is worth by how many of it its side has, and by what neither side has.

use std::collections::BTreeSet;

use backrank_rules::Letter;
use backrank_selfplay::study::Odds;
use serde::Serialize;

use super::imbalances::{Imbalances, number_of};
use super::interactions::{InteractingValues, Interactions};
use super::unit::Unit;
use crate::games::Column;
use crate::stats::Estimate;

/// The values of a piece that no side starts with, beside different others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValuesByOthers {
    /// The piece.
    pub piece: Column,
    /// Whether values depend on other pieces, by the model under which the games are most probable.
    pub interactions: Interactions,
    /// How many times as probable the games are by this model as by values that add up.
    pub times_as_probable: f64,
    /// The values: those of the first, the second and each further one of a side, then of the first where neither side has some others.
    pub values: Vec<ValueBesideOthers>,
}

/// The value of a piece beside certain others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueBesideOthers {
    /// Which of its side it is, from 1.
    pub number: usize,
    /// What neither side has, such as `2N`; `-` for nothing.
    pub on_neither: String,
    /// The value in the unit.
    pub value: Estimate,
    /// What it is worth more, in Elo, than the first of its side where nothing is missing, if the unit's piece is worth the same in both
    /// places: games compare the two.
    pub more_elo: Estimate,
}

impl Imbalances {
    /// What each of the pieces that no side starts with is worth, by the number of it and by what neither side has, as far as there are
    /// games of either.
    ///
    /// # Errors
    ///
    /// Where these games cannot say it, with the reason.
    pub fn values_by_others(&self, new: &[Letter], unit: Unit) -> Result<Vec<ValuesByOthers>, String> {
        let fitted = InteractingValues::of(self, unit, new)?;
        new.iter().map(|&piece| self.by_others(&fitted, piece)).collect()
    }

    fn by_others(&self, fitted: &InteractingValues<'_>, piece: Letter) -> Result<ValuesByOthers, String> {
        let kind = fitted.index(piece).ok_or_else(|| format!("{piece} has no value by these games"))?;
        // How many of it a side has, and what neither side has.
        let (mut most, mut on_neither) = (1, BTreeSet::new());
        for odds in self.gathered.iter().map(|gathered| &gathered.odds) {
            let [first, second] = [odds.first(), odds.second()];
            let number = number_of(first, piece).max(number_of(second, piece));
            let of_both: Vec<Letter> =
                first.iter().filter(|letter| second.contains(letter)).copied().collect();
            if number > 0 && !of_both.is_empty() {
                on_neither.insert(of_both);
            }
            most = most.max(number);
        }
        // A side that has none is counted from none.
        let with = |number: usize, lacking: &[Letter]| {
            let mut counts = fitted.lacking(lacking)?;
            counts[kind] -= number as f64;
            Ok::<_, String>(counts)
        };
        let usual = with(1, &[])?;
        let value = |number: usize, lacking: &[Letter]| {
            let counts = with(number, lacking)?;
            Ok(ValueBesideOthers {
                number,
                on_neither: Odds::side_text(lacking),
                value: fitted.value(kind, &counts),
                more_elo: fitted.gain_elo(kind, &counts, &usual),
            })
        };
        let by_number = (1..=most).map(|number| value(number, &[]));
        let values = by_number.chain(on_neither.iter().map(|lacking| value(1, lacking)));
        Ok(ValuesByOthers {
            piece: Column::Piece(piece),
            interactions: fitted.interactions(),
            times_as_probable: fitted.times_as_probable,
            values: values.collect::<Result<_, String>>()?,
        })
    }
}
