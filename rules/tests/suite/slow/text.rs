//! The text of a position: FEN, in some games with a seventh field.

use std::collections::BTreeSet;

use backrank_rules::{Letter, PawnType, RightsNotation, Variant};

use super::{Man, Side, SlowPosition, Square, file_letter};

impl<'v> SlowPosition<'v> {
    /// The position of a valid text of six or seven fields.
    pub fn from_fen(variant: &'v Variant, fen: &str) -> Self {
        let mut fields = fen.split(' ');
        let mut field = || fields.next().unwrap_or("-");
        let mut position = Self::empty(variant);
        position.read_board(field());
        position.side = if field() == "w" { Side::White } else { Side::Black };
        position.read_castling(field());
        position.read_en_passant(field());
        if variant.checks > 0 {
            let (white, black) = field().split_once('+').expect("the checks that are left");
            position.checks_left = [white, black].map(|left| left.parse().expect("a number of checks"));
        }
        position.halfmoves = field().parse().expect("a number of halfmoves");
        position.fullmove = field().parse().expect("the number of a move");
        position.unmoved = read_files(field());
        position.keep_useful_marks();
        position
    }

    fn read_board(&mut self, text: &str) {
        let last = self.variant.board.ranks() as i32 - 1;
        for (down, row) in text.split('/').enumerate() {
            let mut square = Square { file: 0, rank: last - down as i32 };
            let mut letters = row.chars().peekable();
            while let Some(letter) = letters.next() {
                if let Some(mut empty) = letter.to_digit(10) {
                    while let Some(digit) = letters.peek().and_then(|next| next.to_digit(10)) {
                        empty = empty * 10 + digit;
                        letters.next();
                    }
                    square.file += empty as i32;
                } else {
                    let side = if letter.is_uppercase() { Side::White } else { Side::Black };
                    self.put(
                        square,
                        Some(Man { side, letter: Letter::from_char(letter.to_ascii_uppercase()).unwrap() }),
                    );
                    square.file += 1;
                }
            }
        }
    }

    /// The square that a pawn has passed; where pawns go diagonally, with the one where it stands, in either order.
    fn read_en_passant(&mut self, text: &str) {
        if text == "-" {
            return;
        }
        let ahead = self.side.enemy().forward();
        let (one, other) = text.split_at(text.rfind(|letter: char| letter.is_ascii_lowercase()).unwrap());
        let other = read_square(other).expect("a square");
        let (passed, stands) = match read_square(one) {
            None => (other, other.step(0, ahead)),
            Some(one) if one.rank + ahead == other.rank => (one, other),
            Some(one) => (other, one),
        };
        self.en_passant = self.open_en_passant(passed, stands);
    }

    fn read_castling(&mut self, text: &str) {
        for letter in text.chars().filter(|&letter| letter != '-') {
            let side = if letter.is_uppercase() { Side::White } else { Side::Black };
            let king = self.king(side).file;
            let partners = self.partner_files(side);
            let named =
                partners.iter().copied().find(|&file| file_letter(file) == letter.to_ascii_lowercase());
            // K and Q stand for the outermost partner on that side; on eleven files K can be a file, and then is.
            let file = named.or_else(|| match letter.to_ascii_uppercase() {
                'K' => partners.iter().copied().filter(|&file| file > king).max(),
                'Q' => partners.iter().copied().filter(|&file| file < king).min(),
                _ => None,
            });
            self.castling.insert((side, file.expect("a partner to castle with")));
        }
    }

    /// The files on which a side's castling partners stand, on its first rank.
    pub(super) fn partner_files(&self, side: Side) -> Vec<i32> {
        let partners = self.variant.castling.as_ref().map_or(&[][..], |castling| &castling.partners);
        self.men(side)
            .filter(|(square, man)| square.rank == self.first_rank(side) && partners.contains(&man.letter))
            .map(|(square, _)| square.file)
            .collect()
    }

    /// The text of the position: six fields, or seven where unmoved men can have moves of their own.
    pub fn fen(&self) -> String {
        let side = match self.side {
            Side::White => "w",
            Side::Black => "b",
        };
        let variant = self.variant;
        let en_passant = match self.en_passant {
            None => "-".to_string(),
            Some((passed, _)) if variant.pawn.moves == PawnType::Orthodox => passed.to_string(),
            // From White's end of the board.
            Some((passed, stands)) if passed.rank < stands.rank => format!("{passed}{stands}"),
            Some((passed, stands)) => format!("{stands}{passed}"),
        };
        let [white, black] = self.checks_left;
        let checks = if variant.checks > 0 { format!("{white}+{black} ") } else { String::new() };
        let mut text = format!(
            "{} {side} {} {en_passant} {checks}{} {}",
            self.board_text(),
            self.castling_text(),
            self.halfmoves,
            self.fullmove,
        );
        let leaps_at_first = variant.pieces.iter().any(|piece| piece.betza.to_string().contains('i'));
        if variant.adjustment.is_some() || leaps_at_first {
            text += " ";
            text += &files_text(&self.unmoved);
        }
        text
    }

    /// The castling rights: files, or `KQkq` for outermost partners in games that write them so.
    fn castling_text(&self) -> String {
        let notation = self.variant.castling.as_ref().map(|castling| castling.rights);
        if notation != Some(RightsNotation::KingAndQueenSide) || self.castling.is_empty() {
            return files_text(&self.castling);
        }
        let letter = |&(side, file): &(Side, i32)| {
            let king = self.king(side).file;
            let partners = self.partner_files(side);
            let beyond =
                partners.iter().any(|&other| (king < file && file < other) || (other < file && file < king));
            let named = if beyond {
                file_letter(file).to_ascii_uppercase()
            } else if file > king {
                'K'
            } else {
                'Q'
            };
            side.letter(named)
        };
        let mut rights: Vec<(Side, i32)> = self.castling.iter().copied().collect();
        // White's, then Black's; of each the king's side first.
        rights.sort_by_key(|&(side, file)| (side, -file));
        rights.iter().map(letter).collect()
    }

    fn board_text(&self) -> String {
        let mut rows = Vec::new();
        for rank in (0..self.variant.board.ranks() as i32).rev() {
            let mut row = String::new();
            let mut empty = 0;
            for file in 0..self.variant.board.files() as i32 {
                match self.at(Square { file, rank }) {
                    None => empty += 1,
                    Some(man) => {
                        if empty > 0 {
                            row += &empty.to_string();
                        }
                        empty = 0;
                        row.push(man.side.letter(man.letter.as_char()));
                    }
                }
            }
            if empty > 0 {
                row += &empty.to_string();
            }
            rows.push(row);
        }
        rows.join("/")
    }
}

/// Files as letters, capital for White; a set holds White's first, each side's ascending.
fn files_text(files: &BTreeSet<(Side, i32)>) -> String {
    if files.is_empty() {
        return "-".to_string();
    }
    files.iter().map(|&(side, file)| side.letter(file_letter(file).to_ascii_uppercase())).collect()
}

fn read_files(text: &str) -> BTreeSet<(Side, i32)> {
    let read = |letter: char| {
        let side = if letter.is_uppercase() { Side::White } else { Side::Black };
        (side, (letter.to_ascii_lowercase() as u8 - b'a') as i32)
    };
    text.chars().filter(|&letter| letter != '-').map(read).collect()
}

/// A square such as `e10`; none for `-`.
fn read_square(text: &str) -> Option<Square> {
    let letter = text.chars().next().filter(char::is_ascii_lowercase)?;
    let number: i32 = text[1..].parse().expect("the number of a rank");
    Some(Square { file: (letter as u8 - b'a') as i32, rank: number - 1 })
}
