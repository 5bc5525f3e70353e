//! Reading moves.

use super::MoveError;
use crate::bitboard::Bitboard;
use crate::board::File;
use crate::letter::Letter;
use crate::moves::{Move, MoveKind};
use crate::piece_kind::PieceKind;
use crate::position::Position;
use crate::square::Square;

impl Position<'_> {
    /// Reads a legal move in UCI or in the game's notation.
    ///
    /// # Errors
    ///
    /// When it is neither. For an illegal move the error lists the legal moves of that piece.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let is_uci = text.starts_with(|first: char| first.is_ascii_lowercase()) && uci_parts(text).is_some();
        if is_uci { self.parse_uci(text) } else { self.parse_notation(text) }
    }

    /// Reads a legal move in UCI: castling is king takes own partner, adjustment is bishop takes own neighbour.
    ///
    /// A king's move to the square on which castling would put it is read as castling if the king cannot go there
    /// otherwise.
    ///
    /// # Errors
    ///
    /// When it is not a move in UCI, or not legal.
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        if let Some(played) = self.usual_uci(text.as_bytes()).filter(|&played| self.is_legal(played)) {
            return Ok(played);
        }
        let (from, to, promotion) =
            uci_parts(text).ok_or_else(|| MoveError::Syntax { text: text.to_string() })?;
        let (from, to) = (self.square_named(text, from)?, self.square_named(text, to)?);
        let owner = self.piece_at(from).map(|(owner, _)| owner);
        if owner != Some(self.side_to_move()) {
            let square = self.board().square_name(from);
            return Err(MoveError::NothingToMove { text: text.to_string(), square, owner });
        }
        let legal = self.legal_moves();
        let exact =
            legal.iter().find(|legal| legal.from == from && legal.to == to && legal.promotion() == promotion);
        let lands = |legal: &&Move| {
            legal.kind == MoveKind::Castling
                && legal.from == from
                && promotion.is_none()
                && self.landing(legal.from, legal.to).0 == to
        };
        exact.or_else(|| legal.iter().find(lands)).copied().ok_or_else(|| MoveError::Illegal {
            text: text.to_string(),
            piece: format!("the piece on {}", self.board().square_name(from)),
            legal: self.notations(legal.iter().filter(|legal| legal.from == from)),
        })
    }

    /// Reads a legal move in the game's notation.
    ///
    /// These are read too: a missing or superfluous `+` or `#`, a missing `x` or `=`, zeros or small letters for the
    /// letters of castling, its other notations, castling without the landing file if there is only one way to castle, an
    /// adjustment with a landing file that it does not need, and Maura's `B=Q` and `B=MN` (the knight on the minister's
    /// side of the king).
    ///
    /// # Errors
    ///
    /// When it is not a move in this notation, or does not name exactly one legal move.
    pub fn parse_notation(&self, text: &str) -> Result<Move, MoveError> {
        let bytes = without_marks(without_marks(text.as_bytes(), *b"!?"), *b"+#");
        if let Some(played) = self.usual_notation(bytes) {
            return Ok(played);
        }
        let bare = text.trim().trim_end_matches(['!', '?']).trim_end_matches(['+', '#']);
        let syntax = || MoveError::Syntax { text: text.to_string() };
        if is_castling(bare) {
            return self.find_castling(text, bare);
        }
        let legal = self.legal_moves();
        let first = bare.bytes().next().ok_or_else(syntax)?;
        if let Some((bishop, partner)) = bare.split_once("<=>") {
            let (letter, from) = letter_and_file(bishop).ok_or_else(syntax)?;
            let (like, lands) = letter_and_file(partner).ok_or_else(syntax)?;
            let fits = |swap: &Move| {
                self.letter_at(swap.from) == letter
                    && self.letter_at(swap.to) == like
                    && from.is_none_or(|file| self.board().file_of(swap.from) == file)
                    && lands.is_none_or(|file| self.board().file_of(swap.to) == file)
            };
            return self.find_adjustment(text, letter, &[letter, like], &legal, fits);
        }
        if let Some((bishop, partner)) = bare.split_once('=')
            && first.is_ascii_uppercase()
            && bishop.len() <= 2
        {
            let (letter, from) = letter_and_file(bishop).ok_or_else(syntax)?;
            let (beside, like) = match *partner.as_bytes() {
                [like] => (None, Letter::new(like)),
                [beside, like] => (Some(Letter::new(beside).ok_or_else(syntax)?), Letter::new(like)),
                _ => return Err(syntax()),
            };
            let like = like.ok_or_else(syntax)?;
            let fits = |swap: &Move| {
                self.letter_at(swap.from) == letter
                    && self.letter_at(swap.to) == like
                    && from.is_none_or(|file| self.board().file_of(swap.from) == file)
                    && beside.is_none_or(|letter| self.is_on_side_of(letter, swap.to))
            };
            return self.find_adjustment(text, letter, &[letter, like], &legal, fits);
        }
        self.find_piece_move(text, bare, &legal)
    }

    /// The move that a text in UCI most likely means, which need not be legal. What stands on its squares says of which kind
    /// it is, so that no list of moves is made for it.
    fn usual_uci(&self, text: &[u8]) -> Option<Move> {
        let board = self.board();
        let (from, rest) = board.read_square(text)?;
        let (to, rest) = board.read_square(rest)?;
        let us = self.side_to_move();
        let own_on = |square: Square| self.pieces(us).contains(square);
        let kind = match *rest {
            [] if own_on(to) && from == self.king(us) => MoveKind::Castling,
            [] if own_on(to) => MoveKind::Adjustment,
            [] if self.kind_at(from) == Some(PieceKind::PAWN) => self.pawn_move(from, to),
            [] => MoveKind::Normal,
            [letter] => MoveKind::Promotion(Letter::new(letter.to_ascii_uppercase())?),
            _ => return None,
        };
        own_on(from).then_some(Move { from, to, kind })
    }

    /// The kind of a pawn's move that does not promote.
    fn pawn_move(&self, from: Square, to: Square) -> MoveKind {
        let straight = self.board().file_of(from) == self.board().file_of(to);
        if self.en_passant() == Some(to) && straight == self.rules().berolina {
            MoveKind::EnPassant
        } else {
            MoveKind::Normal
        }
    }

    /// The only legal move that is written like this, where that is seen without a list of moves: pieces with or without
    /// their origin, orthodox pawns that advance, and their captures from a file.
    fn usual_notation(&self, bare: &[u8]) -> Option<Move> {
        if self.early_outcome().is_some() {
            return None;
        }
        let board = self.board();
        let (piece, rest) = match bare {
            [letter, rest @ ..]
                if let Some(letter) = Letter::new(*letter).filter(|&letter| letter != Letter::PAWN) =>
            {
                (self.rules().kind_of(letter)?, rest)
            }
            _ => (PieceKind::PAWN, bare),
        };
        let is_pawn = piece == PieceKind::PAWN;
        if is_pawn && self.rules().berolina {
            return None;
        }
        let (rest, promotion) = match rest {
            [rest @ .., b'=', letter] if is_pawn && letter.is_ascii_uppercase() => {
                (rest, Letter::new(*letter))
            }
            _ => (rest, None),
        };
        let digits = rest.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let (origin, target) = rest.split_at(rest.len().checked_sub(digits + 1)?);
        let (to, _) = board.read_square(target).filter(|(_, rest)| rest.is_empty())?;
        let (origin, captures) = match origin {
            [origin @ .., b'x'] => (origin, true),
            _ => (origin, false),
        };
        let (file, rank) = match origin {
            [] if is_pawn && !captures => (Some(board.file_of(to)), None),
            [file @ b'a'..=b'p'] => (Some(File(file - b'a')), None),
            [rank @ b'1'..=b'9'] if !is_pawn => (None, Some(usize::from(rank - b'1'))),
            [] if !is_pawn => (None, None),
            _ => return None,
        };
        let us = self.side_to_move();
        let takes = self.pieces(us.other()).contains(to) || (is_pawn && self.en_passant() == Some(to));
        if self.pieces(us).contains(to)
            || captures && !takes
            || is_pawn && captures != (file != Some(board.file_of(to)))
        {
            return None;
        }
        let pieces = self.of_kind(piece) & self.pieces(us);
        let fits = |from: &Square| {
            file.is_none_or(|file| board.file_of(*from) == file)
                && rank.is_none_or(|rank| board.rank_of(*from) == rank)
        };
        let king = self.king(us);
        if pieces.contains(king) {
            let played = Move { from: king, to, kind: MoveKind::Normal };
            return (fits(&king) && self.may_king_go(to)).then_some(played);
        }
        let [promotes, must_promote] =
            [self.rules().promotion_squares(us), self.rules().forced_promotion_squares(us)]
                .map(|squares| is_pawn && squares.contains(to));
        let kind = match promotion {
            Some(letter) if promotes && self.promotes_to().contains(&letter) => MoveKind::Promotion(letter),
            None if is_pawn && captures && self.en_passant() == Some(to) => MoveKind::EnPassant,
            None if !must_promote => MoveKind::Normal,
            _ => return None,
        };
        let able = match kind {
            MoveKind::EnPassant => {
                let pawn = self.en_passant_pawn().first()?;
                self.en_passant_captors(us, to, pawn)
            }
            _ => {
                let reaching = match is_pawn {
                    true => self.pawns_reaching(pieces, to, captures),
                    false => self.reaching(piece, pieces, to),
                };
                if reaching.is_empty() {
                    return None;
                }
                let check_info = self.check_info();
                reaching.iter().filter(|&from| self.allows(&check_info, from, to)).collect()
            }
        };
        let fitting: Bitboard = able.iter().filter(fits).collect();
        fitting.first().filter(|_| fitting.is_single()).map(|from| Move { from, to, kind })
    }

    fn find_castling(&self, text: &str, bare: &str) -> Result<Move, MoveError> {
        let side = self.side_to_move();
        let castlings = self.castlings();
        // Zeros and small letters in the file's own notation are left as they are.
        let normal = |text: &str| text.replace(['0', 'o'], "O");
        let wanted = normal(bare);
        let fits = |castling: &Move, is_written: &dyn Fn(&str) -> bool| {
            self.landing_of(*castling).is_some_and(|landing| landing.notations(side).any(is_written))
        };
        let mut fitting = castlings.clone();
        fitting.retain(|castling| fits(castling, &|text| normal(text) == wanted));
        if fitting.is_empty() {
            // Without the file on which the king lands.
            fitting = castlings;
            fitting.retain(|castling| {
                fits(castling, &|text| {
                    text.strip_suffix(|letter: char| letter.is_ascii_lowercase()).map(normal).as_ref()
                        == Some(&wanted)
                })
            });
        }
        self.only(text, &fitting, || {
            let king = self.king(self.side_to_move());
            let legal = self.legal_moves();
            ("the king".to_string(), self.notations(legal.iter().filter(|legal| legal.from == king)))
        })
    }

    fn find_adjustment(
        &self,
        text: &str,
        letter: Letter,
        letters: &[Letter],
        legal: &[Move],
        fits: impl Fn(&Move) -> bool,
    ) -> Result<Move, MoveError> {
        self.known_letters(text, letters)?;
        let swaps: Vec<Move> =
            legal.iter().copied().filter(|swap| swap.kind == MoveKind::Adjustment && fits(swap)).collect();
        self.only(text, &swaps, || {
            (
                letter.to_string(),
                self.notations(legal.iter().filter(|legal| self.letter_at(legal.from) == letter)),
            )
        })
    }

    /// Whether a square of the first rank lies on the same side of the king as a piece of this letter. This is how
    /// Maura distinguishes the queen's knight from the minister's.
    fn is_on_side_of(&self, letter: Letter, square: Square) -> bool {
        let side = self.side_to_move();
        let (board, king) = (self.board(), self.king(side));
        let first_rank = board.rank_of(king);
        self.all_pieces().any(|(other, owner, like)| {
            owner == side
                && like == letter
                && board.rank_of(other) == first_rank
                && (other < king) == (square < king)
        })
    }

    fn find_piece_move(&self, text: &str, bare: &str, legal: &[Move]) -> Result<Move, MoveError> {
        let syntax = || MoveError::Syntax { text: text.to_string() };
        if !bare.is_ascii() {
            return Err(syntax());
        }
        let (letter, rest) = match Letter::new(bare.as_bytes()[0]) {
            Some(letter) => (letter, &bare[1..]),
            None => (Letter::PAWN, bare),
        };
        let (rest, promotion) = match rest.as_bytes() {
            [.., b'=', promotion] => (&rest[..rest.len() - 2], Some(promotion.to_ascii_uppercase())),
            [.., promotion @ b'A'..=b'Z'] => (&rest[..rest.len() - 1], Some(*promotion)),
            _ => (rest, None),
        };
        let target_at = rest.rfind(|letter: char| letter.is_ascii_lowercase()).ok_or_else(syntax)?;
        let (origin, target) = rest.split_at(target_at);
        if target.len() < 2 || !target[1..].bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(syntax());
        }
        let to = self.square_named(text, target)?;
        let captures = origin.ends_with(['x', ':']);
        let origin = origin.strip_suffix(['x', ':', '-']).unwrap_or(origin);
        let file_end = usize::from(origin.starts_with(|letter: char| letter.is_ascii_lowercase()));
        let (file, rank) = origin.split_at(file_end);
        let file = match file {
            "" => None,
            file => Some(self.board().parse_file(file).ok_or_else(syntax)?),
        };
        let rank = match rank {
            "" => None,
            rank if rank.len() <= 2 => Some(rank.parse::<usize>().map_err(|_| syntax())?),
            _ => return Err(syntax()),
        };
        self.known_letters(text, &[letter])?;
        let fitting: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|legal| {
                !matches!(legal.kind, MoveKind::Castling | MoveKind::Adjustment)
                    && legal.to == to
                    && legal.promotion().map(Letter::as_u8) == promotion
                    && self.letter_at(legal.from) == letter
                    && file.is_none_or(|file| self.board().file_of(legal.from) == file)
                    && rank.is_none_or(|rank| self.board().rank_of(legal.from) + 1 == rank)
                    && (!captures || self.is_capture(*legal))
            })
            .collect();
        self.only(text, &fitting, || {
            let like = |legal: &&Move| self.letter_at(legal.from) == letter;
            (letter.to_string(), self.notations(legal.iter().filter(like)))
        })
    }

    fn only(
        &self,
        text: &str,
        fitting: &[Move],
        of_piece: impl Fn() -> (String, Vec<String>),
    ) -> Result<Move, MoveError> {
        match fitting {
            [one] => Ok(*one),
            [] => {
                let (piece, legal) = of_piece();
                Err(MoveError::Illegal { text: text.to_string(), piece, legal })
            }
            _ => Err(MoveError::Ambiguous {
                text: text.to_string(),
                candidates: self.notations(fitting.iter()),
            }),
        }
    }

    fn notations<'a>(&self, moves: impl Iterator<Item = &'a Move>) -> Vec<String> {
        moves.map(|&legal| self.notation(legal)).collect()
    }

    fn known_letters(&self, text: &str, letters: &[Letter]) -> Result<(), MoveError> {
        letters
            .iter()
            .find(|&&letter| self.rules().kind_of(letter).is_none())
            .map_or(Ok(()), |&letter| Err(MoveError::UnknownPiece { text: text.to_string(), letter }))
    }

    fn square_named(&self, text: &str, square: &str) -> Result<Square, MoveError> {
        self.board().parse_square(square).ok_or_else(|| MoveError::NoSquare {
            text: text.to_string(),
            square: square.to_string(),
            board: self.board().to_string(),
        })
    }
}

