//! Starting positions as text.

use crate::board::{Colour, File};
use crate::setup::{FirstRank, Setup};
use crate::variant::{Pawn, Variant};

/// Writes the FEN of a variant's setups, fast enough to list millions of them.
///
/// Six standard fields, with castling rights as the files of the rooks, then the unmoved field: the files of first-rank
/// pieces whose being unmoved still gives a move other than castling, White's in upper case.
///
/// ```
/// use backrank_rules::{Setup, StartFen, Variant};
///
/// let modern = Variant::find("modern")?;
/// let setup = Setup { white: modern.army, black: modern.army.reversed() };
/// assert_eq!(
///     StartFen::new(&modern).of(&setup),
///     "rnbqkmbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR w AIai - 0 1 BCDFGHbcdfgh",
/// );
/// # Ok::<(), backrank_rules::FindError>(())
/// ```
#[derive(Clone, Debug)]
pub struct StartFen {
    above: String,
    between: String,
    below: String,
    royal: Option<u8>,
    partner: Option<u8>,
    adjustment: Option<Adjuster>,
    /// The letters of pieces with moves that only an unmoved piece may play.
    first_movers: Vec<u8>,
    /// White's first rank and Black's, from 0: the colours of their squares can differ.
    rows: [usize; 2],
}

#[derive(Clone, Debug)]
struct Adjuster {
    piece: u8,
    partners: Vec<u8>,
}

impl StartFen {
    /// Prepares for the setups of one variant.
    pub fn new(variant: &Variant) -> Self {
        let (files, ranks, row) = (variant.board.files(), variant.board.ranks(), variant.first_rank);
        let empty_rank = |text: &mut String| text.push_str(&files.to_string());
        let mut pawns = FirstRank::empty(files);
        variant.army.pieces().for_each(|(file, _)| pawns.set(file, Pawn::LETTER));
        let mut above = String::new();
        let mut between = String::from("/");
        let mut below = String::new();
        for _ in 0..row {
            empty_rank(&mut above);
            above.push('/');
            below.push('/');
            empty_rank(&mut below);
        }
        let mut pawn_rank = Vec::new();
        push_rank(&mut pawn_rank, &pawns, true);
        between.push_str(std::str::from_utf8(&pawn_rank).expect("letters and digits"));
        for _ in 0..ranks - 2 * (row + 2) {
            between.push('/');
            empty_rank(&mut between);
        }
        between.push('/');
        pawn_rank.clear();
        push_rank(&mut pawn_rank, &pawns, false);
        between.push_str(std::str::from_utf8(&pawn_rank).expect("letters and digits"));
        between.push('/');
        below.push_str(" w ");
        Self {
            above,
            between,
            below,
            royal: variant.pieces.iter().find(|piece| piece.royal).map(|piece| piece.letter),
            partner: variant.castling.as_ref().map(|castling| castling.partner),
            adjustment: variant.adjustment.as_ref().map(|adjustment| Adjuster {
                piece: adjustment.piece,
                partners: adjustment.partners.clone(),
            }),
            first_movers: variant
                .pieces
                .iter()
                .filter(|piece| piece.betza.has_first_move())
                .map(|piece| piece.letter)
                .collect(),
            rows: [row, ranks - 1 - row],
        }
    }

    /// The FEN of a setup.
    pub fn of(&self, setup: &Setup) -> String {
        let mut text = Vec::with_capacity(128);
        self.push(&mut text, setup);
        String::from_utf8(text).expect("letters and digits")
    }

    /// Appends the FEN of a setup.
    pub fn push(&self, text: &mut Vec<u8>, setup: &Setup) {
        text.extend_from_slice(self.above.as_bytes());
        push_rank(text, &setup.black, true);
        text.extend_from_slice(self.between.as_bytes());
        push_rank(text, &setup.white, false);
        text.extend_from_slice(self.below.as_bytes());
        push_files(text, self.castling_bits(&setup.white), self.castling_bits(&setup.black));
        text.extend_from_slice(b" - 0 1 ");
        push_files(text, self.unmoved(&setup.white, self.rows[0]), self.unmoved(&setup.black, self.rows[1]));
    }

    /// The files of the pieces one side may castle with: the outermost partner on each side of its king.
    pub fn castling_partners(&self, rank: &FirstRank) -> Vec<File> {
        let files = self.castling_bits(rank);
        (0..16).filter(|file| files >> file & 1 != 0).map(File).collect()
    }

    /// The same files, a bit each.
    fn castling_bits(&self, rank: &FirstRank) -> u16 {
        let (Some(partner), Some(royal)) = (self.partner, self.royal) else {
            return 0;
        };
        let letters = rank.as_bytes();
        let Some(king) = letters.iter().position(|&letter| letter == royal) else {
            return 0;
        };
        let left = letters[..king].iter().position(|&letter| letter == partner);
        let right = letters.iter().rposition(|&letter| letter == partner).filter(|&file| file > king);
        left.map_or(0, |file| 1 << file) | right.map_or(0, |file| 1 << file)
    }

    /// The files of the unmoved field, a bit each.
    fn unmoved(&self, rank: &FirstRank, row: usize) -> u16 {
        let mut files = 0;
        for (file, letter) in rank.pieces() {
            if self.first_movers.contains(&letter) {
                files |= 1 << file.0;
            }
        }
        let Some(Adjuster { piece, partners }) = &self.adjustment else {
            return files;
        };
        let adjusters = || rank.pieces().filter(|&(_, letter)| letter == *piece).map(|(file, _)| file);
        let colour = |file: File| Colour::of(file, row);
        // 000: the rule is in effect only where the bishops start on one colour.
        let applies = adjusters().count() > 1
            && adjusters().map(colour).all(|other| adjusters().next().map(colour) == Some(other));
        if applies {
            for file in adjusters() {
                for neighbour in [file.0.wrapping_sub(1), file.0 + 1] {
                    if rank.at(File(neighbour)).is_some_and(|letter| partners.contains(&letter)) {
                        files |= 1 << file.0 | 1 << neighbour;
                    }
                }
            }
        }
        files
    }
}

/// Appends one rank of the board.
fn push_rank(text: &mut Vec<u8>, rank: &FirstRank, black: bool) {
    let mut empty = 0;
    for &letter in rank.as_bytes() {
        if letter == FirstRank::EMPTY {
            empty += 1;
            continue;
        }
        push_number(text, &mut empty);
        text.push(if black { letter.to_ascii_lowercase() } else { letter });
    }
    push_number(text, &mut empty);
}

/// Appends the number of empty files passed, if there were any, and starts again.
fn push_number(text: &mut Vec<u8>, empty: &mut usize) {
    if *empty > 0 {
        text.extend_from_slice(empty.to_string().as_bytes());
    }
    *empty = 0;
}

/// Appends the letters of White's files in upper case and of Black's in lower, or `-` for none.
fn push_files(text: &mut Vec<u8>, white: u16, black: u16) {
    if white | black == 0 {
        text.push(b'-');
    }
    for (files, first) in [(white, b'A'), (black, b'a')] {
        let mut files = files;
        while files != 0 {
            text.push(first + files.trailing_zeros() as u8);
            files &= files - 1;
        }
    }
}
