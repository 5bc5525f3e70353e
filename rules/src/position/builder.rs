//! Positions put together piece by piece.

use thiserror::Error;

use super::Position;
use crate::bitboard::Bitboard;
use crate::board::{File, MAX_SQUARES};
use crate::compiled::Rules;
use crate::first_rank_rights::{outermost_partners, starts_on_one_colour, swappable};
use crate::letter::Letter;
use crate::piece_kind::PieceKind;
use crate::setup::Setup;
use crate::square::{Side, Square};

/// Why an arrangement of pieces is not a position of a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The first rank is for a board of another width.
    #[error("{side}'s first rank has {files} files; the board has {expected}")]
    Files {
        /// Whose first rank.
        side: Side,
        /// How many files it has.
        files: usize,
        /// How many the board has.
        expected: usize,
    },
    /// A letter is not a piece of the game.
    #[error("`{letter}` on {side}'s first rank is not a piece of the game")]
    Letter {
        /// Whose first rank.
        side: Side,
        /// The letter.
        letter: Letter,
    },
    /// A side has no king or several.
    #[error("{side} has {kings} kings; a side has one")]
    Kings {
        /// Whose kings.
        side: Side,
        /// How many there are.
        kings: u32,
    },
    /// A pawn stands on a first or last rank.
    #[error("a pawn of {side}'s on {square}, on the first or last rank")]
    PawnRank {
        /// Whose pawn.
        side: Side,
        /// Where it stands.
        square: String,
    },
    /// The side to move could take the king.
    #[error("{}, who is to move, could take {side}'s king", .side.other())]
    NotToMoveInCheck {
        /// Whose king.
        side: Side,
    },
}

/// Puts pieces on a board and makes a [`Position`] of them.
///
/// ```
/// use backrank_rules::{PositionBuilder, Rules, Setup, Side, Variant};
///
/// let variant = Variant::find("chess")?;
/// let rules = Rules::new(&variant);
/// let setup = variant.written_setup();
/// // White gives the queen's rook.
/// let mut builder = PositionBuilder::from_setup(&rules, &setup)?;
/// builder.remove(variant.board.parse_square("a1").unwrap()).start_rights();
/// assert_eq!(
///     builder.build()?.to_fen(),
///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PositionBuilder<'r>(pub(super) Position<'r>);

impl<'r> PositionBuilder<'r> {
    /// An empty board, with White to move, no rights, and the counters of the first move.
    pub fn new(rules: &'r Rules) -> Self {
        Self(Position::empty(rules))
    }

    /// The pieces of a setup, and what else stands on the board at the start; White to move, no rights yet. If a game has a single
    /// start, which its file writes as a FEN, it is that.
    ///
    /// # Errors
    ///
    /// When the setup does not fit the board or has a piece that the game does not have.
    pub fn from_setup(rules: &'r Rules, setup: &Setup) -> Result<Self, SetupError> {
        let expected = rules.board.files();
        for (side, rank) in Side::BOTH.into_iter().zip([&setup.white, &setup.black]) {
            if rank.files() != expected {
                return Err(SetupError::Files { side, files: rank.files(), expected });
            }
            let unknown = |&(_, letter): &(File, Letter)| rules.variant().piece(letter).is_none();
            if let Some((_, letter)) = rank.pieces().find(unknown) {
                return Err(SetupError::Letter { side, letter });
            }
        }
        let variant = rules.variant();
        if let Some(fen) = variant.position.as_ref().filter(|_| *setup == variant.written_setup()) {
            return Ok(Self(Position::from_fen(rules, fen).expect("it was read with the variant")));
        }
        let mut builder = Self::new(rules);
        for (square, side, letter) in rules.variant().setup_pieces(setup) {
            builder.0.put(square, side, rules.kind_of(letter).unwrap_or(PieceKind::PAWN));
        }
        Ok(builder)
    }

