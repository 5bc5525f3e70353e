//! Numberings: orders of a space that give every setup an id from 0.

use std::str::FromStr;

use backrank_rules::{ByLetter, Colour, File, FirstRank, Letter};

use crate::army::Army;
use crate::gaze::Files;

/// An order of a space.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Numbering {
    /// In alphabetical order: White's rank from the a-file, then Black's.
    Lex,
    /// In the order in which the variant's file lists the setups.
    Listed,
    /// By placing pieces one after another, as Scharnagl numbers Chess960.
    Placed(Placed),
}

impl Numbering {
    /// The name: `lex`, `listed`, or the one in the variant's file.
    pub fn name(&self) -> &str {
        match self {
            Self::Lex => "lex",
            Self::Listed => "listed",
            Self::Placed(placed) => placed.name(),
        }
    }

    /// What the variant's file says about where the numbering comes from, if it does.
    pub fn note(&self) -> Option<&str> {
        match self {
            Self::Placed(placed) => placed.note(),
            Self::Lex | Self::Listed => None,
        }
    }
}

/// A mixed-radix numbering of ranks.
///
/// Pieces are placed in turn. The digit of a step says which of the free squares it takes, counted from the a-file; the
/// first step's digit is the least significant. A step that places several pieces of a kind numbers the sets of squares
/// in alphabetical order, or pairs by falling distance: the two squares farthest apart come first, and of pairs that
/// are equally far apart the one nearest to the a-file. At the end the remaining pieces take the files that are left,
/// in a fixed order.
///
/// Source: Reinhard Scharnagl's numbering of Chess960 (bishop on light, bishop on dark, queen, both knights; then R K
/// R).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    name: String,
    note: Option<String>,
    steps: Vec<Step>,
    rest: Vec<Letter>,
    pattern: FirstRank,
    files: Files,
    len: u64,
}

/// The order in which a step numbers the sets of squares that it can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SquareOrder {
    /// By the first square from the a-file, then by the second, and so on.
    Alphabetical,
    /// Pairs of squares by the number of free squares between them, the largest first; equal ones from the a-file.
    FallingDistance,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    letter: Letter,
    pieces: usize,
    colour: Option<Colour>,
    order: SquareOrder,
    /// The files that the step could take if none were occupied.
    files: Files,
    /// The number of ways to take this step, which does not depend on the steps before it.
    ways: u64,
}

impl Placed {
    /// Reads the steps (`"B light"`, `"Q"`, `"NN"`, `"NN by falling distance"`) and the letters of the rest.
    pub(crate) fn read(
        name: &str,
        note: Option<&str>,
        place: &[String],
        rest: &str,
        army: &Army,
    ) -> Result<Self, String> {
        let files_of = |colour: Option<Colour>| -> Files {
            let fits = |file: &File| colour.is_none_or(|colour| army.colour(*file) == colour);
            army.files().filter(fits).fold(0, |files, file| files | 1 << file.0)
        };
        let mut left: Vec<(Letter, usize)> = army.kinds().to_vec();
        let mut take =
            |letter: char| match left.iter_mut().find(|kind| kind.0.as_char() == letter && kind.1 > 0) {
                Some(kind) => {
                    kind.1 -= 1;
                    Ok(())
                }
                None => Err(format!("{letter} is placed more often than the first rank has it")),
            };
        let mut steps: Vec<Step> = Vec::new();
        for text in place {
            let StepText { letter, pieces, colour, order } = text.parse()?;
            if colour.is_some() && steps.iter().any(|step| step.colour.is_none()) {
                return Err(format!(
                    "`{text}` comes after a step without a colour, so the number of free squares of its colour is not always the same"
                ));
            }
            for _ in 0..pieces {
                take(letter.as_char())?;
            }
            let files = files_of(colour);
            let taken: usize = steps
                .iter()
                .filter(|step| colour.is_none() || step.colour == colour)
                .map(|step| step.pieces)
                .sum();
            let ways = binomial(files.count_ones().saturating_sub(taken as u32), pieces);
            steps.push(Step { letter, pieces, colour, order, files, ways });
        }
        rest.chars().try_for_each(take)?;
        if let Some(kind) = left.iter().find(|kind| kind.1 > 0) {
            return Err(format!("{} is neither placed nor in `rest`", kind.0));
        }
        let len = steps.iter().map(|step| step.ways).product();
        let rest = rest.chars().filter_map(Letter::from_char).collect();
        Ok(Self {
            name: name.to_string(),
            note: note.map(str::to_string),
            steps,
            rest,
            pattern: army.pattern(),
            files: files_of(None),
            len,
        })
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the variant's file says about where the numbering comes from, if it does.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// The number of ranks that it numbers.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The rank with an id, which must be less than [`Placed::len`].
    pub(crate) fn unrank(&self, id: u64) -> FirstRank {
        let mut rank = self.pattern;
        let mut free = self.files;
        let mut digits = id;
        for step in &self.steps {
            let chosen = step.choose(digits % step.ways, free & step.files);
            digits /= step.ways;
            free &= !chosen;
            in_order(chosen).for_each(|file| rank.set(file, step.letter));
        }
        in_order(free).zip(&self.rest).for_each(|(file, &letter)| rank.set(file, letter));
        rank
    }

    /// The id of a rank, which must be one that [`Placed::unrank`] returns.
    pub(crate) fn rank(&self, rank: &FirstRank) -> u64 {
        let mut files_of = ByLetter::<Files>::default();
        for (file, letter) in rank.pieces() {
            files_of[letter] |= 1 << file.0;
        }
        let mut id = 0;
        let mut weight = 1;
        let mut free = self.files;
        for step in &self.steps {
            let candidates = free & step.files;
            let chosen = lowest(files_of[step.letter] & candidates, step.pieces);
            id += step.digit(chosen, candidates) * weight;
            weight *= step.ways;
            free &= !chosen;
        }
        id
    }
}

impl Step {
    /// The set of files with a number, among those that the step can take.
    fn choose(&self, mut digit: u64, mut candidates: Files) -> Files {
        match self.order {
            SquareOrder::Alphabetical => {
                let (mut chosen, mut left) = (0, self.pieces);
                while left > 0 {
                    let file = lowest(candidates, 1);
                    candidates &= !file;
                    // The sets of squares with this file come before those without it.
                    let with = binomial(candidates.count_ones(), left - 1);
                    if digit < with {
                        chosen |= file;
                        left -= 1;
                    } else {
                        digit -= with;
                    }
                }
                chosen
            }
            SquareOrder::FallingDistance => {
                // There is one pair at the largest distance, two pairs at the next smaller one, and so on.
                let mut pairs = 1;
                while digit >= pairs {
                    digit -= pairs;
                    pairs += 1;
                }
                let distance = u64::from(candidates.count_ones()) - pairs;
                let from_first = without_lowest(candidates, digit as usize);
                lowest(from_first, 1) | lowest(without_lowest(from_first, distance as usize), 1)
            }
        }
    }

