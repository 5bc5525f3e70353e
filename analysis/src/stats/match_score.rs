//! The score of a match, and the corresponding difference in Elo.

use statrs::distribution::{ContinuousCDF, Normal};

use super::elo::{elo, elo_slope};
use super::interval::{Estimate, wilson};

/// The score of a match, and the difference in Elo that follows from it.
///
/// The score is a mean m of n pairs or games with the sample variance v. Its interval is Wilson's for m·(1 − m)·n / v
/// trials: the number of games without draws that would leave the same uncertainty. If all pairs had the same score, v
/// is 0 and uninformative; each pair then counts as two trials, and each game as one. The interval is therefore never a
/// single point, and after a clean sweep only one of its ends is infinite in Elo.
///
/// Source: Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", 1927, with the effective number
/// of trials of Rao and Scott, "A Simple Method for the Analysis of Clustered Binary Data", 1992.
///
/// ```
/// use backrank_analysis::stats::MatchScore;
///
/// let drawn = MatchScore::of_games([0, 4, 0]).unwrap();
/// assert_eq!(drawn.elo.value, 0.0);
/// assert!(drawn.elo.interval.low < -300.0 && drawn.elo.interval.high > 300.0);
///
/// let sweep = MatchScore::of_pairs([0, 0, 0, 0, 10]).unwrap();
/// assert_eq!(sweep.elo.value, f64::INFINITY);
/// assert!(sweep.elo.interval.low.is_finite());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchScore {
    /// The proportion of points, from 0 to 1.
    pub score: Estimate,
    /// The difference in Elo; infinite if every point was won or every point was lost.
    pub elo: Estimate,
    /// The standard error of `elo`; infinite if `elo` is, and for fewer than two pairs or games.
    pub error: f64,
}

impl MatchScore {
    /// The score of pairs of games, given their numbers by half points from 0 to 4; `None` without a pair.
    ///
    /// The two games of a pair have the same start and are correlated, so the variance is that of pairs.
    pub fn of_pairs(pairs: [u64; 5]) -> Option<Self> {
        Self::of(&pairs, 2.0)
    }

    /// The score of independent games, given the numbers won, drawn and lost; `None` without a game.
    pub fn of_games([won, drawn, lost]: [u64; 3]) -> Option<Self> {
        Self::of(&[lost, drawn, won], 1.0)
    }

    /// The score of observations, given their numbers by scores in equal steps from 0 to 1, each of this many games.
    fn of(counts: &[u64], games_each: f64) -> Option<Self> {
        let number = counts.iter().sum::<u64>();
        if number == 0 {
            return None;
        }
        let n = number as f64;
        let (mean, squares) = mean_and_squares(counts);
        let variance = squares / (n - 1.0);
        let trials = if variance > 0.0 { mean * (1.0 - mean) * n / variance } else { games_each * n };
        let score = Estimate { value: mean, interval: wilson(mean, trials) };
        let error = match mean > 0.0 && mean < 1.0 && number > 1 {
            true => elo_slope(mean) * (mean * (1.0 - mean) / trials).sqrt(),
            false => f64::INFINITY,
        };
        Some(Self { score, elo: Estimate { value: elo(mean), interval: score.interval.map(elo) }, error })
    }
}

/// The mean of observations with scores in equal steps from 0 to 1, and the sum of squared deviations from it.
fn mean_and_squares(counts: &[u64]) -> (f64, f64) {
    let (number, last) = (counts.iter().sum::<u64>() as f64, (counts.len() - 1) as f64);
    let scores = || counts.iter().enumerate().map(|(step, &count)| (step as f64 / last, count as f64));
    let mean = scores().map(|(score, count)| score * count).sum::<f64>() / number;
    (mean, scores().map(|(score, count)| (score - mean).powi(2) * count).sum())
}

