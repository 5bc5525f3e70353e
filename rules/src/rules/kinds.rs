//! The moves of each kind of piece, compiled to tables.

use super::lines::{Line, LineShape, squares_along};
use super::rays::{Occupied, Ways};
use crate::betza::Ray;
use crate::board::{Board, MAX_SQUARES};
use crate::square::{Side, Square, Squares};

/// One bitboard a square.
pub(crate) type SquareTable = Box<[u128; MAX_SQUARES]>;

/// Steps and rides that share a purpose: places in the [`Tables`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Steps {
    /// The table of single steps, 0 for none.
    pub leaps: u16,
    /// The first of its lines.
    pub first_line: u16,
    /// How many lines it has.
    pub lines: u16,
}

impl Steps {
    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.leaps == 0 && self.lines == 0
    }
}

/// The tables all pieces share, each kept once.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    board: Board,
    leaps: Vec<SquareTable>,
    shapes: Vec<LineShape>,
    /// The lines through a square lie next to each other.
    lines: Vec<Line>,
    /// The same for riders.
    rays: Vec<Ways>,
    stride_shift: u32,
}

impl Tables {
    pub fn new(board: Board) -> Self {
        let none = Box::new([0; MAX_SQUARES]);
        Self {
            board,
            leaps: vec![none],
            shapes: Vec::new(),
            lines: Vec::new(),
            rays: Vec::new(),
            stride_shift: 0,
        }
    }

    /// The place of a table, added where it is new.
    pub fn table(&mut self, table: SquareTable) -> u16 {
        let place = self.leaps.iter().position(|known| *known == table).unwrap_or_else(|| {
            self.leaps.push(table);
            self.leaps.len() - 1
        });
        place as u16
    }

    /// The place of the union of some tables.
    fn union(&mut self, places: &[u16]) -> u16 {
        let union = by_square(self.board, |square| {
            places.iter().fold(0, |squares, &place| squares | self.leaps(place, square))
        });
        self.table(union)
    }

    /// The places of the steps and rides of some rays.
    pub fn steps(&mut self, rays: &[Ray]) -> Steps {
        let (single, riding): (Vec<Ray>, Vec<Ray>) = rays.iter().partition(|ray| ray.range == 1);
        let board = self.board;
        let leaps = self.table(by_square(board, |square| {
            single.iter().fold(0, |squares, ray| squares | squares_along(board, square, (ray.dx, ray.dy), 1))
        }));
        let (first_line, lines) = self.shapes(&LineShape::of(&riding));
        Steps { leaps, first_line, lines }
    }

    /// The place of some line shapes next to each other.
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
        self.lines = vec![Line::default(); stride * MAX_SQUARES];
        for square in 0..self.board.squares() {
            for (place, shape) in self.shapes.iter().enumerate() {
                self.lines[(square << self.stride_shift) + place] =
                    shape.through(self.board, Square(square as u8));
            }
        }
        self.rays = self.lines.iter().map(|&line| Ways::along(line)).collect();
    }

    /// The single steps from a square.
    #[inline(always)]
    pub fn leaps(&self, table: u16, square: Square) -> u128 {
        self.leaps[table as usize][square.0 as usize & (MAX_SQUARES - 1)]
    }

    /// The lines through a square.
    #[inline(always)]
    pub fn lines(&self, steps: Steps, square: Square) -> &[Line] {
        let start = ((square.0 as usize) << self.stride_shift) + steps.first_line as usize;
        &self.lines[start..start + steps.lines as usize]
    }

    /// The lines through a square, as riders go along them.
    #[inline(always)]
    pub fn rays(&self, steps: Steps, square: Square) -> &[Ways] {
        let start = ((square.0 as usize) << self.stride_shift) + steps.first_line as usize;
        &self.rays[start..start + steps.lines as usize]
    }

    /// Every square that these steps and rides reach from a square.
    #[inline(always)]
    pub fn reached(&self, steps: Steps, square: Square, occupied: &Occupied) -> u128 {
        let leaps = self.leaps(steps.leaps, square);
        if steps.lines == 0 { leaps } else { leaps | occupied.reached(self.rays(steps, square)) }
    }

    /// Calls a function with each of some squares and all that these steps and rides reach from there.
    #[inline(always)]
    pub fn reached_from_each(
        &self,
        steps: Steps,
        squares: u128,
        occupied: &Occupied,
        mut see: impl FnMut(Square, u128),
    ) {
        let squares = Squares(squares);
        let leaps = |square: Square| self.leaps(steps.leaps, square);
        let reached = |square, lines: &[Ways]| leaps(square) | occupied.reached(lines);
        let rays = |square| self.rays(steps, square);
        // Hardly any piece has other numbers of lines.
        match steps.lines {
            0 => squares.for_each(|square| see(square, leaps(square))),
            2 => squares.for_each(|square| see(square, reached(square, &rays(square)[..2]))),
            4 => squares.for_each(|square| see(square, reached(square, &rays(square)[..4]))),
            _ => squares.for_each(|square| see(square, reached(square, rays(square)))),
        }
    }
}

/// A table of what a function says of every square.
pub(crate) fn by_square(board: Board, of: impl Fn(Square) -> u128) -> SquareTable {
    let mut table = Box::new([0; MAX_SQUARES]);
    for square in 0..board.squares() {
        table[square] = of(Square(square as u8));
    }
    table
}

