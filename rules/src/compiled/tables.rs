//! The moves of each kind of piece, compiled to tables.

use super::lines::{LineShape, RiderLine, squares_along};
use super::occupied::{Occupied, Ways};
use super::paths::PathTable;
use crate::betza::{Passage, Ray};
use crate::bitboard::Bitboard;
use crate::board::{Board, MAX_SQUARES};
use crate::piece_kind::PieceKind;
use crate::square::{Side, Square};

/// A bitboard for each square.
pub(crate) type SquareTable = Box<[Bitboard; MAX_SQUARES]>;

/// The steps and rides of one purpose, as indices into the [`Tables`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Steps {
    /// The index of the table of single steps; 0 for none.
    pub leaps: u16,
    /// The index of the first of its lines.
    pub first_line: u16,
    /// The number of its lines.
    pub lines: u16,
    /// The index of the table of paths; 0 for none.
    pub paths: u16,
}

impl Steps {
    /// Whether there are neither steps, lines nor paths.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The tables that all pieces share; each is kept once.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    pub board: Board,
    leaps: Vec<SquareTable>,
    shapes: Vec<LineShape>,
    /// All lines through a square are next to each other.
    lines: Vec<RiderLine>,
    /// The same lines as riders go along them.
    rays: Vec<Ways>,
    stride_shift: u32,
    paths: Vec<PathTable>,
}

impl Tables {
    pub fn new(board: Board) -> Self {
        let none = Box::new([Bitboard::EMPTY; MAX_SQUARES]);
        Self {
            board,
            leaps: vec![none],
            shapes: Vec::new(),
            lines: Vec::new(),
            rays: Vec::new(),
            stride_shift: 0,
            paths: vec![PathTable::empty()],
        }
    }

    /// The index of a table, which is added if it is new.
    pub fn table(&mut self, table: SquareTable) -> u16 {
        let place = self.leaps.iter().position(|known| *known == table).unwrap_or_else(|| {
            self.leaps.push(table);
            self.leaps.len() - 1
        });
        place as u16
    }

    /// The index of the union of some tables.
    pub fn union(&mut self, places: &[u16]) -> u16 {
        let union =
            by_square(self.board, |square| places.iter().map(|&place| self.leaps(place, square)).collect());
        self.table(union)
    }

    /// The indices of the steps and rides of some rays.
    pub fn steps(&mut self, rays: &[Ray]) -> Steps {
        let (free, passing): (Vec<Ray>, Vec<Ray>) = rays.iter().partition(|ray| ray.passage == Passage::Free);
        let (single, riding): (Vec<Ray>, Vec<Ray>) = free.iter().partition(|ray| ray.range == 1);
        let board = self.board;
        let leaps = self.table(by_square(board, |square| {
            single.iter().map(|ray| squares_along(board, square, (ray.dx, ray.dy), 1)).collect()
        }));
        let (first_line, lines) = self.shapes(&LineShape::of(&riding));
        let paths = self.path_table(PathTable::new(board, &passing));
        Steps { leaps, first_line, lines, paths }
    }

    /// The index of a table of paths, which is added if it is new.
    fn path_table(&mut self, table: PathTable) -> u16 {
        let index = self.paths.iter().position(|known| *known == table).unwrap_or_else(|| {
            self.paths.push(table);
            self.paths.len() - 1
        });
        index as u16
    }

    /// The index of the table of the same paths by where they end.
    pub fn path_origins(&mut self, paths: u16) -> u16 {
        let origins = self.paths(paths).origins(self.board);
        self.path_table(origins)
    }

    /// A table of paths.
    #[inline]
    pub fn paths(&self, paths: u16) -> &PathTable {
        &self.paths[usize::from(paths)]
    }

    /// Keeps some line shapes next to each other. Returns the index of the first and how many there are.
    pub fn shapes(&mut self, shapes: &[LineShape]) -> (u16, u16) {
        let mut shapes = shapes.to_vec();
        shapes.sort_unstable_by_key(|shape| shape.order());
        if shapes.is_empty() {
            return (0, 0);
        }
        let place =
            self.shapes.windows(shapes.len()).position(|known| known == shapes).unwrap_or_else(|| {
                self.shapes.extend_from_slice(&shapes);
                self.shapes.len() - shapes.len()
            });
        (place as u16, shapes.len() as u16)
    }

    /// Fills in the lines once all shapes are known.
    pub fn draw_lines(&mut self) {
        let stride = self.shapes.len().next_power_of_two();
        self.stride_shift = stride.trailing_zeros();
        self.lines = vec![RiderLine::default(); stride * MAX_SQUARES];
        for square in self.board.all_squares() {
            for (place, shape) in self.shapes.iter().enumerate() {
                self.lines[(square.index() << self.stride_shift) + place] = shape.through(self.board, square);
            }
        }
        self.rays = self.lines.iter().map(|&line| Ways::along(line)).collect();
    }

    /// The single steps from a square.
    #[inline(always)]
    pub fn leaps(&self, table: u16, square: Square) -> Bitboard {
        self.leaps[table as usize][square.index()]
    }

