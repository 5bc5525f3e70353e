//! Diagrams of boards: text for a terminal, SVG for a page.

use std::fmt::{self, Write};

use crate::board::{Board, Colour, File};
use crate::position::Position;
use crate::setup::Setup;
use crate::square::{Side, Square};
use crate::variant::{Pawn, Variant};

/// A picture of a board with pieces on it.
///
/// As text it has the orthodox pieces as their Unicode symbols and all others as letters, Black's in lower case.
///
/// ```
/// use backrank_rules::{Diagram, Setup, Variant};
///
/// let chess = Variant::find("chess")?;
/// let diagram = Diagram::of_setup(&chess, &Setup { white: chess.army, black: chess.army });
/// assert!(diagram.to_string().ends_with("\n1  ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖\n   a b c d e f g h\n"));
/// assert!(diagram.to_svg().starts_with("<svg "));
/// # Ok::<(), backrank_rules::FindError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Diagram {
    board: Board,
    /// Squares from a1 along the ranks; White's pieces are capital letters, Black's small ones.
    squares: Vec<Option<u8>>,
    /// The letters of the orthodox pieces with the offset of their symbols from the king's.
    symbols: Vec<(u8, u32)>,
}

impl Diagram {
    /// A diagram of any position. `squares` has a letter for each square from a1 along the ranks: a capital for a white
    /// piece, a small one for a black piece.
    ///
    /// # Panics
    ///
    /// When the number of squares is not the board's.
    pub fn new(variant: &Variant, squares: Vec<Option<u8>>) -> Self {
        assert_eq!(squares.len(), variant.board.squares(), "squares of a diagram");
        // In the order of their Unicode symbols.
        const ORTHODOX: [&str; 5] = ["K", "Q", "R", "B", "N"];
        let mut symbols = vec![(Pawn::LETTER, 5)];
        for piece in &variant.pieces {
            let betza = piece.betza.to_string();
            let place = ORTHODOX.iter().position(|&orthodox| orthodox == betza);
            if let Some(place) = place.filter(|&place| (place == 0) == piece.royal) {
                symbols.push((piece.letter, place as u32));
            }
        }
        Self { board: variant.board, squares, symbols }
    }

    /// A diagram of a setup.
    pub fn of_setup(variant: &Variant, setup: &Setup) -> Self {
        Self::of_pieces(variant, variant.setup_pieces(setup))
    }

    /// A diagram of a position.
    pub fn of_position(position: &Position<'_>) -> Self {
        Self::of_pieces(position.rules().variant(), position.all_pieces())
    }

    fn of_pieces(variant: &Variant, pieces: impl Iterator<Item = (Square, Side, u8)>) -> Self {
        let mut squares = vec![None; variant.board.squares()];
        for (square, side, letter) in pieces {
            squares[square.index()] = Some(side.cased(letter) as u8);
        }
        Self::new(variant, squares)
    }

    fn at(&self, rank: usize, file: usize) -> Option<u8> {
        self.squares[rank * self.board.files() + file]
    }

    /// What stands for a piece in a text.
    fn symbol(&self, letter: u8) -> char {
        let known = self.symbols.iter().find(|symbol| symbol.0 == letter.to_ascii_uppercase());
        let first = if letter.is_ascii_uppercase() { '♔' } else { '♚' };
        known.and_then(|symbol| char::from_u32(first as u32 + symbol.1)).unwrap_or(letter as char)
    }

    /// The diagram as SVG: squares of 45 units, coordinates on the left and below, pieces as letters on discs in their
    /// side's colour. It uses no font but the reader's own sans-serif.
    pub fn to_svg(&self) -> String {
        const SQUARE: usize = 45;
        const MARGIN: usize = 22;
        let (files, ranks) = (self.board.files(), self.board.ranks());
        let (width, height) = (files * SQUARE + MARGIN, ranks * SQUARE + MARGIN);
        let mut svg = String::new();
        let mut line = |text: fmt::Arguments<'_>| writeln!(svg, "{text}").expect("a String takes all text");
        line(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="sans-serif" text-anchor="middle">"#
        ));
        line(format_args!(r##"<rect width="{width}" height="{height}" fill="#fff"/>"##));
        for rank in 0..ranks {
            for file in 0..files {
                let (x, y) = (MARGIN + file * SQUARE, (ranks - 1 - rank) * SQUARE);
                let fill = match Colour::of(File(file as u8), rank) {
                    Colour::Dark => "#b58863",
                    Colour::Light => "#f0d9b5",
                };
                line(format_args!(
                    r#"<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{fill}"/>"#
                ));
                let Some(letter) = self.at(rank, file) else { continue };
                let (disc, ink) =
                    if letter.is_ascii_uppercase() { ("#fff", "#222") } else { ("#222", "#fff") };
                let (cx, cy, baseline) = (x + SQUARE / 2, y + SQUARE / 2, y + SQUARE / 2 + 8);
                line(format_args!(r##"<circle cx="{cx}" cy="{cy}" r="17" fill="{disc}" stroke="#222"/>"##));
                line(format_args!(
                    r#"<text x="{cx}" y="{baseline}" font-size="22" font-weight="bold" fill="{ink}">{}</text>"#,
                    letter.to_ascii_uppercase() as char
                ));
            }
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
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..self.board.ranks()).rev() {
            write!(f, "{:<2}", rank + 1)?;
            for file in 0..self.board.files() {
                write!(f, " {}", self.at(rank, file).map_or('·', |letter| self.symbol(letter)))?;
            }
            writeln!(f)?;
        }
        write!(f, "  ")?;
        (0..self.board.files()).try_for_each(|file| write!(f, " {}", File(file as u8)))?;
        writeln!(f)
    }
}
