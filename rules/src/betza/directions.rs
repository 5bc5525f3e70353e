//! Which directions of an atom the letters before it select.

/// A step: files towards the right and ranks forwards.
pub(super) type Leap = (i8, i8);

/// A direction letter: `f b l r s v h`.
pub(super) type DirectionLetter = char;

/// How the directions of an atom lie on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Along ranks and files.
    Straight,
    /// Along diagonals.
    Diagonal,
    /// In between, eight of them.
    Oblique,
}

impl Shape {
    pub(super) fn of((x, y): Leap) -> Self {
        match (x.abs(), y.abs()) {
            (0, _) | (_, 0) => Self::Straight,
            (x, y) if x == y => Self::Diagonal,
            _ => Self::Oblique,
        }
    }
}

/// All directions of the leaper with a step, in order.
pub(super) fn all((x, y): Leap) -> Vec<Leap> {
    let mut all: Vec<Leap> =
        [(x, y), (y, x)].into_iter().flat_map(|(x, y)| [(x, y), (x, -y), (-x, y), (-x, -y)]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The directions of the leaper with a step that the letters select; all of them where there are none. The error is the
/// index of a letter that selects nothing, and why.
pub(super) fn choose(step: Leap, letters: &[DirectionLetter]) -> Result<Vec<Leap>, (usize, String)> {
    let all = all(step);
    if letters.is_empty() {
        return Ok(all);
    }
    let shape = Shape::of(step);
    let codes = match shape {
        Shape::Oblique => oblique_codes(letters)?,
        _ => match letters.iter().position(|&letter| letter == 'h') {
            Some(place) => {
                return Err((
                    place,
                    "`h` goes after f, b, l or r on an oblique atom, as in `fhN`".to_string(),
                ));
            }
            None if shape == Shape::Diagonal && !are_corners(letters) => {
                return Ok(all.into_iter().filter(|&step| is_on_named_sides(letters, step)).collect());
            }
            None if shape == Shape::Diagonal => letters.chunks(2).collect(),
            None => letters.chunks(1).collect(),
        },
    };
    Ok(all.into_iter().filter(|&step| codes.iter().any(|code| selects(code, step))).collect())
}

/// Whether the letters are pairs that each name a quarter of the board, as in `flbr`.
fn are_corners(letters: &[DirectionLetter]) -> bool {
    letters.len().is_multiple_of(2) && letters.chunks(2).all(|pair| is_corner(pair[0], pair[1]))
}

fn is_corner(first: DirectionLetter, second: DirectionLetter) -> bool {
    let vertical = |letter| matches!(letter, 'f' | 'b');
    let sideways = |letter| matches!(letter, 'l' | 'r');
    (vertical(first) && sideways(second)) || (sideways(first) && vertical(second))
}

/// Whether a diagonal step goes to one of the sides named on either axis that the letters name at all.
fn is_on_named_sides(letters: &[DirectionLetter], (dx, dy): Leap) -> bool {
    let fits = |on_axis: [DirectionLetter; 3], towards: DirectionLetter| {
        let named = |letter: &DirectionLetter| on_axis.contains(letter);
        !letters.iter().any(named) || letters.contains(&towards) || letters.contains(&on_axis[2])
    };
    fits(['f', 'b', 'v'], if dy > 0 { 'f' } else { 'b' })
        && fits(['l', 'r', 's'], if dx < 0 { 'l' } else { 'r' })
}

/// Divides the letters before an oblique atom into codes of one or two letters.
fn oblique_codes(letters: &[DirectionLetter]) -> Result<Vec<&[DirectionLetter]>, (usize, String)> {
    let mut codes = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        // Letters that neither `h`, `s` nor `v` belongs to.
        let plain = |place: usize| {
            matches!(letters[place], 'f' | 'b' | 'l' | 'r')
                && !letters.get(place + 1).is_some_and(|&second| is_half_code(letters[place], second))
        };
        let end = (at..letters.len()).find(|&place| !plain(place)).unwrap_or(letters.len());
        let run = &letters[at..end];
        if are_corners(run) {
            codes.extend(run.chunks(2));
        } else {
            codes.extend(run.chunks(1));
        }
        at = end;
        let Some(&letter) = letters.get(at) else { break };
        let second = letters.get(at + 1);
        let length = match letter {
            _ if second.is_some_and(|&second| is_half_code(letter, second)) => 2,
            'h' => {
                let problem = "`h` goes after f, b, l or r, as in `fhN`, or before l or r, as in `hrN`";
                return Err((at, problem.to_string()));
            }
            _ => 1,
        };
        codes.push(&letters[at..at + length]);
        at += length;
    }
    Ok(codes)
}

/// Whether two letters are a code with `h`, `s` or `v` on an oblique atom.
fn is_half_code(first: DirectionLetter, second: DirectionLetter) -> bool {
    matches!(
        (first, second),
        ('f' | 'b' | 'l' | 'r', 'h') | ('h', 'l' | 'r') | ('f' | 'b', 's') | ('l' | 'r', 'v')
    )
}

/// Whether a code of one or two letters selects a direction.
///
/// Of two letters, the first says on which side the direction lies and the second where its longer part goes; a direction
/// on an axis counts as being on either side of it. A doubled letter says what the letter says.
pub(super) fn selects(code: &[DirectionLetter], (dx, dy): Leap) -> bool {
    let (narrow, wide) = (dy.abs() >= dx.abs(), dx.abs() >= dy.abs());
    let turns_right = if narrow { dx * dy > 0 } else { dx * dy < 0 };
    let towards = |letter| match letter {
        'f' => dy > 0,
        'b' => dy < 0,
        'l' => dx < 0,
        _ => dx > 0,
    };
    let not_away = |letter| match letter {
        'f' => dy >= 0,
        'b' => dy <= 0,
        'l' => dx <= 0,
        _ => dx >= 0,
    };
    match *code {
        ['s'] | ['s', 's'] => wide,
        ['v'] | ['v', 'v'] => narrow,
        [letter @ ('f' | 'b')] => narrow && towards(letter),
        [letter @ ('l' | 'r')] => wide && towards(letter),
        [first, second] if first == second && first != 'h' => selects(&[first], (dx, dy)),
        ['h', hand @ ('l' | 'r')] => Shape::of((dx, dy)) != Shape::Oblique || turns_right == (hand == 'r'),
        [side @ ('f' | 'b' | 'l' | 'r'), 'h'] => not_away(side),
        [side @ ('f' | 'b'), longer @ ('l' | 'r')] => wide && not_away(side) && towards(longer),
        [side @ ('l' | 'r'), longer @ ('f' | 'b')] => narrow && not_away(side) && towards(longer),
        [side @ ('f' | 'b'), 's'] => wide && not_away(side),
        [side @ ('l' | 'r'), 'v'] => narrow && not_away(side),
        _ => false,
    }
}
