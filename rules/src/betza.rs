//! Piece moves in Ralph Betza's notation.
//!
//! A text is a sequence of parts, each some modifiers in lower case, an atom in upper case, and how far it goes:
//!
//! - atoms: the leapers `W` (1,0), `F` (1,1), `D` (2,0), `N` (2,1), `A` (2,2), `H` (3,0), `L` or `C` (3,1), `J` or `Z`
//!   (3,2), `G` (3,3); the riders `R` (W again and again), `B` (F again and again), and `Q` = `RB`, `K` = `WF`;
//! - range: a letter doubled (`NN`) or a `0` after it rides without end, a number rides at most that many steps (`R4`);
//! - directions: `f` forwards, `b` backwards, `l`, `r`, `s` = `lr`, `v` = `fb`. On diagonal atoms `fl` and the like name
//!   one direction. On oblique atoms, which have eight, the steep two are `ff`, the flat two `fs` and all four `fh`, and
//!   likewise for `b`, `l` and `r`; `v` are the four steep ones and `s` the four flat ones;
//! - `m` moves without capturing only, `c` captures only, `i` on the piece's first move only.
//!
//! Anything else is an error that names its place. Source: Ralph Betza, "My Funny Notation"
//! (chessvariants.com/d.betza/chessvar/notation.html), with `h` for a half as in his armies' Charging Knight, `fhNbsK`.

use std::fmt;

use thiserror::Error;

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
}

impl Ray {
    /// The range of a ray that ends only at a piece or the edge of the board.
    pub const ENDLESS: u8 = u8::MAX;
}

/// The moves of a piece: its text in Betza's notation and the rays it stands for.
///
/// ```
/// use backrank_rules::Betza;
///
/// let courier_elephant: Betza = "FfWiAiD".parse()?;
/// assert_eq!(courier_elephant.rays().len(), 4 + 1 + 4 + 4);
/// assert!(courier_elephant.has_first_move());
///
/// let error = "FfWpR".parse::<Betza>().unwrap_err();
/// assert_eq!(error.column, 4);
/// # Ok::<(), backrank_rules::BetzaError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Betza {
    text: String,
    rays: Vec<Ray>,
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

    /// Whether it never leaves the colour of the square it stands on, like a bishop.
    pub fn is_colour_bound(&self) -> bool {
        self.rays.iter().all(|ray| (ray.dx + ray.dy) % 2 == 0)
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
        let letters: Vec<char> = text.chars().collect();
        let mut rays = Vec::new();
        let mut at = 0;
        while at < letters.len() {
            part(&letters, &mut at, &mut rays).map_err(|(column, problem)| BetzaError {
                text: text.to_string(),
                column: column + 1,
                problem,
            })?;
        }
        if rays.is_empty() {
            return Err(BetzaError {
                text: text.to_string(),
                column: 1,
                problem: "no moves; a knight is `N`, a queen `Q`".to_string(),
            });
        }
        Ok(Self { text: text.to_string(), rays })
    }
}

/// A place in the text, counted from 0, and what is wrong there.
type PartProblem = (usize, String);

/// Reads one part, modifiers, atom and range, and adds its rays.
fn part(letters: &[char], at: &mut usize, rays: &mut Vec<Ray>) -> Result<(), PartProblem> {
    let start = *at;
    let mut directions = Vec::new();
    let (mut move_only, mut capture_only, mut first_move_only) = (false, false, false);
    while let Some(&letter) = letters.get(*at).filter(|letter| !letter.is_uppercase()) {
        match letter {
            'f' | 'b' | 'l' | 'r' | 's' | 'v' | 'h' => directions.push((*at, letter)),
            'm' => move_only = true,
            'c' => capture_only = true,
            'i' => first_move_only = true,
            _ => {
                return Err((*at, format!("`{letter}` is not supported; modifiers are f b l r s v h m c i")));
            }
        }
        *at += 1;
    }
    let Some(&atom) = letters.get(*at) else {
        return Err((start, "a modifier without an atom after it".to_string()));
    };
    // `mc` is `m` or `c`: everything.
    let (moves, captures) = (move_only || !capture_only, capture_only || !move_only);
    let (steps, rides): (&[(i8, i8)], bool) = match atom {
        'W' => (&[(1, 0)], false),
        'F' => (&[(1, 1)], false),
        'D' => (&[(2, 0)], false),
        'N' => (&[(2, 1)], false),
        'A' => (&[(2, 2)], false),
        'H' => (&[(3, 0)], false),
        'L' | 'C' => (&[(3, 1)], false),
        'J' | 'Z' => (&[(3, 2)], false),
        'G' => (&[(3, 3)], false),
        'K' => (&[(1, 0), (1, 1)], false),
        'R' => (&[(1, 0)], true),
        'B' => (&[(1, 1)], true),
        'Q' => (&[(1, 0), (1, 1)], true),
        _ => {
            return Err((*at, format!("`{atom}` is not an atom; atoms are W F D N A H L C J Z G K R B Q")));
        }
    };
    *at += 1;
    let range = range(letters, at, atom, rides)?;
    for &step in steps {
        for (dx, dy) in choose(step, &directions)? {
            rays.push(Ray { dx, dy, range, moves, captures, first_move_only });
        }
    }
    Ok(())
}

