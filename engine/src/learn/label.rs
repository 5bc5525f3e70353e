//! What a position is to predict.

use super::sigmoid;

/// The label of a position.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    /// The game's result for White: 1, 0.5 or 0.
    pub result: f64,
    /// The target: White's expected score, from 0 to 1.
    pub target: f64,
    /// Whether the game is held out of the fit, for the test loss.
    pub is_test: bool,
}

/// The TD(λ) return of a game's positions (Sutton 1988): the game's result, mixed with the search's scores on the way.
#[derive(Clone, Copy, Debug)]
pub struct TdReturn {
    /// The scale of the sigmoid, in centipawns: a score of so many centipawns expects 1/(1 + 1/e) = 73 %.
    pub scale: f64,
    /// The weight, from 0 to 1, of the next position's return against the search's score of the position itself. With 1 only
    /// the result counts, with 0 only the score.
    pub lambda: f64,
}

impl TdReturn {
    /// The return at each ply of a game with a result and scores for White in centipawns. A ply without a score has the
    /// return of the next one, and the last one without a score has the result.
    pub fn of_game(self, result: f64, scores: &[Option<f64>]) -> Vec<f64> {
        let mut value = result;
        let mut returns: Vec<f64> = scores
            .iter()
            .rev()
            .map(|score| {
                if let Some(score) = score {
                    value = self.lambda * value + (1.0 - self.lambda) * sigmoid(score / self.scale);
                }
                value
            })
            .collect();
        returns.reverse();
        returns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn returns(lambda: f64, scores: &[Option<f64>]) -> Vec<f64> {
        TdReturn { scale: 100.0, lambda }.of_game(1.0, scores)
    }

    #[test]
    fn returns_look_ahead_by_lambda() {
        let scores = [None, Some(0.0), Some(100.0), Some(30_000.0)];
        assert_eq!(returns(1.0, &scores), [1.0; 4]);
        let third = 1.0 / (1.0 + (-1.0_f64).exp());
        assert_eq!(returns(0.0, &scores), [0.5, 0.5, third, 1.0]);
        let found = returns(0.8, &scores);
        let before = 0.8 + 0.2 * third;
        let second = 0.8 * before + 0.2 * 0.5;
        for (found, known) in found.into_iter().zip([second, second, before, 1.0]) {
            assert!((found - known).abs() < 1e-12, "{found} {known}");
        }
    }
}
