//! Diagrams of boards: text for a terminal, SVG for a page.

mod drawing;
mod legal_moves;
mod moves;

use std::fmt::{self, Write};

use crate::board::{Board, Colour, File};
use crate::letter::Letter;
use crate::position::Position;
use crate::setup::Setup;
use crate::square::{Side, Square};
use crate::variant::Variant;

pub use drawing::Drawing;
use legal_moves::MoveMark;
pub use moves::MoveDiagram;

/// A picture of a board with pieces on it.
///
/// As text it has the orthodox pieces as their Unicode symbols and all others as letters, Black's in lower case. As SVG it says how a
/// piece that is none of these moves when it is pointed at.
///
/// ```
/// use backrank_rules::{Diagram, Setup, Variant};
///
/// let chess = Variant::find("chess")?;
/// let diagram = Diagram::of_setup(&chess, &chess.written_setup());
/// assert!(diagram.to_string().ends_with("\n1  ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖\n   a b c d e f g h\n"));
/// assert!(diagram.to_svg().starts_with("<svg ") && !diagram.to_svg().contains("<title>"));
///
/// let amazons = Variant::find("amazon960")?;
/// let svg = Diagram::of_setup(&amazons, &amazons.written_setup()).to_svg();
/// assert!(svg.contains("<title>amazon: Slides in any direction, or leaps as a knight.</title>"), "{svg}");
/// # Ok::<(), backrank_rules::FindError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Diagram {
    board: Board,
    /// Squares from a1 along the ranks.
    squares: Vec<Option<(Side, Letter)>>,
    /// The letters of the orthodox pieces with the offset of their symbols from the king's.
    symbols: Vec<(Letter, u32)>,
    /// The letters of the other pieces, with their names and moves in words.
    titles: Vec<(Letter, String)>,
    /// The drawings of the pieces that have one, by letter.
    drawings: Vec<(Letter, Drawing)>,
    /// The moves that are marked.
    moves: Vec<MoveMark>,
}

impl Diagram {
    /// A diagram of any position. `squares` has what stands on each square from a1 along the ranks.
    ///
    /// # Panics
    ///
    /// When the number of squares is not the board's.
    pub fn new(variant: &Variant, squares: Vec<Option<(Side, Letter)>>) -> Self {
        assert_eq!(squares.len(), variant.board.squares(), "squares of a diagram");
        // In the order of their Unicode symbols.
        const ORTHODOX: [&str; 5] = ["K", "Q", "R", "B", "N"];
        let (mut symbols, mut titles) = (vec![(Letter::PAWN, 5)], Vec::new());
        for piece in &variant.pieces {
            let betza = piece.betza.to_string();
            let place = ORTHODOX.iter().position(|&orthodox| orthodox == betza);
            match place.filter(|&place| (place == 0) == piece.royal) {
                Some(place) => symbols.push((piece.letter, place as u32)),
                None => titles.push((piece.letter, format!("{}: {}", piece.name, piece.betza.in_words()))),
            }
        }
        let letters = variant.pieces.iter().map(|piece| piece.letter).chain([Letter::PAWN]);
        let drawings = letters.filter_map(|letter| Some((letter, Drawing::of(variant, letter)?))).collect();
        Self { board: variant.board, squares, symbols, titles, drawings, moves: Vec::new() }
    }

    /// A diagram of a setup.
    pub fn of_setup(variant: &Variant, setup: &Setup) -> Self {
        Self::of_pieces(variant, variant.setup_pieces(setup))
    }

    /// A diagram of a position.
    pub fn of_position(position: &Position<'_>) -> Self {
        Self::of_pieces(position.rules().variant(), position.all_pieces())
    }

    /// A diagram of a position whose picture shows every legal move: a dot where a piece goes, a ring around what it captures, and
    /// arrows where two pieces move together.
    pub fn of_legal_moves(position: &Position<'_>) -> Self {
        let moves = position.legal_moves().into_iter().map(|played| MoveMark::new(position, played));
        let mut moves: Vec<MoveMark> = moves.collect();
        // A pawn that becomes several pieces goes to one square.
        moves.dedup();
        Self { moves, ..Self::of_position(position) }
    }

    fn of_pieces(variant: &Variant, pieces: impl Iterator<Item = (Square, Side, Letter)>) -> Self {
        let mut squares = vec![None; variant.board.squares()];
        for (square, side, letter) in pieces {
            squares[square.index()] = Some((side, letter));
        }
        Self::new(variant, squares)
    }

