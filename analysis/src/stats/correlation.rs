//! The correlation of two measures.

use super::interval::{Estimate, NORMAL_975};

/// Pearson's coefficient of correlation, with the interval of Fisher's z; `None` for fewer than four pairs, or if a
/// measure is constant. A perfect correlation has an interval of no width.
///
/// Source: Fisher, "On the 'Probable Error' of a Coefficient of Correlation", 1921.
///
/// ```
/// let r = backrank_analysis::stats::correlation(&[(1.0, 2.0), (2.0, 1.0), (3.0, 4.0), (4.0, 3.0), (5.0, 5.0)]).unwrap();
/// assert!((r.value - 0.8).abs() < 1e-12);
/// assert!(r.interval.low < 0.0 && r.interval.high > 0.98);
/// ```
pub fn correlation(pairs: &[(f64, f64)]) -> Option<Estimate> {
    let n = pairs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    let (mean_x, mean_y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum =
        |of: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|&(x, y)| of(x - mean_x, y - mean_y)).sum::<f64>();
    let value = sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt();
    let half = NORMAL_975 / (n - 3.0).sqrt();
    (pairs.len() > 3 && value.is_finite()).then(|| {
        if value.abs() > 1.0 - 1e-12 {
            return Estimate::exact(value.signum());
        }
        let interval = Estimate::within(value.clamp(-1.0, 1.0).atanh(), half).interval.map(f64::tanh);
        Estimate { value, interval }
    })
}
