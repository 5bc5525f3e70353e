//! Legal moves on a board, as SVG.

use std::fmt::Write;

use crate::moves::{Move, MoveKind};
use crate::position::Position;
use crate::square::Square;

/// The colours of moves and of captures: those of [`MoveDiagram`](super::MoveDiagram), on darker squares.
const BLUE: &str = "#123f6d";
const RED: &str = "#b3260a";

/// A move as it is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveMark {
    /// A piece goes from a square to another one, which is empty.
    Quiet(Square, Square),
    /// A piece captures.
    Capture(Square, Square),
    /// Two pieces move at once: from where to where each of them goes.
    Both([(Square, Square); 2]),
}

impl MoveMark {
    /// The mark of a legal move.
    pub fn new(position: &Position<'_>, played: Move) -> Self {
        let Move { from, to, kind } = played;
        match kind {
            MoveKind::Adjustment => Self::Both([(from, to), (to, from)]),
            MoveKind::Castling => {
                let (king_lands, partner_lands) = position.landing(from, to);
                Self::Both([(from, king_lands), (to, partner_lands)])
            }
            MoveKind::EnPassant => Self::Capture(from, to),
            MoveKind::Normal | MoveKind::Promotion(_) if position.piece_at(to).is_some() => {
                Self::Capture(from, to)
            }
            MoveKind::Normal | MoveKind::Promotion(_) => Self::Quiet(from, to),
        }
    }

    /// The line along which a piece goes, which is drawn below the pieces.
    pub fn line(self, middle: impl Fn(Square) -> (f64, f64)) -> String {
        let straight = |from: Square, to: Square, colour: &str| {
            let ((x1, y1), (x2, y2)) = (middle(from), middle(to));
            format!("<path d=\"M{x1} {y1}L{x2} {y2}\" stroke=\"{colour}\"/>\n")
        };
        match self {
            Self::Quiet(from, to) => straight(from, to, BLUE),
            Self::Capture(from, to) => straight(from, to, RED),
            Self::Both(_) => String::new(),
        }
    }

    /// What is drawn above the pieces: a dot on an empty square, a ring around a piece that is captured, and arrows for pieces that
    /// move together.
    pub fn target(self, middle: impl Fn(Square) -> (f64, f64)) -> String {
        match self {
            Self::Quiet(_, to) => {
                let (x, y) = middle(to);
                format!(
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"5.5\" fill=\"{BLUE}\" stroke=\"#fff\" stroke-width=\"0.8\"/>\n"
                )
            }
            Self::Capture(_, to) => {
                let (x, y) = middle(to);
                format!(
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"20\" fill=\"none\" stroke=\"{RED}\" stroke-width=\"3.2\"/>\n"
                )
            }
            Self::Both(ways) => {
                let mut arrows = String::new();
                // One goes above the pieces and the other below, so that both are seen.
                for ((from, to), side) in ways.into_iter().zip([-1.0, 1.0]) {
                    let beside = |square| {
                        let (x, y) = middle(square);
                        (x, y + 13.0 * side)
                    };
                    arrows += &arrow(beside(from), beside(to), 22.0 * side);
                }
                arrows
            }
        }
    }
}

/// A curved arrow; a ring if it leads nowhere else.
fn arrow((x1, y1): (f64, f64), (x2, y2): (f64, f64), bend: f64) -> String {
    let style = format!(
        "fill=\"none\" stroke=\"{BLUE}\" stroke-width=\"2.6\" stroke-linecap=\"round\" stroke-linejoin=\"round\""
    );
    if (x1, y1) == (x2, y2) {
        return format!("<circle cx=\"{x1}\" cy=\"{y1}\" r=\"20\" {style}/>\n");
    }
    let (cx, cy) = ((x1 + x2) / 2.0, y1 + bend);
    let angle = (y2 - cy).atan2(x2 - cx);
    let mut path = format!("M{x1} {y1}Q{cx} {cy} {x2} {y2}");
    for turn in [2.6, -2.6] {
        let (x, y) = (x2 + 8.0 * (angle + turn).cos(), y2 + 8.0 * (angle + turn).sin());
        let _ = write!(path, "M{x:.1} {y:.1}L{x2} {y2}");
    }
    format!("<path d=\"{path}\" {style}/>\n")
}
