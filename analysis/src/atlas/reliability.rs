//! How far a measure would be found again by another search.

use std::collections::HashMap;

use backrank_selfplay::atlas::AtlasRow;
use serde::Serialize;

use super::measure::AtlasMeasure;
use crate::stats::{Estimate, Spread, correlation};

/// The second searches of the same setups, by which reliability is estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SecondSearch {
    /// Those of the mirror images, which are the same games. What is shown of a setup is the mean of both.
    Mirror,
    /// Those of another atlas of these setups, made with another number of nodes or another size of the table.
    Repeat,
}

/// How much of a measure would be found again.
///
/// A search gives the truth and an error. If two searches of the same setups have independent errors of the same size, their
/// correlation is the proportion of the variance that is the truth's: the reliability of one search. That of the mean of both is
/// 2r/(1 + r).
///
/// Source: Spearman, "Correlation Calculated from Faulty Data", and Brown, "Some Experimental Results in the Correlation of Mental
/// Abilities", both British Journal of Psychology 3, 1910.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reliability {
    /// The measure.
    pub measure: AtlasMeasure,
    /// What the second searches are.
    pub by: SecondSearch,
    /// The number of setups that were searched twice.
    pub pairs: u64,
    /// The reliability of one search.
    pub of_one: Estimate,
    /// The reliability of what is shown: with mirror images, the mean of both searches.
    pub of_shown: f64,
    /// The mean over all setups.
    pub mean: f64,
    /// The standard deviation of the truth over the setups.
    pub truth: f64,
    /// The standard deviation of one search's error.
    pub noise: f64,
    /// The proportion of second searches that lie in the 95 % interval for them, which the first alone gives.
    pub coverage: f64,
}

impl Reliability {
    /// A measure below this has no ranks: another search would rank the setups otherwise.
    pub const LEAST: f64 = 0.2;

    /// Fewer pairs of searches than this say nothing.
    pub const LEAST_PAIRS: usize = 20;

    /// The reliability of a measure by the searches of setups and of their mirror images; `None` with fewer than twenty pairs,
    /// or if all have the same value.
    pub fn by_mirrors(measure: AtlasMeasure, rows: &[AtlasRow]) -> Option<Self> {
        let by_id: HashMap<u128, &AtlasRow> = rows.iter().map(|row| (row.setup, row)).collect();
        let pairs = rows.iter().filter_map(|row| {
            let other = by_id.get(&row.reflection.filter(|&id| id > row.setup)?)?;
            Some((measure.of(row), measure.of(other)))
        });
        let of_shown = |one: f64| 2.0 * one / (1.0 + one);
        Self::of(measure, SecondSearch::Mirror, rows, &pairs.collect::<Vec<_>>(), of_shown)
    }

    /// The same by another atlas of these setups, or of some of them.
    pub fn by_repeat(measure: AtlasMeasure, rows: &[AtlasRow], repeat: &[AtlasRow]) -> Option<Self> {
        let key = |row: &AtlasRow| (row.white_rank.clone(), row.black_rank.clone());
        let repeated: HashMap<(String, String), &AtlasRow> =
            repeat.iter().map(|row| (key(row), row)).collect();
        let pairs = rows
            .iter()
            .filter_map(|row| Some((measure.of(row), measure.of(repeated.get(&key(row))?))))
            .collect::<Vec<_>>();
        Self::of(measure, SecondSearch::Repeat, rows, &pairs, |one| one)
    }

    fn of(
        measure: AtlasMeasure,
        by: SecondSearch,
        rows: &[AtlasRow],
        pairs: &[(f64, f64)],
        of_shown: impl Fn(f64) -> f64,
    ) -> Option<Self> {
        let all: Vec<f64> = rows.iter().map(|row| measure.of(row)).collect();
        Self::of_pairs(measure, by, &all, pairs, of_shown)
    }

    fn of_pairs(
        measure: AtlasMeasure,
        by: SecondSearch,
        all: &[f64],
        pairs: &[(f64, f64)],
        of_shown: impl Fn(f64) -> f64,
    ) -> Option<Self> {
        if pairs.len() < Self::LEAST_PAIRS {
            return None;
        }
        let of_one = correlation(pairs).filter(|found| found.value.is_finite())?;
        let all = Spread::of(all)?;
        let r = of_one.value.clamp(0.0, 1.0);
        // Among equals, what one search gives for the other: drawn to the mean, and as far from it as 1 - r² allows.
        let spreads = [|pair: &(f64, f64)| pair.0, |pair: &(f64, f64)| pair.1]
            .map(|of| Spread::of(&pairs.iter().map(of).collect::<Vec<f64>>()));
        let [Some(one), Some(other)] = spreads else { return None };
        let covered = pairs.iter().filter(|&&(x, y)| {
            let steps = (x - one.mean.value) / one.deviation;
            let error = other.deviation * (1.0 - r * r).sqrt();
            Estimate::normal(other.mean.value + other.deviation * r * steps, error).interval.contains(y)
        });
        Some(Self {
            measure,
            by,
            pairs: pairs.len() as u64,
            of_one,
            of_shown: of_shown(r),
            mean: all.mean.value,
            truth: all.deviation * r.sqrt(),
            noise: all.deviation * (1.0 - r).sqrt(),
            coverage: covered.count() as f64 / pairs.len() as f64,
        })
    }

