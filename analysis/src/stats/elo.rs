//! Elo and scores.

/// The difference in Elo at which a score from 0 to 1 is expected; infinite at the ends.
///
/// Source: Elo, "The Rating of Chessplayers, Past and Present", 1978, with the logistic curve.
pub fn elo(score: f64) -> f64 {
    match score {
        score if score <= 0.0 => f64::NEG_INFINITY,
        score if score >= 1.0 => f64::INFINITY,
        score => 400.0 * (score / (1.0 - score)).log10(),
    }
}

/// The derivative of [`elo`] at a score strictly between 0 and 1.
pub(crate) fn elo_slope(score: f64) -> f64 {
    400.0 / std::f64::consts::LN_10 / (score * (1.0 - score))
}
