//! Positions: the pieces on the board, the side to move, and the rights that are left.

mod attacks;
mod builder;
mod checks;
mod endings;
mod fen;
pub(crate) mod generate;
mod mating;
mod play;
mod replies;
mod staged;
mod start_checks;

use std::fmt;

use crate::bitboard::{Bitboard, BitboardPair};
use crate::board::{Board, MAX_SQUARES};
use crate::compiled::Rules;
use crate::letter::Letter;
use crate::piece_kind::{KindSet, PieceKind};
use crate::setup::Setup;
use crate::square::{Side, Square};
pub use builder::{PositionBuilder, SetupError};
pub use checks::CheckInfo;
pub use fen::FenError;
pub(crate) use fen::write;

/// A state of play: the pieces on the board, the side to move, the rights that are left, and the two counters of a FEN.
///
/// It is plain data and borrows its [`Rules`]. To look ahead, copy it and play.
///
/// ```
/// use backrank_rules::{FirstRank, Position, Rules, Setup, Variant};
///
/// let rules = Rules::new(&Variant::find("pmrc")?);
/// let rank = FirstRank::new(b"BNBMRQKNR").unwrap();
/// let start = Position::new(&rules, &Setup { white: rank, black: rank })?;
/// assert_eq!(
///     start.to_string(),
///     "bnbmrqknr/ppppppppp/9/9/9/9/9/PPPPPPPPP/BNBMRQKNR w EIei - 0 1 ABCDabcd"
/// );
/// let after = start.after(start.parse_move("Bc<=>M")?);
/// assert_eq!(
///     after.to_string(),
///     "bnbmrqknr/ppppppppp/9/9/9/9/9/PPPPPPPPP/BNMBRQKNR b EIei - 1 1 abcd"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Position<'r> {
    rules: &'r Rules,
    /// The squares of each kind's pieces, of both sides.
    kinds: [Bitboard; PieceKind::MAX],
    /// The squares of each side's pieces.
    sides: [Bitboard; 2],
    /// The partners with which a king may still castle.
    castling: Bitboard,
    /// The seventh field of the FEN: pieces that can make a move other than castling because they have not moved.
    unmoved: Bitboard,
    key: u64,
    fullmoves: u32,
    halfmoves: u16,
    side: Side,
    en_passant: Option<Square>,
    /// The pawn that has passed the en passant square; it means nothing where there is none.
    passing: Square,
    /// How many more checks win for each side; 0 for both in games that are not won by checks.
    checks_left: [u8; 2],
    /// The squares of the kings; they mean nothing before the kings are placed.
    kings: [Square; 2],
    /// The kind on each square.
    mailbox: [PieceKind; MAX_SQUARES],
}

impl<'r> Position<'r> {
    /// The start of a game from a setup, White to move.
    ///
    /// Each side has a pawn in front of every piece, and the rights that [`PositionBuilder::start_rights`] gives.
    ///
    /// # Errors
    ///
    /// When the setup does not fit the board or has a piece that the game does not have, or a side does not have
    /// exactly one king.
    pub fn new(rules: &'r Rules, setup: &Setup) -> Result<Self, SetupError> {
        PositionBuilder::from_setup(rules, setup)?.start_rights().build()
    }

    /// A side's pieces of the kind that adjusts.
    pub(crate) fn adjusters(&self, side: Side) -> Bitboard {
        self.rules.adjustment.map_or(Bitboard::EMPTY, |kinds| self.of_kind(kinds.adjuster))
            & self.pieces(side)
    }

    /// The squares of both sides' pieces of some kinds.
    pub(crate) fn of_kinds(&self, kinds: KindSet) -> Bitboard {
        kinds.iter().map(|kind| self.of_kind(kind)).collect()
    }

    /// The rules by which it is played.
    pub fn rules(&self) -> &'r Rules {
        self.rules
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.rules.board
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Side {
        self.side
    }

    /// The squares of a side's pieces.
    #[inline]
    pub fn pieces(&self, side: Side) -> Bitboard {
        self.sides[side as usize]
    }

    /// The squares of White's pieces and of Black's.
    #[inline]
    pub fn both_sides(&self) -> BitboardPair {
        BitboardPair::new(self.sides[0], self.sides[1])
    }

    /// All squares that are not empty.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// The squares of both sides' pieces of a kind.
    #[inline(always)]
    pub fn of_kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The kind of piece on a square.
    #[inline]
    pub fn kind_at(&self, square: Square) -> Option<PieceKind> {
        let kind = self.mailbox[square.index()];
        (kind != PieceKind::NONE).then_some(kind)
    }