    /// Begins with a position: its pieces, its rights, and whose move it is.
    ///
    /// ```
    /// use backrank_rules::{Position, PositionBuilder, Rules, Variant};
    ///
    /// let rules = Rules::new(&Variant::find("chess")?);
    /// let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5 4";
    /// let mut builder = PositionBuilder::from_position(&Position::from_fen(&rules, fen)?);
    /// builder.remove(rules.board().parse_square("h1").unwrap());
    /// assert_eq!(builder.build()?.to_fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 5 4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_position(position: &Position<'r>) -> Self {
        Self(*position)
    }

    /// Puts a piece on a square and replaces what stands there.
    ///
    /// # Panics
    ///
    /// When the square is not on the board or the game has no such kind.
    pub fn put(&mut self, square: Square, side: Side, kind: PieceKind) -> &mut Self {
        assert!(self.0.board().all_squares().contains(square), "{square:?} is not on the board");
        self.remove(square);
        self.0.put(square, side, kind);
        self
    }

    /// Empties a square. What stood there takes its rights along, as if it had been captured: to castle, to adjust or to be
    /// adjusted with, to a first move, to take or be taken en passant.
    pub fn remove(&mut self, square: Square) -> &mut Self {
        let position = &mut self.0;
        position.remove(square);
        position.castling &= !square.bitboard();
        position.unmoved &= !square.bitboard();
        for side in Side::BOTH {
            position.unmoved = position.still_useful(side);
        }
        if let Some(passed) = position.en_passant {
            let pawn = position.passing;
            self.en_passant_by(passed, pawn);
        }
        self
    }

    /// Sets the side to move. If that is another one than before, nothing can be taken en passant any more.
    pub fn side_to_move(&mut self, side: Side) -> &mut Self {
        let position = &mut self.0;
        if position.side != side {
            position.en_passant = None;
        }
        position.side = side;
        self
    }

    /// Sets the square that a pawn has just passed in a double step. Call it when all pieces stand and the side to move
    /// is set. It has no effect if no pawn can have done so, or if no pawn can legally take it. Where two Berolina pawns can have
    /// done so, it is the one nearer to the a-file; [`en_passant_by`](Self::en_passant_by) says which.
    pub fn en_passant(&mut self, passed: Square) -> &mut Self {
        match self.0.passing_pawns(passed).first() {
            Some(pawn) => self.en_passant_by(passed, pawn),
            None => {
                self.0.en_passant = None;
                self
            }
        }
    }

    /// Sets the square that a pawn has just passed in a double step, and where this pawn stands now. It has no effect if it cannot
    /// have done so, or if no pawn can legally take it.
    pub fn en_passant_by(&mut self, passed: Square, pawn: Square) -> &mut Self {
        let position = &mut self.0;
        let is_offered = position.passing_pawns(passed).contains(pawn)
            && position.can_be_taken_en_passant(position.side, passed, pawn);
        position.en_passant = is_offered.then_some(passed);
        position.passing = pawn;
        self
    }

    /// Gives both sides the rights of the start of a game, from what stands on their first ranks now. Each may castle
    /// with its outermost partner on either side of its king. It may adjust if it has at least two pieces that adjust,
    /// all on one colour. In a game whose file writes its start as a FEN, they keep those of the FEN.
    pub fn start_rights(&mut self) -> &mut Self {
        let position = &mut self.0;
        if position.rules.variant().position.is_some() {
            return self;
        }
        position.castling = Side::BOTH.into_iter().map(|side| position.outermost_partners(side)).collect();
        position.unmoved = Bitboard::EMPTY;
        for side in Side::BOTH {
            let adjusters = position.adjusters(side);
            position.unmoved |= position.pieces(side) & position.rules.sides[side as usize].first_rank;
            if !starts_on_one_colour(position.first_rank_files(side, adjusters)) {
                position.unmoved &= !adjusters;
            }
            position.unmoved = position.still_useful(side);
        }
        self
    }

    /// Builds the position.
    ///
    /// # Errors
    ///
    /// When a side does not have exactly one king, a pawn stands on the first or last rank, or the side to move could
    /// take the king.
    pub fn build(&self) -> Result<Position<'r>, SetupError> {
        let mut position = self.0;
        position.check_pieces()?;
        position.check_waiting_king()?;
        position.key = position.full_key();
        Ok(position)
    }
}

impl<'r> Position<'r> {
    /// An empty board.
    pub(crate) fn empty(rules: &'r Rules) -> Self {
        Self {
            rules,
            kinds: [Bitboard::EMPTY; PieceKind::MAX],
            sides: [Bitboard::EMPTY; 2],
            castling: Bitboard::EMPTY,
            unmoved: Bitboard::EMPTY,
            key: 0,
            fullmoves: 1,
            halfmoves: 0,
            side: Side::White,
            en_passant: None,
            passing: Square::at(0),
            checks_left: [rules.checks; 2],
            kings: [Square::at(0); 2],
            mailbox: [PieceKind::NONE; MAX_SQUARES],
        }
    }

