//! Where a game starts.

use backrank_rules::{Colour, File, FirstRank, Letter, RightsNotation, Variant};

use super::{Man, Side, SlowPosition, Square};

/// The text of the position in which a game starts from these first ranks.
pub fn start_fen(variant: &Variant, white: &FirstRank, black: &FirstRank) -> String {
    let mut position = SlowPosition::empty(variant);
    let board = variant.board;
    for &(square, side, letter) in &variant.fixed_pieces {
        let (file, mut rank) = (board.file_of(square), board.rank_of(square) as i32);
        let own = if side == backrank_rules::Side::White { white } else { black };
        if letter == Letter::PAWN
            && own.to_string().split(':').nth(1).is_some_and(|files| files.contains(file.letter()))
        {
            rank += if side == backrank_rules::Side::White { 1 } else { -1 };
        }
        let square = Square { file: file.0.into(), rank };
        let side = [Side::White, Side::Black][side as usize];
        position.put(square, Some(Man { side, letter }));
    }
    for (side, rank) in [(Side::White, white), (Side::Black, black)] {
        for (file, letter) in rank.pieces() {
            let square = position.on_first_rank(side, file.0 as i32);
            position.put(square, Some(Man { side, letter }));
            position.unmoved.insert((side, file.0 as i32));
        }
        position.give_castling(side);
        if !bishops_start_on_one_colour(variant, rank) {
            position.unmoved.retain(|&(marked, file)| {
                marked != side
                    || rank.at(File(file as u8)) != variant.adjustment.as_ref().map(|rule| rule.piece)
            });
        }
    }
    position.keep_useful_marks();
    position.fen()
}

impl SlowPosition<'_> {
    /// The right to castle with the outermost partner on either side of the king.
    fn give_castling(&mut self, side: Side) {
        let king = self.king(side).file;
        let partners = self.partner_files(side);
        let left = partners.iter().copied().filter(|&file| file < king).min();
        let right = partners.iter().copied().filter(|&file| file > king).max();
        let at_home = left.into_iter().chain(right).filter(|&file| self.is_home(side, king, file));
        let rights: Vec<_> = at_home.map(|file| (side, file)).collect();
        self.castling.extend(rights);
    }
}

impl SlowPosition<'_> {
    /// Whether a king and a partner on these files of their first rank may castle: in games whose rights are written as `KQkq`
    /// both must stand where they do in the army.
    fn is_home(&self, side: Side, king: i32, partner: i32) -> bool {
        let Some(castling) = &self.variant.castling else { return false };
        let at = |file: i32| {
            self.variant.armies[side as usize]
                .at(File(file as u8))
                .and_then(|letter| self.variant.piece(letter))
        };
        castling.rights == RightsNotation::Files
            || at(king).is_some_and(|piece| piece.royal)
                && at(partner).is_some_and(|piece| castling.partners.contains(&piece.letter))
    }
}

/// The rearmost rank on which a side has pawns, from its own end.
pub(super) fn pawns_start_on(variant: &Variant, side: Side) -> i32 {
    let pawns = variant
        .fixed_pieces
        .iter()
        .filter(|piece| piece.1 as usize == side as usize && piece.2 == Letter::PAWN);
    let ranks = pawns.map(|piece| side.own_rank(variant, variant.board.rank_of(piece.0) as i32));
    ranks.min().expect("each side has pawns")
}

/// How many men with a letter a side starts with.
pub(super) fn starts_with(variant: &Variant, side: Side, letter: Letter) -> usize {
    let fixed =
        variant.fixed_pieces.iter().filter(|piece| piece.1 as usize == side as usize && piece.2 == letter);
    fixed.count() + variant.armies[side as usize].pieces().filter(|piece| piece.1 == letter).count()
}

/// Whether a side starts with several adjusting pieces, all on squares of one colour.
fn bishops_start_on_one_colour(variant: &Variant, rank: &FirstRank) -> bool {
    let Some(adjustment) = &variant.adjustment else {
        return false;
    };
    // Which rank they stand on does not matter: they all stand on the same.
    let colours: Vec<Colour> = rank
        .pieces()
        .filter(|&(_, letter)| letter == adjustment.piece)
        .map(|(file, _)| Colour::of(file, 0))
        .collect();
    colours.len() >= 2 && colours.iter().all(|&colour| colour == colours[0])
}
