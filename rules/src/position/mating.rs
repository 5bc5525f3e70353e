//! Whether a side could still give checkmate.

use super::{Position, PositionBuilder};
use crate::bitboard::Bitboard;
use crate::compiled::occupied::Occupied;
use crate::outcome::Termination;
use crate::piece_kind::PieceKind;
use crate::square::{Side, Square};
use crate::variant::Stalemate;

/// Against more pieces than these a side with one piece is taken to be able to mate: they can stand in their king's way.
const MAX_BLOCKERS: usize = 3;

impl Position<'_> {
    /// Whether a side may be able to checkmate by some sequence of legal moves, however unlikely (FIDE 6.9: a player whose time
    /// is up does not lose if the opponent cannot).
    ///
    /// `false` is certain; it is recognised in these cases, where kings move as orthodox kings do:
    ///
    /// - The side has only its king.
    /// - The position is drawn by [insufficient material](Self::is_insufficient_material).
    /// - The side has one more piece, a plain leaper or rider whose attacks are at any time all on squares of one colour, and there is no checkmate at
    ///   all by it against the opponent's pieces, of which there are at most three and no pawns. All positions are tried. In
    ///   chess this is a bishop against queens and rooks, and a knight against queens.
    ///
    /// ```
    /// use backrank_rules::{Position, Rules, Side, Variant};
    ///
    /// let rules = Rules::new(&Variant::find("chess")?);
    /// let can_mate = |fen| Position::from_fen(&rules, fen).map(|position| position.can_mate(Side::White));
    /// assert_eq!(can_mate("4k3/q7/8/8/8/8/8/3NK3 w - - 0 1"), Ok(false));
    /// assert_eq!(can_mate("4k3/r7/8/8/8/8/8/3NK3 w - - 0 1"), Ok(true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn can_mate(&self, side: Side) -> bool {
        let rules = self.rules;
        let men = |side: Side| self.pieces(side) & !self.king(side).bitboard();
        if !Side::BOTH.into_iter().all(|side| rules.kind(self.mailbox[self.king(side).index()]).steps_as_king)
        {
            return true;
        }
        if rules.variant().goal.is_some() {
            return true;
        }
        if men(side).is_empty() || self.is_insufficient_material() {
            return false;
        }
        let blockers = men(side.other());
        let Some(mater) = men(side).first().filter(|_| men(side).is_single()) else { return true };
        let kind = self.mailbox[mater.index()];
        if rules.variant().bare_king
            || rules.variant().stalemate != Stalemate::Draw
            || rules.checks > 0
            || !rules.kind(kind).attacks_one_colour
            || rules.kind(kind).plays[side as usize].attack.paths != 0
            || !self.unmoved.is_disjoint(men(side))
            || !blockers.is_disjoint(self.of_kind(PieceKind::PAWN))
            || blockers.count() as usize > MAX_BLOCKERS
        {
            return true;
        }
        let blockers = blockers.iter().map(|square| self.mailbox[square.index()]).collect();
        SingleMater { position: self, side, kind, blockers }.mates()
    }
}

/// A king and one piece that try to mate a king among pieces of its own.
struct SingleMater<'p, 'r> {
    position: &'p Position<'r>,
    side: Side,
    kind: PieceKind,
    blockers: Vec<PieceKind>,
}

impl SingleMater<'_, '_> {
    /// Whether there is a position in which the side has mated. Pieces that do not stand beside their king could only help it,
    /// so they are left off the board.
    fn mates(&self) -> bool {
        let squares = self.position.board().all_squares();
        squares.iter().any(|mated| {
            let beside = self.beside(mated);
            let far = squares & !beside & !mated.bitboard();
            far.iter().any(|king| {
                (squares & !mated.bitboard() & !king.bitboard()).iter().any(|mater| {
                    let attacked = self.attacked(mater, king.bitboard());
                    let fled = beside & !self.beside(king) & !attacked & !mater.bitboard();
                    attacked.contains(mated)
                        && fled.count() as usize <= self.blockers.len()
                        && self.fill(&mut vec![], fled, beside & !mater.bitboard(), [mated, king, mater])
                })
            })
        })
    }

    /// The squares to which a king could step from a square.
    fn beside(&self, square: Square) -> Bitboard {
        let rules = self.position.rules;
        let king = self.position.mailbox[self.position.king(self.side).index()];
        let plays = &rules.kind(king).plays[self.side as usize];
        rules.tables.reached(plays.attack, square, &Occupied::new(Bitboard::EMPTY))
    }

    /// The squares that the piece attacks when these are taken. The mated king is not in the way, as it could step on.
    fn attacked(&self, from: Square, occupied: Bitboard) -> Bitboard {
        let rules = self.position.rules;
        let plays = &rules.kind(self.kind).plays[self.side as usize];
        rules.tables.reached(plays.attack, from, &Occupied::new(occupied))
    }

    /// Whether it is mate when the blockers that are not placed yet stand on all squares of `needed` and on any of `free`, in
    /// some order.
    fn fill(
        &self,
        placed: &mut Vec<(Square, PieceKind)>,
        needed: Bitboard,
        free: Bitboard,
        men: [Square; 3],
    ) -> bool {
        if needed.is_empty() && self.is_mate(placed, men) {
            return true;
        }
        let mut left = self.blockers.clone();
        for (_, kind) in placed.iter() {
            let index = left.iter().position(|other| other == kind).expect("it is one of them");
            left.swap_remove(index);
        }
        if left.len() < needed.count() as usize {
            return false;
        }
        left.sort_unstable();
        left.dedup();
        let squares = needed.first().map_or(free, Bitboard::from);
        squares.iter().any(|square| {
            // Squares that are not needed are filled in ascending order, so that each set of them is tried once.
            let later = if needed.is_empty() { free & !Bitboard::before(square) } else { free };
            left.iter().any(|&kind| {
                placed.push((square, kind));
                let rest = !square.bitboard();
                let mates = self.fill(placed, needed & rest, later & rest, men);
                placed.pop();
                mates
            })
        })
    }

    fn is_mate(&self, placed: &[(Square, PieceKind)], [mated, king, mater]: [Square; 3]) -> bool {
        let position = self.position;
        let them = self.side.other();
        let king_of = |side: Side| position.mailbox[position.king(side).index()];
        if placed.iter().any(|&(square, _)| square == king) {
            return false;
        }
        let mut builder = PositionBuilder::new(position.rules);
        builder.put(mated, them, king_of(them)).put(king, self.side, king_of(self.side));
        builder.put(mater, self.side, self.kind).side_to_move(them);
        for &(square, kind) in placed {
            builder.put(square, them, kind);
        }
        let built = builder.build().ok().and_then(|position| position.outcome());
        built.is_some_and(|outcome| outcome.termination == Termination::Checkmate)
    }
}
