//! Moves in words.

use super::directions::{DirectionLetter, Leap, Shape, all, choose};
use super::normal::{Group, Purpose, groups};
use super::{Betza, Passage, Ray};

impl Betza {
    /// Its moves as English sentences.
    ///
    /// ```
    /// use backrank_rules::Betza;
    ///
    /// let words = |text: &str| text.parse().map(|betza: Betza| betza.in_words());
    /// assert_eq!(words("BmW")?, "Slides diagonally. Without capturing, also steps one square orthogonally.");
    /// assert_eq!(
    ///     words("fhNbsK")?,
    ///     "Steps one square sideways, straight backwards or diagonally backwards, or leaps forwards as a knight."
    /// );
    /// # Ok::<(), backrank_rules::BetzaError>(())
    /// ```
    pub fn in_words(&self) -> String {
        let groups = groups(self.rays());
        let mut sentences: Vec<String> = Vec::new();
        for section in groups.chunk_by(|one, next| (one.first, one.purpose) == (next.first, next.purpose)) {
            let opening = match (section[0].first, section[0].purpose) {
                (false, Purpose::Any) => "",
                (false, Purpose::Move) => "without capturing",
                (false, Purpose::Capture) => "to capture",
                (true, Purpose::Any) => "on its first move",
                (true, Purpose::Move) => "on its first move, without capturing",
                (true, Purpose::Capture) => "on its first move, to capture",
            };
            // What comes on top of moves for the same purpose.
            let adds = groups.iter().take_while(|group| *group != &section[0]).any(|before| {
                before.purpose == Purpose::Any
                    || before.purpose == section[0].purpose
                    || section[0].purpose == Purpose::Any
            });
            let opening = match (opening, adds) {
                ("", _) => String::new(),
                (opening, true) => format!("{opening}, also "),
                (opening, false) => format!("{opening}, "),
            };
            sentences.push(capitalized(&format!("{opening}{}.", clauses(section))));
        }
        sentences.join(" ")
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// What a piece does for one purpose: a verb for each way of moving.
fn clauses(section: &[Group]) -> String {
    let same_verb = |one: &Group, next: &Group| {
        let bent = |group: &Group| matches!(group.passage, Passage::Bent { .. });
        (one.passage, verb(one)) == (next.passage, verb(next)) && !bent(one)
    };
    let clauses: Vec<String> = section.chunk_by(same_verb).map(clause).collect();
    listed(&clauses, ", ", ", or ")
}

/// A list in words: the last part after another separator than those before.
fn listed(parts: &[impl AsRef<str>], between: &str, last: &str) -> String {
    let mut text = String::new();
    for (place, part) in parts.iter().enumerate() {
        text += match place {
            0 => "",
            _ if place + 1 == parts.len() => last,
            _ => between,
        };
        text += part.as_ref();
    }
    text
}

/// What a step is called, and how often a ride takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verb {
    Step,
    Slide(u8),
    Leap,
    Ride(u8),
}

fn verb(group: &Group) -> Verb {
    let bent = matches!(group.passage, Passage::Bent { .. });
    match (group.step, group.range) {
        ((1, _), _) if bent => Verb::Step,
        (_, _) if bent => Verb::Leap,
        ((1, _), 1) => Verb::Step,
        ((1, _), range) => Verb::Slide(range),
        (_, 1) => Verb::Leap,
        (_, range) => Verb::Ride(range),
    }
}

/// Groups with one verb and one passage.
fn clause(groups: &[Group]) -> String {
    let first = &groups[0];
    let where_to = objects(groups);
    let up_to =
        |range: u8| if range == Ray::ENDLESS { String::new() } else { format!("up to {range} squares ") };
    let often = |range: u8| {
        if range == Ray::ENDLESS { "again and again".to_string() } else { format!("up to {range} times") }
    };
    let again = |range: u8| format!("{where_to}, {} in one direction,", often(range));
    let is_oblique = groups.iter().any(|group| Shape::of(group.step) == Shape::Oblique);
    let between = if is_oblique { "on the way, straight first and then diagonally" } else { "in between" };
    match (first.passage, verb(first)) {
        (Passage::Bent { dx, dy }, verb) => {
            let start = if verb == Verb::Step { "steps" } else { "leaps" };
            let onwards = match ((dx, dy), first.range) {
                ((1, second), range) => {
                    let along = if second == 0 { "orthogonally" } else { "diagonally" };
                    format!("slide on {}{along} outwards", up_to(range))
                }
                (step, range) => format!("go on outwards, leaping {} {}", leap_name(step), often(range)),
            };
            format!("{start} {where_to} and may {onwards}")
        }
        (Passage::Free, Verb::Step) => format!("steps {where_to}"),
        (Passage::Free, Verb::Slide(range)) => format!("slides {}{where_to}", up_to(range)),
        (Passage::Free, Verb::Leap) => format!("leaps {where_to}"),
        (Passage::Free, Verb::Ride(range)) => format!("leaps {}", again(range).trim_end_matches(',')),
        (Passage::Lame, Verb::Ride(range)) => format!("goes {} if nothing stands {between}", again(range)),
        (Passage::Lame, _) => format!("goes {where_to} if nothing stands {between}"),
        (Passage::Jump, _) => format!("leaps {where_to} if something stands {between}"),
        (Passage::Hop, Verb::Slide(range)) => {
            format!("slides {}{where_to} over exactly one piece", up_to(range))
        }
        (Passage::Hop, _) => format!("leaps {} over exactly one piece", again(first.range)),
        (Passage::Grasshopper, verb) => {
            let slides = matches!(verb, Verb::Slide(_));
            let along = if slides { "" } else { "along a line of leaps " };
            let far = match first.range {
                Ray::ENDLESS => String::new(),
                steps => format!(", at most {steps} {} away", if slides { "squares" } else { "leaps" }),
            };
            format!("hops {along}{where_to} over one piece and lands right behind it{far}")
        }
    }
}

/// Where groups with one verb go.
fn objects(groups: &[Group]) -> String {
    // Each with how far it is, which is said once for directions that follow each other.
    let mut objects: Vec<(Vec<&str>, String)> = Vec::new();
    let mut add = |distance, directions: String| match objects.last_mut() {
        Some((distances, last)) if *last == directions => distances.push(distance),
        _ => objects.push((vec![distance], directions)),
    };
    let mut groups = groups.iter().peekable();
    while let Some(group) = groups.next() {
        let is_whole = |group: &Group| group.directions.len() == 4;
        let long = group.step.0;
        let diagonal = groups.next_if(|next| group.step == (long, 0) && next.step == (long, long));
        match diagonal {
            Some(diagonal) if is_whole(group) && is_whole(diagonal) => {
                add(distance(group), "in any direction".to_string());
            }
            Some(diagonal) => {
                let list = [directions(group), directions(diagonal)].concat();
                add(distance(group), listed(&list, ", ", " or "));
            }
            None if Shape::of(group.step) == Shape::Oblique => add("", oblique(group)),
            None => add(distance(group), listed(&directions(group), ", ", " or ")),
        }
    }
    let said = |(distances, directions): &(Vec<&str>, String)| match distances[..] {
        [""] => directions.clone(),
        _ => format!(
            "{} {} {directions}",
            listed(distances, ", ", " or "),
            if distances == &["one"] { "square" } else { "squares" }
        ),
    };
    let objects: Vec<String> = objects.iter().map(said).collect();
    let has_lists = objects.iter().any(|object| object.contains(" or "));
    listed(&objects, ", ", if has_lists { ", or " } else { " or " })
}

/// How many squares one step goes, if it is not the next square of a slide.
fn distance(group: &Group) -> &'static str {
    match (group.step.0, verb(group)) {
        (1, Verb::Slide(_)) => "",
        (1, _) => "one",
        (2, _) => "two",
        _ => "three",
    }
}

