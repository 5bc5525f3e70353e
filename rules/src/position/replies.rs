//! Counting the replies to many moves at once.
//!
//! Most moves change little for the opponent: its king is as safe as before, the same pieces are pinned, and all but a
//! few reach the same squares. So its moves are counted once, as if it could move now, and for each move only what
//! that move changes is counted anew. A move that may touch the safety of the king is played and its replies are
//! counted from nothing.

use super::generate::{Counter, Pawns};
use super::{EMPTY, NOWHERE, Position};
use crate::moves::{Move, MoveKind};
use crate::rules::kinds::Plays;
use crate::rules::rays::Occupied;
use crate::rules::{MAX_KINDS, PAWN_KIND};
use crate::square::{Side, Square, Squares};

/// The most pieces of a side that are kept count of, pawns and king aside.
const MOST: usize = 32;

/// One of the opponent's pieces before the move.
#[derive(Clone, Copy)]
struct Piece<'r> {
    square: Square,
    plays: &'r Plays,
    /// The squares it reaches; all, where its moves depend on more than what blocks them.
    reached: u128,
    /// Where it may go without uncovering its king.
    shielding: u128,
    /// How many moves it has.
    moves: u32,
}

/// What the opponent could play if it were its move.
pub(super) struct Replies<'p, 'r> {
    position: &'p Position<'r>,
    /// The same with the opponent to move.
    waiting: &'p Position<'r>,
    /// Those that ride, or move otherwise than they capture, come first.
    pieces: [Piece<'r>; MOST],
    riders: usize,
    count: usize,
    /// Squares that some rider reaches.
    ridden: u128,
    /// Moves of all but pawns.
    moves: u32,
    /// Pawns that shield their king.
    pinned_pawns: u128,
    pawns: Counter,
    /// Squares on which the moves of pawns depend.
    pawn_squares: u128,
    /// A move from or to one of these may change the safety of the king, or moves on the first rank.
    sensitive: u128,
    /// A piece that comes to attack one of these does.
    watched: u128,
    /// Squares from which a piece of each kind would attack one of these on an empty board.
    sights: [u128; MAX_KINDS],
    /// Squares from which it would ride to the king on an empty board.
    king_sights: [u128; MAX_KINDS],
}

impl<'p, 'r> Replies<'p, 'r> {
    /// For a position and the same with the opponent to move; nothing where that side has too many pieces or an
    /// unusual king.
    #[inline(always)]
    pub fn new(position: &'p Position<'r>, waiting: &'p Position<'r>) -> Option<Self> {
        let rules = position.rules;
        let them = position.side.other();
        let king = position.king(them);
        if !rules.kinds[waiting.mailbox[king.0 as usize] as usize].steps_as_king {
            return None;
        }
        let nothing = Piece {
            square: king,
            plays: &rules.kinds[0].plays[0],
            reached: 0,
            shielding: u128::MAX,
            moves: 0,
        };
        let mut replies = Self {
            position,
            waiting,
            pieces: [nothing; MOST],
            riders: 0,
            count: 0,
            ridden: 0,
            moves: 0,
            pinned_pawns: 0,
            pawns: Counter::default(),
            pawn_squares: 0,
            sensitive: 0,
            watched: king.bit(),
            sights: [0; MAX_KINDS],
            king_sights: [0; MAX_KINDS],
        };
        let threats = replies.waiting.threats();
        if threats.is_check() || !replies.count_pieces(threats.pinned) {
            return None;
        }
        let mut fixed = Counter::default();
        replies.waiting.visit_king(&mut fixed);
        replies.waiting.visit_specials(&mut fixed, &threats);
        replies.moves += fixed.moves;
        let pawns = waiting.kinds[PAWN_KIND as usize] & waiting.pieces(them);
        replies.pinned_pawns = threats.pinned & pawns;
        let attacked = |step: i32| super::generate::shifted(pawns, step);
        let forward = rules.sides[them as usize].forward;
        // A square too many, across the edge, does no harm.
        replies.pawn_squares =
            attacked(forward) | attacked(2 * forward) | attacked(forward - 1) | attacked(forward + 1) | pawns;
        replies.pawns = replies.count_pawns(pawns, waiting.occupied(), waiting.pieces(position.side));
        replies.watch(king);
        Some(replies)
    }