/// What one side's pieces of a kind may do.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plays {
    /// What they capture on, and so attack.
    pub attack: Steps,
    /// Where they go without capturing.
    pub quiet: Steps,
    /// What they attack besides while they have not moved.
    pub first_attack: Steps,
    /// Where they go besides while they have not moved.
    pub first_quiet: Steps,
    /// Whether they go wherever they attack, moved or not.
    pub plain: bool,
}

/// A kind of piece other than the pawn and the king, and what it attacks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attacking {
    pub kind: u8,
    /// Whether it attacks more while it has not moved.
    pub otherwise_at_first: bool,
    /// Whether it goes wherever it attacks, moved or not.
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

/// The opposite rays: from where a piece reaches a square.
pub(crate) fn reversed(rays: &[Ray]) -> Vec<Ray> {
    rays.iter().map(|&ray| Ray { dx: -ray.dx, dy: -ray.dy, ..ray }).collect()
}

/// The rays of one purpose.
pub(crate) fn chosen(rays: &[Ray], captures: bool, first: bool) -> Vec<Ray> {
    let serves = |ray: &&Ray| if captures { ray.captures } else { ray.moves };
    rays.iter().filter(|ray| ray.first_move_only == first).filter(serves).copied().collect()
}

/// Some kinds of pieces, at most [`Kinds::MOST`]; of more than that, several of these are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds {
    /// Where there are fewer, the last is repeated: what is asked of all of them comes out the same.
    pub each: [u8; Self::MOST],
    /// Empty if only pieces that have not moved are meant, else full.
    pub moved: u128,
}

impl Kinds {
    /// Hardly any game has more that share a way of moving.
    pub const MOST: usize = 3;

    /// Some kinds, or only their pieces that have not moved.
    fn new(kinds: &[u8], unmoved: bool) -> Self {
        let each = std::array::from_fn(|place| kinds[place.min(kinds.len() - 1)]);
        Self { each, moved: if unmoved { 0 } else { u128::MAX } }
    }
}

/// Pieces that attack in the same single steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Leapers {
    pub kinds: Kinds,
    /// The table of squares from which they reach a square.
    pub from: u16,
}

/// Pieces that attack along the same lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Riders {
    pub kinds: Kinds,
    /// The lines along which they reach a square.
    pub from: Steps,
    /// The table of those lines on an empty board.
    pub reach: u16,
}

/// What one side attacks with, seen from the attacked square.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attackers {
    /// Those that step.
    pub leapers: Vec<Leapers>,
    /// The table of squares from which any of them reaches a square.
    pub leaps: u16,
    /// Those that ride.
    pub riders: Vec<Riders>,
}

impl Attackers {
    /// Groups the kinds of a side, whose rays are given with the kind's place, by what they share.
    pub fn new(tables: &mut Tables, kinds: &[(u8, Vec<Ray>)]) -> Self {
        let mut attackers = Self::default();
        for unmoved in [false, true] {
            let mut leaps: Vec<(u16, Vec<u8>)> = Vec::new();
            let mut lines: Vec<(LineShape, Vec<u8>)> = Vec::new();
            for (kind, rays) in kinds {
                let back = reversed(&chosen(rays, true, unmoved));
                let steps = tables.steps(&back);
                if steps.leaps != 0 {
                    match leaps.iter_mut().find(|(known, _)| *known == steps.leaps) {
                        Some((_, kinds)) => kinds.push(*kind),
                        None => leaps.push((steps.leaps, vec![*kind])),
                    }
                }
                let riding: Vec<Ray> = back.into_iter().filter(|ray| ray.range != 1).collect();
                for shape in LineShape::of(&riding) {
                    match lines.iter_mut().find(|(known, _)| *known == shape) {
                        Some((_, kinds)) => kinds.push(*kind),
                        None => lines.push((shape, vec![*kind])),
                    }
                }
            }
            for (from, kinds) in leaps {
                let groups = kinds.chunks(Kinds::MOST).map(|kinds| Kinds::new(kinds, unmoved));
                attackers.leapers.extend(groups.map(|kinds| Leapers { kinds, from }));
            }
            while let Some((_, kinds)) = lines.first().cloned() {
                let (together, rest): (Vec<_>, Vec<_>) =
                    lines.into_iter().partition(|(_, riders)| *riders == kinds);
                lines = rest;
                let shapes: Vec<LineShape> = together.into_iter().map(|(shape, _)| shape).collect();
                for kinds in kinds.chunks(Kinds::MOST) {
                    attackers.add_riders(tables, Kinds::new(kinds, unmoved), &shapes);
                }
            }
        }
        let from: Vec<u16> = attackers.leapers.iter().map(|group| group.from).collect();
        attackers.leaps = tables.union(&from);
        attackers
    }

    fn add_riders(&mut self, tables: &mut Tables, kinds: Kinds, shapes: &[LineShape]) {
        let (first_line, lines) = tables.shapes(shapes);
        let board = tables.board;
        let reach = tables.table(by_square(board, |square| {
            shapes.iter().fold(0, |squares, shape| squares | shape.through(board, square).all())
        }));
        self.riders.push(Riders { kinds, from: Steps { leaps: 0, first_line, lines }, reach });
    }
}
