//! What can be seen of a piece without games.

use serde::Serialize;

use crate::betza::{Betza, Passage, Ray};
use crate::board::Board;
use crate::diagram::MoveDiagram;

/// The part of the board that is occupied in most of a game.
const CROWDED: f64 = 1.0 / 3.0;

/// What a piece's value may depend on. Mobility is the mean over the squares of a board, in squares, a third of the others being
/// occupied.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PieceFeatures {
    /// The squares to which it may go if they are empty.
    pub moves: f64,
    /// The squares on which it may capture.
    pub captures: f64,
    /// The part of both that lies forwards.
    pub forward: f64,
    /// The squares on which it captures that are not next to it: from there it checks a king that cannot take it.
    pub far_captures: f64,
    /// The squares on which it captures on an empty board.
    pub captures_when_empty: f64,
    /// Whether it never leaves its colour.
    pub colour_bound: bool,
    /// The part of the board that it can ever come to from its middle.
    pub reach: f64,
}

impl PieceFeatures {
    /// The terms of a linear model of the logarithm of a piece's value, by name.
    pub const TERMS: [&str; 10] = [
        "constant",
        "logarithm of mobility",
        "forwards",
        "colour-bound",
        "far captures",
        "logarithm of how much an empty board adds",
        "logarithm of how much it takes",
        "captures beyond its moves",
        "moves beyond its captures",
        "squares out of reach",
    ];

    /// Those of a piece on a board.
    ///
    /// ```
    /// use backrank_rules::{Board, PieceFeatures};
    ///
    /// let knight = PieceFeatures::of(&"N".parse()?, Board::new(8, 8)?);
    /// assert_eq!((knight.captures, knight.far_captures, knight.forward), (5.25, 5.25, 0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(betza: &Betza, board: Board) -> Self {
        let mobility = |chosen: &dyn Fn(&Ray) -> bool| betza.mean_mobility_of(board, CROWDED, chosen);
        let [moves, captures] = betza.mean_mobility(board, CROWDED);
        let forwards = mobility(&|ray| ray.moves && ray.dy > 0) + mobility(&|ray| ray.captures && ray.dy > 0);
        // The first step of a ride is next to it, and no other is.
        let near = |ray: &Ray| {
            ray.captures && ray.passage == Passage::Free && ray.dx.abs() <= 1 && ray.dy.abs() <= 1
        };
        let first_steps = betza.rays().iter().filter(|ray| !ray.first_move_only && near(ray));
        let mut steps: Vec<(i8, i8)> = first_steps.map(|ray| (ray.dx, ray.dy)).collect();
        steps.sort_unstable();
        steps.dedup();
        let on_board = |&(dx, dy): &(i8, i8)| {
            let left = |size: usize, step: i8| size as f64 - f64::from(step.abs());
            left(board.files(), dx) * left(board.ranks(), dy) / board.squares() as f64
        };
        let next: f64 = steps.iter().map(on_board).sum();
        let middle = MoveDiagram::centre(board);
        Self {
            moves,
            captures,
            forward: forwards / (moves + captures).max(f64::MIN_POSITIVE),
            far_captures: (captures - next).max(0.0),
            captures_when_empty: betza.mean_mobility_of(board, 0.0, |ray| ray.captures),
            colour_bound: betza.is_colour_bound(),
            reach: f64::from(betza.squares_in_reach(board, middle).count()) / board.squares() as f64,
        }
    }

    /// Its mobility, in which capturing counts two thirds and moving one third, as H. G. Muller found of divergent pieces.
    pub fn mobility(&self) -> f64 {
        (self.moves + 2.0 * self.captures) / 3.0
    }

    /// What it has of each of [`TERMS`](Self::TERMS).
    ///
    /// ```
    /// use backrank_rules::{Board, PieceFeatures};
    ///
    /// let bishop = PieceFeatures::of(&"B".parse()?, Board::new(8, 8)?);
    /// let colour_bound = PieceFeatures::TERMS.iter().position(|&term| term == "colour-bound");
    /// assert_eq!(bishop.terms()[colour_bound.unwrap()], 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn terms(&self) -> [f64; Self::TERMS.len()] {
        let captures = self.captures.max(0.1);
        let beyond = (self.captures - self.moves) / (self.captures + self.moves).max(0.1);
        // An empty board adds to what riders capture, and takes from what hoppers do, down to nothing.
        let empty_adds = (self.captures_when_empty.max(0.1) / captures).ln();
        [
            1.0,
            self.mobility().max(0.1).ln(),
            self.forward - 0.5,
            f64::from(self.colour_bound),
            self.far_captures / captures,
            empty_adds.max(0.0),
            (-empty_adds).max(0.0),
            beyond.max(0.0),
            (-beyond).max(0.0),
            // A colour-bound piece has a term of its own.
            1.0 - self.reach * if self.colour_bound { 2.0 } else { 1.0 },
        ]
    }
}
