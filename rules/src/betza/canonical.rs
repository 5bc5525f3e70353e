//! One text for each piece, whatever text it was read from.

use std::fmt::Write;

use super::directions::Leap;
use super::normal::{Group, Purpose, groups};
use super::spelling::spell;
use super::{Betza, Passage, Ray};

impl Betza {
    /// Its moves in the way in which this crate writes them: each once, riders first, and all that others would read otherwise in
    /// letters that are read alike everywhere. Pieces that move alike have the same text, and it stands for the same moves.
    ///
    /// ```
    /// use backrank_rules::Betza;
    ///
    /// for (text, canonical) in [("WF", "K"), ("RK", "RF"), ("fhNrlbK", "blrWbFfhN"), ("mFcF", "F"), ("cpRmR", "mRcpR")] {
    ///     assert_eq!(text.parse::<Betza>()?.canonical(), canonical);
    /// }
    /// # Ok::<(), backrank_rules::BetzaError>(())
    /// ```
    pub fn canonical(&self) -> String {
        let groups = groups(self.rays());
        let mut text = String::new();
        let mut skip = false;
        for (group, next) in groups.iter().zip(groups.iter().skip(1).map(Some).chain([None])) {
            if std::mem::take(&mut skip) {
                continue;
            }
            let both = next.and_then(|next| royal_pair(group, next));
            skip = both.is_some();
            text += &both.unwrap_or_else(|| part(group, atom(group.step, group.range), &letters(group)));
        }
        text
    }
}

/// A straight group and the diagonal one that follows it as a single part, if that has one and the same meaning everywhere.
fn royal_pair(straight: &Group, diagonal: &Group) -> Option<String> {
    let alike = |group: &Group| (group.first, group.purpose, group.range, group.passage);
    if (straight.step, diagonal.step) != ((1, 0), (1, 1)) || alike(straight) != alike(diagonal) {
        return None;
    }
    let atom = if straight.range == 1 { "K" } else { "Q" };
    let text = part(straight, atom, &letters(straight));
    let betza: Betza = text.parse().ok()?;
    let mut expected = [&straight.directions[..], &diagonal.directions].concat();
    let mut read: Vec<Leap> = betza.rays().iter().map(|ray| (ray.dx, ray.dy)).collect();
    expected.sort_unstable();
    read.sort_unstable();
    (betza.warnings().is_empty() && read == expected).then_some(text)
}

fn letters(group: &Group) -> String {
    if matches!(group.passage, Passage::Bent { .. }) {
        return String::new();
    }
    spell(group.step, &group.directions)
}

fn part(group: &Group, atom: &str, letters: &str) -> String {
    let first = if group.first { "i" } else { "" };
    let purpose = match group.purpose {
        Purpose::Any => "",
        Purpose::Move => "m",
        Purpose::Capture => "c",
    };
    let passage = match group.passage {
        Passage::Free => "",
        Passage::Lame => "n",
        Passage::Jump => "j",
        Passage::Hop => "p",
        Passage::Grasshopper => "g",
        Passage::Bent { dx, dy } => {
            let second = ridden(self::atom((dx, dy), group.range), group.range);
            return format!("{first}{purpose}t[{}{second}]", self::atom(group.step, 1));
        }
    };
    format!("{first}{purpose}{passage}{letters}{}", ridden(atom, group.range))
}

/// The letter of a step; of a straight or diagonal step again and again, that of the rider.
fn atom(step: Leap, range: u8) -> &'static str {
    match step {
        (1, 0) if range > 1 => "R",
        (1, 1) if range > 1 => "B",
        (1, 0) => "W",
        (1, 1) => "F",
        (2, 0) => "D",
        (2, 1) => "N",
        (2, 2) => "A",
        (3, 0) => "H",
        (3, 1) => "C",
        (3, 2) => "Z",
        _ => "G",
    }
}

/// An atom with how far it goes.
fn ridden(atom: &str, range: u8) -> String {
    let mut text = atom.to_string();
    match range {
        1 => {}
        Ray::ENDLESS if matches!(atom, "R" | "B" | "Q") => {}
        Ray::ENDLESS => text += atom,
        steps => write!(text, "{steps}").expect("a String takes all text"),
    }
    text
}
