//! The imbalances by which new pieces are measured, which neither side has at the start.

use backrank_rules::{Letter, Rules};
use backrank_selfplay::study::Odds;
use nalgebra::DVector;

use super::{Planner, guess, in_both_armies};
use crate::games::{Column, Material};
use crate::values::number_of;

/// No imbalance gets more than this share of the pairs: there are fewer than of pieces that both sides have.
const LARGEST_SHARE: f64 = 1.0 / 8.0;

/// All games are at imbalances of a new piece, so that some are played however strong or weak it is.
const LEAST: usize = 16;

/// The largest number of pawns that a side lacks besides.
const MOST_PAWNS_BESIDE: usize = 3;

/// What the value of a new piece may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlannedInteraction {
    /// How many of it its side has.
    Own(Letter),
    /// How many of another kind the other side has.
    Opposing(Letter, Letter),
}

impl PlannedInteraction {
    /// The new piece.
    pub fn piece(self) -> Letter {
        let (Self::Own(piece) | Self::Opposing(piece, _)) = self;
        piece
    }

    /// How often it is in the advantage of the side that has what is named first.
    pub fn number(self, odds: &Odds) -> f64 {
        let [first, second] = odds.lacking();
        let count = |side: &[Letter], kind: Letter| number_of(side, kind) as f64;
        // A side that is said to lack a new piece faces one.
        match self {
            Self::Own(piece) => 0.5 * (count(&first, piece).powi(2) - count(&second, piece).powi(2)),
            Self::Opposing(piece, other) => {
                count(&second, other) * count(&second, piece) - count(&first, other) * count(&first, piece)
            }
        }
    }
}

/// One side has a new piece in the places of `olds`, and neither side has `on_neither`, of kinds that are `gone` to the last: all odds at
/// which either side lacks one of `beside` as well.
fn odds(
    piece: Letter,
    olds: &[Letter],
    on_neither: &[Letter],
    gone: Option<Letter>,
    beside: &[Vec<Letter>],
) -> Vec<Odds> {
    let is_taken = |letter: &Letter| olds.contains(letter) || gone == Some(*letter);
    let sides = beside.iter().filter(|more| !more.iter().any(is_taken)).flat_map(|more| {
        let [one, other] = [[more, on_neither].concat(), on_neither.to_vec()];
        // Where neither side lacks any more, the sides are named once.
        let turned = (!more.is_empty()).then(|| [other.clone(), one.clone()]);
        std::iter::once([one, other]).chain(turned)
    });
    let replaced = olds.chunk_by(|one, other| one == other).map(|olds| match olds.len() {
        1 => format!("{}={piece}", olds[0]),
        number => format!("{number}{}={number}{piece}", olds[0]),
    });
    let replaced: Vec<String> = replaced.collect();
    let named = sides.filter_map(|[first, second]| {
        let lacking = (!first.is_empty()).then(|| Odds::side_text(&first));
        let first: Vec<String> = replaced.iter().cloned().chain(lacking).collect();
        format!("{}:{}", first.join("+"), Odds::side_text(&second)).parse().ok()
    });
    named.collect()
}

impl Planner {
    /// The imbalances by which new pieces of a game are measured, which neither side has at the start: one side has one or two of them
    /// in the places of pieces of one kind, and either side lacks up to three pawns, or another piece. Pieces with which the king
    /// castles are not replaced.
    ///
    /// With `interactions` there are also imbalances that tell what the value of a new piece depends on: one side has it in the places of all
    /// pieces of two kinds, or both sides lack all of another kind. What is `without`, neither side ever has.
    pub fn of_pieces(
        rules: &Rules,
        material: &Material,
        new: &[Letter],
        without: &[Letter],
        interactions: bool,
    ) -> Self {
        let variant = rules.variant();
        let in_army =
            |letter: Letter| in_both_armies(variant, letter).saturating_sub(number_of(without, letter));
        let columns = material.columns().iter();
        let kinds: Vec<Letter> = columns
            .filter_map(|column| match *column {
                Column::Piece(letter) if in_army(letter) > 0 || new.contains(&letter) => Some(letter),
                _ => None,
            })
            .collect();
        let pieces: Vec<Letter> =
            kinds.iter().copied().filter(|&kind| kind != Letter::PAWN && in_army(kind) > 0).collect();
        // With a partner a side would lose castling, which would be taken for a part of the new piece's value.
        let partners = variant.castling.as_ref().map_or(&[][..], |castling| &castling.partners);
        let mut replaceable = pieces.clone();
        replaceable.retain(|letter| !partners.contains(letter));
        if replaceable.is_empty() {
            replaceable.clone_from(&pieces);
        }
        let mut beside: Vec<Vec<Letter>> = (0..=MOST_PAWNS_BESIDE.min(in_army(Letter::PAWN)))
            .map(|pawns| vec![Letter::PAWN; pawns])
            .collect();
        beside.extend(pieces.iter().map(|&piece| vec![piece]));
        let places: Vec<Vec<Letter>> = replaceable
            .iter()
            .flat_map(|&old| (1..=in_army(old).min(2)).map(move |number| vec![old; number]))
            .collect();
        let mut candidates: Vec<Odds> = Vec::new();
        for &piece in new {
            candidates.extend(places.iter().flat_map(|olds| odds(piece, olds, without, None, &beside)));
        }
        // Those of interactions follow, so that the others keep their places.
        let all = |kind: Letter| vec![kind; in_army(kind)];
        let mut planned: Vec<PlannedInteraction> = Vec::new();
        for &piece in new.iter().filter(|_| interactions) {
            planned.push(PlannedInteraction::Own(piece));
            for (index, &one) in replaceable.iter().enumerate() {
                planned.push(PlannedInteraction::Opposing(piece, one));
                for &other in &replaceable[index + 1..] {
                    let olds = [all(one), all(other)].concat();
                    candidates.extend(odds(piece, &olds, without, None, &beside));
                }
                let others = places.iter().filter(|olds| !olds.contains(&one));
                let on_neither = [&all(one), without].concat();
                candidates.extend(others.flat_map(|olds| odds(piece, olds, &on_neither, Some(one), &beside)));
            }
        }
        let differences = candidates.iter().map(|odds| {
            let [first, second] = odds.lacking();
            let of_kinds =
                kinds.iter().map(|&kind| number_of(&first, kind) as f64 - number_of(&second, kind) as f64);
            let all = of_kinds.chain(planned.iter().map(|interaction| interaction.number(odds)));
            DVector::from_iterator(kinds.len() + planned.len(), all)
        });
        Self {
            differences: differences.collect(),
            guess: guess(rules, &kinds),
            kinds,
            candidates,
            interactions: planned,
            measured: new.to_vec(),
            largest_share: LARGEST_SHARE,
            least: LEAST,
        }
    }
}
