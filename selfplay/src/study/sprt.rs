//! Sequential probability ratio tests of matches, on the pentanomial distribution of pairs of games.
//!
//! This is the generalised test (GSPRT). It uses the log-likelihood ratio of the two hypotheses, each with the
//! distribution of pair scores that fits the results best among those with its mean. Source: Michel Van den Bergh, "A
//! practical introduction to the GSPRT", and "Normalized Elo: a practical guide to normalized Elo".

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The scores of a pair of games, as a share of its two points.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The number of pairs assumed for each score that has not occurred, so that no outcome counts as impossible after a
/// few pairs.
const UNSEEN: f64 = 1e-3;

/// The normalised Elo of a score that is one standard deviation of a game above one half.
const NORMALISED_ELO: f64 = 800.0 / std::f64::consts::LN_10;

/// The largest difference that a hypothesis may state, in Elo: at 1,000 Elo the stronger player scores 99.7 %.
const MAX_ELO: f64 = 1000.0;

/// A sequential test of whether the first player is stronger by `elo1` or only by `elo0`.
///
/// ```
/// use backrank_selfplay::study::{Sprt, SprtVerdict};
///
/// let test: Sprt = "0,10".parse()?;
/// // Pairs by the half points of the first player, 0 to 4.
/// assert_eq!(test.verdict(&[30, 200, 500, 210, 35]), SprtVerdict::Undecided);
/// assert_eq!(test.verdict(&[20, 180, 500, 300, 60]), SprtVerdict::Accepted);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The difference under the null hypothesis, in Elo.
    pub elo0: f64,
    /// The difference under the alternative, in Elo; larger than `elo0`.
    pub elo1: f64,
    /// The probability of accepting the alternative if the null hypothesis is true.
    pub alpha: f64,
    /// The probability of accepting the null hypothesis if the alternative is true.
    pub beta: f64,
    /// Whether both are normalised Elo, in which it takes the same number of games to detect a difference whatever the
    /// share of draws.
    pub normalised: bool,
}

/// The verdict of a test so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtVerdict {
    /// The test needs more games.
    Undecided,
    /// The alternative is accepted: the first player is stronger.
    Accepted,
    /// The null hypothesis is accepted: the first player is not stronger.
    Rejected,
}

impl Sprt {
    /// A test with error rates of 5 %.
    pub fn new(elo0: f64, elo1: f64) -> Self {
        Self { elo0, elo1, alpha: 0.05, beta: 0.05, normalised: false }
    }

    /// Checks the hypotheses and error rates.
    ///
    /// # Errors
    ///
    /// When they are not valid. The text says why.
    pub fn validate(&self) -> Result<(), String> {
        if let Some(elo) = [self.elo0, self.elo1].into_iter().find(|elo| !(-MAX_ELO..=MAX_ELO).contains(elo))
        {
            return Err(format!(
                "a hypothesis is a difference from -{MAX_ELO} to {MAX_ELO} Elo, such as 0 or 5, not {elo}"
            ));
        }
        if self.elo0 >= self.elo1 {
            return Err(format!("the first Elo must be below the second, not {},{}", self.elo0, self.elo1));
        }
        for (name, rate) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(rate > 0.0 && rate < 0.5) {
                return Err(format!("{name} must be between 0 and 0.5, not {rate}"));
            }
        }
        Ok(())
    }

    /// The bounds of the log-likelihood ratio at which the null hypothesis and the alternative are accepted.
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The log-likelihood ratio of pairs by the half points of the first player, 0 to 4; 0 before the first pair.
    pub fn log_likelihood_ratio(&self, pairs: &[u64; 5]) -> f64 {
        if pairs.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts = pairs.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let number: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / number);
        let [null, alternative] = [self.elo0, self.elo1].map(|elo| match self.normalised {
            // The mean of two games has half the variance of one game.
            true => most_likely_with_ratio(&observed, elo / NORMALISED_ELO * std::f64::consts::SQRT_2),
            false => most_likely_with_mean(&observed, expected_score(elo)),
        });
        let terms = observed.iter().zip(alternative.iter().zip(&null));
        number * terms.map(|(share, (one, zero))| share * (one / zero).ln()).sum::<f64>()
    }

    /// The verdict for pairs by the half points of the first player, 0 to 4.
    pub fn verdict(&self, pairs: &[u64; 5]) -> SprtVerdict {
        let ratio = self.log_likelihood_ratio(pairs);
        match self.bounds() {
            [lower, _] if ratio <= lower => SprtVerdict::Rejected,
            [_, upper] if ratio >= upper => SprtVerdict::Accepted,
            _ => SprtVerdict::Undecided,
        }
    }
}

