//! Counting the replies to many moves at once.
//!
//! Most moves change little for the opponent: its king is as safe as before, the same pieces are pinned, and all but a
//! few pieces reach the same squares. So the opponent's moves are counted once, as if it could move now, and for each
//! move only what that move changes is counted again. A move that may affect the safety of the king is played, and its
//! replies are counted from scratch.

use super::Position;
use super::generate::{Counter, PawnMoves, PawnTargets};
use crate::bitboard::Bitboard;
use crate::compiled::occupied::Occupied;
use crate::compiled::tables::Plays;
use crate::moves::{Move, MoveKind};
use crate::piece_kind::PieceKind;
use crate::square::{Side, Square};

/// The largest number of a side's pieces, other than pawns and king, for which this works.
const MAX_PIECES: usize = 32;

/// One of the opponent's pieces before the move.
#[derive(Clone, Copy)]
struct ReplyingPiece<'r> {
    square: Square,
    plays: &'r Plays,
    /// The squares that it reaches; all squares, if its moves depend on more than what blocks them.
    reached: Bitboard,
    /// The squares to which it can go without exposing its king.
    shielding: Bitboard,
    /// The number of its moves.
    moves: u32,
}

/// What the opponent could play if it were its move.
pub(super) struct Replies<'p, 'r> {
    position: &'p Position<'r>,
    /// The same position with the opponent to move.
    waiting: &'p Position<'r>,
    /// Riders, and pieces that move otherwise than they capture, come first.
    pieces: [ReplyingPiece<'r>; MAX_PIECES],
    riders: usize,
    count: usize,
    /// Squares that some rider reaches.
    ridden: Bitboard,
    /// The number of moves of all pieces but pawns.
    moves: u32,
    /// Pawns that are pinned to their king.
    pinned_pawns: Bitboard,
    /// The number of pieces that a pawn can promote to.
    choices: usize,
    pawns: Counter,
    /// Squares that the moves of pawns depend on.
    pawn_squares: Bitboard,
    /// Squares from or to which a move may change the safety of the king, or the moves on the first rank.
    sensitive: Bitboard,
    /// Squares that change the safety of the king when a piece comes to attack them.
    watched: Bitboard,
    /// For each kind, the squares from which its piece would attack a watched square on an empty board.
    sights: [Bitboard; PieceKind::MAX],
    /// For each kind, the squares from which its piece would ride to the king on an empty board.
    king_sights: [Bitboard; PieceKind::MAX],
}

impl<'p, 'r> Replies<'p, 'r> {
    /// Counts for a position, and the same position with the opponent to move. `None` if the opponent has too many
    /// pieces, an unusual king, or is in check, or the game has pieces that go along
    /// paths or Berolina pawns, can end by a goal or by checks, or lets pawns become captured pieces only.
    #[inline(always)]
    pub fn new(position: &'p Position<'r>, waiting: &'p Position<'r>) -> Option<Self> {
        let rules = position.rules;
        let them = position.side.other();
        let king = position.king(them);
        let promotes_to_captured = rules.variant().pawn.promotes_to_captured;
        if rules.ends_early || promotes_to_captured || rules.has_paths() || rules.berolina {
            return None;
        }
        if !rules.kind(waiting.mailbox[king.index()]).steps_as_king {
            return None;
        }
        let nothing = ReplyingPiece {
            square: king,
            plays: &rules.kinds[0].plays[0],
            reached: Bitboard::EMPTY,
            shielding: Bitboard::FULL,
            moves: 0,
        };
        let mut replies = Self {
            position,
            waiting,
            pieces: [nothing; MAX_PIECES],
            riders: 0,
            count: 0,
            ridden: Bitboard::EMPTY,
            moves: 0,
            pinned_pawns: Bitboard::EMPTY,
            choices: rules.variant().pawn.promotes_to[them as usize].len(),
            pawns: Counter::default(),
            pawn_squares: Bitboard::EMPTY,
            sensitive: Bitboard::EMPTY,
            watched: king.bitboard(),
            sights: [Bitboard::EMPTY; PieceKind::MAX],
            king_sights: [Bitboard::EMPTY; PieceKind::MAX],
        };
        let check_info = replies.waiting.check_info();
        if check_info.is_check() || !replies.count_pieces(check_info.pinned) {
            return None;
        }
        let mut fixed = Counter::default();
        replies.waiting.visit_king(&mut fixed);
        replies.waiting.visit_specials(&mut fixed, &check_info);
        replies.moves += fixed.moves;
        let pawns = waiting.of_kind(PieceKind::PAWN) & waiting.pieces(them);
        replies.pinned_pawns = check_info.pinned & pawns;
        let attacked = |step: i32| super::generate::shifted(pawns, step);
        let forward = rules.sides[them as usize].forward;
        // A square too many, across the edge of the board, does no harm.
        replies.pawn_squares =
            attacked(forward) | attacked(2 * forward) | attacked(forward - 1) | attacked(forward + 1) | pawns;
        replies.pawns = replies.count_pawns(pawns, waiting.occupied(), waiting.pieces(position.side));
        replies.watch(king);
        Some(replies)
    }

