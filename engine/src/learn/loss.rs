//! The sigmoid and its loss.

/// The mean loss of predictions, in nats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Losses {
    /// On the positions of the fit.
    pub fit: f64,
    /// On the positions of held-out games; NaN if there are none.
    pub test: f64,
}

/// The logistic function.
pub(super) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The cross-entropy of the sigmoid of a score against a target from 0 to 1, in nats.
pub(super) fn cross_entropy(target: f64, score: f64) -> f64 {
    // The logarithms of both probabilities, without the loss of digits that 1 - p has.
    let (win, loss) = (-softplus(-score), -softplus(score));
    -(target * win + (1.0 - target) * loss)
}

/// ln(1 + e^x).
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// The scale, in centipawns, with which the sigmoid of scores divided by it best predicts outcomes: each score is in
/// centipawns and comes with an outcome from 0 to 1.
pub fn best_scale(scores_and_outcomes: &[(f64, f64)]) -> f64 {
    let loss = |scale: f64| -> f64 {
        scores_and_outcomes.iter().map(|&(score, outcome)| cross_entropy(outcome, score / scale)).sum()
    };
    // The loss is convex in the inverse of the scale: golden-section search.
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (1.0 / 2_000.0, 1.0 / 30.0);
    while high - low > 1e-6 {
        let (first, second) = (high - golden * (high - low), low + golden * (high - low));
        if loss(1.0 / first) < loss(1.0 / second) { high = second } else { low = first }
    }
    2.0 / (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loss_is_minus_the_logarithm_of_the_probability() {
        assert!((cross_entropy(1.0, 2.0) - (1.0 + (-2.0_f64).exp()).ln()).abs() < 1e-12);
        assert!((cross_entropy(0.0, 2.0) - (1.0 + 2.0_f64.exp()).ln()).abs() < 1e-12);
        assert!(cross_entropy(1.0, 800.0).abs() < 1e-12 && cross_entropy(0.0, -800.0).abs() < 1e-12);
    }
}
