//! Variants in the format of Fairy-Stockfish's variants file.
//!
//! Debian's package is version 11.1, which knows a fixed list of pieces (`customPiece1 = x:BETZA` came with 13). What
//! it cannot describe is an error that says so:
//!
//! - a piece that moves like none of its pieces; leaps of the first move are left out, and it is never asked about a
//!   position with an unmoved leaper;
//! - castling with another piece than the rook, or with the rook not next to the king in the end;
//! - a board of more than 12 files or 10 ranks.
//!
//! Pieces that start on the second rank are possible (`castlingRank`, `doubleStepRank`), and so are castling files that
//! differ from those of its own games.

use std::fmt::Write;

use thiserror::Error;

use crate::betza::{Betza, Ray};
use crate::board::File;
use crate::letter::Letter;
use crate::square::Side;
use crate::start::StartFen;
use crate::variant::{CastlingEnd, PawnType, Piece, Stalemate, Variant};

/// What a variant has that Fairy-Stockfish 11.1 cannot describe.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Beyond {
    /// The board is too large.
    #[error("a board of {0}")]
    Board(String),
    /// A piece moves like none of its pieces.
    #[error("the piece `{name}` that moves {betza}")]
    Piece {
        /// The piece's name.
        name: String,
        /// How it moves.
        betza: String,
    },
    /// The king castles with another piece than the rook; this is its letter.
    #[error("castling with {0}")]
    Partner(Letter),
    /// A rule of the game.
    #[error("{0}")]
    Rule(&'static str),
    /// Castling does not leave the rook next to the king.
    #[error("castling that leaves king and rook apart")]
    Apart,
}

/// Its name for each way of moving.
const PIECES: [(&str, &str); 11] = [
    ("R", "rook"),
    ("B", "bishop"),
    ("N", "knight"),
    ("Q", "queen"),
    ("K", "commoner"),
    ("BN", "archbishop"),
    ("RN", "chancellor"),
    ("FfW", "silver"),
    ("A", "alfil"),
    ("F", "fers"),
    ("W", "wazir"),
];

/// The name of the variant in the file. It is a name of our own, as some of our keys mean another game there.
pub fn name(variant: &Variant) -> String {
    format!("backrank-{}", variant.key)
}

/// The part of a variants file (`VariantPath`) that defines a variant.
///
/// Fairy-Stockfish reads the first six fields of our position texts. It knows neither the Bishop Adjustment nor moves
/// of an unmoved piece: see [`Position::unmoved`](crate::Position::unmoved).
///
/// ```
/// use backrank_rules::{Variant, fairy};
///
/// let section = fairy::section(&Variant::find("chess8400")?)?;
/// assert!(section.starts_with("[backrank-chess8400]\n"));
/// assert!(section.contains("archbishop = m\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When the variant has something that Fairy-Stockfish cannot describe.
pub fn section(variant: &Variant) -> Result<String, Beyond> {
    let board = variant.board;
    if board.files() > 12 || board.ranks() > 10 {
        return Err(Beyond::Board(board.to_string()));
    }
    let mut settings = vec![
        ("maxFile", File(board.files() as u8 - 1).to_string()),
        ("maxRank", board.ranks().to_string()),
        ("pawn", Letter::PAWN.lower().to_string()),
    ];
    for piece in &variant.pieces {
        settings.push((word(piece)?, piece.letter.lower().to_string()));
    }
    if let Some(rule) = beyond(variant) {
        return Err(Beyond::Rule(rule));
    }
    let double_steps = variant.double_step_ranks(Side::White);
    let double_step_rank = match double_steps {
        0 => variant.pawn_rank(Side::White),
        ranks => ranks.trailing_zeros() as usize,
    };
    settings.extend([
        ("promotionRank", board.ranks().to_string()),
        ("promotionPieceTypes", variant.pawn.promotes_to[0].iter().map(|letter| letter.lower()).collect()),
        ("doubleStep", (double_steps != 0).to_string()),
        ("doubleStepRank", (double_step_rank + 1).to_string()),
        ("castling", variant.castling.is_some().to_string()),
    ]);
    if let Some(castling) = &variant.castling {
        if let Some(&other) = castling.partners.iter().find(|&&partner| partner != Letter::R) {
            return Err(Beyond::Partner(other));
        }
        let (
            CastlingEnd::Files { king: to_left, partner: left },
            CastlingEnd::Files { king: to_right, partner: right },
        ) = (castling.left.end, castling.right.end)
        else {
            return Err(Beyond::Rule("castling that ends elsewhere in each setup"));
        };
        if left.0 != to_left.0 + 1 || right.0 + 1 != to_right.0 {
            return Err(Beyond::Apart);
        }
        settings.extend([
            ("castlingRank", (variant.first_rank + 1).to_string()),
            ("castlingQueensideFile", to_left.to_string()),
            ("castlingKingsideFile", to_right.to_string()),
        ]);
    }
    settings.push(("startFen", start(variant)));

    let mut text = format!("[{}]\n", name(variant));
    for (key, value) in settings {
        writeln!(text, "{key} = {value}").expect("a string takes it");
    }
    Ok(text + "\n")
}

