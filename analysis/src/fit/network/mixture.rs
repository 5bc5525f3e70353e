//! Numbers that are distributed like a mixture of normal ones: what is known of a value if the deviation of the imbalances is not.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::stats::Interval;

/// A mixture of normal distributions.
#[derive(Clone, Debug)]
pub(crate) struct Mixture(Vec<Part>);

#[derive(Clone, Copy, Debug)]
struct Part {
    weight: f64,
    mean: f64,
    error: f64,
}

/// The probabilities of lying below the ends of an interval.
const ENDS: [f64; 2] = [0.025, 0.975];

/// Halvings of an interval until it is narrow enough.
const HALVINGS: usize = 50;

impl Mixture {
    /// The mixture of normal distributions, each given by its weight, its mean and its variance. The weights sum up to 1.
    pub fn new(parts: impl Iterator<Item = [f64; 3]>) -> Self {
        let part =
            |[weight, mean, variance]: [f64; 3]| Part { weight, mean, error: variance.max(0.0).sqrt() };
        Self(parts.map(part).collect())
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.0.iter().map(|part| part.weight * part.mean).sum()
    }

    /// The probability of being smaller than a number.
    fn below(&self, number: f64) -> f64 {
        let normal = Normal::standard();
        let steps = |part: &Part| (number - part.mean) / part.error.max(f64::MIN_POSITIVE);
        self.0.iter().map(|part| part.weight * normal.cdf(steps(part))).sum()
    }

    /// The p-value of the number's being zero, from both sides.
    pub fn p_value(&self) -> f64 {
        let below = self.below(0.0);
        (2.0 * below.min(1.0 - below)).min(1.0)
    }

    /// The interval between the 2.5 and the 97.5 % quantile.
    pub fn interval(&self) -> Interval {
        if !self.0.iter().all(|part| part.mean.is_finite() && part.error.is_finite()) {
            return Interval::UNBOUNDED;
        }
        let end = |side: f64| {
            self.0.iter().map(|part| side * part.mean + 9.0 * part.error).fold(f64::MIN, f64::max)
        };
        let [low, high] = [-end(-1.0), end(1.0)];
        let [low, high] = ENDS.map(|share| crossing(|number| self.below(number) < share, low, high));
        Interval { low, high }
    }

    /// The interval of the ratio of two numbers whose means have this ratio: all ratios r for which it is not certain, at 95 %, that
    /// above − r·below is on one side of zero (Fieller, 1954). `difference` is the mixture of above − r·below for an r.
    pub fn of_ratio(ratio: f64, below: &Self, difference: impl Fn(f64) -> Self) -> Interval {
        let Interval { low, high } = below.interval();
        if !(low > 0.0 || high < 0.0) || !ratio.is_finite() {
            return Interval::UNBOUNDED;
        }
        // Where what is below is positive, a larger ratio makes a negative difference more probable.
        let is_negative = |r: f64| match low > 0.0 {
            true => difference(r).below(0.0),
            false => 1.0 - difference(r).below(0.0),
        };
        let end = |share: f64, side: f64| {
            let is_inside = |by: f64| (is_negative(ratio + side * by) - share) * side < 0.0;
            let mut far = 0.1 * ratio.abs() + 0.01;
            while is_inside(far) {
                far *= 2.0;
                if far > 1e9 {
                    return side * f64::INFINITY;
                }
            }
            ratio + side * crossing(is_inside, 0.0, far)
        };
        Interval { low: end(ENDS[0], -1.0), high: end(ENDS[1], 1.0) }
    }
}

/// The number between two others up to which a condition holds.
fn crossing(holds: impl Fn(f64) -> bool, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if holds(middle) { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{NORMAL_975, fieller};

    fn is_near(found: Interval, low: f64, high: f64) {
        assert!(
            (found.low - low).abs() < 1e-6 && (found.high - high).abs() < 1e-6,
            "{found:?}, {low} to {high}"
        );
    }

    #[test]
    fn one_part_is_a_normal_distribution_and_its_ratios_have_fiellers_interval() {
        let one = |mean: f64, variance: f64| Mixture::new([[1.0, mean, variance]].into_iter());
        is_near(one(2.0, 9.0).interval(), 2.0 - 3.0 * NORMAL_975, 2.0 + 3.0 * NORMAL_975);
        let (above, below, covariance) = ([3.0, 0.04], [-2.0, 0.03], 0.01);
        let difference =
            |r: f64| one(above[0] - r * below[0], above[1] - 2.0 * r * covariance + r * r * below[1]);
        let expected = fieller(above[0], below[0], [above[1], below[1], covariance], NORMAL_975);
        let found = Mixture::of_ratio(above[0] / below[0], &one(below[0], below[1]), difference);
        is_near(found, expected.low, expected.high);
        assert_eq!(Mixture::of_ratio(3.0, &one(1.0, 1.0), |r| one(3.0 - r, 1.0)), Interval::UNBOUNDED);
    }

    #[test]
    fn a_number_is_zero_at_the_ends_of_its_interval_by_five_percent() {
        let mixed = |shift: f64| Mixture::new([[0.6, 1.0 - shift, 0.5], [0.4, 1.5 - shift, 2.0]].into_iter());
        let Interval { low, high } = mixed(0.0).interval();
        for end in [low, high] {
            assert!((mixed(end).p_value() - 0.05).abs() < 1e-9);
        }
        assert!(mixed(0.0).p_value() > 0.05 && mixed(9.0).p_value() < 1e-4);
    }

    #[test]
    fn tails_are_those_of_the_widest_part() {
        let mixed = Mixture::new([[0.9, 0.0, 1e-6], [0.1, 0.0, 1.0]].into_iter());
        // A tenth of the probability is in the wide part, and a quarter of that beyond 0.674 on either side.
        is_near(mixed.interval(), -0.674_489_750_196, 0.674_489_750_196);
    }
}
