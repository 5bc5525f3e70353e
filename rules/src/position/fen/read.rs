//! Reading positions.

use std::str::FromStr;

use super::FenError;
use crate::bitboard::Bitboard;
use crate::board::File;
use crate::compiled::Rules;
use crate::letter::Letter;
use crate::piece_kind::PieceKind;
use crate::position::Position;
use crate::square::{Side, Square};
use crate::variant::CastlingHome;

impl<'r> Position<'r> {
    /// Reads a position.
    ///
    /// The counters and the seventh field may be missing; they are then 0, 1 and `-`. Castling rights may be `KQkq`,
    /// which are the outermost partners. On a board with a k-file, `K` means that file if a partner of the king stands
    /// on it. An en passant square is dropped if no pawn can legally take there, and so are unmoved pieces that
    /// have no move because of it. The move number 0 is read as 1, and a semicolon at the end is passed over.
    ///
    /// # Errors
    ///
    /// When the text is not a position of this game. The error says which field is wrong, and how.
    ///
    /// ```
    /// use backrank_rules::{FenError, Position, Rules, Variant};
    ///
    /// let rules = Rules::new(&Variant::find("chess")?);
    /// let error = Position::from_fen(&rules, "4k3/8/8/9/8/8/8/4K3 w - - 0 1").unwrap_err();
    /// assert_eq!(error, FenError::RankTooLong { rank: 5, by: 1, expected: 8 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_fen(rules: &'r Rules, text: &str) -> Result<Self, FenError> {
        // A semicolon ends a line of an EPD, and stands in some tags of PGN as well.
        let text = text.trim().trim_end_matches(';');
        let mut fields: Vec<&str> = text.split_whitespace().collect();
        let mut position = Self::empty(rules);
        if rules.checks > 0
            && let Some(index) = fields.iter().position(|field| field.contains('+'))
        {
            position.read_checks(fields.remove(index))?;
        }
        if !(4..=7).contains(&fields.len()) {
            return Err(FenError::Fields { found: fields.len() });
        }
        position.read_pieces(fields[0])?;
        position.check_pieces()?;
        position.side = match fields[1] {
            "w" => Side::White,
            "b" => Side::Black,
            found => return Err(FenError::SideToMove { found: found.to_string() }),
        };
        position.read_castling(fields[2])?;
        position.read_en_passant(fields[3])?;
        if let Some(found) = fields.get(4) {
            position.halfmoves =
                number(found).ok_or_else(|| FenError::HalfmoveClock { found: found.to_string() })?;
        }
        if let Some(found) = fields.get(5) {
            let number: Option<u32> = number(found);
            // Several engines and sites write 0 for the first move.
            position.fullmoves =
                number.ok_or_else(|| FenError::FullmoveNumber { found: found.to_string() })?.max(1);
        }
        if let Some(field) = fields.get(6) {
            position.read_unmoved(field)?;
        }
        position.check_waiting_king()?;
        position.key = position.full_key();
        Ok(position)
    }

    /// Reads the checks that are left, as in `3+2`, or those that were given, as Lichess writes them: `+0+1`.
    fn read_checks(&mut self, field: &str) -> Result<(), FenError> {
        let all = self.rules.checks;
        let wrong = || FenError::Checks { found: field.to_string(), all };
        let (given, numbers) = match field.strip_prefix('+') {
            Some(numbers) => (true, numbers),
            None => (false, field),
        };
        let (white, black) = numbers.split_once('+').ok_or_else(wrong)?;
        for (side, text) in [white, black].into_iter().enumerate() {
            let count = number::<u8>(text).filter(|&count| count <= all).ok_or_else(wrong)?;
            self.checks_left[side] = if given { all - count } else { count };
        }
        Ok(())
    }

    fn read_pieces(&mut self, field: &str) -> Result<(), FenError> {
        let rules = self.rules;
        let (files, ranks) = (rules.board.files(), rules.board.ranks());
        let rows: Vec<&str> = field.split('/').collect();
        if rows.len() != ranks {
            return Err(FenError::Ranks { found: rows.len(), expected: ranks });
        }
        for (row, rank) in rows.iter().zip((0..ranks).rev()) {
            let width = self.read_row(row, rank)?;
            if width > files {
                return Err(FenError::RankTooLong { rank: rank + 1, by: width - files, expected: files });
            }
            if width < files {
                return Err(FenError::RankTooShort { rank: rank + 1, by: files - width, expected: files });
            }
        }
        Ok(())
    }

    /// Places the pieces of one rank and returns its length.
    fn read_row(&mut self, row: &str, rank: usize) -> Result<usize, FenError> {
        let rules = self.rules;
        let mut width = 0usize;
        let mut run = None;
        for letter in row.chars() {
            if let Some(digit) = letter.to_digit(10) {
                if digit == 0 && run.is_none() {
                    return Err(FenError::ZeroRun { rank: rank + 1 });
                }
                run = Some(run.unwrap_or(0usize).saturating_mul(10).saturating_add(digit as usize));
                continue;
            }
            width = width.saturating_add(run.take().unwrap_or(0));
            let kind =
                Letter::from_char(letter.to_ascii_uppercase()).and_then(|letter| rules.kind_of(letter));
            let Some(kind) = kind else {
                let known = rules.kinds.iter().map(|kind| kind.letter).collect();
                return Err(FenError::UnknownPiece { letter, rank: rank + 1, known });
            };
            let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
            if width < rules.board.files() {
                self.put(rules.board.square(File(width as u8), rank), side, kind);
            }
            width = width.saturating_add(1);
        }
        Ok(width.saturating_add(run.unwrap_or(0)))
    }

    fn read_castling(&mut self, field: &str) -> Result<(), FenError> {
        if field == "-" {
            return Ok(());
        }
        let rules = self.rules;
        for letter in field.chars() {
            let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
            let small = letter.to_ascii_lowercase();
            let file = rules.board.parse_file(small.encode_utf8(&mut [0; 4]));
            if file.is_none() && !matches!(small, 'k' | 'q') {
                return Err(FenError::CastlingLetter { letter });
            }
            let Some(castling) = &rules.variant().castling else {
                return Err(FenError::NoCastling { letter });
            };
            let king = self.king(side);
            let first_rank = rules.sides[side as usize].first_rank;
            if !first_rank.contains(king) {
                return Err(FenError::CastlingKing { letter, side });
            }
            let partners = self.of_kinds(rules.partners) & self.pieces(side);
            let on_file = Bitboard::from(file.map(|file| rules.first_rank_square(side, file))) & partners;
            let beyond_king =
                |small| if small == 'q' { Bitboard::before(king) } else { !Bitboard::before(king) };
            let [king_file, partner_file] =
                [king.into(), on_file].map(|piece| self.first_rank_files(side, piece));
            let at_home = |partners| castling.partners_at_home(side, king_file, partners);
            if at_home(u16::MAX) == 0 || at_home(partner_file) != partner_file {
                return Err(FenError::CastlingHome { letter, side, squares: self.castling_home(side) });
            }
            let right = match small {
                _ if !on_file.is_empty() => on_file,
                'k' | 'q' => self.outermost_partners(side) & beyond_king(small),
                _ => Bitboard::EMPTY,
            };
            if right.is_empty() {
                let partners = castling.partners.iter().map(|&partner| partner.to_string());
                let partner = partners.collect::<Vec<_>>().join(" or ");
                return Err(FenError::CastlingPartner { letter, side, partner });
            }
            let same_side = beyond_king(if right.first() < Some(king) { 'q' } else { 'k' });
            if !(self.castling & self.pieces(side)).is_disjoint(same_side) {
                return Err(FenError::CastlingTwice { letter, side });
            }
            self.castling |= right;
        }
        Ok(())
    }

    /// The squares from which a side castles in games in which it does so only from home: `Ke1, Ra1, Rh1`.
    fn castling_home(&self, side: Side) -> String {
        let rules = self.rules;
        let Some(castling) = &rules.variant().castling else { return String::new() };
        let Some(homes) = &castling.home else { return String::new() };
        let CastlingHome { king, partners } = &homes[side as usize];
        let kings = rules.royals.iter().map(|kind| (rules.letter_of(kind), king));
        let letters = castling.partners.iter().copied().collect::<String>();
        let kings = kings.map(|(letter, file)| (letter.to_string(), file));
        let partners = partners.iter().map(|file| (letters.clone(), file));
        let named = kings.chain(partners).map(|(letter, &file)| {
            let square = rules.board.square_name(rules.first_rank_square(side, file));
            format!("{letter}{square}")
        });
        named.collect::<Vec<_>>().join(", ")
    }

    fn read_en_passant(&mut self, field: &str) -> Result<(), FenError> {
        if field == "-" {
            return Ok(());
        }
        let board = self.board();
        // In Berolina Chess the pawn's own square is named, too, and may come first.
        let second = field.rfind(|letter: char| letter.is_ascii_lowercase()).unwrap_or(0);
        let (one, other) = field.split_at(if self.rules.berolina { second } else { 0 });
        let named = |text: &str| {
            board.parse_square(text).ok_or_else(|| FenError::EnPassantSquare { found: field.to_string() })
        };
        let other = named(other)?;
        let pairs: Vec<(Square, Square)> = if one.is_empty() {
            self.passing_pawns(other).iter().map(|pawn| (other, pawn)).collect()
        } else {
            let one = named(one)?;
            let mut pairs = vec![(one, other), (other, one)];
            pairs.retain(|&(passed, pawn)| self.passing_pawns(passed).contains(pawn));
            pairs
        };
        let [(passed, pawn)] = pairs[..] else {
            let square = field.to_string();
            return Err(match pairs.first() {
                None => FenError::EnPassantImpossible { square },
                Some(&(_, pawn)) => FenError::EnPassantAmbiguous { square, pawn: board.square_name(pawn) },
            });
        };
        if self.can_be_taken_en_passant(self.side, passed, pawn) {
            self.en_passant = Some(passed);
            self.passing = pawn;
        }
        Ok(())
    }

    fn read_unmoved(&mut self, field: &str) -> Result<(), FenError> {
        if field == "-" {
            return Ok(());
        }
        let board = self.rules.board;
        for letter in field.chars() {
            let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
            let file = board
                .parse_file(letter.to_ascii_lowercase().encode_utf8(&mut [0; 4]))
                .ok_or(FenError::UnmovedLetter { letter })?;
            let square = self.rules.first_rank_square(side, file);
            if !(self.pieces(side) & !self.of_kind(PieceKind::PAWN)).contains(square) {
                return Err(FenError::UnmovedPiece { letter, side, square: board.square_name(square) });
            }
            if self.unmoved.contains(square) {
                return Err(FenError::UnmovedTwice { letter });
            }
            self.unmoved |= square.bitboard();
        }
        for side in Side::BOTH {
            self.unmoved = self.still_useful(side);
        }
        Ok(())
    }
}

/// A number that is written in digits only.
fn number<N: FromStr>(text: &str) -> Option<N> {
    text.bytes().all(|digit| digit.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}
