//! Legal moves: everything that can be played, less what leaves the king in check.

use backrank_rules::Letter;

use super::{Man, SlowPosition, Square};

impl SlowPosition<'_> {
    /// Every legal move in UCI and the position after it, in alphabetical order.
    pub fn moves(&self) -> Vec<(String, Self)> {
        let mut moves = Vec::new();
        if self.is_over() {
            return moves;
        }
        for (from, man) in self.men(self.side) {
            if man.letter == Letter::PAWN {
                moves.extend(self.pawn_moves(from, man));
            } else {
                moves.extend(self.piece_moves(from, man));
            }
        }
        moves.extend(self.castlings());
        moves.extend(self.adjustments());
        moves.retain(|(_, next)| !next.is_in_check(self.side));
        moves.sort_by(|(one, _), (other, _)| one.cmp(other));
        moves
    }

    /// The legal moves in UCI, in alphabetical order.
    pub fn uci_moves(&self) -> Vec<String> {
        self.moves().into_iter().map(|(uci, _)| uci).collect()
    }

    fn piece_moves(&self, from: Square, man: Man) -> Vec<(String, Self)> {
        let mut moves = Vec::new();
        for to in self.targets(from, man) {
            let mut next = self.after(&[(from, None), (to, Some(man))]);
            if self.at(to).is_some() {
                next.halfmoves = 0;
            }
            moves.push((format!("{from}{to}"), next));
        }
        moves
    }
}
