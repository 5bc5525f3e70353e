//! The steps of the bare king, from one square and to a set of squares at a time.

use backrank_rules::{Bitboard, Board, File, PieceKind, Ray, Rules, Side, Square};

/// Whether a kind never rides: no piece is ever in its way.
pub(super) fn is_leaper(rules: &Rules, kind: PieceKind) -> bool {
    rays(rules, kind).is_some_and(|mut rays| rays.all(|ray| ray.range == 1))
}

/// The rays of a piece that has moved, as White plays it; none for a pawn.
pub(super) fn rays(rules: &Rules, kind: PieceKind) -> Option<impl Iterator<Item = Ray>> {
    let piece = rules.variant().piece(rules.letter_of(kind))?;
    Some(piece.betza.rays().iter().filter(|ray| !ray.first_move_only).copied())
}

/// The square so many files and ranks away, if it is on the board.
pub(super) fn step(board: Board, from: Square, dx: i8, dy: i8) -> Option<Square> {
    let File(file) = board.file_of(from);
    let file = file.checked_add_signed(dx).filter(|&file| usize::from(file) < board.files())?;
    let rank =
        board.rank_of(from).checked_add_signed(isize::from(dy)).filter(|&rank| rank < board.ranks())?;
    Some(board.square(File(file), rank))
}

/// Where Black's king goes, of a kind that never rides.
#[derive(Debug)]
pub(super) struct KingSteps {
    /// By square: where it goes without capturing.
    quiet: Vec<Bitboard>,
    /// By square: where it captures.
    captures: Vec<Bitboard>,
    /// By square: from where it captures there.
    capture_origins: Vec<Bitboard>,
    back: Vec<StepShift>,
}

/// A step of every king of a set: how far its index moves, and the squares on which the step stays on the board.
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
        // White's steps are Black's reversed.
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

    /// Where it goes from a square without capturing.
    #[inline]
    pub fn quiet(&self, from: Square) -> Bitboard {
        self.quiet[from.index()]
    }

    /// Where it captures from a square.
    #[inline]
    pub fn captures(&self, from: Square) -> Bitboard {
        self.captures[from.index()]
    }

    /// The squares from which it captures on a square.
    #[inline]
    pub fn capture_origins(&self, to: Square) -> Bitboard {
        self.capture_origins[to.index()]
    }

    /// The squares from which it goes to any of some squares without capturing.
    #[inline]
    pub fn quiet_origins(&self, to: Bitboard) -> Bitboard {
        let origins = |shift: &StepShift| {
            let kept = to & shift.from;
            if shift.by < 0 { kept >> shift.by.unsigned_abs() } else { kept << shift.by as u32 }
        };
        self.back.iter().map(origins).collect()
    }
}
