//! The pieces with which a side attacks a square.

use super::lines::LineShape;
use super::tables::{Steps, Tables, by_square, chosen, reversed};
use crate::betza::{Passage, Ray};
use crate::bitboard::Bitboard;
use crate::piece_kind::{KindGroup, PieceKind};

/// Pieces that attack in the same single steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LeaperGroup {
    pub kinds: KindGroup,
    /// Empty if the group has only pieces that have not moved, otherwise full.
    pub moved: Bitboard,
    /// The table of squares from which they reach a square.
    pub from: u16,
}

/// Pieces that attack along the same lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RiderGroup {
    pub kinds: KindGroup,
    /// Empty if the group has only pieces that have not moved, otherwise full.
    pub moved: Bitboard,
    /// The lines along which they reach a square.
    pub from: Steps,
    /// The table of those lines on an empty board.
    pub reach: u16,
}

/// Pieces of a kind that attack along paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathGroup {
    pub kind: PieceKind,
    /// Empty if the group has only pieces that have not moved, otherwise full.
    pub moved: Bitboard,
    /// The table of the paths to a square.
    pub from: u16,
    /// The table of the squares where these paths begin.
    pub reach: u16,
}

/// What one side attacks with, seen from the attacked square.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attackers {
    /// The groups that attack in single steps.
    pub leapers: Vec<LeaperGroup>,
    /// The table of squares from which any of them reaches a square.
    pub leaps: u16,
    /// The groups that ride.
    pub riders: Vec<RiderGroup>,
    /// The groups that go along paths.
    pub paths: Vec<PathGroup>,
}

impl Attackers {
    /// Groups the kinds of a side, each given with its rays, by the steps and lines that they share.
    pub fn new(tables: &mut Tables, kinds: &[(PieceKind, Vec<Ray>)]) -> Self {
        let mut attackers = Self::default();
        for unmoved in [false, true] {
            let moved = if unmoved { Bitboard::EMPTY } else { Bitboard::FULL };
            let mut leaps: Vec<(u16, Vec<PieceKind>)> = Vec::new();
            let mut lines: Vec<(LineShape, Vec<PieceKind>)> = Vec::new();
            for (kind, rays) in kinds {
                let (free, passing): (Vec<Ray>, Vec<Ray>) =
                    chosen(rays, true, unmoved).into_iter().partition(|ray| ray.passage == Passage::Free);
                if !passing.is_empty() {
                    attackers.add_paths(tables, *kind, moved, &passing);
                }
                let back = reversed(&free);
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
                attackers.leapers.push(LeaperGroup { kinds: KindGroup::new(&kinds), moved, from });
            }
            while let Some((_, kinds)) = lines.first().cloned() {
                let (together, rest): (Vec<_>, Vec<_>) =
                    lines.into_iter().partition(|(_, riders)| *riders == kinds);
                lines = rest;
                let shapes: Vec<LineShape> = together.into_iter().map(|(shape, _)| shape).collect();
                attackers.add_riders(tables, KindGroup::new(&kinds), moved, &shapes);
            }
        }
        let from: Vec<u16> = attackers.leapers.iter().map(|group| group.from).collect();
        attackers.leaps = tables.union(&from);
        attackers
    }

    fn add_riders(&mut self, tables: &mut Tables, kinds: KindGroup, moved: Bitboard, shapes: &[LineShape]) {
        let (first_line, lines) = tables.shapes(shapes);
        let board = tables.board;
        let reach = tables.table(by_square(board, |square| {
            shapes.iter().map(|shape| shape.through(board, square).all()).collect()
        }));
        let from = Steps { first_line, lines, ..Steps::default() };
        self.riders.push(RiderGroup { kinds, moved, from, reach });
    }

    fn add_paths(&mut self, tables: &mut Tables, kind: PieceKind, moved: Bitboard, rays: &[Ray]) {
        let paths = tables.steps(rays).paths;
        let from = tables.path_origins(paths);
        let board = tables.board;
        let reach = by_square(board, |square| {
            tables.paths(from).at(square).iter().map(|path| Bitboard::from(path.end)).collect()
        });
        let reach = tables.table(reach);
        self.paths.push(PathGroup { kind, moved, from, reach });
    }
}
