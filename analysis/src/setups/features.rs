//! The association of White's score with features of setups.

use backrank_rules::{Side, Variant};
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

use super::name::SetupName;
use super::rank_features::{RankFeatures, are_independent};
use super::tally::SetupTally;
use crate::stats::{Estimate, Symmetric, false_discovery_rates, independent_columns};

/// The least-squares regression of White's score, or another measure, on features of setups.
///
/// score = constant + Σ effect · feature. Standard errors are clustered by setup: V = A⁻¹ (Σ e² x xᵀ) A⁻¹ · S/(S − 1) ·
/// (N − 1)/(N − K), with A = Σ n x xᵀ, where x are a setup's features, n its number of games and e the sum of their
/// residuals, for S setups, N games and K effects. Source: Liang and Zeger, 1986, with the correction of Stata and
/// statsmodels.
#[derive(Clone, Debug, Serialize)]
pub struct Features {
    /// The effect of each feature on White's score.
    pub effects: Vec<FeatureEffect>,
    /// Why no effects could be estimated, if none could.
    pub nothing: Option<String>,
}

/// The effect of a feature on White's score.
#[derive(Clone, Debug, Serialize)]
pub struct FeatureEffect {
    /// The feature.
    pub feature: String,
    /// The feature's minimum over setups, its mean over games, and its maximum.
    pub range: [f64; 3],
    /// The change of White's score, from 0 to 1, when the feature grows by one. `None` if it is constant or collinear
    /// with others.
    pub effect: Option<Estimate>,
    /// The two-sided p-value of the effect, by the normal distribution.
    pub p_value: Option<f64>,
    /// The lowest false discovery rate, over all features, at which this one counts as a discovery.
    pub false_discovery_rate: Option<f64>,
}

/// The observations of a setup: their sum, such as the sum of its games' scores, and their number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetupMean {
    pub weight: f64,
    pub sum: f64,
}

impl From<&SetupTally> for SetupMean {
    fn from(tally: &SetupTally) -> Self {
        Self { weight: tally.games() as f64, sum: 0.5 * tally.half_points() as f64 }
    }
}

impl Features {
    pub(crate) fn of(variant: &Variant, setups: &[SetupName], means: &[SetupMean]) -> Self {
        let describe = Side::BOTH.map(|side| RankFeatures::new(variant, side));
        let both = are_independent(setups);
        let numbers = |side: Side, text: &str| {
            let describe = &describe[side as usize];
            describe.read(text).map(|rank| describe.numbers(&rank))
        };
        let rows: Option<Vec<Vec<f64>>> = setups
            .iter()
            .map(|name| {
                let mut row = numbers(Side::White, &name.white)?;
                if both {
                    row.extend(numbers(Side::Black, &name.black)?);
                }
                Some(row)
            })
            .collect();
        let Some(rows) = rows else {
            return Self {
                effects: Vec::new(),
                nothing: Some("a first rank is not possible in this game".to_string()),
            };
        };
        let titles =
            |side: Side| describe[side as usize].features().iter().map(|feature| feature.title.clone());
        let names = match both {
            true => Side::BOTH
                .into_iter()
                .flat_map(|side| titles(side).map(move |title| format!("{side}: {title}")))
                .collect(),
            false => titles(Side::White).collect(),
        };
        least_squares(names, &rows, means)
    }
}

/// The least-squares regression, with clustered standard errors.
pub(crate) fn least_squares(names: Vec<String>, rows: &[Vec<f64>], means: &[SetupMean]) -> Features {
    let weighted = rows.iter().zip(means).map(|(row, mean)| (row.as_slice(), mean.weight));
    let independent = independent_columns(names.len(), weighted);
    let used: Vec<usize> = (0..names.len()).filter(|&column| independent[column]).collect();
    let unknown = |(column, feature)| FeatureEffect {
        feature,
        range: range(rows, means, column),
        effect: None,
        p_value: None,
        false_discovery_rate: None,
    };
    let mut effects: Vec<FeatureEffect> = names.into_iter().enumerate().map(unknown).collect();
    let size = used.len() + 1;
    let nothing = |why: &str, effects| Features { effects, nothing: Some(why.to_string()) };
    if used.is_empty() {
        return nothing("setups do not differ in any feature", effects);
    }
    if means.len() < 2 * size {
        return nothing("there are too few setups for this many features", effects);
    }
    let x = |row: &[f64]| -> Vec<f64> {
        std::iter::once(1.0).chain(used.iter().map(|&column| row[column])).collect()
    };
    let mut spread = Symmetric::zeros(size);
    let mut sums = vec![0.0; size];
    for (row, mean) in rows.iter().zip(means) {
        let x = x(row);
        spread.add(mean.weight, &x);
        sums.iter_mut().zip(&x).for_each(|(sum, x)| *sum += mean.sum * x);
    }
    let (Some(coefficients), Some(bread)) = (spread.solve(&sums), spread.inverse()) else {
        return nothing("the features are collinear", effects);
    };
    let mut between = Symmetric::zeros(size);
    for (row, mean) in rows.iter().zip(means) {
        let x = x(row);
        let expected: f64 = x.iter().zip(&coefficients).map(|(x, coefficient)| x * coefficient).sum();
        let off = mean.sum - mean.weight * expected;
        between.add(off * off, &x);
    }
    let (setups, weight) = (means.len() as f64, means.iter().map(|mean| mean.weight).sum::<f64>());
    let correction = setups / (setups - 1.0) * (weight - 1.0) / (weight - size as f64);
    let covariance = &bread * between.0 * &bread * correction;
    let normal = Normal::new(0.0, 1.0).expect("the standard normal distribution");
    let p_values: Vec<f64> = (1..size)
        .map(|index| {
            let (effect, error) = (coefficients[index], covariance[(index, index)].max(0.0).sqrt());
            effects[used[index - 1]].effect = Some(Estimate::normal(effect, error));
            2.0 * normal.sf((effect / error).abs())
        })
        .collect();
    for ((&column, p_value), rate) in used.iter().zip(&p_values).zip(false_discovery_rates(&p_values)) {
        effects[column].p_value = Some(*p_value);
        effects[column].false_discovery_rate = Some(rate);
    }
    Features { effects, nothing: None }
}

fn range(rows: &[Vec<f64>], means: &[SetupMean], column: usize) -> [f64; 3] {
    let values = || rows.iter().map(|row| row[column]);
    let weight: f64 = means.iter().map(|mean| mean.weight).sum();
    let sum: f64 = values().zip(means).map(|(value, mean)| value * mean.weight).sum();
    [values().fold(f64::INFINITY, f64::min), sum / weight, values().fold(f64::NEG_INFINITY, f64::max)]
}