    fn at(&self, rank: usize, file: usize) -> Option<(Side, Letter)> {
        self.squares[rank * self.board.files() + file]
    }

    /// What stands for a piece in a text.
    fn symbol(&self, side: Side, letter: Letter) -> char {
        let known = self.symbols.iter().find(|symbol| symbol.0 == letter);
        let (first, cased) = match side {
            Side::White => ('♔', letter.as_char()),
            Side::Black => ('♚', letter.lower()),
        };
        known.and_then(|symbol| char::from_u32(first as u32 + symbol.1)).unwrap_or(cased)
    }

    /// The diagram as SVG: squares of 45 units, coordinates on the left and below. It uses no font but the reader's own sans-serif.
    pub fn to_svg(&self) -> String {
        const SQUARE: usize = Drawing::SIZE;
        const MARGIN: usize = 22;
        let (files, ranks) = (self.board.files(), self.board.ranks());
        let (width, height) = (files * SQUARE + MARGIN, ranks * SQUARE + MARGIN);
        let mut svg = String::new();
        let mut line = |text: fmt::Arguments<'_>| writeln!(svg, "{text}").expect("a String takes all text");
        line(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="sans-serif" text-anchor="middle">"#
        ));
        line(format_args!(r##"<rect width="{width}" height="{height}" fill="#fff"/>"##));
        let corner = |file: usize, rank: usize| (MARGIN + file * SQUARE, (ranks - 1 - rank) * SQUARE);
        let everywhere = || (0..ranks).flat_map(|rank| (0..files).map(move |file| (file, rank)));
        let middle = |square: Square| {
            let (x, y) = corner(usize::from(self.board.file_of(square).0), self.board.rank_of(square));
            (x as f64 + SQUARE as f64 / 2.0, y as f64 + SQUARE as f64 / 2.0)
        };
        for (file, rank) in everywhere() {
            let (x, y) = corner(file, rank);
            let fill = match Colour::of(File(file as u8), rank) {
                Colour::Dark => "#b58863",
                Colour::Light => "#f0d9b5",
            };
            line(format_args!(r#"<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{fill}"/>"#));
        }
        if !self.moves.is_empty() {
            let lines: String = self.moves.iter().map(|mark| mark.line(middle)).collect();
            line(format_args!(
                r#"<g fill="none" stroke-width="2.4" stroke-linecap="round" opacity="0.7">
{lines}</g>"#
            ));
        }
        for (file, rank) in everywhere() {
            if let Some((side, letter)) = self.at(rank, file) {
                let (x, y) = corner(file, rank);
                let shapes = self.drawn(letter);
                let attributes = Drawing::attributes(side);
                let title = self.titles.iter().find(|title| title.0 == letter);
                let title =
                    title.map_or(String::new(), |(_, text)| format!("<title>{}</title>", escaped(text)));
                line(format_args!(r#"<g transform="translate({x} {y})" {attributes}>{title}{shapes}</g>"#));
            }
        }
        for mark in &self.moves {
            line(format_args!("{}", mark.target(middle).trim_end()));
        }
        for file in 0..files {
            let (x, y) = (MARGIN + file * SQUARE + SQUARE / 2, ranks * SQUARE + 16);
            line(format_args!(
                r##"<text x="{x}" y="{y}" font-size="14" fill="#222">{}</text>"##,
                File(file as u8)
            ));
        }
        for rank in 0..ranks {
            let y = (ranks - 1 - rank) * SQUARE + SQUARE / 2 + 5;
            line(format_args!(
                r##"<text x="{}" y="{y}" font-size="14" fill="#222">{}</text>"##,
                MARGIN / 2,
                rank + 1
            ));
        }
        line(format_args!("</svg>"));
        svg
    }

    /// The shapes of a piece.
    fn drawn(&self, letter: Letter) -> &str {
        let drawing = self.drawings.iter().find(|drawing| drawing.0 == letter);
        drawing.map_or("", |(_, drawing)| drawing.shapes())
    }
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..self.board.ranks()).rev() {
            write!(f, "{:<2}", rank + 1)?;
            for file in 0..self.board.files() {
                write!(
                    f,
                    " {}",
                    self.at(rank, file).map_or('·', |(side, letter)| self.symbol(side, letter))
                )?;
            }
            writeln!(f)?;
        }
        write!(f, "  ")?;
        (0..self.board.files()).try_for_each(|file| write!(f, " {}", File(file as u8)))?;
        writeln!(f)
    }
}

/// A text as it stands in SVG.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
