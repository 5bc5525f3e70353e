//! What goes with White's score: features of setups.

use backrank_enumerate::Army;
use backrank_rules::{Board, Colour, File, FirstRank, Variant};
use serde::Serialize;

use super::{SetupName, Tally};
use crate::stats::{Estimate, Symmetric, independent_columns};

/// White's score by least squares on features of setups.
///
/// score = constant + Σ effect · feature. Errors are clustered by setup: V = A⁻¹ (Σ e² x xᵀ) A⁻¹ · S/(S − 1) ·
/// (N − 1)/(N − K), with A = Σ n x xᵀ, a setup's features x, its games n and the sum e of what they are off, for S
/// setups, N games and K effects. Source: Liang and Zeger, 1986, with the correction of Stata and statsmodels.
#[derive(Clone, Debug, Serialize)]
pub struct Features {
    /// What each feature adds to White's score.
    pub effects: Vec<FeatureEffect>,
    /// Why there are none, where there are none.
    pub nothing: Option<String>,
}

/// What a feature adds to White's score.
#[derive(Clone, Debug, Serialize)]
pub struct FeatureEffect {
    /// The feature.
    pub feature: String,
    /// The least it is in any setup, its mean over games, and the most.
    pub range: [f64; 3],
    /// What one more of it adds to White's score, from 0 to 1; none where it is always the same or goes with others.
    pub effect: Option<Estimate>,
}

impl Features {
    pub(super) fn of(variant: &Variant, setups: &[SetupName], tallies: &[Tally]) -> Self {
        let army = Army::new(variant);
        let describe = Describe { variant, army: &army };
        let names = describe.names();
        // Where Black's rank follows from White's, it has nothing to add.
        let reversed = |text: &str| text.chars().rev().collect::<String>();
        let both = setups.iter().any(|name| name.black != name.white && name.black != reversed(&name.white));
        let rows: Option<Vec<Vec<f64>>> = setups
            .iter()
            .map(|name| {
                let mut row = describe.rank(&name.white)?;
                if both {
                    row.extend(describe.rank(&name.black)?);
                }
                Some(row)
            })
            .collect();
        let Some(rows) = rows else {
            return Self {
                effects: Vec::new(),
                nothing: Some("a first rank is not one of the game".to_string()),
            };
        };
        let names = match both {
            true => ["White", "Black"]
                .iter()
                .flat_map(|side| names.iter().map(move |name| format!("{side}: {name}")))
                .collect(),
            false => names,
        };
        regression(names, &rows, tallies)
    }
}

/// The least squares with clustered errors.
fn regression(names: Vec<String>, rows: &[Vec<f64>], tallies: &[Tally]) -> Features {
    let weighted = rows.iter().zip(tallies).map(|(row, tally)| (row.as_slice(), tally.games() as f64));
    let independent = independent_columns(names.len(), weighted);
    let used: Vec<usize> = (0..names.len()).filter(|&column| independent[column]).collect();
    let mut effects: Vec<FeatureEffect> = names
        .into_iter()
        .enumerate()
        .map(|(column, feature)| FeatureEffect { feature, range: range(rows, tallies, column), effect: None })
        .collect();
    let size = used.len() + 1;
    let games: u64 = tallies.iter().map(Tally::games).sum();
    let nothing = |why: &str, effects| Features { effects, nothing: Some(why.to_string()) };
    if used.is_empty() {
        return nothing("setups do not differ in any feature", effects);
    }
    if tallies.len() < 2 * size {
        return nothing("too few setups for so many features", effects);
    }
    let x = |row: &[f64]| -> Vec<f64> {
        std::iter::once(1.0).chain(used.iter().map(|&column| row[column])).collect()
    };
    let mut spread = Symmetric::zeros(size);
    let mut sums = vec![0.0; size];
    for (row, tally) in rows.iter().zip(tallies) {
        let x = x(row);
        spread.add(tally.games() as f64, &x);
        let score = 0.5 * tally.half_points() as f64;
        sums.iter_mut().zip(&x).for_each(|(sum, x)| *sum += score * x);
    }
    let (Some(numbers), Some(bread)) = (spread.solve(&sums), spread.inverse()) else {
        return nothing("features cannot be told apart", effects);
    };
    let mut between = Symmetric::zeros(size);
    for (row, tally) in rows.iter().zip(tallies) {
        let x = x(row);
        let expected: f64 = x.iter().zip(&numbers).map(|(x, number)| x * number).sum();
        let off = 0.5 * tally.half_points() as f64 - tally.games() as f64 * expected;
        between.add(off * off, &x);
    }
    let (setups, games) = (tallies.len() as f64, games as f64);
    let correction = setups / (setups - 1.0) * (games - 1.0) / (games - size as f64);
    let covariance = &bread * between.0 * &bread * correction;
    for (place, &column) in used.iter().enumerate() {
        let error = covariance[(place + 1, place + 1)].max(0.0).sqrt();
        effects[column].effect = Some(Estimate::normal(numbers[place + 1], error));
    }
    Features { effects, nothing: None }
}

