//! Piece moves in Ralph Betza's notation.
//!
//! A text is a sequence of parts, each some modifiers in lower case, an atom in upper case, and how far it goes:
//!
//! ```text
//! text       = part { part }
//! part       = { modifier } atom [ range ]
//! modifier   = "f" | "b" | "l" | "r" | "s" | "v" | "h"  (directions)  |  "m" | "c" | "i"  |  "n" | "j" | "p" | "g"
//! atom       = "W" | "F" | "D" | "N" | "A" | "H" | "L" | "C" | "J" | "Z" | "G"  |  "K" | "R" | "B" | "Q"  |  bent
//! bent       = "t[" atom atom [ range ] "]"
//! range      = the letter of a leaper or of K again | number
//! ```
//!
//! - Atoms are the leapers `W` (1,0), `F` (1,1), `D` (2,0), `N` (2,1), `A` (2,2), `H` (3,0), `L` or `C` (3,1), `J` or
//!   `Z` (3,2), `G` (3,3); the riders `R` (W again and again), `B` (F again and again), and `Q` = `RB`, `K` = `WF`.
//! - Range: a letter doubled (`NN`) or a `0` after it rides without end, a number rides at most that many steps (`R4`).
//! - `m` moves without capturing only, `c` captures only, `i` on the piece's first move only.
//!
//! # What stands in between
//!
//! - A leap passes over whatever is there. With `n` it is **lame**: the squares of the way must be empty. The way of an oblique
//!   leap goes straight first and then diagonally, as the horse of Xiangqi does (`nN`) and the elephant of Janggi (`nZ`); that of
//!   a straight or diagonal leap is its line (`nA`, the elephant of Xiangqi). A lame rider (`nNN`) goes such a way at each step.
//! - With `j` a leap must have at least one piece on that way (`jD` goes two squares only over a piece).
//! - A rider with `p` **hops**: it passes exactly one piece, of either side, and goes on as far as it likes behind it: `mRcpR` is
//!   the cannon of Xiangqi, `pR` that of Janggi but for its exceptions.
//! - A rider with `g` is a **grasshopper**: it hops over one piece and lands right behind it (`gQ`).
//! - `t[FR]` is **bent**: a step of the first atom and from there, if that square is empty, outwards as the second atom, which
//!   rides; it may stop after the first step. `t[FR]` is the griffon (also *aanca*), `t[WB]` the manticore. Outwards means farther
//!   away from the start: the second part turns by less than a right angle.
//!
//! # Directions
//!
//! `f` is forwards, `b` backwards, `l` left, `r` right, `s` = `lr`, `v` = `fb`. The order of the parts of a text does not
//! matter, and on `W` and on `F` that of the letters neither, except where the last rule for `F` says so.
//!
//! - **Straight atoms** (`W D H R`) have a direction for each letter, and several letters are a union: `rlbR` goes to the
//!   right, to the left and backwards.
//! - **Diagonal atoms** (`F A G B`) have no direction that is just forwards. One letter is the half on that side: `fF` has
//!   two directions. Letters of both axes meet: `flF` is the quadrant ahead on the left, and `rlbF` and `bsF` are the two
//!   diagonals backwards, because on either of them one goes back *and* to a side. Letters in pairs, each a quadrant, are a
//!   union again: `flbrF` is one line in both directions.
//! - **Oblique atoms** (`N L C J Z`) have eight directions, two on each side: `fN` is the narrow pair forwards, of those
//!   that go farther forwards than to a side, and `rN` the pair that goes farther to the right. `ff bb ll rr` say the same.
//!   The wide pair forwards is `fs` (`bs`), the narrow pair on the right `rv` (`lv`), all four on a side `fh bh lh rh`. Two
//!   letters that meet in a corner are a single direction, of which the second letter is the longer part: `frN` is the wide
//!   one (2,1), `rfN` the narrow one (1,2), and so `fl fr bl br lf rf lb rb` name all eight. `s` are the four wide ones, `v`
//!   the four narrow ones, and `hr` and `hl` the four that turn the same way, as `rf` and `lf` do. Several of these are a
//!   union: `fbN` is the narrow half, `ffrrN` has four directions, `flbrN` two. Where letters do not all pair up, each
//!   stands alone: `rlbN` is `rN`, `lN` and `bN`.
//! - `K` and `Q` are a straight and a diagonal atom: `rlbK` is `rlbWrlbF`, the five steps that do not go forwards.
//!
//! Anything else is an error that names its place.
//!
//! # Sources, and where they differ
//!
//! Betza's own texts are the measure: of the Nutty Knights (chessvariants.org/d.betza/chessvar/dan/nighties.html) the
//! Charging Rook `frlRrlbK` goes forwards and sideways as a rook and retreats as a king, the Charging Knight `fhNrlbK`
//! (also written `fhNbsK`) has the knight's four moves forwards and the king's five sideways and backwards, and the
//! Fibnif `fbNF` the four narrow moves of the knight. His "My Funny Notation"
//! (chessvariants.org/d.betza/chessvar/notation.html) leaves open what a text like `frN` means. H. G. Muller's XBetza
//! (hgm.nubati.net/rules/Betza.html) settled that: a corner is a single direction on oblique atoms, and the longer part
//! comes last. All eight directions are read here as there.
//!
//! Fairy-Stockfish agrees with XBetza about the corners, but takes letters two by two from the left even where one is left
//! over (`rlbF` is `r` and `lb` there, a lopsided three), on `K` and `Q` also treats the straight steps as if they were
//! oblique (`frK` has two directions), and knows no order but vertical before `s`, sideways before `v` (`sfN` has none).
//! [`Betza::warnings`] names every part that it reads otherwise, with a text that is read alike everywhere. It rides
//! only on `W`, `F` and `N`, reads one digit of a range, and takes any piece on the pawns' rank for one that has not moved; of
//! these nothing is said.

