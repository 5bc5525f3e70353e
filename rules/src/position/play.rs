//! Playing a move.

use super::{EMPTY, NOWHERE, Position};
use crate::moves::{Move, MoveKind};
use crate::rules::PAWN_KIND;
use crate::square::{Side, Square, Squares};

impl Position<'_> {
    /// The position after a move.
    ///
    /// The move must be legal here; after any other the position makes no sense.
    #[must_use]
    pub fn after(&self, played: Move) -> Self {
        let mut next = *self;
        next.play(played);
        next
    }

    /// Plays a move.
    ///
    /// The move must be legal here; after any other the position makes no sense.
    pub fn play(&mut self, played: Move) {
        self.play_with_key::<true>(played);
    }

    /// Plays a move; without `KEY` the key is left behind, for counting.
    #[inline(always)]
    pub(crate) fn play_with_key<const KEY: bool>(&mut self, played: Move) {
        let us = self.side;
        let Move { from, to, kind } = played;
        if self.en_passant != NOWHERE {
            if KEY {
                self.key ^= self.rules.zobrist.en_passant(Square(self.en_passant));
            }
            self.en_passant = NOWHERE;
        }
        self.halfmoves = self.halfmoves.saturating_add(1);
        match kind {
            MoveKind::Normal => {
                let piece = self.mailbox[from.0 as usize & 127];
                if self.mailbox[to.0 as usize & 127] != EMPTY {
                    self.take::<KEY>(us.other(), to);
                    self.halfmoves = 0;
                }
                self.lift::<KEY>(us, from, piece);
                self.place::<KEY>(us, to, piece);
                if piece == PAWN_KIND {
                    self.halfmoves = 0;
                    let forward = self.rules.sides[us as usize].forward;
                    if i32::from(to.0) - i32::from(from.0) == 2 * forward {
                        self.offer_en_passant::<KEY>(Square((i32::from(from.0) + forward) as u8));
                    }
                } else if from.0 == self.kings[us as usize] {
                    self.kings[us as usize] = to.0;
                    self.lose_castling::<KEY>(self.castling & self.pieces(us));
                }
                self.lose_rights::<KEY>(from.bit() | to.bit());
            }
            MoveKind::Promotion(letter) => {
                if self.mailbox[to.0 as usize & 127] != EMPTY {
                    self.take::<KEY>(us.other(), to);
                }
                self.halfmoves = 0;
                self.lift::<KEY>(us, from, PAWN_KIND);
                self.place::<KEY>(us, to, self.rules.kind(letter).unwrap_or(PAWN_KIND));
                self.lose_rights::<KEY>(to.bit());
            }
            MoveKind::EnPassant => {
                self.halfmoves = 0;
                let taken = i32::from(to.0) - self.rules.sides[us as usize].forward;
                self.take::<KEY>(us.other(), Square(taken as u8));
                self.lift::<KEY>(us, from, PAWN_KIND);
                self.place::<KEY>(us, to, PAWN_KIND);
            }
            MoveKind::Castling => self.castle::<KEY>(from, to),
            MoveKind::Adjustment => self.adjust::<KEY>(from, to),
        }
        self.side = us.other();
        if KEY {
            self.key ^= self.rules.zobrist.black;
        }
        self.fullmoves = self.fullmoves.saturating_add(u32::from(us == Side::Black));
    }

    #[inline(always)]
    fn lift<const KEY: bool>(&mut self, side: Side, square: Square, kind: u8) {
        self.kinds[kind as usize] &= !square.bit();
        self.sides[side as usize] &= !square.bit();
        self.mailbox[square.0 as usize & 127] = EMPTY;
        if KEY {
            self.key ^= self.rules.zobrist.piece(kind, side, square);
        }
    }

    #[inline(always)]
    fn place<const KEY: bool>(&mut self, side: Side, square: Square, kind: u8) {
        self.kinds[kind as usize] |= square.bit();
        self.sides[side as usize] |= square.bit();
        self.mailbox[square.0 as usize & 127] = kind;
        if KEY {
            self.key ^= self.rules.zobrist.piece(kind, side, square);
        }
    }

    #[inline(always)]
    fn take<const KEY: bool>(&mut self, side: Side, square: Square) {
        self.lift::<KEY>(side, square, self.mailbox[square.0 as usize & 127]);
    }

    /// Remembers the square a pawn has passed, where an enemy pawn stands ready to take it there.
    #[inline(always)]
    fn offer_en_passant<const KEY: bool>(&mut self, passed: Square) {
        if self.is_pawn_ready(self.side.other(), passed) {
            self.en_passant = passed.0;
            if KEY {
                self.key ^= self.rules.zobrist.en_passant(passed);
            }
        }
    }

    /// Whether a side's pawn could take on a square.
    #[inline(always)]
    pub(crate) fn is_pawn_ready(&self, side: Side, square: Square) -> bool {
        let ready = self.rules.sides[side.other() as usize].pawn_attacks[square.0 as usize & 127];
        ready & self.kinds[PAWN_KIND as usize] & self.pieces(side) != 0
    }

    /// Takes away what came of pieces that have moved or been taken on some squares.
    #[inline(always)]
    fn lose_rights<const KEY: bool>(&mut self, touched: u128) {
        if (self.castling | self.unmoved) & touched != 0 {
            self.lose_castling::<KEY>(touched);
            self.lose_unmoved::<KEY>(touched);
        }
    }

    fn lose_castling<const KEY: bool>(&mut self, squares: u128) {
        let lost = self.castling & squares;
        self.castling &= !lost;
        if KEY {
            self.key ^= Squares(lost).fold(0, |key, square| key ^ self.rules.zobrist.castling(square));
        }
    }

    #[inline(never)]
    fn lose_unmoved<const KEY: bool>(&mut self, squares: u128) {
        let before = self.unmoved;
        self.unmoved &= !squares;
        for side in Side::BOTH {
            self.unmoved = self.still_useful(side);
        }
        if KEY {
            self.key ^= Squares(before & !self.unmoved)
                .fold(0, |key, square| key ^ self.rules.zobrist.unmoved(square));
        }
    }

    #[inline(never)]
    fn castle<const KEY: bool>(&mut self, king: Square, partner: Square) {
        let us = self.side;
        let (king_lands, partner_lands) = self.landing(king, partner);
        let kinds = [king, partner].map(|square| self.mailbox[square.0 as usize & 127]);
        self.lift::<KEY>(us, king, kinds[0]);
        self.lift::<KEY>(us, partner, kinds[1]);
        self.place::<KEY>(us, king_lands, kinds[0]);
        self.place::<KEY>(us, partner_lands, kinds[1]);
        self.kings[us as usize] = king_lands.0;
        self.lose_castling::<KEY>(self.rules.sides[us as usize].first_rank);
        self.lose_unmoved::<KEY>(king.bit() | partner.bit());
    }

    #[inline(never)]
    fn adjust<const KEY: bool>(&mut self, bishop: Square, partner: Square) {
        let us = self.side;
        let kinds = [bishop, partner].map(|square| self.mailbox[square.0 as usize & 127]);
        self.lift::<KEY>(us, bishop, kinds[0]);
        self.lift::<KEY>(us, partner, kinds[1]);
        self.place::<KEY>(us, bishop, kinds[1]);
        self.place::<KEY>(us, partner, kinds[0]);
        // 000: the swap counts as "a move for both the Bishop and the piece swapped with": a rook can no longer castle,
        // and a king ends castling for good.
        if partner.0 == self.kings[us as usize] {
            self.kings[us as usize] = bishop.0;
            self.lose_castling::<KEY>(self.rules.sides[us as usize].first_rank);
        }
        self.lose_castling::<KEY>(bishop.bit() | partner.bit());
        // "One (and only one) of their Bishops": without unmoved bishops the neighbours drop out by themselves.
        self.lose_unmoved::<KEY>(bishop.bit() | partner.bit() | self.adjusters(us));
    }
}
