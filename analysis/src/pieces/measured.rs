//! The values of pieces by their records.

use std::collections::BTreeSet;

use backrank_rules::{Betza, Letter, PieceFeatures, Rules, Variant};
use backrank_selfplay::study::Odds;
use serde::Serialize;

use super::record::PieceRecord;
use crate::games::Material;
use crate::stats::{Estimate, false_discovery_rates};
use crate::values::{ImbalancePiece, Imbalances, Unit, ValueBesideKind, leaper_law, strongest_beside};

/// A piece that was measured.
#[derive(Clone, Debug, Serialize)]
pub struct MeasuredPiece {
    /// Its name.
    pub piece: String,
    /// How it moves.
    pub betza: String,
    /// The key of the game.
    pub variant: String,
    /// What neither side had in any of its games, such as `B+N+R+2P`; `-` for nothing.
    pub without: String,
    /// What the engine took it for after the pilot, in centipawns.
    pub centipawns: f64,
    /// The games.
    pub games: u64,
    /// Its value in the unit.
    pub value: Option<Estimate>,
    /// Its value in pawns.
    pub pawns: Option<Estimate>,
    /// The value of one more of it between equals, in Elo.
    pub elo: Option<Estimate>,
    /// What it is worth beside the strongest piece of its side and in the place of it, where its games are at hand and tell both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beside_strongest: Option<ValueBesideKind>,
    /// By H. G. Muller's law of short-range leapers, in pawns.
    pub leaper_law: Option<f64>,
    /// What can be seen of it.
    pub features: PieceFeatures,
}

impl MeasuredPiece {
    /// Whether both sides had all else that they start with.
    pub fn is_of_full_army(&self) -> bool {
        self.without == "-"
    }

    /// The game in which it was measured: a key, and what neither side had, such as `chess960 without B+N+R+2P`.
    pub fn game(&self) -> String {
        match self.is_of_full_army() {
            true => self.variant.clone(),
            false => format!("{} without {}", self.variant, self.without),
        }
    }
}

/// The pieces of some records in their order, with the values in a unit, by the games that come with the program for the others' and
/// by their own.
///
/// # Errors
///
/// When a record is of a game or a piece that is not known. The text says which.
pub fn measured_pieces(records: &[PieceRecord], unit: Unit) -> Result<Vec<MeasuredPiece>, String> {
    let is_same = |one: &PieceRecord, other: &PieceRecord| {
        (&one.betza, one.letter, &one.variant, &one.without, one.nodes)
            == (&other.betza, other.letter, &other.variant, &other.without, other.nodes)
    };
    let pieces = records.chunk_by(is_same);
    let mut pieces: Vec<MeasuredPiece> =
        pieces.map(|records| measured_piece(records, unit)).collect::<Result<_, _>>()?;
    correct_for_number(&mut pieces);
    Ok(pieces)
}

/// Corrects the p-values of differences for the number of pieces of each game that were looked at.
fn correct_for_number(pieces: &mut [MeasuredPiece]) {
    let games: BTreeSet<String> = pieces.iter().map(MeasuredPiece::game).collect();
    for game in games {
        let of_game = pieces.iter_mut().filter(|piece| piece.game() == game);
        let mut tested: Vec<&mut f64> = of_game
            .filter_map(|piece| piece.beside_strongest.as_mut())
            .map(|beside| &mut beside.p_value)
            .collect();
        let p_values: Vec<f64> = tested.iter().map(|p_value| **p_value).collect();
        let rates = false_discovery_rates(&p_values);
        tested.iter_mut().zip(rates).for_each(|(p_value, rate)| **p_value = rate);
    }
}

fn measured_piece(records: &[PieceRecord], unit: Unit) -> Result<MeasuredPiece, String> {
    let PieceRecord { piece, letter, betza, variant, without, nodes, .. } = &records[0];
    // The first ones are the pilot's.
    let centipawns = records[records.len() - 1].centipawns;
    let wrong = |problem: String| format!("{piece} in {variant}: {problem}");
    let game = Variant::find(variant).map_err(|error| wrong(error.to_string()))?;
    let game = game.with_piece(*letter, piece, betza).map_err(|error| wrong(error.problem.to_string()))?;
    let moves: Betza = betza.parse().map_err(|error: backrank_rules::BetzaError| wrong(error.to_string()))?;
    let rules = Rules::new(&game);
    let reference = Imbalances::reference(&rules, Some(*nodes), without);
    let mut known = reference.map_or_else(|| Imbalances::new(&Material::of(&rules)), |(known, _)| known);
    records.iter().for_each(|record| known.add_pairs(&record.odds, record.pairs));
    let found = known.values(unit);
    let of_letter =
        |letter: Letter| found.pieces.iter().find(|value| value.piece.to_string() == letter.to_string());
    let of_piece = of_letter(*letter);
    let finite = |value: fn(&ImbalancePiece) -> Option<Estimate>| {
        of_piece.and_then(value).filter(|value| value.interval.is_finite())
    };
    Ok(MeasuredPiece {
        piece: piece.clone(),
        betza: betza.clone(),
        variant: variant.clone(),
        without: Odds::side_text(without),
        centipawns,
        games: records.iter().flat_map(|record| record.pairs.iter().flatten()).sum::<u64>() * 2,
        value: finite(|value| value.value),
        pawns: finite(|value| value.pawns),
        elo: finite(|value| value.elo),
        beside_strongest: strongest_beside(&rules, &[*letter])
            .and_then(|strongest| known.beside_kind(*letter, strongest, unit)),
        leaper_law: leaper_law(&moves).map(|centipawns| centipawns / 100.0),
        features: PieceFeatures::of(&moves, rules.board()),
    })
}
