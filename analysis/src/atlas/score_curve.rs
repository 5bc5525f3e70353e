//! The curve from scores in centipawns to expected scores, fitted to games.

use backrank_engine::Score;
use backrank_rules::{GameResult, Side};
use backrank_selfplay::atlas::ScoreCurve;
use backrank_selfplay::study::{GameRecord, MoveScore};

/// Games with the scores of their players' moves, to which a [`ScoreCurve`] is fitted.
///
/// The model is a logit: White's expected score is Λ(b·s) in a position that the player to move scores as s centipawns for
/// White. There is no intercept, because the same position with colours exchanged has the score −s. The quasi-likelihood
/// Σ y·ln p + (1 − y)·ln(1 − p), with the game's score y of 0, ½ or 1, is maximised by Newton's method; it estimates the mean
/// consistently whatever the proportion of draws. Only the first [`ScoredGames::PLIES`] plies that players chose are used,
/// because the curve is meant for openings. Each game has the same weight, and the standard error is clustered by game.
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
        let score = |(side, score): (Side, &Option<MoveScore>)| {
            let centipawns = f64::from(Score::as_centipawns(score.as_ref()?.score)?);
            Some(if side == Side::White { centipawns } else { -centipawns })
        };
        let scored =
            record.sides_to_move().zip(scores).filter(|(_, score)| score.is_some()).take(Self::PLIES);
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
        let mut slope = 0.0;
        for _ in 0..MAX_STEPS {
            let (gradients, information) = self.slopes(slope);
            let step = gradients.iter().sum::<f64>() / information;
            slope += step;
            if step.abs() < 1e-12 {
                let between: f64 = gradients.iter().map(|gradient| gradient * gradient).sum();
                let games = self.games.len() as f64;
                let variance = between / (information * information) * (games / (games - 1.0));
                return variance.is_finite().then(|| ScoreCurve {
                    slope,
                    standard_error: variance.sqrt(),
                    games: self.games(),
                    source,
                });
            }
        }
        None
    }

    /// The derivative of each game's quasi-likelihood, and the information of all games.
    fn slopes(&self, slope: f64) -> (Vec<f64>, f64) {
        let mut information = 0.0;
        let gradients = self.games.iter().map(|(positions, points)| {
            let weight = 1.0 / positions.len() as f64;
            let mut gradient = 0.0;
            for &score in positions {
                let expected = 1.0 / (1.0 + (-slope * score).exp());
                gradient += weight * (points - expected) * score;
                information += weight * expected * (1.0 - expected) * score * score;
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
    use backrank_selfplay::study::Ending;

    use super::*;

    /// With one position a game and one score, the curve goes through the mean: logit(3/4) = ln 3 at 100. A score of −100 with
    /// a mean of 1/4 is the same.
    #[test]
    fn the_curve_goes_through_the_mean() {
        let mut games = ScoredGames::default();
        for (score, points) in [(100.0, [1.0, 1.0, 1.0, 0.0]), (-100.0, [0.0, 0.5, 0.0, 0.5])] {
            games.games.extend(points.map(|points| (vec![score], points)));
        }
        let curve = games.fit(String::new()).unwrap();
        assert!((curve.slope - 3_f64.ln() / 100.0).abs() < 1e-9, "{curve:?}");
        // By hand: the squared residuals sum up to 3/4 + 1/4 = 1, the information is 8 · 3/16 = 3/2, each times 100², and the
        // correction for 8 games is 8/7.
        let variance = 1.0 / (1.5 * 1.5 * 100.0 * 100.0) * 8.0 / 7.0;
        assert!((curve.standard_error - f64::sqrt(variance)).abs() < 1e-9, "{curve:?}");
    }

    /// A start may have Black to move: the first score is then Black's.
    #[test]
    fn scores_are_turned_to_whites_whoever_begins() {
        let score = |centipawns| Some(MoveScore { score: Score::centipawns(centipawns), depth: 8 });
        for (mover, expected) in [("w", [30.0, -20.0]), ("b", [-30.0, 20.0])] {
            let record = GameRecord {
                game: 0,
                setup: 0,
                white_rank: String::new(),
                black_rank: String::new(),
                fen: format!("4k3/8/8/8/8/8/4P3/4K3 {mover} - - 0 1"),
                odds: String::new(),
                white: String::new(),
                black: String::new(),
                result: Some(GameResult::Draw),
                termination: Ending::Adjudication,
                plies: 3,
                opening_plies: 1,
                moves: String::new(),
                source: None,
                ratings: None,
            };
            let mut games = ScoredGames::default();
            games.add(&record, &[score(30), score(20), None]);
            assert_eq!(games.games, [(expected.to_vec(), 0.5)], "{mover}");
        }
    }

    #[test]
    fn games_that_are_all_won_decide_no_curve() {
        let won = ScoredGames { games: vec![(vec![10.0, 20.0], 1.0), (vec![30.0], 1.0)] };
        assert_eq!(won.fit(String::new()), None);
        assert_eq!(ScoredGames::default().fit(String::new()), None);
    }
}