    /// The lines through a square that belong to some steps.
    #[inline(always)]
    pub fn lines(&self, steps: Steps, square: Square) -> &[RiderLine] {
        let start = (square.index() << self.stride_shift) + steps.first_line as usize;
        &self.lines[start..start + steps.lines as usize]
    }

    /// The lines through a square, as riders go along them.
    #[inline(always)]
    pub fn rays(&self, steps: Steps, square: Square) -> &[Ways] {
        let start = (square.index() << self.stride_shift) + steps.first_line as usize;
        &self.rays[start..start + steps.lines as usize]
    }

    /// Every square that these steps, rides and paths reach from a square.
    #[inline]
    pub fn reached(&self, steps: Steps, square: Square, occupied: &Occupied) -> Bitboard {
        let reached = self.reached_freely(steps, square, occupied);
        match steps.paths {
            0 => reached,
            paths => reached | self.paths(paths).open(square, occupied.squares),
        }
    }

    /// The same for pieces without paths.
    #[inline(always)]
    pub fn reached_freely(&self, steps: Steps, square: Square, occupied: &Occupied) -> Bitboard {
        let leaps = self.leaps(steps.leaps, square);
        if steps.lines == 0 { leaps } else { leaps | occupied.reached(self.rays(steps, square)) }
    }

    /// Which of some squares these steps and rides reach from a square; paths are left out.
    #[inline(always)]
    pub fn reached_among(
        &self,
        steps: Steps,
        square: Square,
        some: Bitboard,
        occupied: Bitboard,
    ) -> Bitboard {
        let mut reached = self.leaps(steps.leaps, square) & some;
        for line in self.lines(steps, square) {
            let is_reached = |other: &Square| line.between(*other).is_disjoint(occupied);
            reached |= (line.all() & some).iter().filter(is_reached).collect();
        }
        reached
    }

    /// Calls a function with each of some squares and with everything that these steps and rides reach from it; paths are left
    /// out.
    #[inline(always)]
    pub fn reached_from_each(
        &self,
        steps: Steps,
        squares: Bitboard,
        occupied: &Occupied,
        mut see: impl FnMut(Square, Bitboard),
    ) {
        let squares = squares.into_iter();
        let leaps = |square: Square| self.leaps(steps.leaps, square);
        let reached = |square, lines: &[Ways]| leaps(square) | occupied.reached(lines);
        let rays = |square| self.rays(steps, square);
        // Hardly any piece has another number of lines.
        match steps.lines {
            0 => squares.for_each(|square| see(square, leaps(square))),
            2 => squares.for_each(|square| see(square, reached(square, &rays(square)[..2]))),
            4 => squares.for_each(|square| see(square, reached(square, &rays(square)[..4]))),
            _ => squares.for_each(|square| see(square, reached(square, rays(square)))),
        }
    }
}

/// A table of a function's value for every square.
pub(crate) fn by_square(board: Board, of: impl Fn(Square) -> Bitboard) -> SquareTable {
    let mut table = Box::new([Bitboard::EMPTY; MAX_SQUARES]);
    board.all_squares().iter().for_each(|square| table[square.index()] = of(square));
    table
}

/// What one side's pieces of a kind can do.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plays {
    /// Where they capture, which is what they attack.
    pub attack: Steps,
    /// Where they go without capturing.
    pub quiet: Steps,
    /// The table of paths by which they come to a square without capturing; 0 for none.
    pub quiet_origins: u16,
    /// What they attack in addition before their first move.
    pub first_attack: Steps,
    /// Where they can go in addition before their first move.
    pub first_quiet: Steps,
    /// Whether they can go wherever they attack, moved or not, and have no paths.
    pub plain: bool,
}

/// A kind of piece other than the pawn and the king, and what it attacks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attacking {
    pub kind: PieceKind,
    /// Whether what it attacks is more than `attack` without paths says.
    pub attacks_more: bool,
    /// Whether it can go wherever it attacks, moved or not, and has no paths.
    pub plain: bool,
    pub attack: Steps,
}

/// The rays as a side plays them.
///
/// A reading: for Black the board is turned half around, so that left and right are those of the player.
pub(crate) fn seen_by(side: Side, rays: &[Ray]) -> Vec<Ray> {
    match side {
        Side::White => rays.to_vec(),
        Side::Black => reversed(rays),
    }
}

/// The opposite rays, which lead from a square to the pieces that reach it.
pub(crate) fn reversed(rays: &[Ray]) -> Vec<Ray> {
    rays.iter().map(|&ray| ray.reversed()).collect()
}

/// The rays for captures or for quiet moves, of the first move or of all moves.
pub(crate) fn chosen(rays: &[Ray], captures: bool, first: bool) -> Vec<Ray> {
    let serves = |ray: &&Ray| if captures { ray.captures } else { ray.moves };
    rays.iter().filter(|ray| ray.first_move_only == first).filter(serves).copied().collect()
}