mod canonical;
mod directions;
mod fairy_stockfish;
mod normal;
mod parse;
mod spelling;
mod warning;
mod words;

use std::fmt;

use thiserror::Error;

use parse::MovesPart;
pub use warning::BetzaWarning;

/// What must stand, or must not stand, on the squares that a move passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Passage {
    /// A step leaps; a ride ends at the first piece.
    #[default]
    Free,
    /// `n`: nothing stands on the way of any step either.
    Lame,
    /// `j`: something stands on the way of the step.
    Jump,
    /// `p`: a ride passes exactly one piece.
    Hop,
    /// `g`: a ride passes exactly one piece, and ends right behind it.
    Grasshopper,
    /// `t[…]`: after the ray's first step it goes on in another direction, in which its range counts.
    Bent {
        /// Files towards the right in one step after the first.
        dx: i8,
        /// Ranks forwards in one step after the first.
        dy: i8,
    },
}

/// One direction of a piece's moves, as White plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ray {
    /// Files towards the right in one step.
    pub dx: i8,
    /// Ranks forwards in one step.
    pub dy: i8,
    /// The greatest number of steps; [`Ray::ENDLESS`] for a rider.
    pub range: u8,
    /// Whether it may go to an empty square.
    pub moves: bool,
    /// Whether it may capture.
    pub captures: bool,
    /// Whether only a piece that has not moved may use it.
    pub first_move_only: bool,
    /// What the squares in between must be like.
    pub passage: Passage,
}

impl Ray {
    /// The range of a ray that ends only at a piece or the edge of the board.
    pub const ENDLESS: u8 = u8::MAX;

    /// Whether all its moves stay on squares of one colour.
    pub fn keeps_colour(&self) -> bool {
        let is_even = |dx: i8, dy: i8| (dx + dy) % 2 == 0;
        is_even(self.dx, self.dy)
            && match self.passage {
                Passage::Bent { dx, dy } => is_even(dx, dy),
                _ => true,
            }
    }

