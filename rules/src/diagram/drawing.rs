//! Drawings of pieces.

use crate::betza::{Betza, Ray};
use crate::letter::Letter;
use crate::square::Side;
use crate::variant::Variant;

/// The drawing of a kind of piece, for the pieces that chess players know by sight.
///
/// It follows from how a piece moves, not from its letter or its name: the archbishop of one game and the prime minister of
/// another are the same knight with a mitre.
///
/// ```
/// use backrank_rules::{Drawing, Letter, Variant};
///
/// let (modern, capablanca) = (Variant::find("modern")?, Variant::find("capablanca-random")?);
/// let minister = Drawing::of(&modern, Letter::M).unwrap();
/// assert_eq!(Drawing::of(&capablanca, Letter::A), Some(minister));
/// assert!(minister.shapes().contains("<path "));
///
/// let elephant = Drawing::of(&Variant::find("mmcc")?, Letter::E);
/// assert_eq!(elephant, None);
/// # Ok::<(), backrank_rules::FindError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawing {
    svg: &'static str,
}

/// How a piece that has a drawing moves, whether it is royal, and the file with its drawing.
const DRAWINGS: [(&str, bool, &str); 8] = [
    ("K", true, include_str!("pieces/king.svg")),
    ("Q", false, include_str!("pieces/queen.svg")),
    ("R", false, include_str!("pieces/rook.svg")),
    ("B", false, include_str!("pieces/bishop.svg")),
    ("N", false, include_str!("pieces/knight.svg")),
    ("BN", false, include_str!("pieces/knight_bishop.svg")),
    ("RN", false, include_str!("pieces/knight_rook.svg")),
    ("QN", false, include_str!("pieces/knight_queen.svg")),
];

impl Drawing {
    /// The width and height of every drawing, in its own units.
    pub const SIZE: usize = 45;

    /// The drawing of the piece with this letter; `None` if the game has no such piece, or there is no drawing
    /// of it.
    pub fn of(variant: &Variant, letter: Letter) -> Option<Self> {
        if letter == Letter::PAWN {
            return Some(Self { svg: include_str!("pieces/pawn.svg") });
        }
        let piece = variant.piece(letter)?;
        let rays = sorted(&piece.betza);
        let moves_alike = |betza: &str| betza.parse::<Betza>().is_ok_and(|betza| sorted(&betza) == rays);
        let found = DRAWINGS.iter().find(|&&(betza, royal, _)| royal == piece.royal && moves_alike(betza));
        found.map(|&(_, _, svg)| Self { svg })
    }

    /// Its shapes, as SVG without the element around them. They inherit `fill`, `stroke` and `color`; lines inside a shape
    /// have the current colour.
    pub fn shapes(self) -> &'static str {
        let start = self.svg.find('>').map_or(0, |end| end + 1);
        let end = self.svg.rfind("</svg>").unwrap_or(self.svg.len());
        self.svg[start..end].trim()
    }

    /// The shapes of a piece that has no drawing: its letter on a disc.
    pub fn of_letter(letter: Letter) -> String {
        format!(
            r#"<circle cx="22.5" cy="22.5" r="16"/><text x="22.5" y="30" font-family="sans-serif" font-size="21" font-weight="bold" text-anchor="middle" fill="currentColor" stroke="none">{letter}</text>"#
        )
    }

    /// The attributes of a group around the shapes that make them a piece of a side.
    pub fn attributes(side: Side) -> &'static str {
        match side {
            Side::White => {
                r##"fill="#fff" stroke="#222" color="#222" stroke-width="1.4" stroke-linejoin="round" stroke-linecap="round""##
            }
            Side::Black => {
                r##"fill="#3a3a3a" stroke="#0c0c0c" color="#eee" stroke-width="1.4" stroke-linejoin="round" stroke-linecap="round""##
            }
        }
    }
}

fn sorted(betza: &Betza) -> Vec<Ray> {
    let mut rays = betza.rays().to_vec();
    rays.sort_unstable();
    rays
}
