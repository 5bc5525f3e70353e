//! `[castling]` and `[adjustment]`.

use super::Problem;
use super::letters::PieceLetters;
use super::tables::{AdjustmentTable, CastlingTable, LandingTable};
use crate::letter::Letter;
use crate::square::Side;
use crate::variant::{Adjustment, Castling, Landing, Piece, RightsNotation};

impl PieceLetters<'_> {
    pub fn castling(&self, table: &CastlingTable) -> Result<Castling, Problem> {
        let partner = match &table.partner {
            Some(letter) => self.letter(letter)?,
            None => self.known('R', table.left.king.span())?,
        };
        if let Some(letter) = &table.partner
            && self.is_royal(partner)
        {
            return Err((letter.span(), "the king castles with a piece other than a king".to_string()));
        }
        let (left, right) = (self.landing(&table.left)?, self.landing(&table.right)?);
        let both = Side::BOTH.into_iter().find_map(|side| {
            right.notations(side).find(|text| left.notations(side).any(|other| other == *text))
        });
        if let Some(both) = both {
            return Err((
                table.right.king.span(),
                format!("castling to the left and to the right are both written `{both}`"),
            ));
        }
        let rights = match &table.rights {
            None => RightsNotation::Files,
            Some(text) => match text.get_ref().as_str() {
                "files" => RightsNotation::Files,
                "KQkq" => RightsNotation::KingAndQueenSide,
                other => {
                    let problem = format!("`{other}`: castling rights are written as `files` or as `KQkq`");
                    return Err((text.span(), problem));
                }
            },
        };
        Ok(Castling { partner, left, right, rights, home: None })
    }

    fn landing(&self, table: &LandingTable) -> Result<Landing, Problem> {
        let (king, partner) = (self.file(&table.king)?, self.file(&table.partner)?);
        if king == partner {
            return Err((table.partner.span(), "king and partner cannot land on one file".to_string()));
        }
        let texts = table.notation.get_ref().each();
        if let Some(wrong) = texts.iter().flatten().find(|text| !is_castling_notation(text)) {
            let problem = format!(
                "`{wrong}`: castling is written as O-O or O-O-O, with the letter of a piece for an O within (O-M-O), and the file of the king may follow: O-O-Oc"
            );
            return Err((table.notation.span(), problem));
        }
        match texts[..] {
            [[white, black], ref others @ ..] if white == black => Ok(Landing {
                king,
                partner,
                notation: white.to_string(),
                also_read: [0, 1].map(|side| others.iter().map(|texts| texts[side].to_string()).collect()),
            }),
            _ => {
                let problem = "the first notation is the one that is written, by both sides, as in [\"O-O-Oc\", { white = \"O-M-O\", black = \"O-Q-O\" }]";
                Err((table.notation.span(), problem.to_string()))
            }
        }
    }

    pub fn adjustment(&self, table: &AdjustmentTable) -> Result<Adjustment, Problem> {
        let piece = self.letter(&table.piece)?;
        // The FEN could not distinguish such a first move from the right to adjust.
        let fits = |kind: &&Piece| !kind.royal && !kind.betza.has_first_move();
        if !self.pieces.iter().filter(fits).any(|kind| kind.letter == piece) {
            return Err((
                table.piece.span(),
                "the piece that adjusts is not the king and has no moves of its first move only".to_string(),
            ));
        }
        let mut partners: Vec<Letter> = match &table.partners {
            Some(letters) => letters
                .get_ref()
                .chars()
                .map(|letter| self.known(letter, letters.span()))
                .collect::<Result<_, _>>()?,
            None => self.pieces.iter().map(|kind| kind.letter).collect(),
        };
        // Two pieces that adjust gain nothing by swapping with each other.
        partners.retain(|&letter| letter != piece);
        Ok(Adjustment { piece, partners })
    }
}

/// Whether a text is `O-O`, `O-O-O`, `O-M-O` and so on, with or without the letter of a file after it. No other move is
/// written so.
fn is_castling_notation(text: &str) -> bool {
    let without_file = text.strip_suffix(|letter: char| letter.is_ascii_lowercase()).unwrap_or(text);
    let parts: Vec<&str> = without_file.split('-').collect();
    match parts[..] {
        ["O", ref within @ .., "O"] => within.iter().all(|part| part.parse::<Letter>().is_ok()),
        _ => false,
    }
}
