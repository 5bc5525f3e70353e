//! Parts of a text that others read otherwise.

use std::fmt;

use super::directions::Leap;
use super::fairy_stockfish;
use super::parse::MovesPart;
use super::spelling::spell;

/// A part of a text in Betza's notation that Fairy-Stockfish reads as other moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BetzaWarning {
    /// The part, such as `bsK`.
    pub part: String,
    /// The place of its first letter in the text, counted from 1.
    pub column: usize,
    /// The directions that it has here, as files to the right and ranks forwards in one step.
    pub here: Vec<(i8, i8)>,
    /// The directions that it has in Fairy-Stockfish.
    pub fairy_stockfish: Vec<(i8, i8)>,
    /// A text for the same moves that both read alike.
    pub alike: String,
}

impl fmt::Display for BetzaWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part, here, fairy_stockfish: there, alike, .. } = self;
        write!(f, "`{part}` has {}, but ", directions(here.len()))?;
        match (there.len(), here.len()) {
            (0, _) => write!(f, "none in Fairy-Stockfish")?,
            (there, here) if there == here => write!(f, "{} in Fairy-Stockfish", directions_other(there))?,
            (there, _) => write!(f, "{there} in Fairy-Stockfish")?,
        }
        write!(f, "; `{alike}` is read alike everywhere")
    }
}

fn directions(number: usize) -> String {
    format!("{number} direction{}", if number == 1 { "" } else { "s" })
}

fn directions_other(number: usize) -> String {
    if number == 1 { "another one".to_string() } else { format!("{number} others") }
}

impl MovesPart {
    /// The warning about this part, if it is read otherwise elsewhere.
    pub(super) fn warning(&self) -> Option<BetzaWarning> {
        if self.is_bent() {
            return None;
        }
        let mut here: Vec<Leap> = self.chosen.concat();
        let mut there = fairy_stockfish::choose(self.steps, &self.letters);
        here.sort_unstable();
        there.sort_unstable();
        (here != there).then(|| BetzaWarning {
            part: self.text.clone(),
            column: self.start + 1,
            here,
            fairy_stockfish: there,
            alike: self.alike(),
        })
    }

    /// The part, or several for it, in letters that are read alike everywhere.
    fn alike(&self) -> String {
        let halves: &[char] = match self.atom {
            'K' => &['W', 'F'],
            'Q' => &['R', 'B'],
            _ => &[self.atom],
        };
        // The letter of a rider is doubled.
        let suffix = |half: &char| match self.suffix() {
            "K" => half.to_string(),
            other => other.to_string(),
        };
        let of_half = |((half, step), chosen): ((&char, &Leap), &Vec<Leap>)| {
            let letters = spell(*step, chosen);
            format!("{}{letters}{half}{}", self.others, suffix(half))
        };
        let halves = halves.iter().zip(self.steps).zip(&self.chosen);
        halves.filter(|(_, chosen)| !chosen.is_empty()).map(of_half).collect()
    }
}