    fn count_pieces(&mut self, pinned: u128) -> bool {
        let waiting = self.waiting;
        let (rules, them) = (waiting.rules, waiting.side);
        let (own, enemy) = (waiting.pieces(them), waiting.pieces(them.other()));
        let occupied = Occupied::new(own | enemy);
        for riding in [true, false] {
            for (kind, pieces) in rules.kinds.iter().zip(&waiting.kinds).skip(1) {
                let plays = &kind.plays[them as usize];
                let pieces = pieces & own;
                if kind.royal || pieces == 0 || riding != (plays.attack.lines > 0 || !plays.plain) {
                    continue;
                }
                if self.count + pieces.count_ones() as usize > MOST {
                    return false;
                }
                for square in Squares(pieces) {
                    let mut reached = waiting.reached(plays, square, &occupied, enemy);
                    let shielding =
                        if pinned & square.bit() != 0 { waiting.shielding(square) } else { u128::MAX };
                    let moves = (reached & !own & shielding).count_ones();
                    if !plays.plain {
                        reached = u128::MAX;
                    }
                    self.pieces[self.count] = Piece { square, plays, reached, shielding, moves };
                    self.count += 1;
                    self.moves += moves;
                    if riding {
                        self.ridden |= reached;
                    }
                }
            }
            if riding {
                self.riders = self.count;
            }
        }
        true
    }

    /// Notes everything on which the safety of the king depends, wherever it may go next.
    fn watch(&mut self, king: Square) {
        let waiting = self.waiting;
        let (rules, them, us) = (waiting.rules, waiting.side, self.position.side);
        let own = waiting.pieces(them);
        let steps = rules.kinds[waiting.mailbox[king.0 as usize] as usize].plays[them as usize].attack;
        let beside = rules.tables.leaps(steps.leaps, king);
        self.watched |= beside & !own;
        // What is taken beside the king leaves it a square more.
        self.sensitive |= beside & own;
        if (waiting.castling | waiting.unmoved) & own != 0 {
            self.sensitive |= rules.sides[them as usize].first_rank;
            self.watched |= waiting.king_swap_squares();
            for partner in Squares(waiting.castling & own) {
                self.watched |= waiting.castling_passes(king, partner).unwrap_or(0);
            }
        }
        let without_king = waiting.occupied() & !king.bit();
        for square in Squares(self.watched) {
            // A line with one piece more in the way is still closed when that piece goes; a second piece between the
            // king and a rider becomes pinned.
            let shields = if square == king { 2 } else { 1 };
            self.sensitive |= waiting.sight_lines(square, us, without_king, shields);
            let back = rules.sides[them as usize].pawn_attacks[square.0 as usize];
            self.sights[PAWN_KIND as usize] |= back;
            let attackers = &rules.sides[us as usize].attackers;
            for group in &attackers.leapers {
                for kind in group.kinds.each {
                    self.sights[kind as usize] |= rules.tables.leaps(group.from, square);
                }
            }
            for group in &attackers.riders {
                let reach = rules.tables.leaps(group.reach, square);
                for kind in group.kinds.each {
                    self.sights[kind as usize] |= reach;
                    if square == king {
                        self.king_sights[kind as usize] |= reach;
                    }
                }
            }
        }
    }

    /// How many legal replies there are to a legal move.
    #[inline(always)]
    pub fn count(&self, played: Move) -> usize {
        if self.leaves_king_alone(played) {
            self.count_changes(played)
        } else {
            let mut next = *self.position;
            next.play_with_key::<false>(played);
            next.count_legal_moves()
        }
    }

    /// Whether the opponent's king stays as safe as it was, and so do the squares it may go to.
    #[inline(always)]
    fn leaves_king_alone(&self, played: Move) -> bool {
        let position = self.position;
        let (from, to) = (played.from.bit(), played.to.bit());
        if played.kind != MoveKind::Normal || (from | to) & self.sensitive != 0 {
            return false;
        }
        let us = position.side;
        let kind = position.mailbox[played.from.0 as usize & 127];
        if kind == PAWN_KIND {
            let step = i32::from(played.to.0) - i32::from(played.from.0);
            let passed = Square((i32::from(played.from.0) + step / 2) as u8);
            let double = step == 2 * position.rules.sides[us as usize].forward;
            return to & self.sights[PAWN_KIND as usize] == 0
                && !(double && position.is_pawn_ready(us.other(), passed));
        }
        if to & self.sights[kind as usize & 31] == 0 {
            return true;
        }
        if to & self.king_sights[kind as usize & 31] != 0 {
            return false;
        }
        let plays = &position.rules.kinds[kind as usize].plays[us as usize];
        let without_king = position.occupied() & !from & !position.king(us.other()).bit();
        position.rules.tables.reached(plays.attack, played.to, &Occupied::new(without_king)) & self.watched
            == 0
    }