    /// The side and the letter of the piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<(Side, Letter)> {
        self.kind_at(square).map(|kind| {
            let side = if self.sides[1].contains(square) { Side::Black } else { Side::White };
            (side, self.rules.letter_of(kind))
        })
    }

    /// Every piece on the board with its square, from a1 on.
    pub fn all_pieces(&self) -> impl Iterator<Item = (Square, Side, Letter)> + '_ {
        (self.occupied())
            .iter()
            .filter_map(|square| self.piece_at(square).map(|(side, letter)| (square, side, letter)))
    }

    /// The number of a side's pieces with a letter.
    pub fn count(&self, side: Side, letter: Letter) -> u32 {
        self.rules.kind_of(letter).map_or(0, |kind| (self.of_kind(kind) & self.pieces(side)).count())
    }

    /// The square of a side's king.
    pub fn king(&self, side: Side) -> Square {
        self.kings[side as usize]
    }

    /// The square on which a pawn can capture en passant. It is set only if a pawn of the side to move can legally capture
    /// there: otherwise the position is the same as without it, also where repetitions are counted.
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// How many more checks a side has to give to win; `None` in games that are not won by checks.
    pub fn checks_left(&self, side: Side) -> Option<u8> {
        (self.rules.checks > 0).then_some(self.checks_left[side as usize])
    }

    /// The pawn that can be captured en passant, as a bitboard; empty if there is none.
    pub fn en_passant_pawn(&self) -> Bitboard {
        self.en_passant.map(|_| self.passing).into()
    }

    /// The partners of either side with which its king may still castle.
    #[inline]
    pub fn castling(&self) -> Bitboard {
        self.castling
    }

    /// Whether a side has pieces besides its king and pawns.
    pub fn has_pieces(&self, side: Side) -> bool {
        let king = self.king(side).bitboard();
        !(self.pieces(side) & !self.of_kind(PieceKind::PAWN) & !king).is_empty()
    }

    /// Whether a side has only its king.
    pub fn has_bare_king(&self) -> bool {
        Side::BOTH.into_iter().any(|side| self.pieces(side).is_single())
    }

    /// The partners with which a side may still castle, from the a-file.
    pub fn castling_partners(&self, side: Side) -> impl Iterator<Item = Square> + use<> {
        (self.castling & self.pieces(side)).iter()
    }

    /// A side's pieces that can make a move other than castling because they have not moved, from the a-file.
    pub fn unmoved(&self, side: Side) -> impl Iterator<Item = Square> + use<> {
        (self.unmoved & self.pieces(side)).iter()
    }

    /// Whether a side may still play the Bishop Adjustment, now or when its king is out of check.
    pub fn may_adjust(&self, side: Side) -> bool {
        !self.unmoved.is_disjoint(self.adjusters(side))
    }

    /// Whether any right to castle, to adjust or to a first move is left.
    #[inline]
    pub fn has_unmoved_rights(&self) -> bool {
        !(self.castling | self.unmoved).is_empty()
    }

    /// The number of moves of either side since the last capture or pawn move.
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmoves
    }

    /// The number of the move: 1 at the start, and one more after each move of Black.
    pub fn fullmove_number(&self) -> u32 {
        self.fullmoves
    }

    /// The Zobrist key. It is the same for the same pieces, side to move, castling rights, unmoved pieces and en
    /// passant square, and almost surely different for any other position. It does not depend on the counters.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The key, computed without the moves that led here.
    pub(crate) fn full_key(&self) -> u64 {
        let zobrist = &self.rules.zobrist;
        let mut key = if self.side == Side::Black { zobrist.black } else { 0 };
        for side in Side::BOTH {
            for square in self.pieces(side) {
                key ^= zobrist.piece(self.mailbox[square.index()], side, square);
            }
        }
        key ^= (self.castling).iter().fold(0, |key, square| key ^ zobrist.castling(square));
        key ^= (self.unmoved).iter().fold(0, |key, square| key ^ zobrist.unmoved(square));
        if self.rules.checks > 0 {
            for side in Side::BOTH {
                key ^= zobrist.checks(side, self.checks_left[side as usize]);
            }
        }
        self.en_passant().map_or(key, |square| key ^ self.en_passant_key(square))
    }

    /// The part of the key that an en passant square has. Where pawns pass it on two ways, their own square counts, too.
    #[inline(always)]
    fn en_passant_key(&self, passed: Square) -> u64 {
        let zobrist = &self.rules.zobrist;
        let by = if self.rules.berolina { zobrist.en_passant(self.passing) } else { 0 };
        zobrist.en_passant(passed) ^ by
    }
}

/// Positions are equal if they are played alike: same pieces, side to move and rights. The counters do not matter.
impl PartialEq for Position<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.kinds == other.kinds
            && self.sides == other.sides
            && self.castling == other.castling
            && self.unmoved == other.unmoved
            && self.side == other.side
            && self.en_passant == other.en_passant
            && self.en_passant_pawn() == other.en_passant_pawn()
            && self.checks_left == other.checks_left
    }
}

impl Eq for Position<'_> {}

impl fmt::Debug for Position<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}