    fn count_pieces(&mut self, pinned: Bitboard) -> bool {
        let waiting = self.waiting;
        let (rules, them) = (waiting.rules, waiting.side);
        let (own, enemy) = (waiting.pieces(them), waiting.pieces(them.other()));
        let occupied = Occupied::new(own | enemy);
        for riding in [true, false] {
            for (kind, pieces) in rules.kinds.iter().zip(&waiting.kinds).skip(1) {
                let plays = &kind.plays[them as usize];
                let pieces = *pieces & own;
                if kind.royal || pieces.is_empty() || riding != (plays.attack.lines > 0 || !plays.plain) {
                    continue;
                }
                if self.count + pieces.count() as usize > MAX_PIECES {
                    return false;
                }
                for square in pieces {
                    let mut reached = waiting.reached(plays, square, &occupied, enemy);
                    let shielding =
                        if pinned.contains(square) { waiting.shielding(square) } else { Bitboard::FULL };
                    let moves = (reached & !own & shielding).count();
                    if !plays.plain {
                        reached = Bitboard::FULL;
                    }
                    self.pieces[self.count] = ReplyingPiece { square, plays, reached, shielding, moves };
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

    /// Records everything that the safety of the king depends on, wherever it may go next.
    fn watch(&mut self, king: Square) {
        let waiting = self.waiting;
        let (rules, them, us) = (waiting.rules, waiting.side, self.position.side);
        let own = waiting.pieces(them);
        let steps = rules.kind(waiting.mailbox[king.index()]).plays[them as usize].attack;
        let beside = rules.tables.leaps(steps.leaps, king);
        self.watched |= beside & !own;
        // When a piece beside the king is captured, the king can go to one more square.
        self.sensitive |= beside & own;
        if !(waiting.castling | waiting.unmoved).is_disjoint(own) {
            self.sensitive |= rules.sides[them as usize].first_rank;
            self.watched |= waiting.king_swap_squares();
            for partner in waiting.castling & own {
                self.watched |= waiting.castling_passes(king, partner).unwrap_or_default();
            }
        }
        let without_king = waiting.occupied() & !king.bitboard();
        for square in self.watched {
            // A line with one more piece in the way stays closed when that piece goes. A second piece between the king
            // and a rider becomes pinned.
            let shields = if square == king { 2 } else { 1 };
            self.sensitive |= waiting.sight_lines(square, us, without_king, shields);
            let back = rules.sides[them as usize].pawn_attacks[square.index()];
            self.sights[PieceKind::PAWN.index()] |= back;
            let attackers = &rules.sides[us as usize].attackers;
            for group in &attackers.leapers {
                for kind in group.kinds.iter() {
                    self.sights[kind.index()] |= rules.tables.leaps(group.from, square);
                }
            }
            for group in &attackers.riders {
                let reach = rules.tables.leaps(group.reach, square);
                for kind in group.kinds.iter() {
                    self.sights[kind.index()] |= reach;
                    if square == king {
                        self.king_sights[kind.index()] |= reach;
                    }
                }
            }
        }
    }

    /// The number of legal replies to a legal move.
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

    /// Whether a move leaves the opponent's king, and the squares it may go to, as safe as before.
    #[inline(always)]
    fn leaves_king_alone(&self, played: Move) -> bool {
        let position = self.position;
        let (from, to) = (played.from.bitboard(), played.to.bitboard());
        if played.kind != MoveKind::Normal || !(from | to).is_disjoint(self.sensitive) {
            return false;
        }
        let us = position.side;
        let kind = position.mailbox[played.from.index()];
        if kind == PieceKind::PAWN {
            let step = played.to.index() as i32 - played.from.index() as i32;
            let double = step == 2 * position.rules.sides[us as usize].forward;
            let offers_en_passant =
                || double && position.is_pawn_ready(us.other(), played.from.offset(step / 2));
            return !self.sights[PieceKind::PAWN.index()].contains(played.to) && !offers_en_passant();
        }
        if !self.sights[kind.index()].contains(played.to) {
            return true;
        }
        if self.king_sights[kind.index()].contains(played.to) {
            return false;
        }
        let plays = &position.rules.kind(kind).plays[us as usize];
        let without_king = position.occupied() & !from & !position.king(us.other()).bitboard();
        let attacked = position.rules.tables.reached(plays.attack, played.to, &Occupied::new(without_king));
        attacked.is_disjoint(self.watched)
    }

    #[inline(always)]
    fn count_changes(&self, played: Move) -> usize {
        let (from, to) = (played.from.bitboard(), played.to.bitboard());
        let waiting = self.waiting;
        let own = waiting.pieces(waiting.side) & !to;
        let occupied = waiting.occupied() & !from | to;
        let enemy = occupied & !own;
        let mut moves = self.moves;
        let ways = Occupied::new(occupied);
        let recounted = |piece: &ReplyingPiece| {
            let reached = waiting.reached(piece.plays, piece.square, &ways, enemy);
            (reached & !own & piece.shielding).count()
        };
        let captures = waiting.mailbox[played.to.index()] != PieceKind::NONE;
        if captures {
            for piece in &self.pieces[..self.count] {
                if piece.square == played.to {
                    moves -= piece.moves;
                } else if !piece.reached.is_disjoint(from | to) {
                    moves = moves + recounted(piece) - piece.moves;
                }
            }
        } else if !self.ridden.is_disjoint(from | to) {
            // Riders pass the square that was left and stop at the one that was occupied.
            for piece in &self.pieces[..self.riders] {
                if !piece.reached.is_disjoint(from | to) {
                    moves = moves + recounted(piece) - piece.moves;
                }
            }
        }
        let pawns = if !(from | to).is_disjoint(self.pawn_squares) {
            let pawns = waiting.of_kind(PieceKind::PAWN) & own;
            self.count_pawns(pawns, occupied, enemy)
        } else {
            self.pawns
        };
        moves as usize + pawns.total(self.choices)
    }

    /// Counts the moves of the opponent's pawns, without en passant.
    #[inline(always)]
    fn count_pawns(&self, pawns: Bitboard, occupied: Bitboard, enemy: Bitboard) -> Counter {
        let waiting = self.waiting;
        let mut counter = Counter::default();
        let unpinned = pawns & !self.pinned_pawns;
        waiting.visit_pawns(
            &mut counter,
            PawnMoves { pawns: unpinned, occupied, enemy, targets: PawnTargets::ALL },
        );
        for pawn in pawns & self.pinned_pawns {
            let targets = PawnTargets::ALL.within(waiting.shielding(pawn));
            waiting.visit_pawns(&mut counter, PawnMoves { pawns: pawn.bitboard(), occupied, enemy, targets });
        }
        counter
    }
}

impl Position<'_> {
    /// The number of sequences of two legal moves.
    pub(crate) fn count_two_plies(&self) -> u64 {
        let mut waiting = *self;
        waiting.side = self.side.other();
        waiting.en_passant = None;
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

    /// The pieces of a side that attack a square, and its riders that would attack it but for at most `max_shields`
    /// pieces in the way, together with the squares between.
    fn sight_lines(&self, square: Square, by: Side, occupied: Bitboard, max_shields: u32) -> Bitboard {
        let rules = self.rules;
        let attackers = &rules.sides[by as usize].attackers;
        let mut squares = rules.sides[by.other() as usize].pawn_attacks[square.index()]
            & self.of_kind(PieceKind::PAWN)
            & self.pieces(by)
            | self.leaping_attackers(square, by);
        for group in &attackers.riders {
            let riders = self.riders(group, by);
            if rules.tables.leaps(group.reach, square).is_disjoint(riders) {
                continue;
            }
            for line in rules.tables.lines(group.from, square) {
                for rider in line.all() & riders {
                    let between = line.between(rider);
                    if (between & occupied).count() <= max_shields {
                        squares |= between | rider.into();
                    }
                }
            }
        }
        squares
    }
}