    #[inline(always)]
    fn count_changes(&self, played: Move) -> usize {
        let (from, to) = (played.from.bit(), played.to.bit());
        let waiting = self.waiting;
        let own = waiting.pieces(waiting.side) & !to;
        let occupied = waiting.occupied() & !from | to;
        let enemy = occupied & !own;
        let mut moves = self.moves;
        let ways = Occupied::new(occupied);
        let recounted = |piece: &Piece| {
            let reached = waiting.reached(piece.plays, piece.square, &ways, enemy);
            (reached & !own & piece.shielding).count_ones()
        };
        let captures = waiting.mailbox[played.to.0 as usize & 127] != EMPTY;
        if captures {
            for piece in &self.pieces[..self.count] {
                if piece.square == played.to {
                    moves -= piece.moves;
                } else if piece.reached & (from | to) != 0 {
                    moves = moves + recounted(piece) - piece.moves;
                }
            }
        } else if self.ridden & (from | to) != 0 {
            // Riders see through the square that was left and stop at the one that was taken.
            for piece in &self.pieces[..self.riders] {
                if piece.reached & (from | to) != 0 {
                    moves = moves + recounted(piece) - piece.moves;
                }
            }
        }
        let pawns = if (from | to) & self.pawn_squares != 0 {
            let pawns = waiting.kinds[PAWN_KIND as usize] & own;
            self.count_pawns(pawns, occupied, enemy)
        } else {
            self.pawns
        };
        moves as usize + pawns.total(waiting.rules)
    }

    /// The moves of the opponent's pawns, en passant aside.
    #[inline(always)]
    fn count_pawns(&self, pawns: u128, occupied: u128, enemy: u128) -> Counter {
        let waiting = self.waiting;
        let mut counter = Counter::default();
        let unpinned = pawns & !self.pinned_pawns;
        waiting.visit_pawns(&mut counter, Pawns { pawns: unpinned, occupied, enemy, allowed: u128::MAX });
        for pawn in Squares(pawns & self.pinned_pawns) {
            let allowed = waiting.shielding(pawn);
            waiting.visit_pawns(&mut counter, Pawns { pawns: pawn.bit(), occupied, enemy, allowed });
        }
        counter
    }
}

impl Position<'_> {
    /// How many sequences of two legal moves there are.
    pub(crate) fn count_two_plies(&self) -> u64 {
        let mut waiting = *self;
        waiting.side = self.side.other();
        waiting.en_passant = NOWHERE;
        let mut nodes = 0;
        match Replies::new(self, &waiting) {
            Some(replies) => self.for_each_legal_move(|played| nodes += replies.count(played) as u64),
            None => self.for_each_legal_move(|played| {
                let mut next = *self;
                next.play_with_key::<false>(played);
                nodes += next.count_legal_moves() as u64;
            }),
        }
        nodes
    }

    /// Pieces of a side that attack a square, and the squares between it and riders with at most so many pieces in the
    /// way; these riders too.
    fn sight_lines(&self, square: Square, by: Side, occupied: u128, most_shields: u32) -> u128 {
        let rules = self.rules;
        let attackers = &rules.sides[by as usize].attackers;
        let mut squares = rules.sides[by.other() as usize].pawn_attacks[square.0 as usize]
            & self.kinds[PAWN_KIND as usize]
            & self.pieces(by)
            | self.leaping_attackers(square, by);
        for group in &attackers.riders {
            let riders = self.riders(group, by);
            if rules.tables.leaps(group.reach, square) & riders == 0 {
                continue;
            }
            for line in rules.tables.lines(group.from, square) {
                for rider in Squares(line.all() & riders) {
                    let between = line.between(rider);
                    if (between & occupied).count_ones() <= most_shields {
                        squares |= between | rider.bit();
                    }
                }
            }
        }
        squares
    }
}
