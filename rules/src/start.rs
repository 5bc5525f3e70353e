//! Starting positions as text.

use crate::board::File;
use crate::first_rank_rights::{outermost_partners, starts_on_one_colour, swappable};
use crate::letter::{ByLetter, Letter};
use crate::position::write::{Rights, push_castling, push_files, push_rank};
use crate::setup::{FirstRank, Setup};
use crate::square::{Side, Square};
use crate::variant::{Castling, RightsNotation, Variant};

/// Writes the FENs of a variant's setups, fast enough to list millions of them.
///
/// Castling rights and the seventh field are as [`Position::to_fen`](crate::Position::to_fen) writes them.
///
/// ```
/// use backrank_rules::{Setup, StartFen, Variant};
///
/// let modern = Variant::find("modern")?;
/// let [white, black] = modern.armies;
/// let setup = Setup { white, black: black.reversed() };
/// assert_eq!(
///     StartFen::new(&modern).of(&setup),
///     "rnbqkmbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR w AIai - 0 1 BCDFGHbcdfgh",
/// );
/// # Ok::<(), backrank_rules::FindError>(())
/// ```
#[derive(Clone, Debug)]
pub struct StartFen {
    /// Where pawns start on one of two ranks, the game, whose ranks are put together piece by piece.
    with_pawn_choices: Option<Box<Variant>>,
    /// The text above Black's first rank, that between the two first ranks, and that below White's.
    above: Vec<u8>,
    between: Vec<u8>,
    below: Vec<u8>,
    /// For each letter, the roles of its piece on a first rank.
    roles: ByLetter<Roles>,
    castling: Option<Castling>,
    kqkq: bool,
    /// The number of checks that win; 0 where only mate does.
    checks: u8,
    seventh_field: bool,
    /// The only start, in games that have one.
    position: Option<String>,
}

/// A castling that the first rank of a setup leaves open.
#[derive(Clone, Copy, Debug)]
pub struct StartCastling<'a> {
    /// The file of the king.
    pub king: File,
    /// The file of its partner.
    pub partner: File,
    /// The partner.
    pub letter: Letter,
    /// The file on which the king lands.
    pub king_lands: File,
    /// The file on which its partner lands.
    pub partner_lands: File,
    /// The notation, such as `O-O`.
    pub notation: &'a str,
}

/// The roles that a piece on its first rank can have.
#[derive(Clone, Copy, Debug, Default)]
struct Roles {
    royal: bool,
    castles: bool,
    adjusts: bool,
    is_swapped: bool,
    has_first_move: bool,
}

