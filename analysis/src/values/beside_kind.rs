//! What a piece is worth beside another kind that its side keeps, and in the place of it.

use backrank_engine::Weights;
use backrank_rules::{Letter, Piece, Rules, Side};
use backrank_selfplay::study::Odds;
use serde::Serialize;

use super::imbalances::Imbalances;
use super::unit::Unit;
use crate::fit::{Link, NetworkRow, fit_network};
use crate::games::Column;
use crate::stats::Estimate;

/// The value of a piece beside a kind of which a side starts with one, such as the queen, and in the place of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueBesideKind {
    /// The piece.
    pub piece: Column,
    /// The name of the other kind.
    pub other: String,
    /// Its value in the unit to a side that has the other kind.
    pub beside: Estimate,
    /// Its value in the unit to a side that lacks the other kind, which the opponent has.
    pub in_place: Estimate,
    /// By how much more it is worth beside the other kind, in Elo.
    pub more_elo: Estimate,
    /// The probability that chance alone makes a difference of this size. Of several pieces of a game
    /// ([`measured_pieces`](crate::pieces::measured_pieces)): the lowest false discovery rate at which it counts as one.
    pub p_value: f64,
}

impl ValueBesideKind {
    /// Whether the difference is more than chance, at 5 %.
    pub fn is_found(&self) -> bool {
        self.p_value < 0.05
    }

    /// What games tell of a piece with a name, in a sentence; `None` where the difference could be chance.
    pub fn in_words(&self, piece: &str) -> Option<String> {
        let Self { other, beside, in_place, more_elo, .. } = self;
        self.is_found().then(|| {
            format!(
                "Beside the {other} that its side keeps, the {piece} is worth {:.2} ({:.2}); in the place of the {other}, against one, {:.2} \
                 ({:.2}). The difference is {:+.0} Elo ({:+.0}).",
                beside.value, beside.interval, in_place.value, in_place.interval, more_elo.value, more_elo.interval
            )
        })
    }
}

impl Imbalances {
    /// The value of a piece to a side that keeps another kind, and to one that lacks it: the same network of imbalances, in which these
    /// are two kinds. `None` where games do not tell both.
    pub fn beside_kind(&self, piece: Letter, other: &Piece, unit: Unit) -> Option<ValueBesideKind> {
        let [of_unit, beside] = [self.index(unit.piece())?, self.index(Column::Piece(piece))?];
        let in_place = self.kinds.len();
        // Where neither side has the other kind, the piece is neither beside one nor against one.
        let has_one =
            |odds: &Odds| !(odds.first().contains(&other.letter) && odds.second().contains(&other.letter));
        let rows = self.gathered.iter().filter(|gathered| has_one(&gathered.odds)).map(|gathered| {
            let mut row = self.row(gathered);
            let odds = &gathered.odds;
            let ahead = row.difference[beside];
            // What is named of the opponent, the side that has the piece lacks.
            let opponents = if ahead > 0.0 { odds.second() } else { odds.first() };
            let lacks = opponents.contains(&other.letter);
            row.difference.push(if lacks { ahead } else { 0.0 });
            row.difference[beside] = if lacks { 0.0 } else { ahead };
            row
        });
        let rows: Vec<NetworkRow> = rows.collect();
        let fit = fit_network(&rows, in_place + 1, Link::Logit).ok()?;
        let difference = fit.difference(beside, 1.0, in_place);
        Some(ValueBesideKind {
            piece: Column::Piece(piece),
            other: other.name.clone(),
            beside: fit.certain_value(beside, of_unit, unit)?,
            in_place: fit.certain_value(in_place, of_unit, unit)?,
            more_elo: fit.in_elo(difference.mean(), &difference),
            p_value: difference.p_value(),
        })
    }
}

/// The strongest piece of which each side starts with one, other than the king and those that are measured, by the engine's values.
pub fn strongest_beside<'v>(rules: &'v Rules, measured: &[Letter]) -> Option<&'v Piece> {
    let variant = rules.variant();
    let material = Weights::new(rules).material;
    let is_single = |piece: &&Piece| {
        let starts = Side::BOTH.map(|side| variant.starts_with(side, piece.letter));
        !piece.royal && starts == [1, 1] && !measured.contains(&piece.letter)
    };
    variant
        .pieces
        .iter()
        .filter(is_single)
        .max_by(|one, other| material[one.letter].total_cmp(&material[other.letter]))
}
