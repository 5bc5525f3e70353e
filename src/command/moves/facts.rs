//! What is said of a piece besides its diagram.

use std::collections::BTreeSet;

use backrank_rules::{Betza, BetzaWarning, Bitboard, Board, MoveDiagram, Ray, Square};
use serde::Serialize;

use super::named::NamedPiece;

/// A board on which a third of the squares is occupied.
const A_THIRD: f64 = 1.0 / 3.0;

/// Everything about a piece on a board.
#[derive(Serialize)]
pub struct Facts {
    name: Option<String>,
    also_called: Vec<String>,
    source: Option<String>,
    game: Option<String>,
    betza: String,
    canonical: String,
    words: String,
    files: usize,
    ranks: usize,
    from: String,
    /// Squares to which it goes from there on an empty board, and those on which it could capture if there were a piece.
    moves: Vec<String>,
    captures: Vec<String>,
    /// The same, for what its first move adds.
    first_moves: Vec<String>,
    first_captures: Vec<String>,
    mobility_empty: Mobility,
    mobility_third: Mobility,
    colour_bound: bool,
    changes_colour: bool,
    squares_in_reach: u32,
    squares: usize,
    symmetric: bool,
    /// Whether it captures otherwise than it moves.
    divergent: bool,
    warnings: Vec<WarningJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
}

/// The mean number of squares that it reaches, without capturing and to capture.
#[derive(Serialize)]
struct Mobility {
    moves: f64,
    captures: f64,
}

/// A part of the text that others read otherwise.
#[derive(Serialize)]
struct WarningJson {
    part: String,
    column: usize,
    alike: String,
    text: String,
}

impl From<&BetzaWarning> for WarningJson {
    fn from(warning: &BetzaWarning) -> Self {
        let BetzaWarning { part, column, alike, .. } = warning.clone();
        Self { part, column, alike, text: warning.to_string() }
    }
}

impl Mobility {
    fn new(betza: &Betza, board: Board, density: f64) -> Self {
        let [moves, captures] = betza.mean_mobility(board, density);
        Self { moves, captures }
    }
}

/// The squares that a piece reaches from a square of an empty board by some of its rays.
fn reached(betza: &Betza, board: Board, from: Square, serves: impl Fn(&Ray) -> bool) -> Bitboard {
    let rays = betza.rays().iter().filter(|ray| serves(ray));
    rays.fold(Bitboard::EMPTY, |all, ray| all | ray.reached(board, from, Bitboard::EMPTY))
}

impl Facts {
    pub fn new(piece: &NamedPiece, board: Board) -> Self {
        let betza = &piece.betza;
        let from = MoveDiagram::centre(board);
        let always = |captures: bool| {
            reached(betza, board, from, |ray| {
                !ray.first_move_only && if captures { ray.captures } else { ray.moves }
            })
        };
        let first = |captures: bool| {
            let all = reached(betza, board, from, |ray| {
                ray.first_move_only && if captures { ray.captures } else { ray.moves }
            });
            all & !always(captures)
        };
        let names = |squares: Bitboard| squares.iter().map(|square| board.square_name(square)).collect();
        let is_step = |ray: &Ray| ray.range == 1 && !ray.keeps_colour();
        let also_called = piece.known.map_or(Vec::new(), |known| {
            let others = known.names().filter(|name| Some(*name) != piece.name.as_deref());
            others.map(String::from).collect()
        });
        Self {
            name: piece.name.clone(),
            also_called,
            source: piece.known.map(|known| known.source.clone()),
            game: piece.game.clone(),
            betza: betza.to_string(),
            canonical: betza.canonical(),
            words: betza.in_words(),
            files: board.files(),
            ranks: board.ranks(),
            from: board.square_name(from),
            moves: names(always(false)),
            captures: names(always(true)),
            first_moves: names(first(false)),
            first_captures: names(first(true)),
            mobility_empty: Mobility::new(betza, board, 0.0),
            mobility_third: Mobility::new(betza, board, A_THIRD),
            colour_bound: betza.is_colour_bound(),
            changes_colour: betza.rays().iter().all(is_step),
            squares_in_reach: betza.squares_in_reach(board, from).count(),
            squares: board.squares(),
            symmetric: betza.is_symmetric(),
            divergent: betza.rays().iter().any(|ray| ray.moves != ray.captures),
            warnings: betza.warnings().iter().map(WarningJson::from).collect(),
            note: piece.note,
        }
    }

    /// The names and values that are printed under the diagram.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = vec![("moves", self.words.clone()), ("canonical", self.canonical.clone())];
        lines.push(("reach", self.reach()));
        let mobility = |purpose: &str, of: fn(&Mobility) -> f64| {
            let [empty, third] = [&self.mobility_empty, &self.mobility_third].map(of);
            let text = format!(
                "{purpose}{empty:.2} squares on average on an empty board, {third:.2} with a third of the squares occupied"
            );
            ("mobility", text)
        };
        if self.divergent {
            lines.push(mobility("without capturing ", |found| found.moves));
            lines.push(mobility("to capture ", |found| found.captures));
        } else {
            lines.push(mobility("", |found| found.captures));
        }
        lines.push(("colour", self.colour()));
        let symmetry = if self.symmetric {
            "alike to the left and to the right"
        } else {
            "not alike to the left and to the right"
        };
        lines.push(("symmetry", symmetry.to_string()));
        if !self.also_called.is_empty() {
            lines.push(("also called", self.also_called.join(", ")));
        }
        lines.extend(self.source.iter().map(|source| ("source", source.clone())));
        lines.extend(self.note.iter().map(|note| ("note", note.to_string())));
        lines.extend(self.warnings.iter().map(|warning| ("warning", warning.text.clone())));
        lines
    }

    /// How many squares it has from the middle.
    fn reach(&self) -> String {
        let squares = |number: usize| format!("{number} square{}", if number == 1 { "" } else { "s" });
        let from = format!("from {} on an empty board", self.from);
        let mut text = if self.divergent {
            format!(
                "{} without capturing and {} to capture, {from}",
                squares(self.moves.len()),
                self.captures.len()
            )
        } else {
            format!("{}, {from}", squares(self.moves.len()))
        };
        let first = self.first_moves.iter().chain(&self.first_captures).collect::<BTreeSet<_>>().len();
        if first > 0 {
            text += &format!("; {first} more on its first move");
        }
        text
    }

    /// What it does to the colour of its square, and whether it comes everywhere.
    fn colour(&self) -> String {
        let colour = match (self.colour_bound, self.changes_colour) {
            (true, _) => "never leaves the colour of its square",
            (_, true) => "changes colour with every move",
            _ => "goes to squares of both colours",
        };
        let Self { from, squares_in_reach: reached, squares, .. } = self;
        if *reached as usize == *squares {
            format!("{colour}; comes to every square")
        } else {
            format!("{colour}; comes to {reached} of the {squares} squares from {from}")
        }
    }
}
