//! The results of pairs of games at odds.

use backrank_rules::Side;
use backrank_selfplay::study::GameRecord;
use serde::{Deserialize, Serialize};

/// The results of pairs of games at odds, as the side sees them that has what the odds name first: the number of pairs by
/// its result with White, then with Black, each 0 for a loss, 1 for a draw, 2 for a win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PairResults {
    /// The numbers.
    pub counts: [[u64; 3]; 3],
}

impl PairResults {
    /// Counts a pair.
    pub fn count(&mut self, [as_white, as_black]: [u8; 2]) {
        self.counts[usize::from(as_white)][usize::from(as_black)] += 1;
    }

    /// Adds other pairs.
    pub fn add_all(&mut self, other: &Self) {
        let counts = self.counts.iter_mut().flatten().zip(other.counts.iter().flatten());
        counts.for_each(|(sum, count)| *sum += count);
    }

    /// Whether there are no more pairs than so many.
    pub(crate) fn are_at_most(&self, pairs: u64) -> bool {
        let sum = self.counts.iter().flatten().try_fold(0_u64, |sum, &count| sum.checked_add(count));
        sum.is_some_and(|sum| sum <= pairs)
    }
}

/// Joins the games of a study at odds to pairs.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairReader {
    /// The result of the first game of a pair, in which the side has Black, until the second game comes.
    as_black: Option<u8>,
}

impl PairReader {
    /// Takes the next game, and returns the results of a pair with White and with Black if the game completes one. Games
    /// must come in order; one without odds is never part of a pair.
    pub fn add(&mut self, record: &GameRecord) -> Option<[u8; 2]> {
        if record.odds.is_empty() {
            return None;
        }
        let half_points = |side| record.half_points(side) as u8;
        if record.game.is_multiple_of(2) {
            self.as_black = Some(half_points(Side::Black));
            return None;
        }
        Some([half_points(Side::White), self.as_black.take()?])
    }
}

/// The results of all pairs of a study at odds, in the order of its games.
#[derive(Clone, Debug, Default)]
pub struct PairLog {
    reader: PairReader,
    pairs: Vec<[u8; 2]>,
}

impl PairLog {
    /// Adds a game. Games must come in order, from the first.
    pub fn add(&mut self, record: &GameRecord) {
        self.pairs.extend(self.reader.add(record));
    }

    /// The results of the pairs that the first `games` games make.
    pub fn of_first(&self, games: u64) -> PairResults {
        let pairs = usize::try_from(games / 2).map_or(self.pairs.len(), |pairs| pairs.min(self.pairs.len()));
        let mut results = PairResults::default();
        self.pairs[..pairs].iter().for_each(|&pair| results.count(pair));
        results
    }
}

#[cfg(test)]
mod tests {
    use backrank_rules::{GameResult, Termination};
    use backrank_selfplay::study::Ending;

    use super::*;

    fn record(game: u64, result: GameResult) -> GameRecord {
        GameRecord {
            game,
            setup: 0,
            white_rank: String::new(),
            black_rank: String::new(),
            fen: String::new(),
            odds: "Q:2N".to_string(),
            white: String::new(),
            black: String::new(),
            result: Some(result),
            termination: Ending::Rules(Termination::FiftyMoves),
            plies: 0,
            opening_plies: 0,
            moves: String::new(),
            source: None,
            ratings: None,
        }
    }

    #[test]
    fn games_are_counted_in_pairs() {
        let (white, black) = (GameResult::Win(Side::White), GameResult::Win(Side::Black));
        let mut log = PairLog::default();
        // The side has Black in the first game of a pair: it wins both, wins and draws, and has not finished the third.
        for (game, result) in (0..).zip([black, white, black, GameResult::Draw, white]) {
            log.add(&record(game, result));
        }
        let counts = |games| log.of_first(games).counts;
        assert_eq!(counts(5), [[0, 0, 0], [0, 0, 1], [0, 0, 1]]);
        assert_eq!(counts(3), [[0, 0, 0], [0, 0, 0], [0, 0, 1]]);
        assert_eq!(counts(1), [[0; 3]; 3]);
        assert!(log.of_first(u64::MAX).are_at_most(2) && !log.of_first(5).are_at_most(1));
    }
}