/// The directions of a straight or diagonal group.
fn directions(group: &Group) -> Vec<&'static str> {
    let has = |step: Leap| group.directions.iter().any(|(dx, dy)| (dx.signum(), dy.signum()) == step);
    // Directions of a set, and what all of them together are called; the larger ones first.
    const STRAIGHT: [(&[Leap], &str); 7] = [
        (&[(0, 1), (0, -1), (-1, 0), (1, 0)], "orthogonally"),
        (&[(0, 1), (0, -1)], "straight forwards or backwards"),
        (&[(-1, 0), (1, 0)], "sideways"),
        (&[(0, 1)], "straight forwards"),
        (&[(0, -1)], "straight backwards"),
        (&[(-1, 0)], "to the left"),
        (&[(1, 0)], "to the right"),
    ];
    const DIAGONAL: [(&[Leap], &str); 9] = [
        (&[(-1, 1), (1, 1), (-1, -1), (1, -1)], "diagonally"),
        (&[(-1, 1), (1, 1)], "diagonally forwards"),
        (&[(-1, -1), (1, -1)], "diagonally backwards"),
        (&[(-1, 1), (-1, -1)], "diagonally to the left"),
        (&[(1, 1), (1, -1)], "diagonally to the right"),
        (&[(-1, 1)], "diagonally forwards to the left"),
        (&[(1, 1)], "diagonally forwards to the right"),
        (&[(-1, -1)], "diagonally backwards to the left"),
        (&[(1, -1)], "diagonally backwards to the right"),
    ];
    let sets: &[(&[Leap], &str)] = if group.step.1 == 0 { &STRAIGHT } else { &DIAGONAL };
    cover(sets, has)
}

