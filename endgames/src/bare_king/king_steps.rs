//! The steps of the bare king, from one square and from a set of squares at a time.

use backrank_rules::{Bitboard, Board, File, Passage, PieceKind, Ray, Rules, Side, Square};

/// Whether a kind never rides, so that no piece is ever in its way.
pub(super) fn is_leaper(rules: &Rules, kind: PieceKind) -> bool {
    rays(rules, kind).is_some_and(|mut rays| rays.all(|ray| ray.range == 1 && ray.passage == Passage::Free))
}

/// Whether a kind has only leaps and rides, without conditions on what stands in between.
pub(super) fn moves_freely(rules: &Rules, kind: PieceKind) -> bool {
    rays(rules, kind).is_some_and(|mut rays| rays.all(|ray| ray.passage == Passage::Free))
}

/// The rays of a piece that has moved, as White plays it; empty for a pawn.
pub(super) fn rays(rules: &Rules, kind: PieceKind) -> Option<impl Iterator<Item = Ray>> {
    let piece = rules.variant().piece(rules.letter_of(kind))?;
    Some(piece.betza.rays().iter().filter(|ray| !ray.first_move_only).copied())
}

/// The square that is some files and ranks away, if it is on the board.
pub(super) fn step(board: Board, from: Square, dx: i8, dy: i8) -> Option<Square> {
    let File(file) = board.file_of(from);
    let file = file.checked_add_signed(dx).filter(|&file| usize::from(file) < board.files())?;
    let rank =
        board.rank_of(from).checked_add_signed(isize::from(dy)).filter(|&rank| rank < board.ranks())?;
    Some(board.square(File(file), rank))
}

/// The steps of Black's king, which must be of a kind that never rides.
#[derive(Debug)]
pub(super) struct KingSteps {
    /// For each square, those to which it can go without capturing.
    quiet: Vec<Bitboard>,
    /// For each square, those on which it can capture.
    captures: Vec<Bitboard>,
    /// For each square, those from which it can capture there.
    capture_origins: Vec<Bitboard>,
    back: Vec<StepShift>,
}

/// One step of all kings of a set: the change of their indices, and the squares from which the step stays on the board.
#[derive(Debug)]
struct StepShift {
    by: i32,
    from: Bitboard,
}

impl KingSteps {
    pub fn new(rules: &Rules, king: PieceKind) -> Self {
        let board = rules.board();
        let squares = || board.all_squares().iter();
        let attacks = |side, square| rules.attacks(side, king, square, Bitboard::EMPTY);
        let quiet = |square| rules.quiet_moves(Side::Black, king, square, Bitboard::EMPTY);
        // White's steps are Black's in the opposite direction.
        let back = rays(rules, king).into_iter().flatten().filter(|ray| ray.moves).map(|ray| {
            let stays = |from: &Square| step(board, *from, ray.dx, ray.dy).is_some();
            StepShift {
                by: i32::from(ray.dy) * board.files() as i32 + i32::from(ray.dx),
                from: squares().filter(stays).collect(),
            }
        });
        Self {
            quiet: squares().map(quiet).collect(),
            captures: squares().map(|square| attacks(Side::Black, square)).collect(),
            capture_origins: squares().map(|square| attacks(Side::White, square)).collect(),
            back: back.collect(),
        }
    }

    /// The squares to which it can go from a square without capturing.
    #[inline]
    pub fn quiet(&self, from: Square) -> Bitboard {
        self.quiet[from.index()]
    }

    /// The squares on which it can capture from a square.
    #[inline]
    pub fn captures(&self, from: Square) -> Bitboard {
        self.captures[from.index()]
    }

    /// The squares from which it can capture on a square.
    #[inline]
    pub fn capture_origins(&self, to: Square) -> Bitboard {
        self.capture_origins[to.index()]
    }

    /// The squares from which it can go to any of some squares without capturing.
    #[inline]
    pub fn quiet_origins(&self, to: Bitboard) -> Bitboard {
        let origins = |shift: &StepShift| {
            let kept = to & shift.from;
            if shift.by < 0 { kept >> shift.by.unsigned_abs() } else { kept << shift.by as u32 }
        };
        self.back.iter().map(origins).collect()
    }
}