/// The likelihood of superiority: the probability that the first player is the stronger one, given pairs by its half
/// points, 0 to 4.
///
/// The shares of the five results have the prior of Jeffreys, a Dirichlet distribution of one half each, so that a single pair
/// does not settle the matter; the mean score after it is taken to be normally distributed. One half if no pair was played.
pub fn likelihood_of_superiority(pairs: &[u64; 5]) -> f64 {
    let weights = pairs.map(|count| count as f64 + 0.5);
    let all: f64 = weights.iter().sum();
    let moment = |power: i32| {
        let terms = weights
            .iter()
            .zip(0..)
            .map(|(weight, half_points)| weight * (f64::from(half_points) / 4.0).powi(power));
        terms.sum::<f64>() / all
    };
    let (mean, square) = (moment(1), moment(2));
    let deviation = ((square - mean.powi(2)) / (all + 1.0)).sqrt();
    Normal::new(mean, deviation).expect("a positive deviation").sf(0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way in which `number` observations can fall on the outcomes, with its probability.
    fn multinomial(number: u64, chances: &[f64]) -> Vec<(Vec<u64>, f64)> {
        let Some((&chance, rest)) = chances.split_last() else {
            return if number == 0 { vec![(Vec::new(), 1.0)] } else { Vec::new() };
        };
        let mut all = Vec::new();
        // The binomial coefficient of the last outcome's count among `number` observations, term by term.
        let mut ways = 1.0;
        for last in 0..=number {
            for (mut counts, probability) in multinomial(number - last, rest) {
                counts.push(last);
                all.push((counts, ways * chance.powi(last as i32) * probability));
            }
            ways *= (number - last) as f64 / (last + 1) as f64;
        }
        all
    }

    /// The probability that the interval holds the true score, exactly.
    fn coverage(number: u64, chances: &[f64], of: impl Fn(&[u64]) -> Option<MatchScore>) -> f64 {
        let last = (chances.len() - 1) as f64;
        let truth: f64 = chances.iter().enumerate().map(|(step, chance)| step as f64 / last * chance).sum();
        let all = multinomial(number, chances);
        assert!((all.iter().map(|(_, probability)| probability).sum::<f64>() - 1.0).abs() < 1e-9);
        let holds = |counts: &[u64]| {
            let interval = of(counts).unwrap().score.interval;
            (interval.low - 1e-12..=interval.high + 1e-12).contains(&truth)
        };
        all.iter().filter(|(counts, _)| holds(counts)).map(|(_, probability)| probability).sum()
    }

    #[test]
    fn superiority_is_as_likely_as_the_pairs_make_it() {
        assert_eq!(likelihood_of_superiority(&[0; 5]), 0.5);
        assert_eq!(likelihood_of_superiority(&[0, 0, 9, 0, 0]), 0.5);
        // One pair decides little: by the posterior of Jeffreys' prior, simulated, 0.215 and 0.785.
        for (pairs, likelihood) in [([1, 0, 0, 0, 0], 0.21), ([0, 0, 0, 0, 1], 0.79), ([0, 0, 0, 3, 0], 0.90)]
        {
            let found = likelihood_of_superiority(&pairs);
            assert!((found - likelihood).abs() < 0.01, "{pairs:?}: {found}");
        }
        assert!(likelihood_of_superiority(&[0, 0, 0, 300, 0]) > 0.999);
        let pairs = [10, 20, 40, 30, 20];
        let mut reversed = pairs;
        reversed.reverse();
        let [likely, unlikely] = [pairs, reversed].map(|pairs| likelihood_of_superiority(&pairs));
        assert!(likely > 0.95 && (likely + unlikely - 1.0).abs() < 1e-9, "{likely} {unlikely}");
    }

    #[test]
    fn few_pairs_and_few_games_are_covered() {
        let pairs = |counts: &[u64]| MatchScore::of_pairs(counts.try_into().unwrap());
        for chances in [
            [0.10, 0.20, 0.40, 0.20, 0.10],
            [0.01, 0.04, 0.90, 0.04, 0.01],
            [0.05, 0.10, 0.70, 0.10, 0.05],
            [0.01, 0.04, 0.15, 0.30, 0.50],
            [0.00, 0.005, 0.02, 0.075, 0.90],
            [0.00, 0.00, 0.02, 0.18, 0.80],
        ] {
            for number in [1, 2, 3, 4, 5, 8, 12] {
                let covered = coverage(number, &chances, pairs);
                assert!(covered > 0.89, "{number} pairs of {chances:?}: {covered:.3}");
            }
        }
        let games = |counts: &[u64]| {
            let [lost, drawn, won] = *counts else { unreachable!() };
            MatchScore::of_games([won, drawn, lost])
        };
        for chances in [[0.3, 0.4, 0.3], [0.05, 0.9, 0.05], [0.05, 0.25, 0.7], [0.01, 0.04, 0.95]] {
            for number in [1, 2, 3, 4, 5, 8, 12, 20] {
                let covered = coverage(number, &chances, games);
                assert!(covered > 0.89, "{number} games of {chances:?}: {covered:.3}");
            }
        }
    }

    #[test]
    fn three_quarters_are_191_elo() {
        let elo = MatchScore::of_games([60, 30, 10]).unwrap().elo;
        assert!((elo.value - 190.8).abs() < 0.1, "{elo:?}");
        assert!(elo.interval.low < 190.0 && elo.interval.high > 192.0, "{elo:?}");
    }

    #[test]
    fn pairs_that_are_always_shared_leave_less_doubt_than_their_games_but_some() {
        // White always wins, so each game is far from even, but each pair exactly even.
        let pairs = MatchScore::of_pairs([0, 1, 48, 1, 0]).unwrap().elo;
        let games = MatchScore::of_games([50, 0, 50]).unwrap().elo;
        assert!(pairs.interval.high < 20.0 && games.interval.high > 60.0, "{pairs:?}, {games:?}");
        let alike = MatchScore::of_pairs([0, 0, 50, 0, 0]).unwrap().elo;
        assert!(alike.interval.low < 0.0 && alike.interval.high > 0.0, "{alike:?}");
    }

    #[test]
    fn a_clean_sweep_has_one_finite_end() {
        let won = MatchScore::of_pairs([0, 0, 0, 0, 2]).unwrap();
        assert_eq!((won.elo.value, won.elo.interval.high), (f64::INFINITY, f64::INFINITY));
        assert!(won.elo.interval.low.is_finite() && won.error.is_infinite());
        let lost = MatchScore::of_games([0, 0, 1]).unwrap();
        assert!(lost.elo.interval.low == f64::NEG_INFINITY && lost.elo.interval.high.is_finite());
        assert_eq!(MatchScore::of_pairs([0; 5]), None);
    }
}
