//! Multiple testing.

/// For each of several tests, the lowest false discovery rate at which it counts as a discovery.
///
/// Source: Benjamini and Hochberg, "Controlling the False Discovery Rate", 1995.
///
/// ```
/// let rates = backrank_analysis::stats::false_discovery_rates(&[0.01, 0.9, 0.02, 0.03]);
/// assert_eq!(rates, [0.04, 0.9, 0.04, 0.04]);
/// ```
pub fn false_discovery_rates(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&one, &other| p_values[other].total_cmp(&p_values[one]));
    let mut rates = vec![1.0; p_values.len()];
    let mut least: f64 = 1.0;
    for (above, &index) in order.iter().enumerate() {
        let rank = p_values.len() - above;
        least = least.min(p_values[index] * p_values.len() as f64 / rank as f64);
        rates[index] = least;
    }
    rates
}

/// For each of several tests, the probability that any of them would be as significant as this one if nothing were to be found.
///
/// Source: Holm, "A Simple Sequentially Rejective Multiple Test Procedure", 1979.
///
/// ```
/// let corrected = backrank_analysis::stats::family_wise(&[0.01, 0.9, 0.02]);
/// assert_eq!(corrected, [0.03, 0.9, 0.04]);
/// ```
pub fn family_wise(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&one, &other| p_values[one].total_cmp(&p_values[other]));
    let mut corrected = vec![1.0; p_values.len()];
    let mut most: f64 = 0.0;
    for (below, &index) in order.iter().enumerate() {
        most = most.max(p_values[index] * (p_values.len() - below) as f64).min(1.0);
        corrected[index] = most;
    }
    corrected
}
