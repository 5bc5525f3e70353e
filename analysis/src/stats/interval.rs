//! Estimates and their intervals.

use std::fmt;

use serde::{Serialize, Serializer};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The normal distribution's quantile that leaves 2.5 % above it.
pub(crate) const NORMAL_975: f64 = 1.959_963_984_540_054;

/// The ends of a 95 % interval; an end may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// An estimated number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The estimate.
    #[serde(serialize_with = "finite")]
    pub value: f64,
    /// Its 95 % interval.
    #[serde(flatten)]
    pub interval: Interval,
}

impl Interval {
    /// The interval from minus to plus infinity: nothing is known.
    pub const UNBOUNDED: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// Whether both ends are finite.
    pub fn is_finite(&self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    /// Whether a number lies in the interval, including its ends.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Applies an increasing function to both ends.
    pub fn map(self, rising: impl Fn(f64) -> f64) -> Self {
        Self { low: rising(self.low), high: rising(self.high) }
    }
}

impl Estimate {
    /// The 95 % interval of a normal distribution around an estimate with a standard error.
    pub fn normal(value: f64, error: f64) -> Self {
        Self::within(value, NORMAL_975 * error)
    }

    /// The estimate with an interval of this half-width.
    pub(crate) fn within(value: f64, half: f64) -> Self {
        let interval = match half.is_finite() && value.is_finite() {
            true => Interval { low: value - half, high: value + half },
            false => Interval::UNBOUNDED,
        };
        Self { value, interval }
    }

    /// The estimate and its interval multiplied by a positive number.
    pub(crate) fn times(self, number: f64) -> Self {
        Self { value: number * self.value, interval: self.interval.map(|end| number * end) }
    }

    /// A number that is known exactly.
    pub fn exact(value: f64) -> Self {
        Self { value, interval: Interval { low: value, high: value } }
    }
}

/// A number with so many decimal places, or as many as it takes, and with a plus sign if it is to have one. What is rounded to
/// nothing is 0, without a sign.
pub(crate) fn number_text(value: f64, digits: Option<usize>, is_signed: bool) -> String {
    let text = match (value, digits, is_signed) {
        (f64::INFINITY, ..) => "∞".to_string(),
        (f64::NEG_INFINITY, ..) => "−∞".to_string(),
        (value, Some(digits), true) => format!("{value:+.digits$}"),
        (value, Some(digits), false) => format!("{value:.digits$}"),
        (value, None, true) => format!("{value:+}"),
        (value, None, false) => value.to_string(),
    };
    let bare = text.trim_start_matches(['+', '-']);
    let is_zero = bare.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if is_zero { bare.to_string() } else { text }
}

/// Writes a number with the precision of the format, by default 2, and with a sign if `{:+}` asks for it.
fn write_number(f: &mut fmt::Formatter<'_>, value: f64) -> fmt::Result {
    // Not `pad`, which would truncate the text to the precision.
    f.write_str(&number_text(value, Some(f.precision().unwrap_or(2)), f.sign_plus()))
}

impl fmt::Display for Interval {
    /// Writes `-3.1 to 4.2`, with the precision and the sign that the format asks for. An infinite end is `∞`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_number(f, self.low)?;
        f.write_str(" to ")?;
        write_number(f, self.high)
    }
}

impl fmt::Display for Estimate {
    /// Writes `0.5, between -3.1 and 4.2 at 95 %`, with the precision and the sign that the format asks for.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_number(f, self.value)?;
        f.write_str(", between ")?;
        write_number(f, self.interval.low)?;
        f.write_str(" and ")?;
        write_number(f, self.interval.high)?;
        f.write_str(" at 95 %")
    }
}

/// JSON has no infinity, so an end that is not finite is written as null.
fn finite<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    value.is_finite().then_some(*value).serialize(serializer)
}

impl Serialize for Interval {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Ends {
            #[serde(serialize_with = "finite")]
            low: f64,
            #[serde(serialize_with = "finite")]
            high: f64,
        }
        Ends { low: self.low, high: self.high }.serialize(serializer)
    }
}

/// The 97.5 % quantile of Student's distribution with this many degrees of freedom; that of the normal one where there are none.
pub(crate) fn student_975(degrees: f64) -> f64 {
    StudentsT::new(0.0, 1.0, degrees).map_or(NORMAL_975, |t| t.inverse_cdf(0.975))
}

/// Wilson's interval for a proportion of a number of trials, which need not be whole.
///
/// Source: Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", 1927.
///
/// ```
/// let interval = backrank_analysis::stats::wilson(0.9, 10.0);
/// assert!((interval.low - 0.5958).abs() < 1e-4 && (interval.high - 0.9821).abs() < 1e-4);
/// ```
pub fn wilson(share: f64, trials: f64) -> Interval {
    if trials <= 0.0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    if trials.is_infinite() {
        return Interval { low: share, high: share };
    }
    let z2 = NORMAL_975.powi(2);
    let middle = (share + z2 / (2.0 * trials)) / (1.0 + z2 / trials);
    let half = NORMAL_975 / (1.0 + z2 / trials)
        * (share * (1.0 - share) / trials + z2 / (4.0 * trials * trials)).max(0.0).sqrt();
    Interval { low: (middle - half).max(0.0).min(share), high: (middle + half).min(1.0).max(share) }
}

/// Fieller's interval for the ratio of two estimates, given their variances and covariance and the number of standard
/// errors on either side, such as 1.96 for 95 %.
///
/// If the denominator does not differ significantly from zero, no bound holds and the interval is
/// [`Interval::UNBOUNDED`].
///
/// Source: Fieller, "Some Problems in Interval Estimation", 1954.
///
/// ```
/// use backrank_analysis::stats::fieller;
///
/// let interval = fieller(6.0, 2.0, [0.01, 0.01, 0.0], 1.96);
/// assert!(interval.contains(3.0) && interval.low > 2.6 && interval.high < 3.4);
/// assert!(!fieller(6.0, 0.1, [0.01, 0.01, 0.0], 1.96).is_finite());
/// ```
pub fn fieller(
    above: f64,
    below: f64,
    [var_above, var_below, covariance]: [f64; 3],
    errors: f64,
) -> Interval {
    let z2 = errors.powi(2);
    // The ratios r at which above − r·below is within z of its error from zero: a·r² − 2·b·r + c ≤ 0.
    let a = below * below - z2 * var_below;
    let b = above * below - z2 * covariance;
    let c = above * above - z2 * var_above;
    let discriminant = b * b - a * c;
    if !(a > 0.0 && discriminant >= 0.0) {
        return Interval::UNBOUNDED;
    }
    let root = discriminant.sqrt();
    Interval { low: (b - root) / a, high: (b + root) / a }
}

/// The 2.5 and 97.5 % quantiles of replicates. A failed replicate is NaN and counts as lying beyond either end, so that
/// many of them make the interval unbounded.
pub fn percentile(replicates: &[f64]) -> Interval {
    if replicates.len() < 40 {
        return Interval::UNBOUNDED;
    }
    let quantile = |share: f64, failed: f64| {
        let mut sorted: Vec<f64> =
            replicates.iter().map(|&value| if value.is_nan() { failed } else { value }).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let index = share * (sorted.len() - 1) as f64;
        let (below, above) = (sorted[index.floor() as usize], sorted[index.ceil() as usize]);
        if below == above || !above.is_finite() || !below.is_finite() {
            return if share < 0.5 { below } else { above };
        }
        below + (above - below) * index.fract()
    };
    Interval { low: quantile(0.025, f64::NEG_INFINITY), high: quantile(0.975, f64::INFINITY) }
}