/// Reads what follows an atom: the same letter again, a number of steps, or nothing.
fn range(letters: &[char], at: &mut usize, atom: char, rides: bool) -> Result<u8, PartProblem> {
    let start = *at;
    if !rides && letters.get(*at) == Some(&atom) {
        *at += 1;
        return Ok(Ray::ENDLESS);
    }
    let mut number = None;
    while let Some(digit) = letters.get(*at).and_then(|letter| letter.to_digit(10)) {
        number = Some(number.unwrap_or(0u32).saturating_mul(10).saturating_add(digit));
        *at += 1;
    }
    match number {
        None if rides => Ok(Ray::ENDLESS),
        None => Ok(1),
        Some(0) => Ok(Ray::ENDLESS),
        Some(steps @ 1..=15) => Ok(steps as u8),
        Some(steps) => Err((start, format!("{steps} steps; at most 15, or 0 for no end"))),
    }
}

/// The directions of an atom that its modifiers select; all of them where there are none.
fn choose((x, y): (i8, i8), modifiers: &[(usize, char)]) -> Result<Vec<(i8, i8)>, PartProblem> {
    let mut all: Vec<(i8, i8)> =
        [(x, y), (y, x)].into_iter().flat_map(|(x, y)| [(x, y), (x, -y), (-x, y), (-x, -y)]).collect();
    all.sort_unstable();
    all.dedup();
    if modifiers.is_empty() {
        return Ok(all);
    }
    let oblique = y != 0 && x != y;
    let mut chosen = Vec::new();
    let mut rest = modifiers;
    while let [(place, first), after @ ..] = rest {
        let second = after.first().map(|&(_, letter)| letter);
        let taken = match second {
            Some(second) if oblique || (x == y && is_corner(*first, second)) => {
                two_letters(*first, second, oblique)
            }
            _ => None,
        };
        let (keep, used): (Box<dyn Fn(i8, i8) -> bool>, usize) = match taken {
            Some(keep) => (keep, 2),
            None => (one_letter(*first, oblique).ok_or_else(|| (*place, unclear(*first, oblique)))?, 1),
        };
        chosen.extend(all.iter().copied().filter(|&(dx, dy)| keep(dx, dy)));
        rest = &rest[used..];
    }
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

/// Whether two letters name a quarter of the board, as in `fl`.
fn is_corner(first: char, second: char) -> bool {
    let vertical = |letter| matches!(letter, 'f' | 'b');
    let sideways = |letter| matches!(letter, 'l' | 'r');
    (vertical(first) && sideways(second)) || (sideways(first) && vertical(second))
}

type Keep = Box<dyn Fn(i8, i8) -> bool>;

/// What one direction letter keeps, if it means something on such an atom.
fn one_letter(letter: char, oblique: bool) -> Option<Keep> {
    match letter {
        's' if oblique => Some(Box::new(|dx, dy| dx.abs() > dy.abs())),
        'v' if oblique => Some(Box::new(|dx, dy| dy.abs() > dx.abs())),
        's' => Some(Box::new(|dx, _| dx != 0)),
        'v' => Some(Box::new(|_, dy| dy != 0)),
        _ if oblique => None,
        _ => half(letter),
    }
}

/// What two direction letters keep together, if they mean something together.
fn two_letters(first: char, second: char, oblique: bool) -> Option<Keep> {
    let towards = half(first)?;
    if !oblique {
        let also = half(second)?;
        return Some(Box::new(move |dx, dy| towards(dx, dy) && also(dx, dy)));
    }
    let steep = match (first, second) {
        (_, 'h') => return Some(towards),
        ('f', 'f') | ('b', 'b') | ('l' | 'r', 'v') => true,
        ('l', 'l') | ('r', 'r') | ('f' | 'b', 's') => false,
        _ => return None,
    };
    Some(Box::new(move |dx, dy| towards(dx, dy) && (dy.abs() > dx.abs()) == steep))
}

/// The half of the board on the side a letter names.
fn half(letter: char) -> Option<Keep> {
    match letter {
        'f' => Some(Box::new(|_, dy| dy > 0)),
        'b' => Some(Box::new(|_, dy| dy < 0)),
        'l' => Some(Box::new(|dx, _| dx < 0)),
        'r' => Some(Box::new(|dx, _| dx > 0)),
        _ => None,
    }
}

fn unclear(letter: char, oblique: bool) -> String {
    match letter {
        'h' => "`h` goes after f, b, l or r on an oblique atom, as in `fhN`".to_string(),
        _ if oblique => format!(
            "`{letter}` is not clear on an oblique atom: say {letter}{letter} or {letter}{} for two of the eight directions, {letter}h for four",
            if matches!(letter, 'f' | 'b') { 's' } else { 'v' }
        ),
        _ => format!("`{letter}` names no direction of this atom"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(text: &str) -> Vec<(i8, i8)> {
        let betza: Betza = text.parse().unwrap();
        betza.rays().iter().map(|ray| (ray.dx, ray.dy)).collect()
    }

    #[test]
    fn atoms_have_four_or_eight_directions() {
        for (text, directions) in [
            ("W", 4),
            ("F", 4),
            ("D", 4),
            ("A", 4),
            ("H", 4),
            ("G", 4),
            ("N", 8),
            ("C", 8),
            ("L", 8),
            ("J", 8),
            ("Z", 8),
            ("K", 8),
            ("R", 4),
            ("B", 4),
            ("Q", 8),
            ("RN", 12),
            ("BN", 12),
        ] {
            assert_eq!(targets(text).len(), directions, "{text}");
        }
    }

    #[test]
    fn ranges() {
        for (text, range) in [
            ("W", 1),
            ("R", Ray::ENDLESS),
            ("NN", Ray::ENDLESS),
            ("N0", Ray::ENDLESS),
            ("R4", 4),
            ("W3", 3),
            ("B15", 15),
        ] {
            let betza: Betza = text.parse().unwrap();
            assert!(betza.rays().iter().all(|ray| ray.range == range), "{text}");
        }
    }

    #[test]
    fn directions() {
        assert_eq!(targets("fW"), [(0, 1)]);
        assert_eq!(targets("sW"), [(-1, 0), (1, 0)]);
        assert_eq!(targets("flW"), [(-1, 0), (0, 1)]);
        assert_eq!(targets("fF"), [(-1, 1), (1, 1)]);
        assert_eq!(targets("flF"), [(-1, 1)]);
        assert_eq!(targets("flbrF"), [(-1, 1), (1, -1)]);
        assert_eq!(targets("ffN"), [(-1, 2), (1, 2)]);
        assert_eq!(targets("fsN"), [(-2, 1), (2, 1)]);
        assert_eq!(targets("fhN").len(), 4);
        assert_eq!(targets("vN"), [(-1, -2), (-1, 2), (1, -2), (1, 2)]);
        assert_eq!(targets("rrN"), [(2, -1), (2, 1)]);
        assert_eq!(targets("fK"), [(0, 1), (-1, 1), (1, 1)]);
    }

    #[test]
    fn move_and_capture_modifiers() {
        let pawn_like: Betza = "mfWcfF".parse().unwrap();
        assert!(pawn_like.rays().iter().all(|ray| ray.moves != ray.captures));
        let both: Betza = "mcW".parse().unwrap();
        assert!(both.rays().iter().all(|ray| ray.moves && ray.captures));
    }

    #[test]
    fn errors_name_the_place() {
        for (text, column) in [
            ("", 1),
            ("X", 1),
            ("Np", 2),
            ("fN", 1),
            ("NfhF", 3),
            ("pR", 1),
            ("R99", 2),
            ("WFé", 3),
            ("K K", 2),
        ] {
            assert_eq!(text.parse::<Betza>().unwrap_err().column, column, "{text}");
        }
    }
}
