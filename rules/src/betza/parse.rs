//! Texts, divided into parts.

use super::directions::{self, Leap, Letter};
use super::{BetzaError, Ray};

/// A part of a text: modifiers, an atom, and how far it goes.
pub(super) struct MovesPart {
    /// As it is written.
    pub text: String,
    /// The place of its first letter in the whole text, counted from 0.
    pub start: usize,
    /// Its direction letters.
    pub letters: Vec<Letter>,
    /// Its other modifiers.
    pub others: String,
    /// The letter of its atom.
    pub atom: char,
    /// The steps of its atom: two for `K` and `Q`.
    pub steps: &'static [Leap],
    /// The directions that the letters select, by the steps of the atom.
    pub chosen: Vec<Vec<Leap>>,
    range: u8,
}

/// A place in the text, counted from 0, and what is wrong there.
type ProblemAt = (usize, String);

impl MovesPart {
    /// The parts of a whole text, of which there is at least one.
    pub(super) fn read_all(text: &str) -> Result<Vec<Self>, BetzaError> {
        let wrong = |(place, problem)| BetzaError { text: text.to_string(), column: place + 1, problem };
        let letters: Vec<char> = text.chars().collect();
        let mut parts = Vec::new();
        let mut at = 0;
        while at < letters.len() {
            parts.push(Self::read(&letters, &mut at).map_err(wrong)?);
        }
        match parts[..] {
            [] => Err(wrong((0, "no moves; a knight is `N`, a queen `Q`".to_string()))),
            _ => Ok(parts),
        }
    }

    fn read(text: &[char], at: &mut usize) -> Result<Self, ProblemAt> {
        let start = *at;
        let mut directions: Vec<(usize, Letter)> = Vec::new();
        let mut others = String::new();
        while let Some(&letter) = text.get(*at).filter(|letter| !letter.is_uppercase()) {
            match letter {
                'f' | 'b' | 'l' | 'r' | 's' | 'v' | 'h' => directions.push((*at, letter)),
                'm' | 'c' | 'i' => others.push(letter),
                _ => {
                    return Err((
                        *at,
                        format!("`{letter}` is not supported; modifiers are f b l r s v h m c i"),
                    ));
                }
            }
            *at += 1;
        }
        let Some(&atom) = text.get(*at) else {
            return Err((start, "a modifier without an atom after it".to_string()));
        };
        let (steps, rides): (&[Leap], bool) = match atom {
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
                return Err((
                    *at,
                    format!("`{atom}` is not an atom; atoms are W F D N A H L C J Z G K R B Q"),
                ));
            }
        };
        *at += 1;
        let range = range(text, at, atom, rides)?;
        let letters: Vec<Letter> = directions.iter().map(|direction| direction.1).collect();
        let choose = |&step: &Leap| {
            directions::choose(step, &letters).map_err(|(letter, problem)| (directions[letter].0, problem))
        };
        let chosen: Vec<Vec<Leap>> = steps.iter().map(choose).collect::<Result<_, _>>()?;
        Ok(Self {
            text: text[start..*at].iter().collect(),
            start,
            letters,
            others,
            atom,
            steps,
            chosen,
            range,
        })
    }

    /// The rays it stands for.
    pub(super) fn rays(&self) -> impl Iterator<Item = Ray> + '_ {
        let [move_only, capture_only, first_move_only] =
            ['m', 'c', 'i'].map(|other| self.others.contains(other));
        // `mc` is `m` or `c`: everything.
        let (moves, captures) = (move_only || !capture_only, capture_only || !move_only);
        let range = self.range;
        self.chosen.iter().flatten().map(move |&(dx, dy)| Ray {
            dx,
            dy,
            range,
            moves,
            captures,
            first_move_only,
        })
    }

    /// What follows the atom.
    pub(super) fn suffix(&self) -> &str {
        self.text.split_once(self.atom).map_or("", |(_, suffix)| suffix)
    }
}

/// Reads what follows an atom: the same letter again, a number of steps, or nothing.
fn range(text: &[char], at: &mut usize, atom: char, rides: bool) -> Result<u8, ProblemAt> {
    let start = *at;
    if !rides && text.get(*at) == Some(&atom) {
        *at += 1;
        return Ok(Ray::ENDLESS);
    }
    let mut number = None;
    while let Some(digit) = text.get(*at).and_then(|letter| letter.to_digit(10)) {
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
