//! Positions in which the game is over.

use super::Position;
use crate::outcome::{Outcome, Termination};
use crate::square::{Side, Square};
use crate::variant::Stalemate;

impl Position<'_> {
    /// How the game has ended in this position, if it has: by a goal, by checks, by checkmate, stalemate, a bare king,
    /// insufficient material or the fifty-move rule. Only a [`Game`](crate::Game) knows of repetition.
    ///
    /// If several apply, the first in this order counts.
    pub fn outcome(&self) -> Option<Outcome> {
        if let Some(outcome) = self.early_outcome() {
            return Some(outcome);
        }
        let can_move = self.has_legal_move();
        if !can_move && self.is_check() {
            return Some(Outcome::win(self.side.other(), Termination::Checkmate));
        }
        if self.rules.variant().bare_king
            && let Some(outcome) = self.bare_king()
        {
            return Some(outcome);
        }
        if !can_move {
            return Some(match self.rules.variant().stalemate {
                Stalemate::Draw => Outcome::draw(Termination::Stalemate),
                Stalemate::Loss => Outcome::win(self.side.other(), Termination::Stalemate),
                Stalemate::Win => Outcome::win(self.side, Termination::Stalemate),
            });
        }
        if self.is_insufficient_material() {
            return Some(Outcome::draw(Termination::InsufficientMaterial));
        }
        (self.halfmoves >= 100).then(|| Outcome::draw(Termination::FiftyMoves))
    }

    /// How the game has ended by a goal or by checks, if it has. There are no legal moves then.
    #[inline]
    pub fn early_outcome(&self) -> Option<Outcome> {
        if !self.rules.ends_early {
            return None;
        }
        // The side that has just moved comes first.
        [self.side.other(), self.side].into_iter().find_map(|side| {
            let at_goal = self.rules.goal.is_some_and(|(kind, squares)| {
                !(self.of_kind(kind) & squares[side as usize]).is_disjoint(self.pieces(side))
            });
            let by_checks = self.rules.checks > 0 && self.checks_left[side as usize] == 0;
            match (at_goal, by_checks) {
                (true, _) => Some(Outcome::win(side, Termination::Goal)),
                (_, true) => Some(Outcome::win(side, Termination::Checks)),
                _ => None,
            }
        })
    }

    fn is_bare(&self, side: Side) -> bool {
        self.pieces(side).is_single()
    }

    /// 003: taking the last piece or pawn wins, unless the bared side can at once take the other's last one, which is a
    /// draw.
    ///
    /// A reading: the bared side is given that one move whenever some legal move of its takes the last piece; playing
    /// another loses.
    fn bare_king(&self) -> Option<Outcome> {
        let (us, them) = (self.side, self.side.other());
        match (self.is_bare(us), self.is_bare(them)) {
            (true, true) => Some(Outcome::draw(Termination::BareKing)),
            (false, true) => Some(Outcome::win(us, Termination::BareKing)),
            (true, false) => {
                let others = self.pieces(them) & !self.king(them).bitboard();
                let mut can_reply = false;
                if others.is_single() {
                    self.for_each_legal_move(|played| can_reply |= played.to.bitboard() == others);
                }
                (!can_reply).then(|| Outcome::win(them, Termination::BareKing))
            }
            (false, false) => None,
        }
    }

    /// Whether no sequence of legal moves can mate.
    ///
    /// Three cases are recognised, from how the pieces move and not from their letters. Both kings must step as
    /// orthodox kings do.
    ///
    /// - There are only the two kings.
    /// - There is one more piece, whose attacks are at any time all on squares of one colour: a knight, a bishop, any
    ///   other leaper or colour-bound piece, but not a rook, a minister or a nightrider. The king in check then has at
    ///   least two neighbours across edges, all of the other colour, and no king that keeps its distance covers two
    ///   of them.
    /// - All other pieces never leave the colour of their squares, and all stand on one colour. The reason is the same.
    ///
    /// A bishop that may still adjust can change its colour, so it does not count as such a piece. Any pawn is
    /// sufficient, even one that is blocked for good. Where a bare king or a stalemate loses, or a check wins, only two bare
    /// kings are a draw; where a piece has a goal, nothing is.
    pub fn is_insufficient_material(&self) -> bool {
        let rules = self.rules;
        if rules.goal.is_some() {
            return false;
        }
        let kings = self.king(Side::White).bitboard() | self.king(Side::Black).bitboard();
        let others = self.occupied() & !kings;
        let kind_at = |square: Square| rules.kind(self.mailbox[square.index()]);
        if !kings.iter().all(|king| kind_at(king).steps_as_king) {
            return false;
        }
        if others.is_empty() {
            return true;
        }
        let variant = rules.variant();
        let wins_otherwise = variant.bare_king || variant.stalemate != Stalemate::Draw || variant.checks > 0;
        if wins_otherwise || !self.unmoved.is_disjoint(others) {
            return false;
        }
        if others.is_single() && others.iter().all(|piece| kind_at(piece).attacks_one_colour) {
            return true;
        }
        let board = rules.board;
        let mut colours = others
            .iter()
            .map(|square| crate::board::Colour::of(board.file_of(square), board.rank_of(square)));
        let first = colours.next();
        colours.all(|colour| Some(colour) == first) && others.iter().all(|piece| kind_at(piece).colour_bound)
    }
}
