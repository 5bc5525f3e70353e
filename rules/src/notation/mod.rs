//! Moves as the games write them.
//!
//! Short algebraic notation with the variant's own texts for castling (`O-O-Oc`), and the adjustment as in 000,
//! `Bg<=>Q`: the bishop's file, the letter of its partner, and the file it lands on where two like pieces could be that
//! partner (`Bc<=>Nb`).
//!
//! Steps of Berolina pawns are written as those of orthodox ones, and with the file from which they come where another pawn can
//! go to the same square: `d3`, `ed3`. Captures have it always, though they stay on it: `dxd5`.

mod parse;

use thiserror::Error;

use crate::letter::Letter;
use crate::moves::{Move, MoveKind};
use crate::position::Position;
use crate::square::Side;
use crate::variant::Landing;

/// Why a text is not a move in a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MoveError {
    /// It is not written as moves are.
    #[error("`{text}` is not a move; moves are written like e4, Nxc3, e8=Q, O-O, Bc<=>N or e2e4")]
    Syntax {
        /// The text.
        text: String,
    },
    /// It names a square that the board does not have.
    #[error("`{text}`: no square `{square}` on this board of {board}")]
    NoSquare {
        /// The text.
        text: String,
        /// The text that should be a square.
        square: String,
        /// The size of the board.
        board: String,
    },
    /// It names a piece that the game does not have.
    #[error("`{text}`: `{letter}` is not a piece of this game")]
    UnknownPiece {
        /// The text.
        text: String,
        /// The letter.
        letter: Letter,
    },
    /// The side to move has no piece on the square that the move starts from.
    #[error("`{text}`: {}", nothing_there(.square, *.owner))]
    NothingToMove {
        /// The text.
        text: String,
        /// The square.
        square: String,
        /// The owner of the piece there, if there is one.
        owner: Option<Side>,
    },
    /// No legal move is written like this.
    #[error("`{text}` is not legal here; {}", listed(.legal, .piece))]
    Illegal {
        /// The text.
        text: String,
        /// The piece that would move: `N`, or `the piece on e4`.
        piece: String,
        /// The legal moves of that piece, in the game's notation.
        legal: Vec<String>,
    },
    /// Several legal moves are written like this.
    #[error("`{text}` may be {}", .candidates.join(" or "))]
    Ambiguous {
        /// The text.
        text: String,
        /// The moves that it may be, in the game's notation.
        candidates: Vec<String>,
    },
}

fn nothing_there(square: &str, owner: Option<Side>) -> String {
    match owner {
        None => format!("there is no piece on {square}"),
        Some(owner) => format!("the piece on {square} is {owner}'s, and {} is to move", owner.other()),
    }
}

fn listed(legal: &[String], piece: &str) -> String {
    match legal {
        [] => format!("{piece} has no legal move"),
        _ => format!("legal moves of {piece}: {}", legal.join(" ")),
    }
}

impl Position<'_> {
    /// A legal move in the notation of the game.
    ///
    /// ```
    /// use backrank_rules::{Position, Rules, Setup, Variant};
    ///
    /// let variant = Variant::find("modern")?;
    /// let rules = Rules::new(&variant);
    /// let setup = Setup { white: variant.armies[0], black: variant.armies[0].reversed() };
    /// let position = Position::new(&rules, &setup)?;
    /// let swap = position.parse_uci("g1f1")?;
    /// assert_eq!(position.notation(swap), "Bg<=>Q");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn notation(&self, played: Move) -> String {
        let mut text = match played.kind {
            MoveKind::Castling => self.castling_notation(played),
            MoveKind::Adjustment => self.adjustment_notation(played),
            MoveKind::Normal | MoveKind::EnPassant | MoveKind::Promotion(_) => self.piece_notation(played),
        };
        let next = self.after(played);
        if next.is_check() {
            text.push(if next.has_legal_move() { '+' } else { '#' });
        }
        text
    }

    fn castling_notation(&self, played: Move) -> String {
        self.landing_of(played).map_or_else(String::new, |landing| landing.notation.clone())
    }

    /// Where a castling ends, and how it is written.
    fn landing_of(&self, played: Move) -> Option<&Landing> {
        let castling = self.rules().variant().castling.as_ref()?;
        let (_, partner) = self.piece_at(played.to)?;
        Some(castling.landing(partner, played.to < played.from))
    }

    fn adjustment_notation(&self, played: Move) -> String {
        let board = self.board();
        let partner = self.letter_at(played.to);
        let mut like_partners = 0;
        self.for_each_legal_move(|other| {
            like_partners += u32::from(
                other.kind == MoveKind::Adjustment
                    && other.from == played.from
                    && self.letter_at(other.to) == partner,
            );
        });
        let (letter, file) = (self.letter_at(played.from), board.file_of(played.from));
        let mut text = format!("{letter}{file}<=>{partner}");
        if like_partners > 1 {
            text.push(board.file_of(played.to).letter());
        }
        text
    }

    fn piece_notation(&self, played: Move) -> String {
        let board = self.board();
        let from = board.square_name(played.from);
        let letter = self.letter_at(played.from);
        let captures = self.is_capture(played);
        let mut text = String::new();
        if letter == Letter::PAWN {
            if captures || self.rules().berolina && self.another_pawn_reaches(played) {
                text.push_str(&from[..1]);
            }
        } else {
            text.push(letter.as_char());
            let (mut others, mut on_file, mut on_rank) = (false, false, false);
            self.for_each_legal_move(|other| {
                if other.kind == MoveKind::Normal
                    && other.to == played.to
                    && other.from != played.from
                    && self.letter_at(other.from) == letter
                {
                    others = true;
                    on_file |= board.file_of(other.from) == board.file_of(played.from);
                    on_rank |= board.rank_of(other.from) == board.rank_of(played.from);
                }
            });
            match (others, on_file, on_rank) {
                (false, _, _) => {}
                (true, false, _) => text.push_str(&from[..1]),
                (true, true, false) => text.push_str(&from[1..]),
                (true, true, true) => text.push_str(&from),
            }
        }
        if captures {
            text.push('x');
        }
        text.push_str(&board.square_name(played.to));
        if let Some(letter) = played.promotion() {
            text.push('=');
            text.push(letter.as_char());
        }
        text
    }

    /// Whether another pawn than the one that moves can go to the same square.
    fn another_pawn_reaches(&self, played: Move) -> bool {
        let is_another = |other: &Move| {
            other.to == played.to && other.from != played.from && self.letter_at(other.from) == Letter::PAWN
        };
        self.legal_moves().iter().any(is_another)
    }

    /// The letter of the piece on a square.
    fn letter_at(&self, square: crate::square::Square) -> Letter {
        self.piece_at(square).map_or(Letter::PAWN, |(_, letter)| letter)
    }
}
