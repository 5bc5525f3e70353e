//! The moves of one piece on a given board, forwards and backwards, for callers without a position, such as retrograde
//! analysis.
//!
//! The piece counts as having moved: moves of a first move are left out.

use super::Rules;
use super::occupied::Occupied;
use crate::bitboard::Bitboard;
use crate::piece_kind::PieceKind;
use crate::position::generate::shifted;
use crate::square::{Side, Square};

impl Rules {
    /// The squares on which a side's piece of a kind could capture from a square, including those of its own side.
    /// `occupied` are the squares that are not empty.
    ///
    /// ```
    /// use backrank_rules::{Bitboard, PieceKind, Rules, Side, Variant};
    ///
    /// let rules = Rules::new(&Variant::find("chess")?);
    /// let [a2, a3, b3] = ["a2", "a3", "b3"].map(|name| rules.board().parse_square(name).unwrap());
    /// let attacked = rules.attacks(Side::White, PieceKind::PAWN, a2, Bitboard::from(a3));
    /// assert_eq!(attacked, Bitboard::from(b3));
    /// # Ok::<(), backrank_rules::FindError>(())
    /// ```
    #[inline]
    pub fn attacks(&self, side: Side, kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
        if kind == PieceKind::PAWN {
            return self.sides[side as usize].pawn_attacks[square.index()];
        }
        let attack = self.kind(kind).plays[side as usize].attack;
        self.tables.reached(attack, square, &Occupied::new(occupied))
    }

    /// The empty squares to which a side's piece of a kind can go from a square. They include the last rank, where a
    /// pawn promotes.
    #[inline]
    pub fn quiet_moves(&self, side: Side, kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
        if kind == PieceKind::PAWN {
            let rules = &self.sides[side as usize];
            let along = |&dx: &i32| {
                let step = |from: Bitboard| {
                    shifted(from & self.not_edge_towards(dx), rules.forward + dx) & !occupied
                };
                let single = step(square.bitboard());
                single | step(single & rules.double_step_over)
            };
            let reached: Bitboard = self.pawn_step_files().iter().map(along).collect();
            return reached & self.board.all_squares();
        }
        let quiet = self.kind(kind).plays[side as usize].quiet;
        self.tables.reached(quiet, square, &Occupied::new(occupied)) & !occupied
    }

    /// The empty squares from which a side's piece of a kind can have come to a square without a capture. No pawn comes
    /// from the first rank of its side.
    ///
    /// ```
    /// use backrank_rules::{Bitboard, PieceKind, Rules, Side, Variant};
    ///
    /// let rules = Rules::new(&Variant::find("chess")?);
    /// let [e2, e3, e4] = ["e2", "e3", "e4"].map(|name| rules.board().parse_square(name).unwrap());
    /// let origins = rules.quiet_origins(Side::White, PieceKind::PAWN, e4, Bitboard::from(e4));
    /// assert!(origins.iter().eq([e2, e3]));
    /// # Ok::<(), backrank_rules::FindError>(())
    /// ```
    #[inline]
    pub fn quiet_origins(&self, side: Side, kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
        if kind == PieceKind::PAWN {
            let rules = &self.sides[side as usize];
            let along = |&dx: &i32| {
                let back =
                    |to: Bitboard| shifted(to & self.not_edge_towards(-dx), -rules.forward - dx) & !occupied;
                let single = back(square.bitboard());
                single | back(single & rules.double_step_over)
            };
            let origins: Bitboard = self.pawn_step_files().iter().map(along).collect();
            let first = if side == Side::White { 0 } else { self.board.ranks() - 1 };
            return origins & !self.board.rank_squares(first);
        }
        // For the other side every step is reversed.
        let plays = &self.kind(kind).plays;
        let back = plays[side.other() as usize].quiet;
        let origins = self.tables.reached_freely(back, square, &Occupied::new(occupied));
        let origins = match plays[side as usize].quiet_origins {
            0 => origins,
            paths => origins | self.tables.paths(paths).open(square, occupied),
        };
        origins & !occupied
    }

    /// The squares on which a side's pawns may promote.
    #[inline]
    pub fn promotion_squares(&self, side: Side) -> Bitboard {
        self.sides[side as usize].promotion
    }

    /// The squares on which a side's pawns must promote.
    #[inline]
    pub fn forced_promotion_squares(&self, side: Side) -> Bitboard {
        self.sides[side as usize].forced_promotion
    }
}
