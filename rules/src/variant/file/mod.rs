//! The file of a variant, read and checked.

mod castling;
mod endings;
mod letters;
mod pawn;
mod pieces;
mod tables;

use std::ops::Range;

use super::{CastlingHome, RightsNotation, Variant, VariantError};
use crate::board::Board;
use letters::PieceLetters;
use pieces::{pieces, warnings};
use tables::VariantFile;

/// A problem, and the bytes of the file that it is about.
type Problem = (Range<usize>, String);

pub(super) fn parse(key: &str, path: &str, text: &str) -> Result<Variant, VariantError> {
    let file: VariantFile =
        toml::from_str(text).map_err(|error| VariantError::from_toml(path, text, &error))?;
    check(file, key, path, text).map_err(|(span, problem)| VariantError::new(path, text, span, problem))
}

fn check(file: VariantFile, key: &str, path: &str, text: &str) -> Result<Variant, Problem> {
    let table = file.board.get_ref();
    let board =
        Board::new(table.files, table.ranks).map_err(|error| (file.board.span(), error.to_string()))?;
    let first_rank = match &table.first_rank {
        None => 0,
        Some(rank) if (1..=board.ranks() / 2 - 1).contains(rank.get_ref()) => rank.get_ref() - 1,
        Some(rank) => {
            return Err((
                rank.span(),
                format!("first_rank is 1 to {}, so that both sides' pawns have room", board.ranks() / 2 - 1),
            ));
        }
    };
    let pieces = pieces(&file.pieces)?;
    let warnings = warnings(&file.pieces, &pieces, path, text);
    let kinds = PieceLetters { board, pieces: &pieces };
    let army = kinds.army(&file.setup.first_rank)?;
    if army.pieces().next().is_none() {
        return Err((
            file.setup.first_rank.span(),
            "no pieces on the first rank; there is nothing to set up".to_string(),
        ));
    }
    let kings = army.pieces().filter(|&(_, letter)| kinds.is_royal(letter)).count();
    if kings != 1 && !file.count_only {
        return Err((
            file.setup.first_rank.span(),
            format!("{kings} kings (pieces with `royal = true`) on the first rank; a game needs one"),
        ));
    }
    let pawn = kinds.pawn(&file, first_rank)?;
    let mut castling = file.castling.as_ref().map(|table| kinds.castling(table)).transpose()?;
    if let Some(castling) =
        castling.as_mut().filter(|castling| castling.rights == RightsNotation::KingAndQueenSide)
    {
        let is_rotated = file.setup.symmetry.as_ref().and_then(toml::Value::as_str) == Some("rotate");
        let ranks = [army, if is_rotated { army.reversed() } else { army }];
        let home =
            ranks.map(|rank| CastlingHome::of(&rank, castling.partner, |letter| kinds.is_royal(letter)));
        castling.home = match home {
            [Some(white), Some(black)] => Some([white, black]),
            _ => None,
        };
    }
    let adjustment = file.adjustment.as_ref().map(|table| kinds.adjustment(table)).transpose()?;
    Ok(Variant {
        key: key.to_string(),
        name: file.name,
        also_called: file.also_called,
        source: file.source,
        count_only: file.count_only,
        board,
        first_rank,
        army,
        pawn,
        castling,
        adjustment,
        bare_king: file.endings.bare_king,
        stalemate: file.endings.stalemate()?,
        goal: file.endings.goal.as_ref().map(|table| kinds.goal(table)).transpose()?,
        checks: file.endings.checks()?,
        pieces,
        warnings,
        text: text.to_string(),
        path: path.to_string(),
    })
}
