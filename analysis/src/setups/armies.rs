//! How strong armies are against each other.

use nalgebra::{DMatrix, DVector};
use serde::Serialize;

use crate::stats::{ChiSquareTest, Estimate, MatchScore};

/// A match of two armies in pairs of games, each army having the first move in one of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmyMatch {
    /// The armies, as their first ranks are written.
    pub armies: [String; 2],
    /// The pairs by the half points of the first army in them, 0 to 4.
    pub pairs: [u64; 5],
}

impl ArmyMatch {
    /// The score of the first army; `None` without a pair.
    pub fn score(&self) -> Option<MatchScore> {
        MatchScore::of_pairs(self.pairs)
    }
}

/// The ratings of armies that have all played in some matches, in Elo around their mean.
#[derive(Clone, Debug, Serialize)]
pub struct ArmyRatings {
    /// Each army, the strongest first.
    pub ratings: Vec<(String, Estimate)>,
    /// The test of whether all armies are equal.
    pub equal: Option<ChiSquareTest>,
    /// The test of whether one rating for each army explains all matches.
    pub additive: Option<ChiSquareTest>,
}

impl ArmyRatings {
    /// The ratings by weighted least squares; `None` if no match has a finite result, or armies are not connected by matches.
    ///
    /// ```
    /// use backrank_analysis::setups::{ArmyMatch, ArmyRatings};
    ///
    /// let armies = |one: &str, other: &str| [one.to_string(), other.to_string()];
    /// let matches = [
    ///     ArmyMatch { armies: armies("RNBQKBNR", "SYUCKUYS"), pairs: [30, 10, 20, 10, 30] },
    ///     ArmyMatch { armies: armies("SYUCKUYS", "DWFAKFWD"), pairs: [50, 10, 20, 10, 10] },
    /// ];
    /// let found = ArmyRatings::of(&matches).unwrap();
    /// assert_eq!(found.ratings[0].0, "DWFAKFWD");
    /// assert!(found.equal.unwrap().p_value < 0.001);
    /// ```
    pub fn of(matches: &[ArmyMatch]) -> Option<Self> {
        let mut armies: Vec<&String> = matches.iter().flat_map(|one| &one.armies).collect();
        armies.sort_unstable();
        armies.dedup();
        let index = |army: &String| armies.binary_search(&army).expect("it is among them");
        let known: Vec<(&ArmyMatch, f64, f64)> = matches
            .iter()
            .filter_map(|one| one.score().map(|score| (one, score.elo.value, score.error)))
            .filter(|(_, elo, error)| elo.is_finite() && error.is_finite())
            .collect();
        // A mean of 0 is one more equation.
        let size = armies.len();
        let mut information = DMatrix::from_element(size, size, 1.0);
        let mut sums = DVector::zeros(size);
        for (one, elo, error) in &known {
            let [first, second] = one.armies.each_ref().map(index);
            let weight = error.powi(-2);
            for (row, sign) in [(first, 1.0), (second, -1.0)] {
                sums[row] += sign * weight * elo;
                information[(row, first)] += sign * weight;
                information[(row, second)] -= sign * weight;
            }
        }
        let covariance = information.cholesky()?.inverse();
        let ratings = &covariance * sums;
        let left = |of: &(&ArmyMatch, f64, f64)| {
            let [first, second] = of.0.armies.each_ref().map(index);
            ((of.1 - ratings[first] + ratings[second]) / of.2).powi(2)
        };
        let (total, residual) = (
            known.iter().map(|(_, elo, error)| (elo / error).powi(2)).sum::<f64>(),
            known.iter().map(left).sum::<f64>(),
        );
        let freedom = size.saturating_sub(1);
        let mut named: Vec<(String, Estimate)> = armies
            .iter()
            .enumerate()
            .map(|(row, army)| {
                // The equation of the mean adds the same to every variance.
                let variance = covariance[(row, row)] - 1.0 / (size * size) as f64;
                ((*army).clone(), Estimate::normal(ratings[row], variance.max(0.0).sqrt()))
            })
            .collect();
        named.sort_by(|one, other| other.1.value.total_cmp(&one.1.value));
        Some(Self {
            ratings: named,
            equal: ChiSquareTest::new(total - residual, freedom).filter(|_| freedom > 0),
            additive: known
                .len()
                .checked_sub(freedom)
                .filter(|&left| left > 0)
                .and_then(|left| ChiSquareTest::new(residual, left)),
        })
    }
}
