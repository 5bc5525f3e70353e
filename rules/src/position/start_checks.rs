//! What is attacked before the first move.

use super::{PositionBuilder, SetupError};
use crate::bitboard::Bitboard;
use crate::compiled::Rules;
use crate::piece_kind::PieceKind;
use crate::setup::Setup;
use crate::square::Side;

impl Rules {
    /// Whose kings stand in check at the start from a setup: White's, and Black's. Where Black's does, the setup is no
    /// position of the game, because White, who is to move, could take the king.
    ///
    /// ```
    /// use backrank_rules::{Rules, Setup, Variant};
    ///
    /// let chess = Variant::find("chess")?;
    /// let setup = chess.written_setup();
    /// assert_eq!(Rules::new(&chess).kings_in_check(&setup)?, [false, false]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the setup does not fit the board or has a piece that the game does not have.
    pub fn kings_in_check(&self, setup: &Setup) -> Result<[bool; 2], SetupError> {
        let mut builder = PositionBuilder::from_setup(self, setup)?;
        builder.start_rights();
        let position = &builder.0;
        Ok(Side::BOTH.map(|side| {
            let mut kings = (position.of_kinds(self.royals) & position.pieces(side)).into_iter();
            kings.any(|king| position.is_attacked(king, side.other(), position.occupied(), Bitboard::EMPTY))
        }))
    }

    /// The files, as bits, of White's pawns and of Black's that nothing of their own side protects at the start from a setup.
    ///
    /// # Errors
    ///
    /// As for [`Rules::kings_in_check`].
    pub fn unprotected_pawns(&self, setup: &Setup) -> Result<[u16; 2], SetupError> {
        let mut builder = PositionBuilder::from_setup(self, setup)?;
        builder.start_rights();
        let position = &builder.0;
        Ok(Side::BOTH.map(|side| {
            let pawns = position.of_kind(PieceKind::PAWN) & position.pieces(side);
            let alone = pawns
                .iter()
                .filter(|&square| !position.is_attacked(square, side, position.occupied(), Bitboard::EMPTY));
            alone.fold(0, |files, square| files | 1 << self.board.file_of(square).0)
        }))
    }

    /// The files, as bits, on which the other side's pieces attack the first rank of White and of Black at the start from
    /// a setup.
    ///
    /// # Errors
    ///
    /// As for [`Rules::kings_in_check`].
    pub fn attacked_at_start(&self, setup: &Setup) -> Result<[u16; 2], SetupError> {
        let mut builder = PositionBuilder::from_setup(self, setup)?;
        builder.start_rights();
        let position = &builder.0;
        Ok(Side::BOTH.map(|side| {
            let by = side.other();
            let squares = self.sides[side as usize].first_rank.iter();
            let attacked = squares
                .filter(|&square| position.is_attacked(square, by, position.occupied(), Bitboard::EMPTY));
            position.first_rank_files(side, attacked.collect())
        }))
    }
}
