//! Drawings of pieces.

use std::borrow::Cow;

use crate::betza::Betza;
use crate::letter::Letter;
use crate::square::Side;
use crate::variant::Variant;

/// The drawing of a kind of piece.
///
/// It follows from how a piece moves, not from its letter or its name: the archbishop of one game and the prime minister of
/// another are the same knight with a mitre. A piece that moves like two others together is drawn as both of them, and any other is its
/// letter on a shield.
///
/// ```
/// use backrank_rules::{Drawing, Letter, Variant};
///
/// let (modern, capablanca) = (Variant::find("modern")?, Variant::find("capablanca-random")?);
/// let minister = Drawing::of(&modern, Letter::M).unwrap();
/// assert_eq!(Drawing::of(&capablanca, Letter::A), Some(minister.clone()));
/// assert!(minister.shapes().contains("<path "));
///
/// let elephant = Drawing::of(&Variant::find("mmcc")?, Letter::E).unwrap();
/// assert!(elephant.shapes().contains(">E</text>"));
/// assert_eq!(Drawing::of(&modern, Letter::X), None);
/// # Ok::<(), backrank_rules::FindError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    shapes: Cow<'static, str>,
}

/// How a piece that has a drawing moves, whether it is royal, and the file with its drawing.
const DRAWINGS: [(&str, bool, &str); 9] = [
    ("K", true, include_str!("pieces/king.svg")),
    ("K", false, include_str!("pieces/mann.svg")),
    ("Q", false, include_str!("pieces/queen.svg")),
    ("R", false, include_str!("pieces/rook.svg")),
    ("B", false, include_str!("pieces/bishop.svg")),
    ("N", false, include_str!("pieces/knight.svg")),
    ("BN", false, include_str!("pieces/knight_bishop.svg")),
    ("RN", false, include_str!("pieces/knight_rook.svg")),
    ("QN", false, include_str!("pieces/knight_queen.svg")),
];

/// The number of the first ones, of which compounds are put together.
const SIMPLE: usize = 6;

const PAWN: &str = include_str!("pieces/pawn.svg");

impl Drawing {
    /// The width and height of every drawing, in its own units.
    pub const SIZE: usize = 45;

    /// The drawing of the piece with this letter; `None` if the game has no such piece.
    pub fn of(variant: &Variant, letter: Letter) -> Option<Self> {
        if letter == Letter::PAWN {
            return Some(Self::of_pawn());
        }
        let piece = variant.piece(letter)?;
        Some(Self::of_moves(&piece.betza, piece.royal, &letter.to_string()))
    }

    /// The drawing of a pawn.
    pub fn of_pawn() -> Self {
        Self { shapes: inside(PAWN).into() }
    }

    /// The drawing of a piece that moves like this. If there is none, it is a sign, such as the piece's letter, on a shield; without a
    /// sign, a star.
    ///
    /// ```
    /// use backrank_rules::Drawing;
    ///
    /// let shapes = |betza: &str| betza.parse().map(|betza| Drawing::of_moves(&betza, false, "X"));
    /// let [rook, centaur, waffle] = [shapes("WR")?, shapes("KN")?, shapes("WA")?];
    /// assert!(rook != centaur && !centaur.shapes().contains(">X<") && waffle.shapes().contains(">X<"));
    /// # Ok::<(), backrank_rules::BetzaError>(())
    /// ```
    pub fn of_moves(betza: &Betza, royal: bool, sign: &str) -> Self {
        let moves = |text: &str| text.parse::<Betza>().expect("the moves of drawings are spelt right");
        let alike =
            |&&(text, is_king, _): &&(&str, bool, &str)| is_king == royal && betza.moves_like(&moves(text));
        if let Some((_, _, svg)) = DRAWINGS.iter().find(alike) {
            return Self { shapes: inside(svg).into() };
        }
        let simple = &DRAWINGS[..SIMPLE];
        let pairs = simple
            .iter()
            .enumerate()
            .flat_map(|(at, one)| simple[at + 1..].iter().map(move |two| (one, two)));
        let is_pair = |((one, one_royal, _), (two, two_royal, _)): &(&(&str, bool, _), &(&str, bool, _))| {
            (*one_royal || *two_royal) == royal && betza.is_union(&moves(one), &moves(two))
        };
        match pairs.into_iter().find(is_pair) {
            Some(((_, _, one), (_, _, two))) => Self::of_both(one, two),
            None => Self::of_sign(sign),
        }
    }

    /// Two pieces side by side on one base.
    fn of_both(one: &str, two: &str) -> Self {
        let smaller = |left: f64, svg: &str| {
            format!(
                r#"<g transform="translate({left} 6.6) scale(.76)" stroke-width="1.7">{}</g>"#,
                inside(svg)
            )
        };
        // The one whose moves are fewer stands in front.
        let (behind, before) = (smaller(13.6, one), smaller(-2.8, two));
        let base = r#"<rect x="3.5" y="34.4" width="38" height="5.4" rx="1.6"/>"#;
        Self { shapes: format!("{behind}\n{before}\n{base}").into() }
    }

    /// A sign on a shield with a base.
    fn of_sign(sign: &str) -> Self {
        let shield = concat!(
            r#"<path d="M10.6 6.6h23.8v15.2c0 5.6-4.4 9.6-11.9 12.2-7.5-2.6-11.9-6.6-11.9-12.2z"/>"#,
            r#"<rect x="10" y="34" width="25" height="5.6" rx="1.6"/>"#,
        );
        let sign = match sign {
            "" => r#"<path d="M22.5 11.4l2.1 5.3 5.7.4-4.4 3.6 1.4 5.5-4.8-3-4.8 3 1.4-5.5-4.4-3.6 5.7-.4z" fill="currentColor" stroke="none"/>"#.to_string(),
            sign => {
                let size = if sign.chars().count() == 1 { 20 } else { 14 };
                format!(
                    r#"<text x="22.5" y="{}" font-family="sans-serif" font-size="{size}" font-weight="bold" text-anchor="middle" fill="currentColor" stroke="none">{}</text>"#,
                    19.5 + 0.36 * f64::from(size),
                    super::escaped(sign)
                )
            }
        };
        Self { shapes: format!("{shield}{sign}").into() }
    }

    /// Its shapes, as SVG without the element around them. They inherit `fill`, `stroke` and `color`; lines inside a shape
    /// have the current colour.
    pub fn shapes(&self) -> &str {
        &self.shapes
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

/// The shapes of a file, without the element around them.
fn inside(svg: &str) -> &str {
    let start = svg.find('>').map_or(0, |end| end + 1);
    let end = svg.rfind("</svg>").unwrap_or(svg.len());
    svg[start..end].trim()
}