/// Whether a text has the form of castling: `O-O`, `0-0-0`, `O-M-O` or `O-O-Oc`.
fn is_castling(text: &str) -> bool {
    let mut parts = text.split('-');
    matches!(parts.next(), Some("O" | "0" | "o"))
        && parts.next().is_some_and(|part| part.len() <= 2)
        && parts.all(|part| part.len() <= 2)
}

/// A text without either of two marks at its end, however often they stand there.
fn without_marks(mut text: &[u8], marks: [u8; 2]) -> &[u8] {
    while let [rest @ .., last] = text
        && marks.contains(last)
    {
        text = rest;
    }
    text
}

/// The letter of a piece, and the file that may follow it.
fn letter_and_file(text: &str) -> Option<(Letter, Option<File>)> {
    match *text.as_bytes() {
        [letter] => Some((Letter::new(letter)?, None)),
        [letter, file @ b'a'..=b'p'] => Some((Letter::new(letter)?, Some(File(file - b'a')))),
        _ => None,
    }
}

/// The parts of a text like `e2e4` or `a9a10q`.
fn uci_parts(text: &str) -> Option<(&str, &str, Option<Letter>)> {
    let square_end = |text: &str| {
        let digits = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        (text.starts_with(|letter: char| letter.is_ascii_lowercase()) && digits > 0).then_some(1 + digits)
    };
    let (from, rest) = text.split_at(square_end(text)?);
    let (to, rest) = rest.split_at(square_end(rest)?);
    match *rest.as_bytes() {
        [] => Some((from, to, None)),
        [letter @ b'a'..=b'z'] => Some((from, to, Some(Letter::new(letter.to_ascii_uppercase())?))),
        _ => None,
    }
}
