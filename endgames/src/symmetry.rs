//! Symmetries of the board under which every piece of an endgame moves alike.

use backrank_rules::{Board, File, MAX_SQUARES, Passage, PieceKind, Ray, Rules, Square};

use crate::endgame::{Man, promotions};

/// The square to which a symmetry takes each square.
pub(crate) type SquareMap = [Square; MAX_SQUARES];

/// One of the eight symmetries of a square: files and ranks are exchanged or not, and then each of them is mirrored or
/// not.
#[derive(Clone, Copy)]
struct BoardSymmetry {
    exchange: bool,
    mirror_files: bool,
    mirror_ranks: bool,
}

impl BoardSymmetry {
    /// All eight symmetries, the identity first.
    fn all() -> impl Iterator<Item = Self> {
        (0..8).map(|bits| Self {
            exchange: bits & 4 != 0,
            mirror_files: bits & 1 != 0,
            mirror_ranks: bits & 2 != 0,
        })
    }

    /// Whether it maps a board onto itself.
    fn keeps_board(self, board: Board) -> bool {
        !self.exchange || board.files() == board.ranks()
    }

    /// Whether it maps a set of rays onto itself.
    fn keeps_rays(self, rays: &[Ray]) -> bool {
        rays.iter().all(|ray| rays.contains(&self.ray(*ray)))
    }

    fn ray(self, ray: Ray) -> Ray {
        let step = |dx: i8, dy: i8| {
            let (dx, dy) = if self.exchange { (dy, dx) } else { (dx, dy) };
            (if self.mirror_files { -dx } else { dx }, if self.mirror_ranks { -dy } else { dy })
        };
        let (dx, dy) = step(ray.dx, ray.dy);
        let passage = match ray.passage {
            Passage::Bent { dx, dy } => {
                let (dx, dy) = step(dx, dy);
                Passage::Bent { dx, dy }
            }
            other => other,
        };
        Ray { dx, dy, passage, ..ray }
    }

    /// Whether the pieces of a kind of both sides move alike under it.
    fn keeps_kind(self, rules: &Rules, kind: PieceKind) -> bool {
        match rules.variant().piece(rules.letter_of(kind)) {
            Some(piece) => {
                let rays = piece.betza.rays().iter().filter(|ray| !ray.first_move_only);
                self.keeps_rays(&rays.copied().collect::<Vec<_>>())
            }
            // Pawns distinguish forwards from backwards, but not left from right.
            None => !self.exchange && !self.mirror_ranks,
        }
    }

    fn square(self, board: Board, square: Square) -> Square {
        let (file, rank) = (usize::from(board.file_of(square).0), board.rank_of(square));
        let (file, rank) = if self.exchange { (rank, file) } else { (file, rank) };
        let file = if self.mirror_files { board.files() - 1 - file } else { file };
        let rank = if self.mirror_ranks { board.ranks() - 1 - rank } else { rank };
        board.square(File(file as u8), rank)
    }
}

/// The symmetries of a board under which some men, and everything that their pawns can promote to, move alike. The
/// identity comes first.
pub(crate) fn square_maps(rules: &Rules, men: &[Man]) -> Vec<SquareMap> {
    let board = rules.board();
    let has_pawns = men.iter().any(|man| man.kind == PieceKind::PAWN);
    let promoted = promotions(rules).filter(|_| has_pawns);
    let kinds: Vec<PieceKind> = men.iter().map(|man| man.kind).chain(promoted).collect();
    BoardSymmetry::all()
        .filter(|symmetry| symmetry.keeps_board(board))
        .filter(|symmetry| kinds.iter().all(|&kind| symmetry.keeps_kind(rules, kind)))
        .map(|symmetry| map(board, |square| symmetry.square(board, square)))
        .collect()
}

/// The half turn of the board, which shows it as the other side sees it.
pub(crate) fn turned(board: Board) -> SquareMap {
    let squares: Vec<Square> = board.all_squares().iter().collect();
    map(board, |square| squares[board.squares() - 1 - square.index()])
}

/// Tabulates a function of the squares; indices that are not on the board are mapped to themselves.
fn map(board: Board, of: impl Fn(Square) -> Square) -> SquareMap {
    std::array::from_fn(|index| {
        let square = Square::new(index).expect("no more than MAX_SQUARES");
        if index < board.squares() { of(square) } else { square }
    })
}