impl StartFen {
    /// Prepares for the setups of one variant.
    pub fn new(variant: &Variant) -> Self {
        let (ranks, row) = (variant.board.ranks(), variant.first_rank);
        let rows = rows_of(variant, variant.fixed_pieces.iter().copied());
        // What stands beside the two ranks that differ from setup to setup, with a slash wherever ranks meet.
        let text = |text: &mut Vec<u8>, letters: &Vec<u8>| push_rank(text, letters.iter().copied());
        let (mut above, mut between, mut below) = (Vec::new(), Vec::new(), Vec::new());
        let [white_row, black_row] = [row, ranks - 1 - row];
        for letters in rows[black_row + 1..].iter().rev() {
            text(&mut above, letters);
            above.push(b'/');
        }
        for letters in rows[white_row + 1..black_row].iter().rev() {
            between.push(b'/');
            text(&mut between, letters);
        }
        between.push(b'/');
        for letters in rows[..white_row].iter().rev() {
            below.push(b'/');
            text(&mut below, letters);
        }
        below.extend_from_slice(b" w ");
        let roles = ByLetter::from_fn(|letter| {
            let piece = variant.piece(letter);
            let adjustment = variant.adjustment.as_ref();
            Roles {
                royal: piece.is_some_and(|piece| piece.royal),
                castles: variant
                    .castling
                    .as_ref()
                    .is_some_and(|castling| castling.partners.contains(&letter)),
                adjusts: adjustment.is_some_and(|adjustment| adjustment.piece == letter),
                is_swapped: adjustment.is_some_and(|adjustment| adjustment.partners.contains(&letter)),
                has_first_move: piece.is_some_and(|piece| piece.betza.has_first_move()),
            }
        });
        let notation = variant.castling.as_ref().map(|castling| castling.rights);
        let has_pawn_choices = variant.pawn_choices != [0; 2];
        Self {
            with_pawn_choices: has_pawn_choices.then(|| Box::new(variant.clone())),
            above,
            between,
            below,
            roles,
            castling: variant.castling.clone(),
            kqkq: notation == Some(RightsNotation::KingAndQueenSide),
            checks: variant.checks,
            seventh_field: variant.has_unmoved_field(),
            position: variant.position.clone(),
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
        if let Some(position) = &self.position {
            return text.extend_from_slice(position.as_bytes());
        }
        if let Some(variant) = &self.with_pawn_choices {
            push_board(text, variant, setup);
            text.extend_from_slice(b" w ");
        } else {
            text.extend_from_slice(&self.above);
            push_first_rank(text, &setup.black, Side::Black);
            text.extend_from_slice(&self.between);
            push_first_rank(text, &setup.white, Side::White);
            text.extend_from_slice(&self.below);
        }
        let rights = [(Side::White, &setup.white), (Side::Black, &setup.black)];
        push_castling(text, rights.map(|(side, rank)| self.rights(side, rank)), self.kqkq);
        text.extend_from_slice(b" - ");
        if self.checks > 0 {
            text.extend_from_slice(format!("{0}+{0} ", self.checks).as_bytes());
        }
        text.extend_from_slice(b"0 1");
        if self.seventh_field {
            text.push(b' ');
            push_files(text, [self.unmoved(&setup.white), self.unmoved(&setup.black)]);
        }
    }

    /// The files of the pieces with which a side that starts with a first rank may castle: the outermost partner on each side of
    /// its king.
    pub fn castling_partners(&self, side: Side, rank: &FirstRank) -> Vec<File> {
        let files = self.rights(side, rank).partners;
        (0..16).filter(|file| files >> file & 1 != 0).map(File).collect()
    }

    /// The castlings of a side that starts with a first rank, from the a-file.
    pub fn castlings(&self, side: Side, rank: &FirstRank) -> Vec<StartCastling<'_>> {
        let king = rank.pieces().find(|&(_, letter)| self.roles[letter].royal);
        let Some((castling, (king, _))) = self.castling.as_ref().zip(king) else { return Vec::new() };
        let with = |partner: File| {
            let letter = rank.at(partner)?;
            let landing = castling.landing(letter, partner < king);
            let (king_lands, partner_lands) = landing.end.files(king, partner, rank.files());
            Some(StartCastling {
                king,
                partner,
                letter,
                king_lands,
                partner_lands,
                notation: &landing.notation,
            })
        };
        self.castling_partners(side, rank).into_iter().filter_map(with).collect()
    }

    /// The files of the pieces with a role, as bits.
    fn files(&self, rank: &FirstRank, has: impl Fn(&Roles) -> bool) -> u16 {
        let mut files = 0;
        for (file, letter) in rank.pieces() {
            files |= u16::from(has(&self.roles[letter])) << file.0;
        }
        files
    }

    fn rights(&self, side: Side, rank: &FirstRank) -> Rights {
        let Some(castling) = &self.castling else { return Rights::default() };
        let king = self.files(rank, |roles| roles.royal);
        let outermost = outermost_partners(king, self.files(rank, |roles| roles.castles));
        let partners = castling.partners_at_home(side, king, outermost);
        Rights { partners, outermost, king }
    }

    /// The files of the seventh field, as bits.
    fn unmoved(&self, rank: &FirstRank) -> u16 {
        let first_movers = self.files(rank, |roles| roles.has_first_move);
        let adjusters = self.files(rank, |roles| roles.adjusts);
        if !starts_on_one_colour(adjusters) {
            return first_movers;
        }
        first_movers | swappable(adjusters, self.files(rank, |roles| roles.is_swapped))
    }
}

/// The letters of all ranks, White's first one first.
fn rows_of(variant: &Variant, pieces: impl Iterator<Item = (Square, Side, Letter)>) -> Vec<Vec<u8>> {
    let board = variant.board;
    let mut rows = vec![vec![FirstRank::EMPTY; board.files()]; board.ranks()];
    for (square, side, letter) in pieces {
        rows[board.rank_of(square)][usize::from(board.file_of(square).0)] = side.cased(letter.as_u8());
    }
    rows
}

/// Appends all ranks of a setup.
fn push_board(text: &mut Vec<u8>, variant: &Variant, setup: &Setup) {
    for (index, letters) in rows_of(variant, variant.setup_pieces(setup)).iter().rev().enumerate() {
        if index > 0 {
            text.push(b'/');
        }
        push_rank(text, letters.iter().copied());
    }
}

/// Appends a first rank in the case of a side.
fn push_first_rank(text: &mut Vec<u8>, rank: &FirstRank, side: Side) {
    push_rank(text, rank.as_bytes().iter().map(|&letter| side.cased(letter)));
}
