//! The file of a variant, read and checked.

mod castling;
mod endings;
mod letters;
mod pawn;
mod pieces;
mod start;
mod tables;

use std::ops::Range;

use super::{CastlingHome, RightsNotation, Variant, VariantError};
use crate::board::Board;
use crate::compiled::Rules;
use crate::letter::Letter;
use crate::position::Position;
use crate::square::Side;
use letters::PieceLetters;
use pieces::{pieces, warnings};
use start::Start;
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
    let pieces = pieces(&file.pieces)?;
    let warnings = warnings(&file.pieces, &pieces, path, text);
    let kinds = PieceLetters { board, pieces: &pieces };
    let Start { first_rank, armies, fixed_pieces, span } = kinds.start(&file)?;
    let foremost = fixed_pieces.iter().filter(|piece| piece.2 == Letter::PAWN).map(|&(square, side, _)| {
        let rank = board.rank_of(square);
        if side == Side::White { rank } else { board.ranks() - 1 - rank }
    });
    // Where a position is the start, pawns may stand where they promote with their next step.
    let foremost = if file.setup.get_ref().position.is_some() { None } else { foremost.max() };
    let pawn = kinds.pawn(&file, foremost.unwrap_or(first_rank + 1))?;
    let mut castling = file.castling.as_ref().map(|table| kinds.castling(table)).transpose()?;
    if let Some(castling) =
        castling.as_mut().filter(|castling| castling.rights == RightsNotation::KingAndQueenSide)
    {
        let symmetry = file.setup.get_ref().symmetry.as_ref();
        let is_rotated = symmetry.and_then(toml::Value::as_str) == Some("rotate");
        let [white, black] = armies;
        let ranks = [white, if is_rotated { black.reversed() } else { black }];
        let home =
            ranks.map(|rank| CastlingHome::of(&rank, &castling.partners, |letter| kinds.is_royal(letter)));
        castling.home = match home {
            [Some(white), Some(black)] => Some([white, black]),
            _ => None,
        };
    }
    let adjustment = file.adjustment.as_ref().map(|table| kinds.adjustment(table)).transpose()?;
    let mut variant = Variant {
        key: key.to_string(),
        name: file.name,
        also_called: file.also_called,
        source: file.source,
        count_only: file.count_only,
        board,
        first_rank,
        armies,
        fixed_pieces,
        position: file.setup.get_ref().position.as_ref().map(|fen| fen.get_ref().clone()),
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
    };
    // Only the rules know whether a position can be played.
    if let Some(fen) = &variant.position {
        let rules = Rules::new(&variant);
        let start = Position::from_fen(&rules, fen).map_err(|error| (span, error.to_string()))?.to_fen();
        variant.position = Some(start);
    }
    Ok(variant)
}
