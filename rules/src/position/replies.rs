//! Counting the replies to many moves: most of the opponent's pieces reach the same squares after each of them.

use super::generate::Counter;
use super::{EMPTY, Position};
use crate::moves::{Move, MoveKind};
use crate::rules::PAWN_KIND;
use crate::rules::kinds::Plays;
use crate::square::{Square, Squares};

/// The most pieces of a side that are kept count of, pawns and kings aside.
const MOST: usize = 32;

/// One of the opponent's pieces before the move.
#[derive(Clone, Copy)]
struct Piece<'r> {
    square: Square,
    plays: &'r Plays,
    /// The squares it reaches.
    reached: u128,
    /// How many of them its own side leaves free.
    moves: u32,
}

/// What the opponent's pieces other than pawns and king could play if it were their move, checks and pins aside.
pub(super) struct Replies<'p, 'r> {
    position: &'p Position<'r>,
    /// Those that ride come first.
    pieces: [Piece<'r>; MOST],
    riders: usize,
    count: usize,
    /// Squares that some rider reaches.
    ridden: u128,
    moves: u32,
}

impl<'p, 'r> Replies<'p, 'r> {
    /// Nothing where a side has too many pieces, or some whose moves depend on more than what blocks them.
    pub fn new(position: &'p Position<'r>) -> Option<Self> {
        let rules = position.rules;
        let them = position.side.other();
        let (own, occupied) = (position.pieces(them), position.occupied());
        let nothing = Piece { square: Square(0), plays: &rules.kinds[0].plays[0], reached: 0, moves: 0 };
        let mut replies =
            Self { position, pieces: [nothing; MOST], riders: 0, count: 0, ridden: 0, moves: 0 };
        for riding in [true, false] {
            for (kind, pieces) in rules.kinds.iter().zip(&position.kinds).skip(1) {
                let plays = &kind.plays[them as usize];
                let pieces = pieces & own;
                if kind.royal || pieces == 0 || riding != (plays.attack.lines > 0) {
                    continue;
                }
                if !plays.plain || replies.count + pieces.count_ones() as usize > MOST {
                    return None;
                }
                for square in Squares(pieces) {
                    let reached = rules.tables.reached(plays.attack, square, occupied);
                    let moves = (reached & !own).count_ones();
                    replies.pieces[replies.count] = Piece { square, plays, reached, moves };
                    replies.count += 1;
                    replies.moves += moves;
                    if riding {
                        replies.ridden |= reached;
                    }
                }
            }
            if riding {
                replies.riders = replies.count;
            }
        }
        Some(replies)
    }

    /// How many legal replies there are to a legal move.
    #[inline(always)]
    pub fn count(&self, played: Move) -> usize {
        let mut next = *self.position;
        next.play_with_key::<false>(played);
        if played.kind != MoveKind::Normal {
            return next.count_legal_moves();
        }
        let threats = next.threats();
        if threats.in_check() || threats.pinned != 0 {
            return next.count_legal_moves();
        }
        let mut counter = Counter::default();
        next.visit_king(&mut counter);
        next.visit_pawns(&mut counter, next.kinds[PAWN_KIND as usize] & next.pieces(next.side), u128::MAX);
        next.visit_specials(&mut counter, &threats);
        counter.moves += self.moves_after(&next, played);
        counter.total(next.rules)
    }

    /// The moves of all but pawns and king.
    #[inline(always)]
    fn moves_after(&self, next: &Position<'r>, played: Move) -> u32 {
        let tables = &next.rules.tables;
        let (from, to) = (played.from.bit(), played.to.bit());
        let own = next.pieces(next.side);
        let mut moves = self.moves;
        if self.position.mailbox[played.to.0 as usize & 127] == EMPTY {
            // Riders see through the square that was left and stop at the one that was taken.
            if self.ridden & (from | to) != 0 {
                for piece in &self.pieces[..self.riders] {
                    if piece.reached & (from | to) != 0 {
                        let reached = tables.reached(piece.plays.attack, piece.square, next.occupied());
                        moves = moves + (reached & !own).count_ones() - piece.moves;
                    }
                }
            }
        } else {
            for piece in &self.pieces[..self.count] {
                if piece.square == played.to {
                    moves -= piece.moves;
                } else if piece.reached & from != 0 {
                    let reached = tables.reached(piece.plays.attack, piece.square, next.occupied());
                    moves = moves + (reached & !own).count_ones() - piece.moves;
                } else if piece.reached & to != 0 {
                    // Where its own piece stood there is one to take.
                    moves += 1;
                }
            }
        }
        moves
    }
}