    /// Whether setups can be ranked by this measure.
    pub fn ranks(&self) -> bool {
        self.of_shown >= Self::LEAST
    }

    /// Why setups cannot be ranked by this measure, as a sentence; `None` if they can.
    pub fn why_no_ranks(&self) -> Option<String> {
        let searches = match self.by {
            SecondSearch::Mirror => "a search of the mirror image, which is the same game,",
            SecondSearch::Repeat => "another search",
        };
        (!self.ranks()).then(|| {
            format!(
                "its reliability is {:.2}, less than {:.1}: {searches} would rank the setups otherwise",
                self.of_shown,
                Self::LEAST
            )
        })
    }

    /// The best guess of the truth from what is shown of a setup, drawn to the mean by the reliability, with its interval.
    /// `searches` is 2 for the mean of a setup's and its mirror image's search, otherwise 1.
    pub fn truth_of(&self, found: f64, searches: u32) -> Estimate {
        let variance = self.truth.powi(2);
        let of_error = self.noise.powi(2) / f64::from(searches);
        let share = if variance > 0.0 { variance / (variance + of_error) } else { 0.0 };
        Estimate::normal(self.mean + share * (found - self.mean), (variance * (1.0 - share)).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// A sum of twelve uniform numbers is close enough to a normal one.
    fn normal(random: &mut ChaCha8Rng) -> f64 {
        (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0
    }

    /// With a truth of ±3 and errors of ±4, reliability is 9/25, and that of the mean of two searches 9/17.
    #[test]
    fn truth_is_told_from_noise_and_intervals_cover() {
        let mut random = ChaCha8Rng::seed_from_u64(44);
        let truths: Vec<f64> = (0..20_000).map(|_| 10.0 + 3.0 * normal(&mut random)).collect();
        let pairs: Vec<(f64, f64)> = truths
            .iter()
            .map(|truth| (truth + 4.0 * normal(&mut random), truth + 4.0 * normal(&mut random)))
            .collect();
        let all: Vec<f64> = pairs.iter().flat_map(|&(one, other)| [one, other]).collect();
        let of_shown = |one: f64| 2.0 * one / (1.0 + one);
        let found =
            Reliability::of_pairs(AtlasMeasure::Score, SecondSearch::Mirror, &all, &pairs, of_shown).unwrap();
        assert!(
            (found.of_one.value - 9.0 / 25.0).abs() < 0.02 && (found.of_shown - 9.0 / 17.0).abs() < 0.02,
            "{found:?}"
        );
        assert!((found.truth - 3.0).abs() < 0.1 && (found.noise - 4.0).abs() < 0.1, "{found:?}");
        assert!(
            (found.coverage - 0.95).abs() < 0.006 && found.ranks() && found.why_no_ranks().is_none(),
            "{found:?}"
        );
        for searches in [1, 2] {
            let covered = truths.iter().zip(&pairs).filter(|&(&truth, &(one, other))| {
                let shown = if searches == 1 { one } else { 0.5 * (one + other) };
                found.truth_of(shown, searches).interval.contains(truth)
            });
            let share = covered.count() as f64 / truths.len() as f64;
            assert!((share - 0.95).abs() < 0.006, "{searches}: {share}");
        }
    }

    #[test]
    fn noise_alone_ranks_nothing_and_says_why() {
        let mut random = ChaCha8Rng::seed_from_u64(44);
        let pairs: Vec<(f64, f64)> = (0..4_000).map(|_| (normal(&mut random), normal(&mut random))).collect();
        let all: Vec<f64> = pairs.iter().flat_map(|&(one, other)| [one, other]).collect();
        let found =
            Reliability::of_pairs(AtlasMeasure::Asymmetry, SecondSearch::Repeat, &all, &pairs, |one| one)
                .unwrap();
        let why = found.why_no_ranks().unwrap();
        assert!(
            !found.ranks() && why.ends_with("less than 0.2: another search would rank the setups otherwise"),
            "{why}"
        );
        let shown = found.truth_of(2.0, 1);
        assert!(shown.value.abs() < 0.15, "{shown:?}");
        let few = [(1.0, 2.0), (2.0, 1.0), (3.0, 3.0)];
        assert_eq!(
            Reliability::of_pairs(AtlasMeasure::Score, SecondSearch::Repeat, &[1.0, 2.0], &few, |one| one),
            None
        );
    }
}
