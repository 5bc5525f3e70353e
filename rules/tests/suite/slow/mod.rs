//! A second move generator, slow and plain, that the toolkit's own is held against.
//!
//! It reads the rules in the most direct way: a list of squares, every move made on a copy of the board, and a king in
//! check where some enemy piece reaches it step by step. It takes the board, the pieces and their rays from the library
//! and shares nothing else with it. Texts are taken to be valid.

#![allow(dead_code, reason = "each test that includes this module uses its own part of it")]

mod adjustment;
mod attack;
mod castling;
mod moves;
mod pawn;
mod start;
mod text;

use std::collections::BTreeSet;
use std::fmt;

use backrank_rules::{Letter, Variant};
pub use start::start_fen;

/// A position, and how it came to be as far as that matters: who may still castle, adjust or leap.
#[derive(Clone)]
pub struct SlowPosition<'v> {
    variant: &'v Variant,
    with_adjustment: bool,
    /// What stands on each square: a1, b1 and so on, rank by rank.
    squares: Vec<Option<Man>>,
    side: Side,
    /// The files of the partners each side may still castle with.
    castling: BTreeSet<(Side, i32)>,
    /// The square a pawn has just passed, where an enemy pawn can take it, and the one where it stands.
    en_passant: Option<(Square, Square)>,
    halfmoves: u32,
    fullmove: u32,
    /// How many more checks each side needs, in games that are won by checks.
    checks_left: [u8; 2],
    /// The seventh field: files of first-rank men that have not moved, where that still gives a move.
    unmoved: BTreeSet<(Side, i32)>,
}

/// White or Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    White,
    Black,
}

impl Side {
    /// A rank counted from its own end, of one counted from White's, or the other way round.
    fn own_rank(self, variant: &Variant, rank: i32) -> i32 {
        match self {
            Self::White => rank,
            Self::Black => variant.board.ranks() as i32 - 1 - rank,
        }
    }

    fn enemy(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// One step forwards, in ranks.
    fn forward(self) -> i32 {
        match self {
            Self::White => 1,
            Self::Black => -1,
        }
    }

    /// Its way of writing a letter.
    fn letter(self, capital: char) -> char {
        match self {
            Self::White => capital,
            Self::Black => capital.to_ascii_lowercase(),
        }
    }
}

/// A piece or pawn of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Man {
    side: Side,
    letter: Letter,
}

/// A place that may lie beyond the edge of the board; both count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Square {
    file: i32,
    rank: i32,
}

impl Square {
    fn step(self, files: i32, ranks: i32) -> Self {
        Self { file: self.file + files, rank: self.rank + ranks }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", file_letter(self.file), self.rank + 1)
    }
}

fn file_letter(file: i32) -> char {
    (b'a' + file as u8) as char
}

impl<'v> SlowPosition<'v> {
    /// White to move on an empty board.
    fn empty(variant: &'v Variant) -> Self {
        Self {
            variant,
            with_adjustment: true,
            squares: vec![None; variant.board.squares()],
            side: Side::White,
            castling: BTreeSet::new(),
            en_passant: None,
            halfmoves: 0,
            fullmove: 1,
            checks_left: [variant.checks; 2],
            unmoved: BTreeSet::new(),
        }
    }
}

impl SlowPosition<'_> {
    /// The same position in the same game without the Bishop Adjustment.
    pub fn without_adjustment(mut self) -> Self {
        self.with_adjustment = false;
        self.keep_useful_marks();
        self
    }

    /// The number of games of `depth` plies from here.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.moves().len() as u64,
            _ => self.moves().iter().map(|(_, next)| next.perft(depth - 1)).sum(),
        }
    }

    fn is_on_board(&self, square: Square) -> bool {
        let (files, ranks) = (self.variant.board.files() as i32, self.variant.board.ranks() as i32);
        (0..files).contains(&square.file) && (0..ranks).contains(&square.rank)
    }

    fn index(&self, square: Square) -> usize {
        assert!(self.is_on_board(square), "{square:?}");
        square.rank as usize * self.variant.board.files() + square.file as usize
    }

    fn at(&self, square: Square) -> Option<Man> {
        self.squares[self.index(square)]
    }

    fn put(&mut self, square: Square, man: Option<Man>) {
        let index = self.index(square);
        self.squares[index] = man;
    }

    /// The men of a side and where they stand.
    fn men(&self, side: Side) -> impl Iterator<Item = (Square, Man)> {
        let files = self.variant.board.files();
        self.squares.iter().enumerate().filter_map(move |(index, man)| {
            let square = Square { file: (index % files) as i32, rank: (index / files) as i32 };
            man.filter(|man| man.side == side).map(|man| (square, man))
        })
    }

    /// The rank on which its shuffled pieces start.
    fn first_rank(&self, side: Side) -> i32 {
        side.own_rank(self.variant, self.variant.first_rank as i32)
    }

    /// The rank its pawns are promoted on: the board's last, wherever the enemy started.
    fn last_rank(&self, side: Side) -> i32 {
        match side {
            Side::White => self.variant.board.ranks() as i32 - 1,
            Side::Black => 0,
        }
    }

    fn on_first_rank(&self, side: Side, file: i32) -> Square {
        Square { file, rank: self.first_rank(side) }
    }

    fn is_royal(&self, man: Man) -> bool {
        self.variant.piece(man.letter).is_some_and(|piece| piece.royal)
    }

    fn king(&self, side: Side) -> Square {
        let (square, _) = self.men(side).find(|&(_, man)| self.is_royal(man)).expect("each side has a king");
        square
    }

    /// Whether the man on this square has not moved, as far as that still matters.
    fn is_unmoved(&self, square: Square, man: Man) -> bool {
        square.rank == self.first_rank(man.side) && self.unmoved.contains(&(man.side, square.file))
    }

    /// Makes a move: puts men on squares, or takes them off, and passes the turn.
    ///
    /// A man that `changes` mention has moved or been taken, even where one of the same kind stands there afterwards.
    fn after(&self, changes: &[(Square, Option<Man>)]) -> Self {
        let mut next = self.clone();
        for &(square, man) in changes {
            next.put(square, man);
            for side in [Side::White, Side::Black] {
                if square.rank == self.first_rank(side) {
                    next.castling.remove(&(side, square.file));
                    next.unmoved.remove(&(side, square.file));
                }
                if square == self.king(side) {
                    next.castling.retain(|&(castling_side, _)| castling_side != side);
                }
            }
        }
        next.keep_useful_marks();
        next.en_passant = None;
        next.halfmoves += 1;
        if self.side == Side::Black {
            next.fullmove += 1;
        }
        next.side = self.side.enemy();
        if next.checks_left[self.side as usize] > 0 && next.is_check() {
            next.checks_left[self.side as usize] -= 1;
        }
        next
    }

    /// Whether a side has reached its goal, or has given all its checks.
    fn is_over(&self) -> bool {
        let at_goal = |square: Square, man: Man| {
            self.variant.goal.is_some_and(|goal| {
                let squares = goal.squares[man.side as usize].iter();
                let squares = squares.map(|square| self.variant.board.square_name(square));
                goal.piece == man.letter && squares.into_iter().any(|name| name == square.to_string())
            })
        };
        [Side::White, Side::Black].into_iter().any(|side| {
            let by_checks = self.variant.checks > 0 && self.checks_left[side as usize] == 0;
            by_checks || self.men(side).any(|(square, man)| at_goal(square, man))
        })
    }
}
