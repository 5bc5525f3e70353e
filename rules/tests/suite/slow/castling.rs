//! Castling, under the Chess960 conditions.

use backrank_rules::CastlingEnd;

use super::{SlowPosition, Square};

impl SlowPosition<'_> {
    /// Castling, written as the king taking its own partner.
    pub(super) fn castlings(&self) -> Vec<(String, Self)> {
        let mut moves = Vec::new();
        let Some(castling) = &self.variant.castling else {
            return moves;
        };
        let king_from = self.king(self.side);
        for &(_, file) in self.castling.iter().filter(|&&(side, _)| side == self.side) {
            let partner_from = self.on_first_rank(self.side, file);
            let is_left = file < king_from.file;
            let letter = self.at(partner_from).expect("a partner").letter;
            let of_its_own = castling.with.iter().find(|(partner, _)| *partner == letter);
            let [left, right] =
                of_its_own.map_or([&castling.left, &castling.right], |(_, landings)| landings.each_ref());
            let landing = if is_left { left } else { right };
            let (king_file, partner_file) = match landing.end {
                CastlingEnd::Files { king, partner } => (i32::from(king.0), i32::from(partner.0)),
                // Two squares towards the rook, say, which lands on the square crossed last; in a corner they change places.
                CastlingEnd::Steps(steps) => {
                    let towards = if is_left { -1 } else { 1 };
                    let far = king_from.file + towards * i32::from(steps);
                    let is_on_board = (0..self.variant.board.files() as i32).contains(&far);
                    if is_on_board { (far, far - towards) } else { (file, king_from.file) }
                }
            };
            let king_to = self.on_first_rank(self.side, king_file);
            let partner_to = self.on_first_rank(self.side, partner_file);

            let king_path = all_between(king_from, king_to);
            let partner_path = all_between(partner_from, partner_to);
            // Every square on both ways is empty but for the two.
            let is_free =
                |&square: &Square| square == king_from || square == partner_from || self.at(square).is_none();
            // Every square of the king's way, both ends included, is free of attack.
            let is_safe = |&square: &Square| !self.is_attacked(square, self.side.enemy());
            if king_path.iter().all(is_free)
                && partner_path.iter().all(is_free)
                && king_path.iter().all(is_safe)
            {
                let next = self.after(&[
                    (king_from, None),
                    (partner_from, None),
                    (king_to, self.at(king_from)),
                    (partner_to, self.at(partner_from)),
                ]);
                moves.push((format!("{king_from}{partner_from}"), next));
            }
        }
        moves
    }
}

/// The squares of one rank from one to the other, both included.
fn all_between(from: Square, to: Square) -> Vec<Square> {
    (from.file.min(to.file)..=from.file.max(to.file)).map(|file| Square { file, rank: from.rank }).collect()
}
