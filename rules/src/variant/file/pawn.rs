//! `[pawn]`.

use std::ops::Range;

use super::Problem;
use super::letters::PieceLetters;
use super::pieces::value;
use super::tables::{DoubleStepEntry, PromotionTable, VariantFile};
use crate::letter::Letter;
use crate::variant::{DoubleStep, Pawn, PawnType};

impl PieceLetters<'_> {
    /// How pawns are played in a game whose foremost pawns start on a rank, counted from 0 and from their own side.
    pub fn pawn(&self, file: &VariantFile, foremost: usize) -> Result<Pawn, Problem> {
        let table = &file.pawn;
        let promotes_to = self.promotes_to(file)?;
        let moves = match table.moves.as_ref().map(|entry| (entry.get_ref().as_str(), entry.span())) {
            None | Some(("orthodox", _)) => PawnType::Orthodox,
            Some(("berolina", _)) => PawnType::Berolina,
            Some((text, span)) => {
                let problem = format!(
                    "`{text}`: pawns move \"orthodox\", straight on and capturing diagonally, or \"berolina\", diagonally and capturing straight on"
                );
                return Err((span, problem));
            }
        };
        let double_step = match table.double_step.as_ref().map(|entry| (entry.get_ref(), entry.span())) {
            None | Some((DoubleStepEntry::IsThere(true), _)) => DoubleStep::FromStart,
            Some((DoubleStepEntry::IsThere(false), _)) => DoubleStep::Never,
            Some((DoubleStepEntry::Where(text), _)) if text == "any" => DoubleStep::Always,
            Some((DoubleStepEntry::Where(text), span)) => {
                let problem = format!(
                    "`{text}`: a double step is true, false, \"any\" where pawns have it on every rank, or a list of ranks, such as [2]"
                );
                return Err((span, problem));
            }
            Some((DoubleStepEntry::Ranks(ranks), span)) => {
                let last = self.board.ranks() - 2;
                if let Some(beyond) = ranks.iter().find(|&rank| !(2..=last).contains(rank)) {
                    let problem = format!(
                        "rank {beyond}: on this board pawns can have a double step from ranks 2 to {last}"
                    );
                    return Err((span, problem));
                }
                DoubleStep::Ranks(ranks.iter().fold(0, |bits, rank| bits | 1 << (rank - 1)))
            }
        };
        // A pawn has a step before it comes to where it promotes.
        let most = (self.board.ranks() - 1).saturating_sub(foremost).max(1);
        let (promotion_ranks, forced_promotion_ranks) = match &table.promotion {
            None => (1, 1),
            Some(given) => {
                let &PromotionTable { ranks, forced } = given.get_ref();
                if !(1..=most).contains(&ranks) || !(1..=ranks).contains(&forced) {
                    let problem = format!(
                        "ranks = {ranks}, forced = {forced}: on this board `ranks` is 1 to {most}, and `forced` is 1 to `ranks`"
                    );
                    return Err((given.span(), problem));
                }
                (ranks, forced)
            }
        };
        Ok(Pawn {
            moves,
            double_step,
            en_passant: table.en_passant.unwrap_or(true),
            promotes_to,
            promotes_to_captured: table.promotes_to_captured,
            promotion_ranks,
            forced_promotion_ranks,
            value: table.value.as_ref().map(value).transpose()?,
        })
    }

    /// The pieces that a pawn becomes. There are some, or it would have no move before the last rank.
    fn promotes_to(&self, file: &VariantFile) -> Result<[Vec<Letter>; 2], Problem> {
        let Some(given) = &file.pawn.promotes_to else {
            let all: Vec<Letter> =
                self.pieces.iter().filter(|piece| !piece.royal).map(|piece| piece.letter).collect();
            if all.is_empty() && !file.count_only {
                return Err(self.stuck_pawns(file, None));
            }
            return Ok([all.clone(), all]);
        };
        let mut letters = [Vec::new(), Vec::new()];
        for (letters, text) in letters.iter_mut().zip(given.get_ref().each()) {
            *letters = self.letters(text, given.span(), "a pawn becomes")?;
            if letters.is_empty() && !file.count_only {
                return Err(self.stuck_pawns(file, Some(given.span())));
            }
        }
        Ok(letters)
    }

    /// What is wrong where a pawn can become nothing.
    fn stuck_pawns(&self, file: &VariantFile, given: Option<Range<usize>>) -> Problem {
        let others: String =
            self.pieces.iter().filter(|piece| !piece.royal).map(|piece| piece.letter).collect();
        let stuck = "a pawn could not move to the last rank, where it has to become another piece";
        match given {
            Some(given) if !others.is_empty() => {
                (given, format!("{stuck}; name some, as in promotes_to = \"{others}\""))
            }
            _ => {
                (file.pieces.span(), format!("{stuck}, and there is none but the king; add one to [pieces]"))
            }
        }
    }
}
