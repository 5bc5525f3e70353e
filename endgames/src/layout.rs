//! The cells of a table, and which of them a position has.
//!
//! The cells for each side to move are numbered by the squares of the men, one after another. The symmetries of the
//! board bring the first man to one of few squares (ten of 64 if all eight hold), and the other men with it. If it then
//! stands on an axis of a symmetry, a position and its reflection have a cell each.

use arrayvec::ArrayVec;
use backrank_rules::{Bitboard, Board, DoubleStep, PieceKind, Rules, Side, Square};

use crate::endgame::{MAX_MEN, Man};
use crate::symmetry::{SquareMap, square_maps};

/// The squares of the men of a table, in its order; entries without a man hold any square.
pub(crate) type Squares = [Square; MAX_MEN];

/// A square that every board has.
pub(crate) const ANY: Square = Square::new(0).expect("every board has it");

/// Men on their squares, and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placement {
    pub squares: Squares,
    pub to_move: Side,
    /// The index of the pawn that can be captured en passant.
    pub en_passant: Option<usize>,
}

/// The cells of a table.
#[derive(Debug)]
pub(crate) struct Layout {
    board: Board,
    /// The number of squares.
    base: usize,
    men: ArrayVec<Man, MAX_MEN>,
    symmetries: Vec<SquareMap>,
    /// For each square of the first man, where it is brought to.
    leads: Vec<Lead>,
    /// The squares to which the first man is brought.
    origins: Vec<Origin>,
    /// Whether both sides have pawns, and double steps after which a pawn can be captured en passant.
    has_en_passant: bool,
    /// The ranks of each side's double step.
    double_steps: [StepRanks; 2],
}

/// How the first man is brought from its square to the one that represents it.
#[derive(Debug)]
struct Lead {
    origin: usize,
    /// The symmetries that bring it there.
    symmetries: ArrayVec<u8, 8>,
}

/// A square of the first man that represents others as well.
#[derive(Debug)]
struct Origin {
    square: Square,
    /// The number of squares that it represents, itself included.
    stands_for: u64,
}

/// The ranks of a double step, counted from 0.
#[derive(Clone, Copy, Debug)]
struct StepRanks {
    /// A rank on which the side's pawns never stand. A pawn that can be captured en passant is stored there, on its
    /// file.
    kept_on: usize,
    from: usize,
    passes: usize,
    to: usize,
}

impl Layout {
    pub fn new(rules: &Rules, men: &[Man]) -> Self {
        let board = rules.board();
        let squares: Vec<Square> = board.all_squares().iter().collect();
        let symmetries = square_maps(rules, men);
        let lowest = |square: Square| symmetries.iter().map(|map| map[square.index()]).min().expect("one");
        let mut origins: Vec<Origin> = Vec::new();
        for &square in &squares {
            match origins.iter_mut().find(|origin| origin.square == lowest(square)) {
                Some(origin) => origin.stands_for += 1,
                // The lowest square of a group comes first and represents it.
                None => origins.push(Origin { square, stands_for: 1 }),
            }
        }
        let leads = squares.iter().map(|&square| {
            let to = lowest(square);
            let brings = |number: &u8| symmetries[usize::from(*number)][square.index()] == to;
            Lead {
                origin: origins.iter().position(|origin| origin.square == to).expect("an origin"),
                symmetries: (0..symmetries.len() as u8).filter(brings).collect(),
            }
        });
        let leads = leads.collect();
        let variant = rules.variant();
        let (first, last) = (variant.first_rank, board.ranks() - 1);
        let has_pawns = |side| men.contains(&Man { side, kind: PieceKind::PAWN });
        Self {
            board,
            base: board.squares(),
            men: men.iter().copied().collect(),
            leads,
            origins,
            // On a board so low that the step ends on the last rank, the pawn promotes.
            has_en_passant: variant.pawn.en_passant
                && variant.pawn.double_step != DoubleStep::Never
                && first + 3 < last
                && Side::BOTH.into_iter().all(has_pawns),
            double_steps: Side::BOTH.map(|side| {
                let rank = |rank: usize| if side == Side::White { rank } else { last.saturating_sub(rank) };
                StepRanks {
                    kept_on: rank(0),
                    from: rank(first + 1),
                    passes: rank(first + 2),
                    to: rank(first + 3),
                }
            }),
            symmetries,
        }
    }

    /// The men, in the order of their squares.
    pub fn men(&self) -> &[Man] {
        &self.men
    }

    pub fn symmetries(&self) -> &[SquareMap] {
        &self.symmetries
    }

    pub fn has_en_passant(&self) -> bool {
        self.has_en_passant
    }

