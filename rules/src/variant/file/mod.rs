//! The file of a variant, read and checked.

mod castling;
mod endings;
mod letters;
mod pawn;
mod pieces;
mod start;
mod tables;

use std::ops::Range;

use toml::Spanned;

use super::faults::{Faults, Problem};
use super::{CastlingHome, RightsNotation, Variant};
use crate::board::Board;
use letters::PieceLetters;
use pieces::{pieces, warnings};
use start::Start;
use tables::{BoardTable, SetupTable, VariantFile};

/// Reads a file, and says where it tells how pieces stand at the start. What only the rules know is not checked: whether a
/// `position` can be played.
pub(crate) fn read(
    key: &str,
    path: &str,
    text: &str,
    faults: &mut Faults,
) -> Option<(Variant, Range<usize>)> {
    let file: VariantFile = faults.read(text)?;
    let required = |faults: &mut Faults, key: &str, is_there: bool| {
        if !is_there && !faults.may_be_there(key) {
            faults.push((0..0, format!("missing field `{key}`")));
        }
    };
    required(faults, "name", file.name.is_some());
    required(faults, "source", file.source.is_some());
    required(faults, "board", file.board.is_some());
    required(faults, "pieces", file.pieces.is_some());
    required(faults, "setup", file.setup.is_some());

    let tables = Tables { file: &file, board: file.board.as_ref()?, setup: file.setup.as_ref()? };
    let board = tables.board.get_ref();
    let board =
        Board::new(board.files, board.ranks).map_err(|error| (tables.board.span(), error.to_string()));
    let entries = file.pieces.as_ref()?;
    let pieces = pieces(entries, faults);
    let board = faults.keep(board)?;
    let warnings = warnings(entries, &pieces, path, text);
    let kinds = PieceLetters { board, pieces: &pieces };
    let start = kinds.start(tables, faults);
    // Where a position is the start, pawns may stand where they promote with their next step.
    let foremost = match &start {
        Some(start) if tables.setup.get_ref().position.is_none() => {
            let advanced = usize::from(tables.setup.get_ref().pawn_ranks.is_some());
            start.foremost_pawns(board).map(|rank| rank + advanced)
        }
        _ => None,
    };
    let first_rank = start.as_ref().map_or(0, |start| start.first_rank);
    let pawn = kinds.pawn(&file, foremost.unwrap_or(first_rank + 1), faults);
    let mut castling = file.castling.as_ref().and_then(|table| kinds.castling(table, faults));
    let adjustment = file.adjustment.as_ref().and_then(|table| faults.keep(kinds.adjustment(table)));
    let stalemate = faults.keep(file.endings.stalemate());
    let repetition_draws = faults.keep(file.endings.repetition_draws());
    let goal = file.endings.goal.as_ref().and_then(|table| faults.keep(kinds.goal(table)));
    let checks = faults.keep(file.endings.checks());
    let Start { first_rank, armies, fixed_pieces, span } = start?;
    let pawn_choices = faults.keep(kinds.pawn_choices(tables, &fixed_pieces));
    if let Some(castling) =
        castling.as_mut().filter(|castling| castling.rights == RightsNotation::KingAndQueenSide)
    {
        let symmetry = tables.setup.get_ref().symmetry.as_ref();
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
    let position = tables.setup.get_ref().position.as_ref().map(|fen| fen.get_ref().clone());
    let variant = Variant {
        key: key.to_string(),
        name: file.name.unwrap_or_default(),
        also_called: file.also_called,
        source: file.source.unwrap_or_default(),
        count_only: file.count_only,
        board,
        first_rank,
        armies,
        fixed_pieces,
        pawn_choices: pawn_choices.unwrap_or_default(),
        position,
        pawn,
        castling,
        adjustment,
        bare_king: file.endings.bare_king,
        stalemate: stalemate.unwrap_or_default(),
        repetition_draws: repetition_draws.unwrap_or(true),
        goal,
        checks: checks.unwrap_or_default(),
        pieces,
        warnings,
        text: text.to_string(),
        path: path.to_string(),
    };
    Some((variant, span))
}

/// A file with the tables that say how large the board is, and what stands on it.
#[derive(Clone, Copy)]
struct Tables<'a> {
    file: &'a VariantFile,
    board: &'a Spanned<BoardTable>,
    setup: &'a Spanned<SetupTable>,
}
