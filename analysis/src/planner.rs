//! The planner of a study: which of its parts to play next so that the intervals of the values shrink fastest.
//!
//! The planner asks how much the doubt about all piece values would shrink if one part had twice its games, and divides
//! by the time that would take. Standard errors fall with the square root of the number of games. So the first parts to
//! be played are those with quick games, those with few games, and those on which many values depend: above all the
//! match at the odds of a pawn, by which every value is divided.

use backrank_selfplay::Odds;

use crate::stats::Estimate;
use crate::values::{OddsMatches, PieceValue};

/// What is known of piece values while a study is played.
#[derive(Clone, Debug)]
pub struct ValuesSoFar {
    /// By regression over the games from all setups, the pawn first; empty where there were too few games.
    pub regression: Vec<PieceValue>,
    /// The matches at odds, in the order of the parts after [`REGRESSION_PART`].
    pub matches: Vec<PairsSoFar>,
}

/// The pairs of a match at odds that were played so far.
#[derive(Clone, Debug)]
pub struct PairsSoFar {
    /// What the sides lack.
    pub odds: Odds,
    /// Pairs by the half points, 0 to 4, of the side that has what [`Odds::first`] names.
    pub pairs: [u64; 5],
}

/// What a part of a study has taken so far.
#[derive(Clone, Copy, Debug)]
pub struct PartCost {
    /// The games played so far.
    pub games: u64,
    /// Wall-clock seconds per game, with as many games at a time as are being played; none where this run has not played
    /// any of the part.
    pub seconds_a_game: Option<f64>,
    /// Whether all its games have been played.
    pub is_over: bool,
}

/// The part whose games start from all setups and go into regression; matches at odds are the parts after it.
pub const REGRESSION_PART: usize = 0;

/// The part that reduces the doubt about all values most per second; none where every part is over.
///
/// `doubt` is the doubt about all values with twice the games in one part, or with the games as they are:
/// [`ValuesSoFar::doubt`].
pub fn next_part(costs: &[PartCost], doubt: impl Fn(Option<usize>) -> f64) -> Option<usize> {
    let measured: Vec<f64> = costs.iter().filter_map(|cost| cost.seconds_a_game).collect();
    // A part that was not measured is taken to be like the others.
    let usual = if measured.is_empty() { 1.0 } else { measured.iter().sum::<f64>() / measured.len() as f64 };
    let now = doubt(None);
    let gain = |part: usize| {
        let seconds = costs[part].games as f64 * costs[part].seconds_a_game.unwrap_or(usual);
        (now - doubt(Some(part))) / seconds.max(1e-9)
    };
    let parts = (0..costs.len()).filter(|&part| !costs[part].is_over);
    parts.map(|part| (part, gain(part))).max_by(|one, other| one.1.total_cmp(&other.1)).map(|(part, _)| part)
}

impl ValuesSoFar {
    /// The doubt about all values by both methods; with `twice`, if that part had twice its games.
    pub fn doubt(&self, twice: Option<usize>) -> f64 {
        self.doubt_of_regression(twice == Some(REGRESSION_PART)) + self.doubt_of_odds(twice)
    }

    fn doubt_of_regression(&self, twice: bool) -> f64 {
        let shrink = if twice { 0.5_f64.sqrt() } else { 1.0 };
        let worths = self.regression.iter().map(|piece| piece.log_odds.and_then(Worth::of));
        let worths: Vec<_> = worths.map(|worth| worth.map(|worth| worth.shrunk(shrink))).collect();
        // The error of a piece without a value yet is taken to be as large as its value.
        doubt(&worths, shrink)
    }

    fn doubt_of_odds(&self, twice: Option<usize>) -> f64 {
        let mut matches = OddsMatches::default();
        for (index, PairsSoFar { odds, pairs }) in self.matches.iter().enumerate() {
            let times = if twice == Some(index + 1) { 2 } else { 1 };
            let mut pairs = pairs.map(|number| times * number);
            // For planning only: one pair won and one pair lost are added, as a clean sweep of a few games proves little.
            pairs[0] += 1;
            pairs[4] += 1;
            matches.add_pairs(odds, pairs);
        }
        let pieces = matches.values().pieces;
        let worths: Vec<_> = pieces.iter().map(|piece| piece.elo.and_then(Worth::of)).collect();
        doubt(&worths, 1.0)
    }
}

/// What a piece is worth on any scale, and half of its interval.
#[derive(Clone, Copy)]
struct Worth {
    value: f64,
    half: f64,
}

impl Worth {
    fn of(estimate: Estimate) -> Option<Self> {
        let half = (estimate.interval.high - estimate.interval.low) / 2.0;
        (estimate.value.is_finite() && half.is_finite()).then_some(Self { value: estimate.value, half })
    }

    fn shrunk(self, by: f64) -> Self {
        Self { half: by * self.half, ..self }
    }
}