/// Names of sets that together are all directions there are, each direction in one of them.
fn cover<N: Copy>(sets: &[(&[Leap], N)], has: impl Fn(Leap) -> bool) -> Vec<N> {
    let mut said: Vec<Leap> = Vec::new();
    let mut names = Vec::new();
    for &(set, name) in sets {
        if set.iter().all(|&step| has(step) && !said.contains(&step)) {
            said.extend(set);
            names.push(name);
        }
    }
    names
}

/// What an oblique leap is called.
fn leap_name(step: Leap) -> &'static str {
    match step {
        (2, 1) => "as a knight",
        (3, 1) => "as a camel (three squares and one)",
        (3, 2) => "as a zebra (three squares and two)",
        (1, 0) => "one square orthogonally",
        (1, 1) => "one square diagonally",
        (2, 0) => "two squares orthogonally",
        (2, 2) => "two squares diagonally",
        (3, 0) => "three squares orthogonally",
        _ => "three squares diagonally",
    }
}

/// Where an oblique group goes: a half of the directions, or those that go farther one way than the other.
fn oblique(group: &Group) -> String {
    let name = leap_name(group.step);
    let selected = |letters: &str| -> Vec<Leap> {
        let letters: Vec<DirectionLetter> = letters.chars().collect();
        choose(group.step, &letters).unwrap_or_default()
    };
    if group.directions == all(group.step) {
        return name.to_string();
    }
    let halves = [("fh", "forwards"), ("bh", "backwards"), ("lh", "to the left"), ("rh", "to the right")];
    if let Some((_, half)) = halves.iter().find(|(letters, _)| selected(letters) == group.directions) {
        return format!("{half} {name}");
    }
    let turns = [("hr", "clockwise"), ("hl", "anticlockwise")];
    if let Some((_, turn)) = turns.iter().find(|(letters, _)| selected(letters) == group.directions) {
        return format!("{name}, on the {turn} side of each straight line");
    }
    let number = |squares: i8| ["no", "one", "two", "three"][usize::from(squares.unsigned_abs()).min(3)];
    let (long, short) = (number(group.step.0), number(group.step.1));
    // The longer part and the shorter part.
    const PARTS: [(&str, [&str; 2]); 16] = [
        ("v", ["straight forwards or backwards", "to either side"]),
        ("s", ["sideways", "forwards or backwards"]),
        ("f", ["forwards", "to either side"]),
        ("b", ["backwards", "to either side"]),
        ("l", ["to the left", "forwards or backwards"]),
        ("r", ["to the right", "forwards or backwards"]),
        ("fs", ["sideways", "forwards"]),
        ("bs", ["sideways", "backwards"]),
        ("lf", ["forwards", "to the left"]),
        ("rf", ["forwards", "to the right"]),
        ("fl", ["to the left", "forwards"]),
        ("fr", ["to the right", "forwards"]),
        ("bl", ["to the left", "backwards"]),
        ("br", ["to the right", "backwards"]),
        ("lb", ["backwards", "to the left"]),
        ("rb", ["backwards", "to the right"]),
    ];
    let sets: Vec<(Vec<Leap>, [&str; 2])> =
        PARTS.iter().map(|(letters, parts)| (selected(letters), *parts)).collect();
    let sets: Vec<(&[Leap], [&str; 2])> = sets.iter().map(|(set, parts)| (&set[..], *parts)).collect();
    let parts = cover(&sets, |step| group.directions.contains(&step));
    let parts: Vec<String> =
        parts.iter().map(|[far, near]| format!("{long} squares {far} and {short} {near}")).collect();
    listed(&parts, ", ", ", or ")
}
