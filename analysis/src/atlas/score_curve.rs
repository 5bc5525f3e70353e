//! The curve from scores in centipawns to expected scores, fitted to games.

use backrank_rules::{GameResult, Side};
use backrank_selfplay::{GameRecord, MoveScore, Score, ScoreCurve};

use crate::stats::Symmetric;

/// Games with the scores of their players' moves, to which a [`ScoreCurve`] is fitted.
///
/// The model is a logit: White's expected score is Λ(a + b·s) in a position that the player to move scores as s
/// centipawns for White. Its quasi-likelihood Σ y·ln p + (1 − y)·ln(1 − p), with the game's score y of 0, ½ or 1, is
/// maximised by Newton's method; it estimates the mean consistently whatever the proportion of draws. Only the first
/// [`ScoredGames::PLIES`] plies that players chose are used, because the curve is meant for openings. Each game has the
/// same weight, and standard errors are clustered by game.
///
/// Source: Papke and Wooldridge, "Econometric Methods for Fractional Response Variables", 1996.
#[derive(Clone, Debug, Default)]
pub struct ScoredGames {
    games: Vec<(Vec<f64>, f64)>,
}

impl ScoredGames {
    /// The number of plies that are used, from the first that a player chose.
    pub const PLIES: usize = 20;

    /// Adds a game from its rows in `games.csv` and `scores.csv`. Positions with a forced mate are left out, and so are games
    /// without a result.
    pub fn add(&mut self, record: &GameRecord, scores: &[Option<MoveScore>]) {
        let score = |(ply, score): (usize, &Option<MoveScore>)| {
            let centipawns = f64::from(Score::as_centipawns(score.as_ref()?.score)?);
            Some(if ply % 2 == 0 { centipawns } else { -centipawns })
        };
        let scored = scores.iter().enumerate().filter(|(_, score)| score.is_some()).take(Self::PLIES);
        let positions: Vec<f64> = scored.filter_map(score).collect();
        let points = match record.result {
            Some(GameResult::Win(Side::White)) => 1.0,
            Some(GameResult::Draw) => 0.5,
            Some(GameResult::Win(Side::Black)) => 0.0,
            None => return,
        };
        if !positions.is_empty() {
            self.games.push((positions, points));
        }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.games.len() as u64
    }

    /// Adds the games of another collection.
    pub fn extend(&mut self, other: &Self) {
        self.games.extend_from_slice(&other.games);
    }

    /// Fits the curve; `None` if the games do not determine one. `source` says where the games come from.
    pub fn fit(&self, source: String) -> Option<ScoreCurve> {
        let mut parameters = [0.0; 2];
        for _ in 0..MAX_STEPS {
            let (gradients, information) = self.slopes(parameters);
            let gradient = gradients.iter().fold([0.0; 2], |sum, each| [sum[0] + each[0], sum[1] + each[1]]);
            let step = information.solve(&gradient)?;
            parameters = [parameters[0] + step[0], parameters[1] + step[1]];
            if step[0].abs() < 1e-10 && step[1].abs() < 1e-12 {
                break;
            }
        }
        let (gradients, information) = self.slopes(parameters);
        let mut between = Symmetric::zeros(2);
        gradients.iter().for_each(|gradient| between.add(1.0, gradient));
        let bread = information.inverse()?;
        let games = self.games.len() as f64;
        let covariance = &bread * between.0 * &bread * (games / (games - 1.0));
        let [intercept, slope] = parameters;
        (intercept.is_finite() && slope.is_finite() && games > 1.0).then(|| ScoreCurve {
            intercept,
            slope,
            covariance: [covariance[(0, 0)], covariance[(0, 1)], covariance[(1, 1)]],
            games: self.games(),
            source,
        })
    }

    /// The gradient of each game's quasi-likelihood, and the information matrix of all games.
    fn slopes(&self, [intercept, slope]: [f64; 2]) -> (Vec<[f64; 2]>, Symmetric) {
        let mut information = Symmetric::zeros(2);
        let gradients = self.games.iter().map(|(positions, points)| {
            let weight = 1.0 / positions.len() as f64;
            let mut gradient = [0.0; 2];
            for &score in positions {
                let expected = 1.0 / (1.0 + (-intercept - slope * score).exp());
                gradient[0] += weight * (points - expected);
                gradient[1] += weight * (points - expected) * score;
                information.add(weight * expected * (1.0 - expected), &[1.0, score]);
            }
            gradient
        });
        (gradients.collect(), information)
    }
}

/// Newton's method needs a few steps. It does not converge if the games determine no curve.
const MAX_STEPS: usize = 50;

#[cfg(test)]
mod tests {
    use super::*;

    /// With one position a game and two different scores, the curve goes through both means: logit(3/4) = ln 3 at 100 and
    /// logit(1/2) = 0 at 0.
    #[test]
    fn the_curve_goes_through_two_means() {
        let mut games = ScoredGames::default();
        for (score, points) in [(100.0, [1.0, 1.0, 1.0, 0.0]), (0.0, [0.5, 0.5, 1.0, 0.0])] {
            games.games.extend(points.map(|points| (vec![score], points)));
        }
        let curve = games.fit(String::new()).unwrap();
        assert!(curve.intercept.abs() < 1e-9 && (curve.slope - 3_f64.ln() / 100.0).abs() < 1e-9, "{curve:?}");
        // By hand, at 0: p(1 − p) = 1/4 of 4 games, the squared residuals sum up to 1/2, and the correction for 8 games
        // is 8/7.
        assert!((curve.covariance[0] - 0.5 * 8.0 / 7.0).abs() < 1e-9, "{curve:?}");
        let [low, expected, high] = curve.expected(100);
        assert!((expected - 0.75).abs() < 1e-9 && low < 0.5 && high > 0.9);
    }

    #[test]
    fn games_that_are_all_won_decide_no_curve() {
        let won = ScoredGames { games: vec![(vec![10.0, 20.0], 1.0), (vec![30.0], 1.0)] };
        assert_eq!(won.fit(String::new()), None);
        assert_eq!(ScoredGames::default().fit(String::new()), None);
    }
}