/// The doubt about pieces, the first of which is the pawn. Each of the others adds h/(h + v), where v is its value in
/// pawns, at least 1, and h half the width of its interval by the delta method. This is nearly h/v where the interval is
/// short and never more than 1, so that a value that no number of games would settle does not take all the time.
/// `unknown` is h/v of a piece without a value.
fn doubt(worths: &[Option<Worth>], unknown: f64) -> f64 {
    let Some((pawn, others)) = worths.split_first() else { return unknown / (unknown + 1.0) };
    let of = |worth: &Option<Worth>| {
        let relative = match (worth, pawn) {
            (Some(worth), Some(pawn)) => {
                let ratio = worth.value / pawn.value;
                let half = worth.half.hypot(ratio * pawn.half) / pawn.value.abs();
                half / ratio.abs().max(1.0)
            }
            _ => unknown,
        };
        // Where the pawn is worth nothing, no ratio to it is known.
        if relative.is_finite() { relative / (relative + 1.0) } else { 1.0 }
    };
    others.iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(games: u64, seconds_a_game: Option<f64>) -> PartCost {
        PartCost { games, seconds_a_game, is_over: false }
    }

    fn matches(found: &[(&str, [u64; 5])]) -> ValuesSoFar {
        let one = |&(odds, pairs): &(&str, [u64; 5])| PairsSoFar { odds: odds.parse().unwrap(), pairs };
        ValuesSoFar { regression: Vec::new(), matches: found.iter().map(one).collect() }
    }

    /// The match that is chosen, all games taking as long.
    fn chosen(known: &ValuesSoFar) -> usize {
        let over = PartCost { games: 1, seconds_a_game: Some(1.0), is_over: true };
        let games = |found: &PairsSoFar| cost(2 * found.pairs.iter().sum::<u64>(), Some(1.0));
        let costs: Vec<PartCost> = std::iter::once(over).chain(known.matches.iter().map(games)).collect();
        next_part(&costs, |twice| known.doubt(twice)).unwrap() - 1
    }

    #[test]
    fn what_shrinks_most_a_second_is_chosen() {
        let doubt =
            |twice: Option<usize>| 1.0 - [0.1, 0.2, 0.15][twice.unwrap_or(0)] * f64::from(twice.is_some());
        let even = |games: [u64; 3], seconds: [f64; 3]| {
            let costs = games.into_iter().zip(seconds).map(|(games, seconds)| cost(games, Some(seconds)));
            next_part(&costs.collect::<Vec<_>>(), doubt)
        };
        assert_eq!(even([100; 3], [1.0; 3]), Some(1), "what shrinks most");
        assert_eq!(even([100; 3], [1.0, 3.0, 1.0]), Some(2), "but not if its games take too long");
        assert_eq!(even([20, 100, 100], [1.0; 3]), Some(0), "nor if another is doubled sooner");
    }

    #[test]
    fn a_part_without_a_measure_is_like_the_others_and_one_that_is_over_is_left() {
        let doubt = |twice: Option<usize>| if twice == Some(1) { 0.5 } else { 1.0 };
        let costs = [cost(10, Some(4.0)), cost(10, None)];
        assert_eq!(next_part(&costs, doubt), Some(1));
        let over = [PartCost { is_over: true, ..costs[1] }];
        assert_eq!(next_part(&over, |_| 1.0), None);
        assert_eq!(next_part(&[costs[0], over[0]], doubt), Some(0));
    }

    #[test]
    fn the_pawn_comes_first_as_everything_is_divided_by_it() {
        let alike = [10, 20, 40, 40, 20];
        let all = matches(&[("N:-", alike), ("P:-", alike), ("R:-", alike)]);
        assert_eq!(chosen(&all), 1);
    }

    #[test]
    fn of_two_pieces_the_one_with_fewer_games_comes_first() {
        let pawn = ("P:-", [1000, 2000, 4000, 4000, 2000]);
        let [many, few] = [[40, 80, 160, 320, 400], [4, 8, 16, 32, 40]];
        assert_eq!(chosen(&matches(&[pawn, ("N:-", many), ("R:-", few)])), 2);
        assert_eq!(chosen(&matches(&[pawn, ("N:-", few), ("R:-", many)])), 1);
    }

    /// What pairs of games would be like if they went as expected.
    fn expected(shares: [f64; 5], pairs: u64) -> [u64; 5] {
        shares.map(|share| (share * pairs as f64).round() as u64)
    }

    #[test]
    fn as_chosen_there_is_less_doubt_than_with_as_many_games_of_each() {
        const PAIRS: u64 = 2000;
        let alike = [
            ("P:-", [0.10, 0.18, 0.36, 0.22, 0.14]),
            ("N:-", [0.06, 0.10, 0.34, 0.24, 0.26]),
            ("R:-", [0.04, 0.08, 0.26, 0.26, 0.36]),
            ("Q:-", [0.00, 0.01, 0.06, 0.13, 0.80]),
            ("R:N", [0.08, 0.14, 0.34, 0.24, 0.20]),
            ("Q:R", [0.02, 0.05, 0.18, 0.25, 0.50]),
        ];
        let played = |pairs: &[u64]| {
            let all =
                alike.iter().zip(pairs).map(|(&(odds, shares), &pairs)| (odds, expected(shares, pairs)));
            matches(&all.collect::<Vec<_>>())
        };
        let mut pairs = [20; 6];
        while pairs.iter().sum::<u64>() < PAIRS {
            pairs[chosen(&played(&pairs))] += 20;
        }
        let even = played(&[PAIRS / 6; 6]).doubt(None);
        let as_chosen = played(&pairs).doubt(None);
        assert!(as_chosen < 0.95 * even, "{as_chosen} with {pairs:?}, {even} evenly");
    }

    #[test]
    fn more_games_never_raise_doubt_and_it_is_always_a_number() {
        for found in [
            [("P:-", [3, 5, 9, 6, 4]), ("N:-", [1, 2, 6, 9, 9]), ("Q:-", [0, 0, 0, 0, 16])],
            // A pawn that is worth nothing, and games of which there are none.
            [("P:-", [4, 4, 4, 4, 4]), ("N:-", [0; 5]), ("Q:N", [0, 0, 1, 0, 0])],
        ] {
            let known = matches(&found);
            let now = known.doubt(None);
            // Two pieces by odds, and nothing by regression.
            assert!((0.0..=3.0).contains(&now), "{now}");
            for part in 0..=3 {
                assert!(known.doubt(Some(part)) <= now + 1e-9, "{found:?} {part}");
            }
        }
    }
}
