//! What goes with White's score: features of setups.

use backrank_rules::Variant;
use serde::Serialize;

use super::rank_features::{RankFeatures, are_independent};
use super::{SetupName, SetupTally};
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
    pub(super) fn of(variant: &Variant, setups: &[SetupName], tallies: &[SetupTally]) -> Self {
        let describe = RankFeatures::new(variant);
        let both = are_independent(setups);
        let numbers = |text: &str| describe.read(text).map(|rank| describe.numbers(&rank));
        let rows: Option<Vec<Vec<f64>>> = setups
            .iter()
            .map(|name| {
                let mut row = numbers(&name.white)?;
                if both {
                    row.extend(numbers(&name.black)?);
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
        let titles = || describe.features().iter().map(|feature| feature.title.clone());
        let names = match both {
            true => ["White", "Black"]
                .iter()
                .flat_map(|side| titles().map(move |title| format!("{side}: {title}")))
                .collect(),
            false => titles().collect(),
        };
        regression(names, &rows, tallies)
    }
}

/// The least squares with clustered errors.
fn regression(names: Vec<String>, rows: &[Vec<f64>], tallies: &[SetupTally]) -> Features {
    let weighted = rows.iter().zip(tallies).map(|(row, tally)| (row.as_slice(), tally.games() as f64));
    let independent = independent_columns(names.len(), weighted);
    let used: Vec<usize> = (0..names.len()).filter(|&column| independent[column]).collect();
    let mut effects: Vec<FeatureEffect> = names
        .into_iter()
        .enumerate()
        .map(|(column, feature)| FeatureEffect { feature, range: range(rows, tallies, column), effect: None })
        .collect();
    let size = used.len() + 1;
    let games: u64 = tallies.iter().map(SetupTally::games).sum();
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
    let (Some(coefficients), Some(bread)) = (spread.solve(&sums), spread.inverse()) else {
        return nothing("the features are collinear", effects);
    };
    let mut between = Symmetric::zeros(size);
    for (row, tally) in rows.iter().zip(tallies) {
        let x = x(row);
        let expected: f64 = x.iter().zip(&coefficients).map(|(x, coefficient)| x * coefficient).sum();
        let off = 0.5 * tally.half_points() as f64 - tally.games() as f64 * expected;
        between.add(off * off, &x);
    }
    let (setups, games) = (tallies.len() as f64, games as f64);
    let correction = setups / (setups - 1.0) * (games - 1.0) / (games - size as f64);
    let covariance = &bread * between.0 * &bread * correction;
    for (place, &column) in used.iter().enumerate() {
        let error = covariance[(place + 1, place + 1)].max(0.0).sqrt();
        effects[column].effect = Some(Estimate::normal(coefficients[place + 1], error));
    }
    Features { effects, nothing: None }
}

fn range(rows: &[Vec<f64>], tallies: &[SetupTally], column: usize) -> [f64; 3] {
    let values = || rows.iter().map(|row| row[column]);
    let games: u64 = tallies.iter().map(SetupTally::games).sum();
    let sum: f64 = values().zip(tallies).map(|(value, tally)| value * tally.games() as f64).sum();
    [values().fold(f64::INFINITY, f64::min), sum / games as f64, values().fold(f64::NEG_INFINITY, f64::max)]
}