    /// The number of cells for each side to move.
    pub fn cells(&self) -> usize {
        self.origins.len() * self.base.pow(self.men.len() as u32 - 1)
    }

    /// The number of positions that a cell represents, with men of one kind distinguished.
    pub fn stands_for(&self, cell: usize) -> u64 {
        self.origins[cell / self.base.pow(self.men.len() as u32 - 1)].stands_for
    }

    /// The cell of a placement, among those for its side to move.
    #[inline]
    pub fn cell(&self, at: &Placement) -> usize {
        let squares = self.kept(at);
        let lead = &self.leads[squares[0].index()];
        self.cell_by(&squares, lead, lead.symmetries[0])
    }

    /// All cells of a placement.
    #[inline]
    pub fn cells_of(&self, at: &Placement) -> impl Iterator<Item = usize> + '_ {
        self.cells_with_maps(at).map(|(cell, _)| cell)
    }

    /// All cells of a placement, each with the symmetry that brings the placement there, or `None` for the identity.
    #[inline]
    pub fn cells_with_maps(&self, at: &Placement) -> impl Iterator<Item = (usize, Option<&SquareMap>)> + '_ {
        let squares = self.kept(at);
        let lead = &self.leads[squares[0].index()];
        lead.symmetries.iter().map(move |&symmetry| {
            let map = (symmetry != 0).then(|| &self.symmetries[usize::from(symmetry)]);
            (self.cell_by(&squares, lead, symmetry), map)
        })
    }

    #[inline]
    fn cell_by(&self, squares: &Squares, lead: &Lead, symmetry: u8) -> usize {
        let map = &self.symmetries[usize::from(symmetry)];
        let others = squares[1..self.men.len()].iter().map(|square| map[square.index()].index());
        others.fold(lead.origin, |cell, square| cell * self.base + square)
    }

    /// The squares as they are stored, with a pawn that can be captured en passant on its special rank.
    #[inline]
    fn kept(&self, at: &Placement) -> Squares {
        let mut squares = at.squares;
        if let Some(pawn) = at.en_passant {
            let rank = self.double_steps[self.men[pawn].side as usize].kept_on;
            squares[pawn] = self.board.square(self.board.file_of(squares[pawn]), rank);
        }
        squares
    }

    /// The placement of a cell; `None` if two men stand on one square or a pawn stands where it cannot.
    pub fn placement(&self, cell: usize, to_move: Side) -> Option<Placement> {
        let mut squares = [ANY; MAX_MEN];
        let mut rest = cell;
        for square in squares[1..self.men.len()].iter_mut().rev() {
            *square = Square::new(rest % self.base)?;
            rest /= self.base;
        }
        squares[0] = self.origins[rest].square;
        let mut at = Placement { squares, to_move, en_passant: None };
        for (place, man) in self.men.iter().enumerate() {
            if man.kind != PieceKind::PAWN {
                continue;
            }
            let rank = self.board.rank_of(at.squares[place]);
            if rank != 0 && rank != self.board.ranks() - 1 {
                continue;
            }
            let step = self.double_steps[man.side as usize];
            let can_be =
                self.has_en_passant && rank == step.kept_on && man.side != to_move && at.en_passant.is_none();
            if !can_be {
                return None;
            }
            at.squares[place] = self.board.square(self.board.file_of(at.squares[place]), step.to);
            at.en_passant = Some(place);
        }
        (self.occupied(&at).count() as usize == self.men.len()).then_some(at)
    }

    /// The squares that are not empty.
    #[inline]
    pub fn occupied(&self, at: &Placement) -> Bitboard {
        at.squares[..self.men.len()].iter().copied().collect()
    }

    /// The square that a pawn passed in the double step that it has just taken.
    pub fn passed(&self, side: Side, pawn: Square) -> Square {
        self.board.square(self.board.file_of(pawn), self.double_steps[side as usize].passes)
    }

    /// The index of the pawn that has just passed a square.
    pub fn passing(&self, squares: &[Square], to_move: Side, passed: Square) -> Option<usize> {
        let side = to_move.other();
        let has_passed = |(man, &square): (&Man, &Square)| {
            *man == Man { side, kind: PieceKind::PAWN }
                && self.double_step_from(side, square).is_some()
                && self.passed(side, square) == passed
        };
        self.men.iter().zip(squares).position(has_passed)
    }

    /// The square on which a pawn stood before a double step; `None` if no double step ends on its square.
    pub fn double_step_from(&self, side: Side, pawn: Square) -> Option<Square> {
        let step = self.double_steps[side as usize];
        (self.board.rank_of(pawn) == step.to).then(|| self.board.square(self.board.file_of(pawn), step.from))
    }
}
