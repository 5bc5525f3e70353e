//! The distribution of a measure.

use serde::Serialize;

use super::interval::Estimate;

/// The distribution of a measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The mean, with the interval of the normal distribution.
    pub mean: Estimate,
    /// The standard deviation.
    pub deviation: f64,
    /// The minimum, the lower quartile, the median, the upper quartile and the maximum, with linear interpolation between
    /// neighbouring numbers.
    pub quartiles: [f64; 5],
}

impl Spread {
    /// The distribution of some numbers; `None` if there are fewer than two.
    ///
    /// ```
    /// use backrank_analysis::stats::Spread;
    ///
    /// let spread = Spread::of(&[4.0, 1.0, 2.0, 3.0, 5.0]).unwrap();
    /// assert_eq!((spread.mean.value, spread.deviation), (3.0, 2.5_f64.sqrt()));
    /// assert_eq!(spread.quartiles, [1.0, 2.0, 3.0, 4.0, 5.0]);
    /// assert_eq!(Spread::of(&[1.0, 2.0, 4.0, 8.0]).unwrap().quartiles[2], 3.0);
    /// ```
    pub fn of(numbers: &[f64]) -> Option<Self> {
        if numbers.len() < 2 {
            return None;
        }
        let n = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / n;
        let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        let deviation = (squares / (n - 1.0)).sqrt();
        let mut sorted = numbers.to_vec();
        sorted.sort_by(f64::total_cmp);
        let quartiles = [0, 1, 2, 3, 4].map(|quarter| {
            let index = quarter * (sorted.len() - 1);
            let (at, beyond) = (index / 4, (index % 4) as f64 / 4.0);
            let next = sorted[(at + 1).min(sorted.len() - 1)];
            sorted[at] + beyond * (next - sorted[at])
        });
        Some(Self { mean: Estimate::normal(mean, deviation / n.sqrt()), deviation, quartiles })
    }
}
