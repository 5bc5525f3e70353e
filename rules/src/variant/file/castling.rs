//! `[castling]` and `[adjustment]`.

use std::ops::Range;

use toml::Spanned;

use super::letters::PieceLetters;
use super::tables::{AdjustmentTable, CastlingTable, LandingTable, LandingsTable};
use super::{Faults, Problem};
use crate::letter::Letter;
use crate::square::Side;
use crate::variant::{Adjustment, Castling, CastlingEnd, Landing, Piece, RightsNotation};

impl PieceLetters<'_> {
    pub fn castling(&self, table: &CastlingTable, faults: &mut Faults) -> Option<Castling> {
        let partners = faults.keep(self.partners(table));
        let [left, right] = [&table.left, &table.right].map(|landing| faults.keep(self.landing(landing)));
        let rights = faults.keep(rights(table));
        let (partners, left, right) = (partners?, left?, right?);
        faults.keep(apart(&left, &right, table.right.notation.span()));
        let with = table.with.iter().filter_map(|(letter, landings)| {
            faults.keep(self.castling_with(&partners, letter, landings, [&left, &right]))
        });
        let with = with.collect();
        Some(Castling { partners, left, right, with, rights: rights?, home: None })
    }

    fn partners(&self, table: &CastlingTable) -> Result<Vec<Letter>, Problem> {
        match &table.partner {
            Some(letters) if letters.get_ref().is_empty() => {
                Err((letters.span(), "the king castles with some piece, such as \"R\"".to_string()))
            }
            Some(letters) => self.letters(letters.get_ref(), letters.span(), "the king castles with"),
            None => Ok(vec![self.known('R', table.left.notation.span())?]),
        }
    }

    /// Castling with a partner that has landings of its own; where it has none on a side, it lands as the others do.
    fn castling_with(
        &self,
        partners: &[Letter],
        letter: &Spanned<String>,
        table: &LandingsTable,
        of_others: [&Landing; 2],
    ) -> Result<(Letter, [Landing; 2]), Problem> {
        let partner = self.letter(letter)?;
        if !partners.contains(&partner) {
            let problem =
                format!("the king castles with {} only", partners.iter().copied().collect::<String>());
            return Err((letter.span(), problem));
        }
        let landing = |given: &Option<LandingTable>, other: &Landing| match given {
            Some(given) => self.landing(given),
            None => Ok(other.clone()),
        };
        let landings = [landing(&table.left, of_others[0])?, landing(&table.right, of_others[1])?];
        apart(&landings[0], &landings[1], letter.span())?;
        Ok((partner, landings))
    }

    fn landing(&self, table: &LandingTable) -> Result<Landing, Problem> {
        let end = self.castling_end(table)?;
        let texts = table.notation.get_ref().each();
        if let Some(wrong) = texts.iter().flatten().find(|text| !is_castling_notation(text)) {
            let problem = format!(
                "`{wrong}`: castling is written as O-O or O-O-O, with the letter of a piece for an O within (O-M-O), and the file of the king may follow: O-O-Oc"
            );
            return Err((table.notation.span(), problem));
        }
        match texts[..] {
            [[white, black], ref others @ ..] if white == black => Ok(Landing {
                end,
                notation: white.to_string(),
                also_read: [0, 1].map(|side| others.iter().map(|texts| texts[side].to_string()).collect()),
            }),
            _ => {
                let problem = "the first notation is the one that is written, by both sides, as in [\"O-O-Oc\", { white = \"O-M-O\", black = \"O-Q-O\" }]";
                Err((table.notation.span(), problem.to_string()))
            }
        }
    }

    fn castling_end(&self, table: &LandingTable) -> Result<CastlingEnd, Problem> {
        match (&table.king, &table.partner, &table.king_steps) {
            (Some(king), Some(partner), None) => match (self.file(king)?, self.file(partner)?) {
                (king, partner) if king != partner => Ok(CastlingEnd::Files { king, partner }),
                _ => Err((partner.span(), "king and partner cannot land on one file".to_string())),
            },
            (None, None, Some(steps)) => match *steps.get_ref() {
                number if (1..self.board.files()).contains(&number) => Ok(CastlingEnd::Steps(number as u8)),
                _ => Err((steps.span(), format!("king_steps is 1 to {} here", self.board.files() - 1))),
            },
            _ => {
                let problem = "castling ends on files, as in king = \"g\", partner = \"f\", or after a number of the king's steps, as in king_steps = 2";
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

fn rights(table: &CastlingTable) -> Result<RightsNotation, Problem> {
    let Some(text) = &table.rights else { return Ok(RightsNotation::Files) };
    match text.get_ref().as_str() {
        "files" => Ok(RightsNotation::Files),
        "KQkq" => Ok(RightsNotation::KingAndQueenSide),
        other => {
            let problem = format!("`{other}`: castling rights are written as `files` or as `KQkq`");
            Err((text.span(), problem))
        }
    }
}

/// Checks that castling to the left is not written as that to the right.
fn apart(left: &Landing, right: &Landing, span: Range<usize>) -> Result<(), Problem> {
    let both = Side::BOTH
        .into_iter()
        .find_map(|side| right.notations(side).find(|text| left.notations(side).any(|other| other == *text)));
    match both {
        Some(both) => Err((span, format!("castling to the left and to the right are both written `{both}`"))),
        None => Ok(()),
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