/// A rule that it cannot be told of.
fn beyond(variant: &Variant) -> Option<&'static str> {
    let pawn = &variant.pawn;
    let double_steps = Side::BOTH.map(|side| variant.double_step_ranks(side));
    match () {
        // A later version has a piece that moves so (`mfFcfeWimfnA`), as the pawn of its Berolina Chess.
        () if pawn.moves == PawnType::Berolina => Some("Berolina pawns"),
        () if !pawn.en_passant => Some("pawns that do not capture en passant"),
        () if double_steps[0].count_ones() > 1 => Some("double steps from several ranks"),
        () if double_steps[0] != double_steps[1] => Some("other double steps for each side"),
        () if pawn.promotes_to[0] != pawn.promotes_to[1] => Some("other promotions for each side"),
        () if pawn.promotes_to_captured => Some("promotion to captured pieces only"),
        () if pawn.promotion_ranks > 1 => Some("promotion on several ranks"),
        () if variant.goal.is_some() => Some("a goal"),
        () if variant.checks > 0 => Some("a win by checks"),
        () if variant.stalemate != Stalemate::Draw => Some("stalemate that is no draw"),
        () if !variant.repetition_draws => Some("repetition that is no draw"),
        () => None,
    }
}

fn word(piece: &Piece) -> Result<&'static str, Beyond> {
    if piece.royal && moves_like(piece, "K") {
        return Ok("king");
    }
    PIECES
        .into_iter()
        .find(|(betza, _)| moves_like(piece, betza))
        .filter(|_| !piece.royal)
        .map(|(_, word)| word)
        .ok_or_else(|| Beyond::Piece { name: piece.name.clone(), betza: piece.betza.to_string() })
}

/// Whether a piece moves like this, apart from its first move.
fn moves_like(piece: &Piece, betza: &str) -> bool {
    rays(&piece.betza) == rays(&betza.parse().expect("the words are spelt right"))
}

/// The rays that a piece keeps after its first move, sorted, so that the way they are written does not matter.
fn rays(betza: &Betza) -> Vec<Ray> {
    let mut rays: Vec<Ray> = betza.rays().iter().copied().filter(|ray| !ray.first_move_only).collect();
    rays.sort_unstable();
    rays
}

/// A starting position that it accepts. Every position sent to it comes with its own FEN.
fn start(variant: &Variant) -> String {
    let fen = StartFen::new(variant).of(&variant.written_setup());
    let board = fen.split(' ').next().unwrap_or_default();
    format!("{board} w - - 0 1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_its_words() {
        let text = |betza: &str| {
            format!(
                "name = \"t\"\nsource = \"t\"\n[board]\nfiles = 8\nranks = 8\n[pieces]\n\
                 K = {{ name = \"king\", betza = \"K\", royal = true }}\n\
                 X = {{ name = \"invented\", betza = \"{betza}\" }}\n[setup]\nfirst_rank = \"X...K..X\"\n"
            )
        };
        let section = |betza: &str| section(&Variant::parse("t", "t.toml", &text(betza)).unwrap());
        for (betza, word) in [("A", "alfil"), ("F", "fers"), ("W", "wazir"), ("FfW", "silver")] {
            assert!(section(betza).unwrap().contains(&format!("{word} = x\n")), "{betza}");
        }
        let error = section("NNW").unwrap_err().to_string();
        assert_eq!(error, "the piece `invented` that moves NNW");
    }
}
