//! The likelihood of a result, and its derivatives.
//!
//! With η = x·β, the material of a position times the coefficients, and cut-points a < b:
//!
//! P(Black wins) = Λ(a − η), P(draw) = Λ(b − η) − Λ(a − η), P(White wins) = 1 − Λ(b − η), Λ(t) = 1 / (1 + e⁻ᵗ).
//!
//! Without draws a and b are the same number. Source: McCullagh, "Regression Models for Ordinal Data", 1980.

use statrs::distribution::{Continuous, ContinuousCDF, Normal};

/// The distribution of the latent error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// The logistic distribution.
    Logit,
    /// The normal distribution.
    Probit,
}

/// The logarithm of a result's probability and its derivatives with respect to the distances a − η and b − η.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Terms {
    pub log: f64,
    /// The first derivatives, with respect to the lower and the upper distance.
    pub first: [f64; 2],
    /// The second derivatives: twice with respect to the lower distance, once to each, and twice to the upper one.
    pub second: [f64; 3],
}

fn logistic(t: f64) -> f64 {
    1.0 / (1.0 + (-t).exp())
}

/// ln Λ(t), without overflow.
fn log_logistic(t: f64) -> f64 {
    if t >= 0.0 { -(-t).exp().ln_1p() } else { t - t.exp().ln_1p() }
}

/// The probabilities of loss, draw and win at two distances.
#[cfg(test)]
pub(crate) fn probabilities(lower: f64, upper: f64) -> [f64; 3] {
    [logistic(lower), logistic(upper) - logistic(lower), logistic(-upper)]
}

impl Terms {
    /// The probabilities of all three outcomes: loss, draw, win.
    pub fn of(link: Link, lower: f64, upper: f64) -> [Self; 3] {
        match link {
            Link::Logit => Self::logit(lower, upper),
            Link::Probit => Self::probit(lower, upper),
        }
    }

    fn probit(lower: f64, upper: f64) -> [Self; 3] {
        let normal = Normal::standard();
        // Beyond this, probabilities no longer change in double precision.
        let [lower, upper] = [lower, upper].map(|distance| distance.clamp(-30.0, 30.0));
        let [low, high] = [lower, upper].map(|distance| normal.pdf(distance));
        let (loss, win) = (normal.cdf(lower), normal.cdf(-upper));
        let draw = normal.cdf(upper) - loss;
        let [by_low, by_draw_low, by_draw_high, by_high] =
            [low / loss, -low / draw, high / draw, -high / win];
        [
            Self { log: loss.ln(), first: [by_low, 0.0], second: [-by_low * (lower + by_low), 0.0, 0.0] },
            Self {
                log: draw.ln(),
                first: [by_draw_low, by_draw_high],
                second: [
                    -by_draw_low * (lower + by_draw_low),
                    -by_draw_low * by_draw_high,
                    -by_draw_high * (upper + by_draw_high),
                ],
            },
            Self { log: win.ln(), first: [0.0, by_high], second: [0.0, 0.0, -by_high * (upper + by_high)] },
        ]
    }

    fn logit(lower: f64, upper: f64) -> [Self; 3] {
        let (low, high) = (logistic(lower), logistic(upper));
        let (low_slope, high_slope) = (low * logistic(-lower), high * logistic(-upper));
        let loss =
            Self { log: log_logistic(lower), first: [logistic(-lower), 0.0], second: [-low_slope, 0.0, 0.0] };
        let win = Self { log: log_logistic(-upper), first: [0.0, -high], second: [0.0, 0.0, -high_slope] };
        let draw = Self::draw(lower, upper);
        [loss, draw, win]
    }

    /// Λ(b) − Λ(a) = Λ(b) · Λ(−a) · (1 − e^(a − b)), which stays precise far from zero.
    fn draw(lower: f64, upper: f64) -> Self {
        let gap = (lower - upper).exp();
        if gap >= 1.0 {
            return Self { log: f64::NEG_INFINITY, ..Self::default() };
        }
        let (low, high) = (logistic(lower), logistic(upper));
        let pull = gap / (1.0 - gap);
        // With respect to a: −Λ(a) − pull; with respect to b: Λ(−b) + pull.
        let bend = pull * (1.0 + pull);
        Self {
            log: log_logistic(upper) + log_logistic(-lower) + (-gap).ln_1p(),
            first: [-low - pull, 1.0 - high + pull],
            second: [-low * (1.0 - low) - bend, bend, -high * (1.0 - high) - bend],
        }
    }
}

/// White's expected score, from 0 to 1, at a distance η from the middle of two cut-points that are 2·`half` apart.
pub(crate) fn expected_score(eta: f64, half: f64) -> f64 {
    0.5 * (logistic(eta - half) + logistic(eta + half))
}

/// The derivatives of [`expected_score`] with respect to η and to `half`.
pub(crate) fn expected_score_slopes(eta: f64, half: f64) -> [f64; 2] {
    let slope = |t: f64| logistic(t) * logistic(-t);
    let (minus, plus) = (slope(eta - half), slope(eta + half));
    [0.5 * (minus + plus), 0.5 * (plus - minus)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_agree_with_differences() {
        for (lower, upper) in [(-1.0, 1.0), (-3.0, -2.5), (0.2, 6.0), (-12.0, 9.0)] {
            derivatives_agree(Link::Logit, lower, upper);
            for (terms, probability) in
                Terms::of(Link::Logit, lower, upper).iter().zip(probabilities(lower, upper))
            {
                assert!((terms.log - probability.ln()).abs() < 1e-9);
            }
        }
        for (lower, upper) in [(-1.0, 1.0), (-2.0, -1.5), (0.2, 3.0)] {
            derivatives_agree(Link::Probit, lower, upper);
            let all: f64 = Terms::of(Link::Probit, lower, upper).iter().map(|terms| terms.log.exp()).sum();
            assert!((all - 1.0).abs() < 1e-12);
        }
    }

    fn derivatives_agree(link: Link, lower: f64, upper: f64) {
        let step = 1e-5;
        for outcome in 0..3 {
            let at = |a: f64, b: f64| Terms::of(link, a, b)[outcome];
            let here = at(lower, upper);
            let by_lower = (at(lower + step, upper).log - at(lower - step, upper).log) / (2.0 * step);
            let by_upper = (at(lower, upper + step).log - at(lower, upper - step).log) / (2.0 * step);
            assert!((here.first[0] - by_lower).abs() < 1e-6, "{lower} {upper} {outcome}");
            assert!((here.first[1] - by_upper).abs() < 1e-6, "{lower} {upper} {outcome}");
            let [up, down] = [at(lower + step, upper).first, at(lower - step, upper).first];
            assert!((here.second[0] - (up[0] - down[0]) / (2.0 * step)).abs() < 1e-5);
            assert!((here.second[1] - (up[1] - down[1]) / (2.0 * step)).abs() < 1e-5);
            let [up, down] = [at(lower, upper + step).first, at(lower, upper - step).first];
            assert!((here.second[2] - (up[1] - down[1]) / (2.0 * step)).abs() < 1e-5);
        }
    }
}