    /// The opposite ray: how Black plays it, for whom the board is turned half around.
    #[must_use]
    pub fn reversed(self) -> Self {
        let passage = match self.passage {
            Passage::Bent { dx, dy } => Passage::Bent { dx: -dx, dy: -dy },
            other => other,
        };
        Self { dx: -self.dx, dy: -self.dy, passage, ..self }
    }
}

/// The moves of a piece: its text in Betza's notation and the rays it stands for.
///
/// ```
/// use backrank_rules::{Betza, Passage};
///
/// let courier_elephant: Betza = "FfWiAiD".parse()?;
/// assert_eq!(courier_elephant.rays().len(), 4 + 1 + 4 + 4);
/// assert!(courier_elephant.has_first_move());
///
/// let charging_knight: Betza = "fhNrlbK".parse()?;
/// assert_eq!(charging_knight.rays().len(), 4 + 5);
///
/// let xiangqi_horse: Betza = "nN".parse()?;
/// assert!(xiangqi_horse.rays().iter().all(|ray| ray.passage == Passage::Lame));
///
/// let error = "FfWqR".parse::<Betza>().unwrap_err();
/// assert_eq!(error.column, 4);
/// # Ok::<(), backrank_rules::BetzaError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Betza {
    text: String,
    rays: Vec<Ray>,
    warnings: Vec<BetzaWarning>,
}

/// What is wrong with a text in Betza's notation, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("Betza `{text}`, letter {column}: {problem}")]
pub struct BetzaError {
    /// The whole text.
    pub text: String,
    /// The place of the offending letter, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: String,
}

impl Betza {
    /// Its directions, each once for every part of the text that gives it.
    pub fn rays(&self) -> &[Ray] {
        &self.rays
    }

    /// The parts of the text that others read otherwise.
    ///
    /// ```
    /// use backrank_rules::Betza;
    ///
    /// let charging_knight: Betza = "fhNbsK".parse()?;
    /// let [warning] = charging_knight.warnings() else { panic!() };
    /// assert_eq!((warning.part.as_str(), warning.column, warning.alike.as_str()), ("bsK", 4, "blrWbF"));
    /// assert!("fhNbsWbF".parse::<Betza>()?.warnings().is_empty());
    /// # Ok::<(), backrank_rules::BetzaError>(())
    /// ```
    pub fn warnings(&self) -> &[BetzaWarning] {
        &self.warnings
    }

    /// Whether it never leaves the colour of the square it stands on, like a bishop.
    pub fn is_colour_bound(&self) -> bool {
        self.rays.iter().all(Ray::keeps_colour)
    }

    /// Whether it has moves that depend on more than the first piece in their way: lame, jumping, hopping or bent ones.
    pub fn has_passages(&self) -> bool {
        self.rays.iter().any(|ray| ray.passage != Passage::Free)
    }

    /// Whether it hops: what it attacks depends on a piece that stands in between.
    pub fn hops(&self) -> bool {
        self.rays.iter().any(|ray| matches!(ray.passage, Passage::Jump | Passage::Hop | Passage::Grasshopper))
    }

    /// Whether it has moves that only an unmoved piece may play.
    pub fn has_first_move(&self) -> bool {
        self.rays.iter().any(|ray| ray.first_move_only)
    }
}

impl fmt::Display for Betza {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::str::FromStr for Betza {
    type Err = BetzaError;

    fn from_str(text: &str) -> Result<Self, BetzaError> {
        let parts = MovesPart::read_all(text)?;
        Ok(Self {
            text: text.to_string(),
            rays: parts.iter().flat_map(MovesPart::rays).collect(),
            warnings: parts.iter().filter_map(MovesPart::warning).collect(),
        })
    }
}

#[cfg(test)]
mod tests;