impl FromStr for Sprt {
    type Err = String;

    /// Reads the two hypotheses, as `0,5`.
    fn from_str(text: &str) -> Result<Self, String> {
        let ends = text.split_once(',').map(|(zero, one)| (zero.trim().parse(), one.trim().parse()));
        let Some((Ok(elo0), Ok(elo1))) = ends else {
            return Err("a test is written as ELO0,ELO1, such as 0,5".to_string());
        };
        let test = Self::new(elo0, elo1);
        test.validate().map(|()| test)
    }
}

impl fmt::Display for SprtVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Undecided => "undecided",
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
        })
    }
}

/// The expected score, from 0 to 1, for a difference in Elo.
fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

fn expectation(shares: &[f64; 5], of: impl Fn(f64) -> f64) -> f64 {
    shares.iter().zip(SCORES).map(|(share, score)| share * of(score)).sum()
}

/// The maximum-likelihood distribution of pair scores among those with a given mean.
fn most_likely_with_mean(observed: &[f64; 5], mean: f64) -> [f64; 5] {
    most_likely_where_zero(observed, &SCORES.map(|score| score - mean))
}

/// The maximum-likelihood distribution among those whose mean is a number of standard deviations above one half. The
/// condition is linearised around a distribution, which is first the observed one, until it no longer changes.
fn most_likely_with_ratio(observed: &[f64; 5], ratio: f64) -> [f64; 5] {
    let mut shares = *observed;
    for _ in 0..50 {
        let mean = expectation(&shares, |score| score);
        let deviation = expectation(&shares, |score| (score - mean).powi(2)).sqrt();
        let terms = SCORES.map(|score| {
            score - 0.5 - ratio * deviation * (1.0 + ((score - mean) / deviation).powi(2)) / 2.0
        });
        let next = most_likely_where_zero(observed, &terms);
        let moved = shares.iter().zip(&next).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
        shares = next;
        if moved < 1e-10 {
            break;
        }
    }
    shares
}