    /// The number of a set of files among those that the step could take: the inverse of [`Step::choose`].
    fn digit(&self, chosen: Files, candidates: Files) -> u64 {
        // The number of candidates nearer to the a-file.
        let place = |file: Files| (candidates & file.wrapping_sub(1)).count_ones();
        match self.order {
            SquareOrder::Alphabetical => {
                let (mut digit, mut passed, mut rest) = (0, 0, chosen);
                for left in (1..=self.pieces).rev() {
                    let file = lowest(rest, 1);
                    rest &= !file;
                    let place = place(file);
                    // Sets with a file that was passed over come before this one.
                    for candidate in passed..place {
                        digit += binomial(candidates.count_ones() - 1 - candidate, left - 1);
                    }
                    passed = place + 1;
                }
                digit
            }
            SquareOrder::FallingDistance => {
                let first = lowest(chosen, 1);
                let (first, second) = (place(first), place(chosen & !first));
                let farther = u64::from((candidates.count_ones() - 1).saturating_sub(second - first));
                farther * (farther + 1) / 2 + u64::from(first)
            }
        }
    }
}

/// The given number of files, nearest to the a-file.
fn lowest(files: Files, number: usize) -> Files {
    files & !without_lowest(files, number)
}

/// All files except the given number nearest to the a-file.
fn without_lowest(files: Files, number: usize) -> Files {
    (0..number).fold(files, |rest, _| rest & rest.wrapping_sub(1))
}

/// The files of a set, from the a-file.
fn in_order(mut files: Files) -> impl Iterator<Item = File> {
    std::iter::from_fn(move || {
        (files != 0).then(|| {
            let file = files.trailing_zeros();
            files &= files - 1;
            File(file as u8)
        })
    })
}

/// A step as text: a letter, or one letter several times, then perhaps a colour, then perhaps an order.
struct StepText {
    letter: Letter,
    pieces: usize,
    colour: Option<Colour>,
    order: SquareOrder,
}

impl FromStr for StepText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (placed, order) = match text.split_once(" by ") {
            None => (text, SquareOrder::Alphabetical),
            Some((placed, "falling distance")) => (placed, SquareOrder::FallingDistance),
            Some((_, order)) => {
                return Err(format!("`by {order}` is not an order; the only one is `by falling distance`"));
            }
        };
        let mut words = placed.split_whitespace();
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
            [first, more @ ..]
                if let Some(letter) = Letter::new(*first)
                    && more.iter().all(|other| other == first)
                    && words.next().is_none() =>
            {
                if order == SquareOrder::FallingDistance && letters.len() != 2 {
                    return Err(format!("`{text}` does not place two pieces, and only two have a distance"));
                }
                Ok(Self { letter, pieces: letters.len(), colour, order })
            }
            _ => Err(format!("`{text}` is not a step; a step is such as \"B light\", \"Q\" or \"NN\"")),
        }
    }
}

/// The number of sets of `k` elements out of `n`, both at most 16.
fn binomial(n: u32, k: usize) -> u64 {
    BINOMIALS[n as usize][k]
}

/// Pascal's triangle.
const BINOMIALS: [[u64; 17]; 17] = {
    let mut rows = [[0; 17]; 17];
    let mut n = 0;
    while n < rows.len() {
        rows[n][0] = 1;
        let mut k = 1;
        while k <= n {
            rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    rows
};