fn range(rows: &[Vec<f64>], tallies: &[Tally], column: usize) -> [f64; 3] {
    let values = || rows.iter().map(|row| row[column]);
    let games: u64 = tallies.iter().map(Tally::games).sum();
    let sum: f64 = values().zip(tallies).map(|(value, tally)| value * tally.games() as f64).sum();
    [values().fold(f64::INFINITY, f64::min), sum / games as f64, values().fold(f64::NEG_INFINITY, f64::max)]
}

/// Turns first ranks into features. Which there are follows from the army: whatever it has one of has a file, whatever
/// it has two of has a distance.
struct Describe<'a> {
    variant: &'a Variant,
    army: &'a Army,
}

impl Describe<'_> {
    fn name(&self, letter: u8) -> &str {
        self.variant.piece(letter).map_or("piece", |piece| &piece.name)
    }

    /// The kinds of which an army has so many, in the order of the variant's file.
    fn kinds(&self, number: usize) -> impl Iterator<Item = u8> {
        let letters = self.variant.pieces.iter().map(|piece| piece.letter);
        letters.filter(move |&letter| self.army.count(letter) == number)
    }

    /// Those that come in twos and keep to their colour.
    fn colour_bound(&self) -> impl Iterator<Item = u8> {
        let bound =
            |letter: &u8| self.variant.piece(*letter).is_some_and(|piece| piece.betza.is_colour_bound());
        self.kinds(2).filter(bound)
    }

    fn castling_partner(&self) -> Option<u8> {
        let partner = self.variant.castling.as_ref().map(|castling| castling.partner);
        partner.filter(|&letter| self.army.count(letter) == 2)
    }

    fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for letter in self.colour_bound() {
            let name = self.name(letter);
            names.push(format!("{name}s on one colour (0 or 1)"));
            names.push(format!("{name}s in a corner (number)"));
        }
        for letter in self.kinds(1) {
            let name = self.name(letter);
            names.push(format!("{name} from the middle (files)"));
            names.push(format!("{name} on the right (−1, 0 or 1)"));
        }
        if let Some(letter) = self.castling_partner() {
            names.push(format!("{}s apart (files)", self.name(letter)));
        }
        names.push("pawns nothing protects (number)".to_string());
        names.push("like pieces on mirrored files (pairs)".to_string());
        names
    }

    /// The features of a rank, in the order of the names; none where the text is not a rank of the game.
    fn rank(&self, text: &str) -> Option<Vec<f64>> {
        let rank = self.read(text)?;
        let board: Board = self.variant.board;
        let last = board.files() as f64 - 1.0;
        let files = |letter: u8| -> Vec<f64> {
            rank.pieces().filter(|&(_, other)| other == letter).map(|(file, _)| f64::from(file.0)).collect()
        };
        let mut features = Vec::new();
        for letter in self.colour_bound() {
            let colours: Vec<Colour> =
                files(letter).iter().map(|&file| self.army.colour(File(file as u8))).collect();
            let corners = files(letter).iter().filter(|&&file| file == 0.0 || file == last).count();
            features.push(f64::from(u8::from(colours.windows(2).all(|two| two[0] == two[1]))));
            features.push(corners as f64);
        }
        for letter in self.kinds(1) {
            let off = files(letter).first()? - 0.5 * last;
            features.push(off.abs());
            features.push(if off == 0.0 { 0.0 } else { off.signum() });
        }
        if let Some(letter) = self.castling_partner() {
            let files = files(letter);
            features.push(files.last()? - files.first()?);
        }
        features.push(self.army.unprotected_pawns(&rank).len() as f64);
        let letters = rank.as_bytes();
        let mirrored = (0..letters.len() / 2).filter(|&file| {
            letters[file] == letters[letters.len() - 1 - file] && letters[file] != FirstRank::EMPTY
        });
        features.push(mirrored.count() as f64);
        Some(features)
    }

    /// A rank as records write it, without the empty files: they are where the army's are.
    fn read(&self, text: &str) -> Option<FirstRank> {
        let mut letters = text.bytes();
        let mut rank = FirstRank::empty(self.variant.board.files());
        for file in self.army.files() {
            rank.set(file, letters.next()?);
        }
        let known = rank.pieces().all(|(_, letter)| self.variant.piece(letter).is_some());
        (letters.next().is_none() && known).then_some(rank)
    }
}
