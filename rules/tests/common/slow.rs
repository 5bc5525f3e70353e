//! Moves of pieces square by square, straight from their rays: slow, and too simple to be wrong in the same way.

use backrank_rules::{Board, File, Move, MoveKind, PAWN, Position, Ray, Side, Square};

fn step(board: Board, from: Square, dx: i32, dy: i32) -> Option<Square> {
    let file = i32::from(board.file_of(from).0) + dx;
    let rank = board.rank_of(from) as i32 + dy;
    let inside = (0..board.files() as i32).contains(&file) && (0..board.ranks() as i32).contains(&rank);
    inside.then(|| board.square(File(file as u8), rank as usize))
}

/// The squares a ray leads to, and whether there is something to capture.
fn along(position: &Position, side: Side, from: Square, ray: &Ray) -> Vec<(Square, bool)> {
    let turn = if side == Side::White { 1 } else { -1 };
    let mut squares = Vec::new();
    let mut at = from;
    for _ in 0..ray.range {
        let Some(next) = step(position.board(), at, i32::from(ray.dx) * turn, i32::from(ray.dy) * turn)
        else {
            break;
        };
        at = next;
        match position.piece_at(at) {
            None => squares.push((at, false)),
            Some((owner, _)) => {
                if owner != side {
                    squares.push((at, true));
                }
                break;
            }
        }
    }
    squares
}

fn rays<'a>(position: &'a Position, side: Side, from: Square, letter: u8) -> impl Iterator<Item = &'a Ray> {
    let unmoved = position.unmoved(side).any(|square| square == from);
    let piece = position.rules().variant().piece(letter).expect("a piece of the game");
    piece.betza.rays().iter().filter(move |ray| unmoved || !ray.first_move_only)
}

/// Whether a side's pieces attack a square on which the other side has a piece.
pub fn attacks(position: &Position, side: Side, target: Square) -> bool {
    position.all_pieces().filter(|&(_, owner, _)| owner == side).any(|(from, _, letter)| {
        if letter == PAWN {
            let dy = if side == Side::White { 1 } else { -1 };
            return [-1, 1].iter().any(|&dx| step(position.board(), from, dx, dy) == Some(target));
        }
        rays(position, side, from, letter)
            .filter(|ray| ray.captures)
            .any(|ray| along(position, side, from, ray).contains(&(target, true)))
    })
}

/// The legal moves of pieces other than pawns, castling and adjustment aside, sorted.
pub fn piece_moves(position: &Position) -> Vec<Move> {
    let side = position.side_to_move();
    let mut moves: Vec<Move> = position
        .all_pieces()
        .filter(|&(_, owner, letter)| owner == side && letter != PAWN)
        .flat_map(|(from, _, letter)| {
            rays(position, side, from, letter)
                .flat_map(|ray| {
                    along(position, side, from, ray)
                        .into_iter()
                        .filter(|&(_, takes)| if takes { ray.captures } else { ray.moves })
                        .map(|(to, _)| Move { from, to, kind: MoveKind::Normal })
                        .collect::<Vec<_>>()
                })
                .collect::<Vec<_>>()
        })
        .filter(|&played| {
            let next = position.after(played);
            !attacks(&next, side.other(), next.king(side))
        })
        .collect();
    moves.sort();
    moves.dedup();
    moves
}
