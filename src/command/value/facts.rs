//! What is known of a piece without games.

use backrank_analysis::checkup::{Mating, PieceFacts};
use backrank_analysis::pieces::{MeasuredPiece, Predictor, measured_boards, shipped_pieces};
use backrank_analysis::stats::Estimate;
use backrank_analysis::values::{PublishedValue, Unit, leaper_law, published_of};
use backrank_endgames::LonePiece;
use backrank_rules::{Betza, Letter, PieceFeatures, Rules, Variant};
use serde::Serialize;

use super::by_network::values_by_network;
use crate::command::check::mating_of;

/// The pieces to be measured.
#[derive(Serialize)]
pub struct Facts {
    pub variant: String,
    /// Whether pieces were measured on a board of this size; elsewhere predictions rest on those of other boards.
    pub is_measured_board: bool,
    pub pieces: Vec<Predicted>,
}

/// A piece, and what it should be worth.
#[derive(Serialize)]
pub struct Predicted {
    #[serde(flatten)]
    pub piece: PieceFacts,
    /// What was measured of a piece that moves alike, in the unit, where and in which that is known.
    pub measured: Option<MeasuredBefore>,
    /// The same at a later stage of the game, where neither side has some pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured_later: Option<MeasuredBefore>,
    /// What others have published of a piece that moves alike on such a board, in the unit.
    pub published: Vec<PublishedValue>,
    /// By H. G. Muller's law, in pawns; `None` for a piece that does not only leap.
    pub leaper_law: Option<f64>,
    /// By mobility with a third of the board occupied, in the unit, capturing counted two thirds and moving one; `None` where the unit is
    /// the pawn.
    pub mobility: Option<f64>,
    /// By the pieces that were measured, in the unit; `None` with other pawns and in a unit that is no knight.
    pub by_measured: Option<Estimate>,
    /// By what a network adds for it, in the unit, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_network: Option<Estimate>,
}

/// A measurement that comes with the program.
#[derive(Serialize)]
pub struct MeasuredBefore {
    pub value: Estimate,
    pub games: u64,
    /// What neither side has, such as `B+N+R+2P`; `-` for nothing.
    pub without: String,
}

impl Facts {
    pub fn of(rules: &Rules, letters: &[Letter], unit: Unit) -> Self {
        let variant = rules.variant();
        let lone = LonePiece::all(rules);
        let mating = |letter: Letter| match &lone {
            Err(error) => Mating::Unknown(error.to_string()),
            Ok(pieces) => pieces
                .iter()
                .find(|piece| rules.letter_of(piece.kind) == letter)
                .map_or(Mating::Unknown("it is not in the tables".to_string()), mating_of),
        };
        let pieces = PieceFacts::of(rules, mating);
        let board = rules.board();
        let features = |letter: Letter| Some(PieceFeatures::of(&variant.piece(letter)?.betza, board));
        let of_unit = pieces.iter().find(|piece| unit.piece().to_string() == piece.letter.to_string());
        let scale = of_unit.and_then(|piece| Some(unit.number() / features(piece.letter)?.mobility()));
        let is_as_measured = variant.pawn.is_orthodox();
        let predictor = is_as_measured.then(|| Predictor::shipped(unit, board)).flatten();
        let known = is_as_measured.then(|| shipped_pieces(unit, board)).flatten().unwrap_or_default();
        let measured = |letter: Letter, is_later: bool| {
            let moves = &variant.piece(letter)?.betza;
            let is_alike = |known: &&MeasuredPiece| {
                known.is_of_full_army() != is_later
                    && known.betza.parse().is_ok_and(|betza: Betza| betza.moves_like(moves))
            };
            let known = known.iter().find(is_alike)?;
            Some(MeasuredBefore { value: known.value?, games: known.games, without: known.without.clone() })
        };
        let named = letters.iter().filter_map(|letter| pieces.iter().find(|piece| piece.letter == *letter));
        let predicted = named.map(|piece| Predicted {
            measured: measured(piece.letter, false),
            measured_later: measured(piece.letter, true),
            published: variant
                .piece(piece.letter)
                .map_or_else(Vec::new, |piece| published_of(variant, &piece.betza, unit)),
            leaper_law: variant
                .piece(piece.letter)
                .and_then(|piece| leaper_law(&piece.betza))
                .map(|centipawns| centipawns / 100.0),
            mobility: scale.zip(features(piece.letter)).map(|(scale, features)| scale * features.mobility()),
            by_measured: predictor
                .as_ref()
                .zip(features(piece.letter))
                .map(|(predictor, features)| predictor.predict(&features)),
            by_network: None,
            piece: piece.clone(),
        });
        Self {
            variant: variant.name.clone(),
            is_measured_board: measured_boards().contains(&board),
            pieces: predicted.collect(),
        }
    }

    /// Adds what the network for every game takes the pieces to be worth, which takes a second or two.
    pub fn add_network(&mut self, variant: &Variant, unit: Unit) {
        let letters: Vec<Letter> = self.pieces.iter().map(|predicted| predicted.piece.letter).collect();
        let values = values_by_network(variant, &letters, unit);
        self.pieces.iter_mut().zip(values).for_each(|(predicted, value)| predicted.by_network = value);
    }
}
