//! What a pair of pieces on squares of both colours is worth beyond its pieces, such as two bishops.

use backrank_rules::Letter;
use serde::Serialize;

use super::imbalances::{ImbalanceGames, Imbalances};
use super::unit::Unit;
use crate::fit::{Link, NetworkRow, fit_network};
use crate::games::Column;
use crate::stats::Estimate;

/// The value of a pair beyond its two pieces, by games at odds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairValue {
    /// The pair.
    pub pair: Column,
    /// Its value beyond its pieces, in the unit.
    pub value: Estimate,
    /// The same between equals, in Elo.
    pub elo: Estimate,
    /// The value of one of the pieces that start on both colours, without the pair, in the unit.
    pub single: Estimate,
}

impl PairValue {
    /// The value of the pair of pieces with a letter, of which each side starts with two.
    ///
    /// Games come in groups by whether these pieces start on both colours. Each imbalance of each group is a row of one network of
    /// imbalances. In a group with both colours the piece is a kind of its own, and so is the pair, which a side has that lacks none of
    /// these pieces: what tells the pair from its pieces is that one of two is missing, or both. `None` where games do not.
    pub fn of(groups: &[(bool, &Imbalances)], letter: Letter, unit: Unit) -> Option<Self> {
        let (_, games) = groups.first()?;
        let [of_unit, elsewhere] = [games.index(unit.piece())?, games.index(Column::Piece(letter))?];
        let [single, pair] = [games.kinds.len(), games.kinds.len() + 1];
        let rows = groups.iter().flat_map(|&(on_both, games)| {
            games.gathered.iter().map(move |gathered| {
                let mut row = games.row(gathered);
                let more = match on_both {
                    true => [std::mem::take(&mut row.difference[elsewhere]), pairs_more(gathered, letter)],
                    false => [0.0, 0.0],
                };
                row.difference.extend(more);
                row
            })
        });
        let rows: Vec<NetworkRow> = rows.collect();
        let fit = fit_network(&rows, pair + 1, Link::Logit).ok()?;
        Some(Self {
            pair: Column::Pair(letter),
            value: fit.certain_value(pair, of_unit, unit)?,
            elo: fit.piece_in_elo(pair)?,
            single: fit.certain_value(single, of_unit, unit)?,
        })
    }
}

/// How many pairs the first side of an imbalance has more than the second.
fn pairs_more(gathered: &ImbalanceGames, letter: Letter) -> f64 {
    let has_pair = |lacking: &[Letter]| f64::from(u8::from(!lacking.contains(&letter)));
    has_pair(gathered.odds.second()) - has_pair(gathered.odds.first())
}
