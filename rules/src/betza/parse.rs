//! Texts, divided into parts.

use super::directions::{self, DirectionLetter, Leap};
use super::{BetzaError, Passage, Ray};

/// A part of a text: modifiers, an atom, and how far it goes.
pub(super) struct MovesPart {
    /// As it is written.
    pub text: String,
    /// The place of its first letter in the whole text, counted from 0.
    pub start: usize,
    /// Its direction letters.
    pub letters: Vec<DirectionLetter>,
    /// Its other modifiers.
    pub others: String,
    /// The letter of its atom.
    pub atom: char,
    /// The steps of its atom: two for `K` and `Q`.
    pub steps: &'static [Leap],
    /// The directions that the letters select, by the steps of the atom.
    pub chosen: Vec<Vec<Leap>>,
    range: u8,
    /// What must be in between, apart from a bend.
    passage: Passage,
    /// The step and the range of the second part of a bent rider.
    bend: Option<(Leap, u8)>,
}

/// A place in the text, counted from 0, and what is wrong there.
type Problem = (usize, String);

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

    fn read(text: &[char], at: &mut usize) -> Result<Self, Problem> {
        let start = *at;
        let mut directions: Vec<(usize, DirectionLetter)> = Vec::new();
        let mut others = String::new();
        while let Some(&letter) = text.get(*at).filter(|letter| !letter.is_uppercase()) {
            match letter {
                'f' | 'b' | 'l' | 'r' | 's' | 'v' | 'h' => directions.push((*at, letter)),
                'm' | 'c' | 'i' | 'n' | 'j' | 'p' | 'g' => others.push(letter),
                't' if text.get(*at + 1) == Some(&'[') => break,
                't' => {
                    return Err((*at, "`t` is followed by two atoms in brackets, as in `t[FR]`".to_string()));
                }
                _ => {
                    return Err((
                        *at,
                        format!(
                            "`{letter}` is not supported; modifiers are f b l r s v h m c i n j p g, and t[…]"
                        ),
                    ));
                }
            }
            *at += 1;
        }
        let passages: Vec<char> = others.chars().filter(|letter| "njpg".contains(*letter)).collect();
        if let [first, second, ..] = passages[..] {
            return Err((start, format!("`{first}` and `{second}` together; a part has one of n j p g")));
        }
        if text.get(*at) == Some(&'t') {
            return Self::read_bent(text, at, start, others, &directions);
        }
        let Some(&atom) = text.get(*at) else {
            return Err((start, "a modifier without an atom after it".to_string()));
        };
        let (steps, rides) = steps_of(atom).map_err(|problem| (*at, problem))?;
        *at += 1;
        let range = range(text, at, atom, rides)?;
        let passage =
            passage(passages.first().copied(), atom, steps, range).map_err(|problem| (start, problem))?;
        let letters: Vec<DirectionLetter> = directions.iter().map(|direction| direction.1).collect();
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
            passage,
            bend: None,
        })
    }

    /// Reads `t[FR]`: a step, and a ride outwards from there.
    fn read_bent(
        text: &[char],
        at: &mut usize,
        start: usize,
        others: String,
        directions: &[(usize, DirectionLetter)],
    ) -> Result<Self, Problem> {
        if let Some(&(at, letter)) = directions.first() {
            return Err((at, format!("`{letter}` before a bent rider; it goes in all directions")));
        }
        if let Some(letter) = others.chars().find(|letter| "njpg".contains(*letter)) {
            return Err((start, format!("`{letter}` before a bent rider is not supported; m c i are")));
        }
        *at += 2;
        let mut atom = |rides_now: bool| -> Result<(char, &'static [Leap], u8), Problem> {
            let place = *at;
            let Some(&atom) = text.get(place) else { return Err((start, "`t[` without `]`".to_string())) };
            let (steps, rides) = steps_of(atom).map_err(|problem| (place, problem))?;
            *at += 1;
            let range = range(text, at, atom, rides)?;
            if steps.len() > 1 || (range > 1) != rides_now {
                let wanted = if rides_now {
                    "the second atom rides, as R and B do"
                } else {
                    "the first atom steps, as W and F do"
                };
                return Err((place, format!("in a bent rider {wanted}")));
            }
            Ok((atom, steps, range))
        };
        let (letter, steps, _) = atom(false)?;
        let (_, second, range) = atom(true)?;
        if text.get(*at) != Some(&']') {
            // Where the text ends too soon, at its last letter.
            let place = (*at).min(text.len() - 1);
            return Err((place, "a bent rider has two atoms and then `]`, as in `t[FR]`".to_string()));
        }
        *at += 1;
        Ok(Self {
            text: text[start..*at].iter().collect(),
            start,
            letters: Vec::new(),
            others,
            atom: letter,
            steps,
            chosen: vec![directions::choose(steps[0], &[]).map_err(|(_, problem)| (start, problem))?],
            range: 1,
            passage: Passage::Free,
            bend: Some((second[0], range)),
        })
    }

    /// The rays it stands for.
    pub(super) fn rays(&self) -> impl Iterator<Item = Ray> + '_ {
        let [move_only, capture_only, first_move_only] =
            ['m', 'c', 'i'].map(|other| self.others.contains(other));
        // `mc` is `m` or `c`: everything.
        let (moves, captures) = (move_only || !capture_only, capture_only || !move_only);
        let (range, passage) = (self.range, self.passage);
        let ray = move |(dx, dy)| Ray { dx, dy, range, moves, captures, first_move_only, passage };
        self.chosen.iter().flatten().flat_map(move |&first| {
            let bent = self.bend.map(|(step, range)| {
                let outwards = directions::all(step).into_iter().filter(move |step| {
                    i32::from(first.0) * i32::from(step.0) + i32::from(first.1) * i32::from(step.1) > 0
                });
                outwards.map(move |(dx, dy)| Ray { range, passage: Passage::Bent { dx, dy }, ..ray(first) })
            });
            std::iter::once(ray(first)).chain(bent.into_iter().flatten())
        })
    }

    /// Whether it is a bent rider.
    pub(super) fn is_bent(&self) -> bool {
        self.bend.is_some()
    }

    /// What follows the atom.
    pub(super) fn suffix(&self) -> &str {
        self.text.split_once(self.atom).map_or("", |(_, suffix)| suffix)
    }
}

