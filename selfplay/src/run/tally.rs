//! Counting results, and what they say about strength.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use backrank_rules::{GameResult, Side};

use crate::study::{Ending, GameRecord, Place, Study};

/// The results of games, seen from the study's White.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Games the study's White has won, drawn and lost. With pairs it plays Black in every second game.
    pub results: [u64; 3],
    /// Half points of whoever had the white pieces.
    pub white_half_points: u64,
    /// Pairs by the half points of the study's White in them, 0 to 4.
    pub pairs: [u64; 5],
    /// Games by their ending.
    pub endings: BTreeMap<Ending, u64>,
    /// A hash of each game's start and moves: 64 bits of each are enough to tell millions apart.
    games_seen: HashSet<u64>,
    /// Whether each two games in a row are a pair.
    paired: bool,
    /// The half points of a pair's first game, until the second comes.
    first: Option<usize>,
}

/// A difference in strength, with the interval that holds it in 95 of 100 such matches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The difference; infinite where everything was won or lost.
    pub difference: f64,
    /// The interval's ends.
    pub interval: [f64; 2],
}

impl Tally {
    /// Nothing so far.
    pub fn new(study: &Study) -> Self {
        Self { paired: study.pairs, ..Self::default() }
    }

    /// Adds a game. Games come in order, so that pairs are found.
    pub fn add(&mut self, record: &GameRecord) {
        let reversed = Place::is_reversed(self.paired, record.game);
        let half_points = |side: Side| match record.result {
            GameResult::Draw => 1,
            GameResult::Win(winner) if winner == side => 2,
            GameResult::Win(_) => 0,
        };
        let first = half_points(if reversed { Side::Black } else { Side::White });
        self.results[2 - first] += 1;
        self.white_half_points += half_points(Side::White) as u64;
        *self.endings.entry(record.termination).or_default() += 1;
        let mut hasher = DefaultHasher::new();
        (&record.fen, &record.moves).hash(&mut hasher);
        self.games_seen.insert(hasher.finish());
        match self.first.take() {
            Some(before) if reversed => self.pairs[before + first] += 1,
            _ => self.first = (self.paired && !reversed).then_some(first),
        }
    }

    /// The number of games that are not the same as another, move for move.
    pub fn distinct_games(&self) -> u64 {
        self.games_seen.len() as u64
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// The share of the points that the study's White has, from 0 to 1.
    pub fn score(&self) -> f64 {
        (2 * self.results[0] + self.results[1]) as f64 / (2 * self.games()) as f64
    }

    /// The share of the points that went to the white pieces.
    pub fn white_score(&self) -> f64 {
        self.white_half_points as f64 / (2 * self.games()) as f64
    }

    /// The difference in strength between the study's White and its Black.
    ///
    /// Two games of a pair begin alike, so that their results hang together: where all games are in pairs, the spread
    /// is that of pairs.
    pub fn elo(&self) -> Option<Elo> {
        let [won, drawn, lost] = self.results;
        let paired = self.pairs.iter().sum::<u64>() * 2 == self.games();
        let (mean, error) =
            if paired { mean_and_error(&self.pairs) } else { mean_and_error(&[lost, drawn, won]) }?;
        let [low, high] = [mean - 1.96 * error, mean + 1.96 * error];
        Some(Elo { difference: elo(mean), interval: [elo(low), elo(high)] })
    }
}

/// The mean of counts of scores that go in equal steps from 0 to 1, and its standard error; none for fewer than two.
fn mean_and_error(counts: &[u64]) -> Option<(f64, f64)> {
    let number = counts.iter().sum::<u64>() as f64;
    if number < 2.0 {
        return None;
    }
    let scores = || {
        counts
            .iter()
            .enumerate()
            .map(|(step, &count)| (step as f64 / (counts.len() - 1) as f64, count as f64))
    };
    let mean = scores().map(|(score, count)| score * count).sum::<f64>() / number;
    let squares = scores().map(|(score, count)| (score - mean).powi(2) * count).sum::<f64>();
    Some((mean, (squares / (number - 1.0) / number).sqrt()))
}

/// The difference in strength at which a score is expected.
fn elo(score: f64) -> f64 {
    match score {
        score if score <= 0.0 => f64::NEG_INFINITY,
        score if score >= 1.0 => f64::INFINITY,
        score => 400.0 * (score / (1.0 - score)).log10(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(results: [u64; 3], pairs: [u64; 5]) -> Tally {
        Tally { results, pairs, ..Tally::default() }
    }

    #[test]
    fn three_quarters_are_191() {
        let elo = tally([60, 30, 10], [0; 5]).elo().unwrap();
        assert!((elo.difference - 190.8).abs() < 0.1, "{elo:?}");
        assert!(elo.interval[0] < 190.0 && elo.interval[1] > 192.0, "{elo:?}");
    }

    #[test]
    fn pairs_that_are_always_shared_leave_no_doubt() {
        // White always wins: each game is far from even, each pair exactly so.
        let elo = tally([50, 0, 50], [0, 0, 50, 0, 0]).elo().unwrap();
        assert_eq!(elo, Elo { difference: 0.0, interval: [0.0, 0.0] });
        let by_games = tally([50, 0, 50], [0; 5]).elo().unwrap();
        assert!(by_games.interval[1] > 60.0);
    }

    #[test]
    fn a_clean_sweep_is_without_bound() {
        assert_eq!(tally([4, 0, 0], [0, 0, 0, 0, 2]).elo().unwrap().difference, f64::INFINITY);
        assert_eq!(tally([1, 0, 0], [0; 5]).elo(), None);
    }
}
