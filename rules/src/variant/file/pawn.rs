//! `[pawn]`.

use std::ops::Range;

use toml::Spanned;

use super::letters::PieceLetters;
use super::pieces::value;
use super::tables::{DoubleStepEntry, PawnTable, PromotionTable, VariantFile};
use super::{Faults, Problem};
use crate::letter::Letter;
use crate::variant::{DoubleStep, Pawn, PawnType};

impl PieceLetters<'_> {
    /// How pawns are played in a game whose foremost pawns start on a rank, counted from 0 and from their own side.
    pub fn pawn(&self, file: &VariantFile, foremost: usize, faults: &mut Faults) -> Pawn {
        let table = &file.pawn;
        let promotes_to = faults.keep(self.promotes_to(file)).unwrap_or_default();
        let (promotion_ranks, forced_promotion_ranks) =
            faults.keep(self.promotion_ranks(table, foremost)).unwrap_or((1, 1));
        Pawn {
            moves: faults.keep(pawn_type(table)).unwrap_or_default(),
            double_step: faults.keep(self.double_step(table)).unwrap_or(DoubleStep::FromStart),
            en_passant: table.en_passant.unwrap_or(true),
            promotes_to,
            promotes_to_captured: table.promotes_to_captured,
            promotion_ranks,
            forced_promotion_ranks,
            value: table.value.as_ref().and_then(|given| faults.keep(value(given))),
        }
    }

    fn double_step(&self, table: &PawnTable) -> Result<DoubleStep, Problem> {
        let Some(given) = &table.double_step else { return Ok(DoubleStep::FromStart) };
        let problem = match given.get_ref() {
            DoubleStepEntry::IsThere(true) => return Ok(DoubleStep::FromStart),
            DoubleStepEntry::IsThere(false) => return Ok(DoubleStep::Never),
            DoubleStepEntry::Where(text) if text == "any" => return Ok(DoubleStep::Always),
            DoubleStepEntry::Where(text) => format!(
                "`{text}`: a double step is true, false, \"any\" where pawns have it on every rank, or a list of ranks, such as [2]"
            ),
            DoubleStepEntry::Ranks(ranks) => {
                let last = self.board.ranks() - 2;
                match ranks.iter().find(|&rank| !(2..=last).contains(rank)) {
                    None => {
                        return Ok(DoubleStep::Ranks(
                            ranks.iter().fold(0, |bits, rank| bits | 1 << (rank - 1)),
                        ));
                    }
                    Some(beyond) => format!(
                        "rank {beyond}: on this board pawns can have a double step from ranks 2 to {last}"
                    ),
                }
            }
        };
        Err((given.span(), problem))
    }

    /// The number of ranks on which pawns may promote, and of those on which they must.
    fn promotion_ranks(&self, table: &PawnTable, foremost: usize) -> Result<(usize, usize), Problem> {
        let Some(given) = &table.promotion else { return Ok((1, 1)) };
        // A pawn has a step before it comes to where it promotes.
        let most = (self.board.ranks() - 1).saturating_sub(foremost).max(1);
        let &PromotionTable { ranks, forced } = given.get_ref();
        if (1..=most).contains(&ranks) && (1..=ranks).contains(&forced) {
            return Ok((ranks, forced));
        }
        let problem = format!(
            "ranks = {ranks}, forced = {forced}: on this board `ranks` is 1 to {most}, and `forced` is 1 to `ranks`"
        );
        Err((given.span(), problem))
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
                let span = file.pieces.as_ref().map_or(0..0, Spanned::span);
                (span, format!("{stuck}, and there is none but the king; add one to [pieces]"))
            }
        }
    }
}

fn pawn_type(table: &PawnTable) -> Result<PawnType, Problem> {
    let Some(given) = &table.moves else { return Ok(PawnType::Orthodox) };
    match given.get_ref().as_str() {
        "orthodox" => Ok(PawnType::Orthodox),
        "berolina" => Ok(PawnType::Berolina),
        text => {
            let problem = format!(
                "`{text}`: pawns move \"orthodox\", straight on and capturing diagonally, or \"berolina\", diagonally and capturing straight on"
            );
            Err((given.span(), problem))
        }
    }
}
