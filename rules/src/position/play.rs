//! Playing a move.

use super::Position;
use crate::bitboard::Bitboard;
use crate::moves::{IllegalMove, Move, MoveKind};
use crate::piece_kind::PieceKind;
use crate::square::{Side, Square};

impl Position<'_> {
    /// The position after a move, which is not checked; see [`Position::try_play`] for moves that may be illegal.
    ///
    /// The move must be legal here. After any other move the position is meaningless, and the call may panic.
    #[must_use]
    pub fn after(&self, played: Move) -> Self {
        let mut next = *self;
        next.play(played);
        next
    }

    /// Plays a move without checking it; see [`Position::try_play`] for moves that may be illegal.
    ///
    /// The move must be legal here. After any other move the position is meaningless, and the call may panic.
    pub fn play(&mut self, played: Move) {
        self.play_with_key::<true>(played);
    }

    /// Plays a move if it is legal.
    ///
    /// ```
    /// use backrank_rules::{IllegalMove, Position, Rules, Variant};
    ///
    /// let rules = Rules::new(&Variant::find("chess")?);
    /// let mut position = Position::from_fen(&rules, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")?;
    /// let castling = position.parse_move("O-O-O")?;
    /// assert_eq!(position.try_play(castling), Ok(()));
    /// assert_eq!(position.try_play(castling), Err(IllegalMove(castling)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When it is not legal here; the position stays as it is.
    pub fn try_play(&mut self, played: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(played) {
            return Err(IllegalMove(played));
        }
        self.play(played);
        Ok(())
    }

    /// Plays a move. Without `KEY` the key is not updated, which is enough for counting.
    #[inline(always)]
    pub(crate) fn play_with_key<const KEY: bool>(&mut self, played: Move) {
        let us = self.side;
        let Move { from, to, kind } = played;
        if let Some(square) = self.en_passant.take()
            && KEY
        {
            self.key ^= self.en_passant_key(square);
        }
        self.halfmoves = self.halfmoves.saturating_add(1);
        match kind {
            MoveKind::Normal => {
                let piece = self.mailbox[from.index()];
                if self.mailbox[to.index()] != PieceKind::NONE {
                    self.take::<KEY>(us.other(), to);
                    self.halfmoves = 0;
                }
                self.lift::<KEY>(us, from, piece);
                self.place::<KEY>(us, to, piece);
                if piece == PieceKind::PAWN {
                    self.halfmoves = 0;
                    let forward = self.rules.sides[us as usize].forward;
                    if to.index() as i32 - from.index() as i32 == 2 * forward {
                        self.offer_en_passant::<KEY>(from.offset(forward), to);
                    } else if self.rules.berolina {
                        self.offer_en_passant_aslant::<KEY>(from, to);
                    }
                } else if from == self.king(us) {
                    self.kings[us as usize] = to;
                    self.lose_castling::<KEY>(self.castling & self.pieces(us));
                }
                self.lose_rights::<KEY>(from.bitboard() | to.bitboard());
            }
            MoveKind::Promotion(letter) => {
                if self.mailbox[to.index()] != PieceKind::NONE {
                    self.take::<KEY>(us.other(), to);
                }
                self.halfmoves = 0;
                self.lift::<KEY>(us, from, PieceKind::PAWN);
                self.place::<KEY>(us, to, self.rules.kind_of(letter).unwrap_or(PieceKind::PAWN));
                self.lose_rights::<KEY>(to.bitboard());
            }
            MoveKind::EnPassant => {
                self.halfmoves = 0;
                self.take::<KEY>(us.other(), self.passing);
                self.lift::<KEY>(us, from, PieceKind::PAWN);
                self.place::<KEY>(us, to, PieceKind::PAWN);
            }
            MoveKind::Castling => self.castle::<KEY>(from, to),
            MoveKind::Adjustment => self.adjust::<KEY>(from, to),
        }
        self.side = us.other();
        if KEY {
            self.key ^= self.rules.zobrist.black;
        }
        if self.rules.checks > 0 {
            self.count_check::<KEY>(us);
        }
        self.fullmoves = self.fullmoves.saturating_add(u32::from(us == Side::Black));
    }

    /// Counts the check that a side has just given, if it has.
    #[inline(never)]
    fn count_check<const KEY: bool>(&mut self, by: Side) {
        let left = self.checks_left[by as usize];
        if left > 0 && self.is_check() {
            self.checks_left[by as usize] = left - 1;
            if KEY {
                let zobrist = &self.rules.zobrist;
                self.key ^= zobrist.checks(by, left) ^ zobrist.checks(by, left - 1);
            }
        }
    }

    /// The position after a null move: the other side is to move, and nothing else changes. It makes sense only out of
    /// check.
    #[must_use]
    pub fn null_move(&self) -> Self {
        let mut next = *self;
        if let Some(square) = next.en_passant.take() {
            next.key ^= self.en_passant_key(square);
        }
        next.side = self.side.other();
        next.key ^= self.rules.zobrist.black;
        next.halfmoves = next.halfmoves.saturating_add(1);
        next
    }

    /// The key that the position will almost always have after a move, known sooner than by playing it. Castling, en
    /// passant and the loss of rights are not taken into account.
    #[inline]
    pub fn likely_key_after(&self, played: Move) -> u64 {
        let zobrist = &self.rules.zobrist;
        let us = self.side;
        let [moved, taken] = [played.from, played.to].map(|square| self.mailbox[square.index()]);
        let mut key = self.key ^ zobrist.black;
        if moved != PieceKind::NONE {
            key ^= zobrist.piece(moved, us, played.from) ^ zobrist.piece(moved, us, played.to);
        }
        if taken != PieceKind::NONE {
            key ^= zobrist.piece(taken, us.other(), played.to);
        }
        key
    }

    #[inline(always)]
    fn lift<const KEY: bool>(&mut self, side: Side, square: Square, kind: PieceKind) {
        self.kinds[kind.index()] &= !square.bitboard();
        self.sides[side as usize] &= !square.bitboard();
        self.mailbox[square.index()] = PieceKind::NONE;
        if KEY {
            self.key ^= self.rules.zobrist.piece(kind, side, square);
        }
    }

    #[inline(always)]
    fn place<const KEY: bool>(&mut self, side: Side, square: Square, kind: PieceKind) {
        self.kinds[kind.index()] |= square.bitboard();
        self.sides[side as usize] |= square.bitboard();
        self.mailbox[square.index()] = kind;
        if KEY {
            self.key ^= self.rules.zobrist.piece(kind, side, square);
        }
    }

    #[inline(always)]
    fn take<const KEY: bool>(&mut self, side: Side, square: Square) {
        self.lift::<KEY>(side, square, self.mailbox[square.index()]);
    }

    /// Sets the en passant square and the pawn that has passed it, if an enemy pawn can legally capture there. A pawn that may not leave its line to the king is
    /// no reason to tell two positions apart (FIDE 9.2.3: positions are the same if the same moves are possible).
    #[inline(always)]
    fn offer_en_passant<const KEY: bool>(&mut self, passed: Square, pawn: Square) {
        if self.can_be_taken_en_passant(self.side.other(), passed, pawn) {
            self.en_passant = Some(passed);
            self.passing = pawn;
            if KEY {
                self.key ^= self.en_passant_key(passed);
            }
        }
    }

    /// The same after a step of a Berolina pawn, if it was a double one.
    #[inline(never)]
    fn offer_en_passant_aslant<const KEY: bool>(&mut self, from: Square, to: Square) {
        let board = self.rules.board;
        if board.rank_of(from).abs_diff(board.rank_of(to)) == 2 {
            let passed = from.offset((to.index() as i32 - from.index() as i32) / 2);
            self.offer_en_passant::<KEY>(passed, to);
        }
    }

    /// Whether some pawn of a side can legally capture en passant on a square that an enemy pawn, which now stands on `pawn`, has
    /// just passed.
    #[inline(always)]
    pub(crate) fn can_be_taken_en_passant(&self, side: Side, passed: Square, pawn: Square) -> bool {
        // Most often no pawn stands there.
        self.rules.en_passant
            && self.is_pawn_ready(side, passed)
            && self.has_en_passant_captor(side, passed, pawn)
    }

    #[inline(never)]
    fn has_en_passant_captor(&self, side: Side, passed: Square, pawn: Square) -> bool {
        !self.en_passant_captors(side, passed, pawn).is_empty()
    }

    /// Whether a pawn of a side stands so that it could capture on a square, legally or not.
    #[inline(always)]
    pub(super) fn is_pawn_ready(&self, side: Side, square: Square) -> bool {
        let ready = self.rules.sides[side.other() as usize].pawn_attacks[square.index()];
        !(ready & self.of_kind(PieceKind::PAWN)).is_disjoint(self.pieces(side))
    }

    /// Takes away the rights of pieces that have moved from some squares or were captured there.
    #[inline(always)]
    fn lose_rights<const KEY: bool>(&mut self, touched: Bitboard) {
        if !(self.castling | self.unmoved).is_disjoint(touched) {
            self.lose_castling::<KEY>(touched);
            self.lose_unmoved::<KEY>(touched);
        }
    }

    fn lose_castling<const KEY: bool>(&mut self, squares: Bitboard) {
        let lost = self.castling & squares;
        self.castling &= !lost;
        if KEY {
            self.key ^= (lost).iter().fold(0, |key, square| key ^ self.rules.zobrist.castling(square));
        }
    }

    #[inline(never)]
    fn lose_unmoved<const KEY: bool>(&mut self, squares: Bitboard) {
        let before = self.unmoved;
        self.unmoved &= !squares;
        for side in Side::BOTH {
            self.unmoved = self.still_useful(side);
        }
        if KEY {
            self.key ^= (before & !self.unmoved)
                .iter()
                .fold(0, |key, square| key ^ self.rules.zobrist.unmoved(square));
        }
    }

    #[inline(never)]
    fn castle<const KEY: bool>(&mut self, king: Square, partner: Square) {
        let us = self.side;
        let (king_lands, partner_lands) = self.landing(king, partner);
        let kinds = [king, partner].map(|square| self.mailbox[square.index()]);
        self.lift::<KEY>(us, king, kinds[0]);
        self.lift::<KEY>(us, partner, kinds[1]);
        self.place::<KEY>(us, king_lands, kinds[0]);
        self.place::<KEY>(us, partner_lands, kinds[1]);
        self.kings[us as usize] = king_lands;
        self.lose_castling::<KEY>(self.rules.sides[us as usize].first_rank);
        self.lose_unmoved::<KEY>(king.bitboard() | partner.bitboard());
    }

    #[inline(never)]
    fn adjust<const KEY: bool>(&mut self, bishop: Square, partner: Square) {
        let us = self.side;
        let kinds = [bishop, partner].map(|square| self.mailbox[square.index()]);
        self.lift::<KEY>(us, bishop, kinds[0]);
        self.lift::<KEY>(us, partner, kinds[1]);
        self.place::<KEY>(us, bishop, kinds[1]);
        self.place::<KEY>(us, partner, kinds[0]);
        // 000: the swap counts as "a move for both the Bishop and the piece swapped with": a rook can no longer castle,
        // and a king can never castle again.
        if partner == self.king(us) {
            self.kings[us as usize] = bishop;
            self.lose_castling::<KEY>(self.rules.sides[us as usize].first_rank);
        }
        self.lose_castling::<KEY>(bishop.bitboard() | partner.bitboard());
        // 000: "One (and only one) of their Bishops". Without unmoved bishops their neighbours drop out by themselves.
        self.lose_unmoved::<KEY>(bishop.bitboard() | partner.bitboard() | self.adjusters(us));
    }
}