/// The maximum-likelihood distribution among those under which these terms have the mean 0: each observed share divided
/// by 1 + θ·term, with θ such that the condition holds and all of these are positive.
fn most_likely_where_zero(observed: &[f64; 5], terms: &[f64; 5]) -> [f64; 5] {
    let (least, most) = terms
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), &term| (least.min(term), most.max(term)));
    // The mean falls as θ increases. Bisection is exact enough and cannot fail.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let theta = (low + high) / 2.0;
        let mean: f64 =
            observed.iter().zip(terms).map(|(share, term)| share * term / (1.0 + theta * term)).sum();
        if mean > 0.0 { low = theta } else { high = theta }
    }
    let theta = (low + high) / 2.0;
    std::array::from_fn(|index| observed[index] / (1.0 + theta * terms[index]))
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn close(one: f64, other: f64, by: f64) {
        assert!((one - other).abs() < by, "{one} is not {other}");
    }

    #[test]
    fn the_distribution_meets_its_condition() {
        let observed = [0.05, 0.2, 0.4, 0.25, 0.1];
        let with_mean = most_likely_with_mean(&observed, 0.5);
        close(with_mean.iter().sum(), 1.0, 1e-12);
        close(expectation(&with_mean, |score| score), 0.5, 1e-12);
        let with_ratio = most_likely_with_ratio(&observed, 0.02);
        let mean = expectation(&with_ratio, |score| score);
        let deviation = expectation(&with_ratio, |score| (score - mean).powi(2)).sqrt();
        close((mean - 0.5) / deviation, 0.02, 1e-8);
        // What was observed is the best of all, so the one that has its mean is itself.
        let own = most_likely_with_mean(&observed, expectation(&observed, |score| score));
        observed.iter().zip(own).for_each(|(&one, other)| close(one, other, 1e-9));
    }

    #[test]
    fn with_many_games_the_ratio_is_the_normal_approximation() {
        // For small differences the ratio is N (s1 − s0) (2 m − s0 − s1) / 2 v, Van den Bergh's first approximation.
        let pairs = [400, 2_000, 5_000, 2_100, 500];
        let test = Sprt::new(0.0, 5.0);
        let number = 10_000.0;
        let share = pairs.map(|count| count as f64 / number);
        let mean = expectation(&share, |score| score);
        let variance = expectation(&share, |score| (score - mean).powi(2));
        let [zero, one] = [0.0, 5.0].map(expected_score);
        let approximate = number * (one - zero) * (2.0 * mean - zero - one) / (2.0 * variance);
        close(test.log_likelihood_ratio(&pairs), approximate, 0.02);
    }

    #[test]
    fn a_match_the_other_way_round_has_the_opposite_ratio() {
        let pairs = [12, 80, 190, 95, 21];
        let mut reversed = pairs;
        reversed.reverse();
        for normalised in [false, true] {
            let test = Sprt { normalised, ..Sprt::new(-3.0, 3.0) };
            close(test.log_likelihood_ratio(&pairs), -test.log_likelihood_ratio(&reversed), 1e-9);
        }
    }

    #[test]
    fn few_or_equal_pairs_decide_nothing() {
        let test = Sprt::new(0.0, 5.0);
        assert_eq!(test.log_likelihood_ratio(&[0; 5]), 0.0);
        for pairs in [[0, 0, 1, 0, 0], [0, 0, 0, 0, 2], [3, 0, 0, 0, 0], [0, 0, 40, 0, 0]] {
            assert_eq!(test.verdict(&pairs), SprtVerdict::Undecided, "{pairs:?}");
            assert!(test.log_likelihood_ratio(&pairs).is_finite());
        }
    }

    #[test]
    fn errors_are_as_rare_as_asked_for() {
        // Pairs drawn under either hypothesis, 400 matches each: 5 % are wrong, within 3.3 standard errors and the
        // overshoot at the bounds, which makes errors rarer.
        let test = Sprt::new(0.0, 30.0);
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for (elo, right) in [(0.0, SprtVerdict::Rejected), (30.0, SprtVerdict::Accepted)] {
            let shares = most_likely_with_mean(&[0.06, 0.22, 0.44, 0.22, 0.06], expected_score(elo));
            let mut wrong = 0;
            for _ in 0..400 {
                let mut pairs = [0; 5];
                let verdict = loop {
                    let mut at: f64 = rng.random();
                    let score = shares.iter().position(|share| {
                        at -= share;
                        at < 0.0
                    });
                    pairs[score.unwrap_or(4)] += 1;
                    match test.verdict(&pairs) {
                        SprtVerdict::Undecided => {}
                        verdict => break verdict,
                    }
                };
                wrong += u32::from(verdict != right);
            }
            assert!(wrong <= 35, "{wrong} of 400 at {elo} Elo");
        }
    }

    #[test]
    fn invalid_tests_are_refused() {
        assert!("5,0".parse::<Sprt>().unwrap_err().contains("below"));
        assert!("5".parse::<Sprt>().unwrap_err().contains("ELO0,ELO1"));
        for text in ["0,inf", "-inf,0", "0,NaN", "0,1e9"] {
            assert!(text.parse::<Sprt>().unwrap_err().contains("from -1000 to 1000 Elo"), "{text}");
        }
        assert!(Sprt { alpha: 0.7, ..Sprt::new(0.0, 5.0) }.validate().unwrap_err().contains("alpha"));
    }
}