/// The steps of an atom, and whether it rides.
fn steps_of(atom: char) -> Result<(&'static [Leap], bool), String> {
    Ok(match atom {
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
        _ => return Err(format!("`{atom}` is not an atom; atoms are W F D N A H L C J Z G K R B Q")),
    })
}

/// What a modifier says of the squares in between.
fn passage(modifier: Option<char>, atom: char, steps: &[Leap], range: u8) -> Result<Passage, String> {
    let near = steps.iter().all(|step| step.0 <= 1 && step.1 <= 1);
    match modifier {
        // Nothing is in between, or it must be empty anyway.
        Some('n') if near => Ok(Passage::Free),
        Some('n') => Ok(Passage::Lame),
        Some('j') if near && range == 1 => Err(format!("`j{atom}` has nothing to leap over")),
        Some('j') if range > 1 => Err(format!("`j` is for a single leap, as in `jD`; `{atom}` rides here")),
        Some('j') => Ok(Passage::Jump),
        Some(letter @ ('p' | 'g')) if range == 1 => {
            Err(format!("`{letter}` hops along a ride, as in `{letter}R`; `{atom}` takes one step"))
        }
        Some('p') => Ok(Passage::Hop),
        Some('g') => Ok(Passage::Grasshopper),
        _ => Ok(Passage::Free),
    }
}

/// Reads what follows an atom: the same letter again, a number of steps, or nothing.
fn range(text: &[char], at: &mut usize, atom: char, rides: bool) -> Result<u8, Problem> {
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