    /// The pawns of the side that is not to move that can just have passed a square in a double step. More than one can only
    /// where they go diagonally.
    pub(super) fn passing_pawns(&self, square: Square) -> Bitboard {
        let them = self.side.other();
        let rules = &self.rules.sides[them as usize];
        let occupied = self.occupied();
        if !rules.double_step_over.contains(square) || occupied.contains(square) {
            return Bitboard::EMPTY;
        }
        // A square that double steps pass over has a rank before it and one behind it.
        let ways = self.rules.pawn_step_files().iter().filter(|&&dx| {
            let on_board = self.rules.not_edge_towards(dx) & self.rules.not_edge_towards(-dx);
            on_board.contains(square) && !occupied.contains(square.offset(-rules.forward - dx))
        });
        let passed: Bitboard = ways.map(|dx| square.offset(rules.forward + dx)).collect();
        passed & self.of_kind(PieceKind::PAWN) & self.pieces(them)
    }

    /// Puts a piece on an empty square and does not update the key.
    pub(crate) fn put(&mut self, square: Square, side: Side, kind: PieceKind) {
        self.kinds[kind.index()] |= square.into();
        self.sides[side as usize] |= square.into();
        self.mailbox[square.index()] = kind;
        if self.rules.kind(kind).royal {
            self.kings[side as usize] = square;
        }
    }

    /// Empties a square and updates neither the key nor the rights.
    fn remove(&mut self, square: Square) {
        if let Some(kind) = self.kind_at(square) {
            self.kinds[kind.index()] &= !square.bitboard();
            self.sides.iter_mut().for_each(|side| *side &= !square.bitboard());
            self.mailbox[square.index()] = PieceKind::NONE;
        }
    }

    /// Checks that each side has one king and that no pawn is on a first or last rank.
    pub(super) fn check_pieces(&self) -> Result<(), SetupError> {
        let rules = self.rules;
        let ends = rules.board.rank_squares(0) | rules.board.rank_squares(rules.board.ranks() - 1);
        for side in Side::BOTH {
            let kings = (self.of_kinds(rules.royals) & self.pieces(side)).count();
            if kings != 1 {
                return Err(SetupError::Kings { side, kings });
            }
            let pawns = self.of_kind(PieceKind::PAWN) & self.pieces(side);
            if let Some(square) = (pawns & ends).first() {
                return Err(SetupError::PawnRank { side, square: rules.board.square_name(square) });
            }
        }
        Ok(())
    }

    /// Checks that the side that has just moved has not left its king in check.
    pub(super) fn check_waiting_king(&self) -> Result<(), SetupError> {
        let side = self.side.other();
        let attacked = self.is_attacked(self.king(side), self.side, self.occupied(), Bitboard::EMPTY);
        if attacked { Err(SetupError::NotToMoveInCheck { side }) } else { Ok(()) }
    }

    /// The files of those of some squares that are on a side's first rank.
    pub(super) fn first_rank_files(&self, side: Side, squares: Bitboard) -> u16 {
        let of_side = &self.rules.sides[side as usize];
        ((squares & of_side.first_rank).bits() >> of_side.first_rank_start.index()) as u16
    }

    /// The squares of a side's first rank on some files.
    fn first_rank_squares(&self, side: Side, files: u16) -> Bitboard {
        Bitboard::from_bits(u128::from(files) << self.rules.sides[side as usize].first_rank_start.index())
    }

    /// The outermost partners on either side of a king that is on its first rank, if it may castle from there with them.
    pub(crate) fn outermost_partners(&self, side: Side) -> Bitboard {
        let rules = self.rules;
        let Some(castling) = &rules.variant().castling else { return Bitboard::EMPTY };
        let own = self.pieces(side);
        let kings = self.first_rank_files(side, self.of_kinds(rules.royals) & own);
        let partners = self.first_rank_files(side, self.of_kinds(rules.partners) & own);
        let outermost = outermost_partners(kings, partners);
        self.first_rank_squares(side, castling.partners_at_home(side, kings, outermost))
    }

    /// The unmoved pieces of both sides, without those of one side for which being unmoved no longer gives a move.
    ///
    /// A reading: the right stays after the other bishop is gone, so each bishop is looked at by itself.
    ///
    /// What remains for the side: bishops that may adjust and have an unmoved neighbour to swap with, these neighbours,
    /// and pieces with a first move of their own.
    pub(crate) fn still_useful(&self, side: Side) -> Bitboard {
        let rules = self.rules;
        let own = self.unmoved & self.pieces(side);
        let files = |squares| self.first_rank_files(side, squares & own);
        let first_movers = files(self.of_kinds(rules.first_movers));
        let swapped = rules.adjustment.map_or(0, |kinds| {
            swappable(files(self.of_kind(kinds.adjuster)), files(self.of_kinds(kinds.partners)))
        });
        self.unmoved & !self.pieces(side) | self.first_rank_squares(side, first_movers | swapped)
    }
}
