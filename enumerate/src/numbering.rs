//! Numberings: orders of a space, each giving every setup an id from 0.

use backrank_rules::{Colour, File, FirstRank};

use crate::army::Army;

/// An order of a space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// Alphabetical: White's rank from the a-file, then Black's.
    Lex,
    /// As the variant's file lists the setups.
    Listed,
    /// By placing pieces one after the other, as Scharnagl numbers Chess960.
    Placed(Placed),
}

impl Numbering {
    /// Its name: `lex`, `listed`, or the one its variant file gives.
    pub fn name(&self) -> &str {
        match self {
            Self::Lex => "lex",
            Self::Listed => "listed",
            Self::Placed(placed) => placed.name(),
        }
    }
}

/// A mixed-radix numbering of ranks.
///
/// Pieces are placed in turn; the squares each step can choose from, numbered from the a-file, are its digits, the first
/// step's the least significant. A step that places several pieces of a kind numbers the sets of squares in
/// alphabetical order. The files left over at the end take the remaining pieces in a fixed order.
///
/// Source of the scheme: Reinhard Scharnagl's for Chess960 (bishop on light, bishop on dark, queen, both knights; R K R).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    name: String,
    steps: Vec<Step>,
    rest: Vec<u8>,
    pattern: FirstRank,
    files: Files,
    len: u64,
}

/// A set of files, a bit each.
type Files = u16;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    letter: u8,
    pieces: usize,
    colour: Option<Colour>,
    /// The files it could choose from if none were taken.
    files: Files,
    /// The number of ways to take this step, whatever the steps before it were.
    ways: u64,
}

impl Placed {
    /// Reads the steps (`"B light"`, `"Q"`, `"NN"`) and the letters of the rest.
    pub(crate) fn read(name: &str, place: &[String], rest: &str, army: &Army) -> Result<Self, String> {
        let files_of = |colour: Option<Colour>| -> Files {
            let fits = |file: &File| colour.is_none_or(|colour| army.colour(*file) == colour);
            army.files().filter(fits).fold(0, |files, file| files | 1 << file.0)
        };
        let mut left: Vec<(u8, usize)> = army.kinds().to_vec();
        let mut take = |letter: u8| match left.iter_mut().find(|kind| kind.0 == letter && kind.1 > 0) {
            Some(kind) => {
                kind.1 -= 1;
                Ok(())
            }
            None => Err(format!("{} is placed more often than the first rank has it", letter as char)),
        };
        let mut steps: Vec<Step> = Vec::new();
        for text in place {
            let (letter, pieces, colour) = read_step(text)?;
            if colour.is_some() && steps.iter().any(|step| step.colour.is_none()) {
                return Err(format!(
                    "`{text}` comes after a step without a colour, which leaves now more squares of its colour, now fewer"
                ));
            }
            for _ in 0..pieces {
                take(letter)?;
            }
            let files = files_of(colour);
            let taken: usize = steps
                .iter()
                .filter(|step| colour.is_none() || step.colour == colour)
                .map(|step| step.pieces)
                .sum();
            let ways = choose((files.count_ones() as usize).saturating_sub(taken), pieces);
            steps.push(Step { letter, pieces, colour, files, ways });
        }
        rest.bytes().try_for_each(take)?;
        if let Some(kind) = left.iter().find(|kind| kind.1 > 0) {
            return Err(format!("{} is neither placed nor in `rest`", kind.0 as char));
        }
        let len = steps.iter().map(|step| step.ways).product();
        let rest = rest.bytes().collect();
        Ok(Self { name: name.to_string(), steps, rest, pattern: army.pattern(), files: files_of(None), len })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of ranks it numbers.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The rank with an id below [`Placed::len`].
    pub(crate) fn unrank(&self, id: u64) -> FirstRank {
        let mut rank = self.pattern;
        let mut free = self.files;
        let mut digits = id;
        for step in &self.steps {
            let mut digit = digits % step.ways;
            digits /= step.ways;
            let mut left = step.pieces;
            let mut candidates = free & step.files;
            while left > 0 {
                let file = candidates.trailing_zeros();
                candidates &= candidates - 1;
                // The sets of squares with this file come before those without it.
                let with = choose(candidates.count_ones() as usize, left - 1);
                if digit < with {
                    rank.set(File(file as u8), step.letter);
                    free &= !(1 << file);
                    left -= 1;
                } else {
                    digit -= with;
                }
            }
        }
        for &letter in &self.rest {
            rank.set(File(free.trailing_zeros() as u8), letter);
            free &= free - 1;
        }
        rank
    }

    /// The id of a rank, which must be one that [`Placed::unrank`] gives.
    pub(crate) fn rank(&self, rank: &FirstRank) -> u64 {
        let mut id = 0;
        let mut weight = 1;
        let mut free = self.files;
        for step in &self.steps {
            let mut digit = 0;
            let mut left = step.pieces;
            let mut candidates = free & step.files;
            while left > 0 && candidates != 0 {
                let file = candidates.trailing_zeros();
                candidates &= candidates - 1;
                if rank.at(File(file as u8)) == Some(step.letter) {
                    free &= !(1 << file);
                    left -= 1;
                } else {
                    digit += choose(candidates.count_ones() as usize, left - 1);
                }
            }
            id += digit * weight;
            weight *= step.ways;
        }
        id
    }
}

/// Reads one step: a letter, or the same letter several times, and a colour or none.
fn read_step(text: &str) -> Result<(u8, usize, Option<Colour>), String> {
    let mut words = text.split_whitespace();
    let letters = words.next().unwrap_or("").as_bytes();
    let colour = match words.next() {
        None => None,
        Some("light") => Some(Colour::Light),
        Some("dark") => Some(Colour::Dark),
        Some(word) => {
            return Err(format!("`{word}` is not a colour; a step is such as \"B light\" or \"NN\""));
        }
    };
    match letters {
        [letter @ b'A'..=b'Z', more @ ..]
            if more.iter().all(|other| other == letter) && words.next().is_none() =>
        {
            Ok((*letter, letters.len(), colour))
        }
        _ => Err(format!("`{text}` is not a step; a step is such as \"B light\", \"Q\" or \"NN\"")),
    }
}

/// The number of sets of `k` out of `n`.
fn choose(n: usize, k: usize) -> u64 {
    if k > n { 0 } else { (1..=k as u64).fold(1, |ways, i| ways * (n as u64 - k as u64 + i) / i) }
}
