//! `[pieces]`.

use std::collections::BTreeMap;

use toml::Spanned;

use super::{Faults, Problem};
use crate::betza::{Betza, BetzaError};
use crate::letter::Letter;
use crate::variant::piece_entry::{PieceEntry, PieceTable};
use crate::variant::{Piece, VariantWarning};

/// The largest value of a piece, in centipawns: a hundred pawns.
pub(super) const MAX_VALUE: i32 = 10_000;

pub(super) type PieceEntries = Spanned<BTreeMap<Spanned<String>, Spanned<PieceEntry>>>;

/// The pieces. One that is wrong is there all the same, so that it is not missing elsewhere.
pub(super) fn pieces(entries: &PieceEntries, faults: &mut Faults) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let unread: Vec<Letter> = faults.left_out_of("pieces").filter_map(|letter| letter.parse().ok()).collect();
    for letter in unread {
        pieces.extend(stand_in(letter, letter == Letter::K));
    }
    for (letter, entry) in entries.get_ref() {
        match letter.get_ref().parse() {
            Ok(Letter::PAWN) => {
                let problem = "P is the pawn in every game; give the piece another letter";
                faults.push((letter.span(), problem.to_string()));
            }
            Ok(known) => {
                let table =
                    entry.get_ref().table(letter.get_ref()).map_err(|problem| (entry.span(), problem));
                let is_royal = table.as_ref().map_or(known == Letter::K, |table| table.royal);
                let piece = table.and_then(|table| piece(known, table));
                pieces.extend(faults.keep(piece).or_else(|| stand_in(known, is_royal)));
            }
            Err(error) => faults.push((letter.span(), error.to_string())),
        }
    }
    if pieces.is_empty() && faults.is_empty() {
        let problem = "no pieces; `K = { name = \"king\", betza = \"K\", royal = true }` is one";
        faults.push((entries.span(), problem.to_string()));
    }
    pieces.sort_by_key(|piece| piece.letter);
    pieces
}

fn piece(letter: Letter, table: &PieceTable) -> Result<Piece, Problem> {
    let betza: Betza =
        table.betza.get_ref().parse().map_err(|error: BetzaError| (table.betza.span(), error.to_string()))?;
    if table.royal && betza.hops() {
        let problem = "a royal piece that hops or must leap; a king may go with f b l r s v h m c i n only";
        return Err((table.betza.span(), problem.to_string()));
    }
    Ok(Piece {
        letter,
        name: table.name.clone(),
        betza,
        royal: table.royal,
        value: table.value.as_ref().map(value).transpose()?,
    })
}

/// What stands for a piece that is wrong.
fn stand_in(letter: Letter, royal: bool) -> Option<Piece> {
    let betza = "W".parse().ok()?;
    Some(Piece { letter, name: String::new(), betza, royal, value: None })
}

/// What others would read otherwise in the moves of the pieces.
pub(super) fn warnings(
    entries: &PieceEntries,
    pieces: &[Piece],
    path: &str,
    text: &str,
) -> Vec<VariantWarning> {
    let of_piece = |piece: &Piece| {
        let of_letter = |(letter, _): &(&Spanned<String>, _)| letter.get_ref().parse() == Ok(piece.letter);
        let entry = entries.get_ref().iter().find(of_letter).and_then(|(_, entry)| entry.get_ref().betza());
        let warnings = piece.betza.warnings().iter();
        let place = |warning| Some(VariantWarning::new(path, text, entry?, piece.letter, warning));
        warnings.filter_map(place).collect::<Vec<_>>()
    };
    pieces.iter().flat_map(of_piece).collect()
}

/// The material value of a piece, in centipawns.
pub(super) fn value(given: &Spanned<i32>) -> Result<i32, Problem> {
    if (0..=MAX_VALUE).contains(given.get_ref()) {
        return Ok(*given.get_ref());
    }
    let problem = format!("a piece is worth 0 to {MAX_VALUE} centipawns, and a pawn about 100");
    Err((given.span(), problem))
}
