//! Static exchange evaluation (SEE): the result of captures on one square, whatever the pieces are.

use backrank_rules::{Bitboard, Move, MoveKind, PieceKind, Position, Square};

use crate::eval::Evaluator;

/// The material that a capture or promotion wins, if nothing happens after it, in centipawns.
pub(super) fn gain(evaluator: &Evaluator, position: &Position<'_>, played: Move) -> i32 {
    let taken = position.captured(played).map_or(0, |kind| evaluator.value(kind));
    let promoted = played.promotion().and_then(|letter| position.rules().kind_of(letter));
    taken + promoted.map_or(0, |kind| evaluator.value(kind) - evaluator.value(PieceKind::PAWN))
}

/// Whether the exchanges that a move begins on its target square win at least `threshold` centipawns.
///
/// Each side captures with its least valuable piece and may stop at any time; riders behind others join in.
pub(super) fn see_ge(evaluator: &Evaluator, position: &Position<'_>, played: Move, threshold: i32) -> bool {
    let value = |kind: PieceKind| evaluator.value(kind);
    let moved = match played.kind {
        MoveKind::Castling | MoveKind::Adjustment => return threshold <= 0,
        MoveKind::Promotion(letter) => position.rules().kind_of(letter).unwrap_or(PieceKind::PAWN),
        MoveKind::Normal | MoveKind::EnPassant => position.kind_at(played.from).unwrap_or(PieceKind::PAWN),
    };
    let mut balance = gain(evaluator, position, played) - threshold;
    if balance < 0 {
        return false;
    }
    // First: is it enough even if the piece that moved is lost for nothing?
    balance -= value(moved);
    if balance >= 0 {
        return true;
    }
    let mut occupied = position.occupied() & !played.from.bitboard() | played.to.into();
    if played.kind == MoveKind::EnPassant {
        occupied &= !position.en_passant_pawn();
    }
    let us = position.side_to_move();
    let mut side = us.other();
    let mut attackers = position.attackers(played.to, occupied);
    // `balance` is the material that `us` has won if the piece on the square is captured and the exchange ends there.
    loop {
        attackers &= occupied & !played.to.bitboard();
        let own = attackers & position.pieces(side);
        if own.is_empty() {
            break;
        }
        let Some((kind, piece)) = evaluator.least_valuable(position, own) else { break };
        if evaluator.is_royal(kind) && attackers != own {
            // The king cannot capture what is protected.
            break;
        }
        occupied &= !piece.bitboard();
        attackers = if position.rules().has_paths() {
            attackers_anew(position, played.to, occupied)
        } else {
            // A rider behind the capturing piece joins in.
            attackers | position.riding_attackers(played.to, occupied, piece.into())
        };
        side = side.other();
        balance = -balance - 1 - value(kind);
        if balance >= 0 {
            break;
        }
    }
    side != us
}

/// The attackers of a square after a piece has left it, in games in which others may no longer have a piece to hop over, or have
/// one less. It is a call of its own so that `attackers` stays inlined in exchanges without such pieces.
#[cold]
#[inline(never)]
fn attackers_anew(position: &Position<'_>, square: Square, occupied: Bitboard) -> Bitboard {
    position.attackers(square, occupied)
}

/// Whether nothing is about to be won or lost: the side to move is not in check, and neither side, were it its turn, has a
/// capture or a promotion that wins material by static exchange evaluation.
pub fn is_quiet(evaluator: &Evaluator, position: &Position<'_>) -> bool {
    let wins_material = |position: &Position<'_>| {
        let mut moves = position.legal_moves().into_iter();
        moves.any(|played| position.is_tactical(played) && see_ge(evaluator, position, played, 1))
    };
    !position.is_check() && !wins_material(position) && !wins_material(&position.null_move())
}

impl Evaluator {
    /// The least valuable piece among some of one side.
    fn least_valuable(&self, position: &Position<'_>, pieces: Bitboard) -> Option<(PieceKind, Square)> {
        self.by_value().iter().find_map(|&kind| Some((kind, (pieces & position.of_kind(kind)).first()?)))
    }
}
