//! A variant in Fairy-Stockfish's words.
//!
//! Debian's package is version 11.1, which knows a fixed list of pieces (`customPiece1 = x:BETZA` came with 13). Its
//! limits, each met here by an error that says so:
//!
//! - a piece moves like one it has a name for; leaps of the first move are left out, and no position with an unmoved
//!   leaper is put to it;
//! - castling is with rooks, and the rook lands next to the king;
//! - a board has at most 12 files and 10 ranks.
//!
//! What looked like a limit and is none: pieces that start on the second rank (`castlingRank`, `doubleStepRank`), and
//! castling files that differ from those of its own games.

use std::fmt::Write;

use backrank_rules::{Betza, File, PAWN, Piece, Ray, Variant};

/// Its word for each way of moving.
const PIECES: [(&str, &str); 8] = [
    ("R", "rook"),
    ("B", "bishop"),
    ("N", "knight"),
    ("Q", "queen"),
    ("K", "commoner"),
    ("BN", "archbishop"),
    ("RN", "chancellor"),
    ("FfW", "silver"),
];

/// What the variant is called there; a name of its own, for some of ours mean another game to it.
pub fn name(variant: &Variant) -> String {
    format!("backrank-{}", variant.key)
}

/// The part of a variants file that defines a variant, or why there is none.
pub fn section(variant: &Variant) -> Result<String, String> {
    let board = variant.board;
    if board.files() > 12 || board.ranks() > 10 {
        return Err(format!("a board of {board}"));
    }
    let mut settings = vec![
        ("maxFile", File(board.files() as u8 - 1).to_string()),
        ("maxRank", board.ranks().to_string()),
        ("pawn", lower(PAWN).to_string()),
    ];
    for piece in &variant.pieces {
        settings.push((word(piece)?, lower(piece.letter).to_string()));
    }
    settings.extend([
        ("promotionRank", board.ranks().to_string()),
        ("promotionPieceTypes", variant.pawn.promotes_to.iter().map(|&letter| lower(letter)).collect()),
        ("doubleStep", variant.pawn.double_step.to_string()),
        ("doubleStepRank", (variant.first_rank + 2).to_string()),
        ("castling", variant.castling.is_some().to_string()),
    ]);
    if let Some(castling) = &variant.castling {
        let (left, right) = (&castling.left, &castling.right);
        if castling.partner != b'R' {
            return Err(format!("castling with {}", castling.partner as char));
        }
        if left.partner.0 != left.king.0 + 1 || right.partner.0 + 1 != right.king.0 {
            return Err("castling that leaves king and rook apart".to_string());
        }
        settings.extend([
            ("castlingRank", (variant.first_rank + 1).to_string()),
            ("castlingQueensideFile", left.king.to_string()),
            ("castlingKingsideFile", right.king.to_string()),
        ]);
    }
    settings.push(("startFen", start(variant)));

    let mut text = format!("[{}]\n", name(variant));
    for (key, value) in settings {
        writeln!(text, "{key} = {value}").expect("a string takes it");
    }
    Ok(text + "\n")
}

fn word(piece: &Piece) -> Result<&'static str, String> {
    if piece.royal && rays(&piece.betza) == rays(&"K".parse().unwrap()) {
        return Ok("king");
    }
    PIECES
        .into_iter()
        .find(|(betza, _)| rays(&piece.betza) == rays(&betza.parse().unwrap()))
        .filter(|_| !piece.royal)
        .map(|(_, word)| word)
        .ok_or_else(|| format!("a {} that moves {}", piece.name, piece.betza))
}

/// The rays a piece keeps after its first move, in an order that does not depend on how they are written.
fn rays(betza: &Betza) -> Vec<Ray> {
    let mut rays: Vec<Ray> = betza.rays().iter().copied().filter(|ray| !ray.first_move_only).collect();
    rays.sort_unstable();
    rays
}

/// A start it accepts; every position it is asked about comes with a text of its own.
fn start(variant: &Variant) -> String {
    let side = |upper: bool| {
        let rank = variant.army.as_bytes().iter().map(|&letter| match letter {
            b'.' => '1',
            letter if upper => letter as char,
            letter => lower(letter),
        });
        let pawn = if upper { PAWN as char } else { lower(PAWN) };
        let pawns =
            variant.army.as_bytes().iter().map(move |&letter| if letter == b'.' { '1' } else { pawn });
        (rank.collect::<String>(), pawns.collect::<String>())
    };
    let empty = variant.board.files().to_string();
    let ((white, white_pawns), (black, black_pawns)) = (side(true), side(false));
    let mut rows = vec![empty; variant.board.ranks()];
    let last = variant.board.ranks() - 1;
    rows[variant.first_rank] = black;
    rows[variant.first_rank + 1] = black_pawns;
    rows[last - variant.first_rank - 1] = white_pawns;
    rows[last - variant.first_rank] = white;
    format!("{} w - - 0 1", rows.join("/"))
}

fn lower(letter: u8) -> char {
    letter.to_ascii_lowercase() as char
}
