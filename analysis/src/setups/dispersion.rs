//! Testing whether setups differ at all.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::Serialize;

use super::options::SetupOptions;
use super::score::ScoreSpread;
use super::tally::SetupTally;

/// A permutation test of whether the scores of setups differ more than by chance.
///
/// The statistic is Σ n·(s − m)² / v over setups with n games and score s, with the mean m and the variance v of a
/// game's score over all games. If setups do not differ, it is close to the number of setups minus one. The test
/// assigns the results to the games at random, and is exact for any number of games (Fisher, "The Design of
/// Experiments", 1935).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Dispersion {
    /// The statistic.
    pub statistic: f64,
    /// Its mean if setups do not differ: the number of setups minus one.
    pub expected: f64,
    /// The number of permutations.
    pub permutations: u32,
    /// The probability of a statistic at least this large if setups do not differ.
    pub p_value: f64,
}

/// The maximum number of permuted results, which takes a few seconds.
const WORK: u64 = 400_000_000;

/// What the test and [`Shrinkage`](super::Shrinkage) have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    /// The statistic.
    pub statistic: f64,
    /// The number of games, N.
    pub games: f64,
    /// The sum of the squares of the setups' numbers of games, Σ n².
    pub squares: f64,
    /// The factor by which the variance between setups increases the statistic: N − Σ n² / N.
    pub growth: f64,
}

impl Moments {
    /// `None` if nothing can be learnt about setups: no setup has two games, there is only one setup, or all results
    /// are the same.
    pub fn of(tallies: &[SetupTally], spread: ScoreSpread) -> Option<Self> {
        let numbers = || tallies.iter().map(SetupTally::games);
        let testable = numbers().any(|games| games > 1) && tallies.len() > 1 && spread.variance > 0.0;
        let games = numbers().sum::<u64>() as f64;
        let squares: f64 = numbers().map(|games| (games * games) as f64).sum();
        let statistic = statistic(sum_of_squares(tallies), games, spread);
        testable.then_some(Self { statistic, games, squares, growth: games - squares / games })
    }
}

/// The statistic, from the sum of the setups' squared half points, each divided by its number of games.
fn statistic(squares: f64, games: f64, spread: ScoreSpread) -> f64 {
    0.25 * (squares - games * (2.0 * spread.mean).powi(2)) / spread.variance
}

fn sum_of_squares(tallies: &[SetupTally]) -> f64 {
    tallies.iter().map(|tally| square(tally.half_points(), tally.games())).sum()
}

fn square(half_points: u64, games: u64) -> f64 {
    (half_points * half_points) as f64 / games as f64
}

impl Dispersion {
    /// `None` if nothing can be learnt about setups.
    pub(crate) fn of(tallies: &[SetupTally], spread: ScoreSpread, options: SetupOptions) -> Option<Self> {
        let Moments { statistic, games, .. } = Moments::of(tallies, spread)?;
        let permutations = u64::from(options.permutations).min(WORK / games as u64).max(99) as u32;
        let (outcomes, seen) = (outcomes(tallies), sum_of_squares(tallies));
        // The mean and the variance are the same for every permutation, so only the squares matter.
        let reaches = |permuted: &mut Vec<u8>, permutation: u32| {
            let mut chance = ChaCha8Rng::seed_from_u64(options.seed);
            chance.set_stream(u64::from(permutation));
            permuted.copy_from_slice(&outcomes);
            permute(permuted, tallies, &mut chance) >= seen * (1.0 - 1e-12)
        };
        let reached = (0..permutations)
            .into_par_iter()
            .map_init(|| outcomes.clone(), reaches)
            .filter(|&reached| reached)
            .count();
        let p_value = (reached + 1) as f64 / f64::from(permutations + 1);
        Some(Self { statistic, expected: tallies.len() as f64 - 1.0, permutations, p_value })
    }
}

/// The half points of every game, setup by setup.
fn outcomes(tallies: &[SetupTally]) -> Vec<u8> {
    let of = |tally: &SetupTally| {
        let [won, drawn, lost] = tally.results.map(|number| number as usize);
        [vec![2; won], vec![1; drawn], vec![0; lost]].concat()
    };
    tallies.iter().flat_map(of).collect()
}

/// Shuffles the results, deals each setup as many as it has games, and returns the sum of squares.
fn permute(outcomes: &mut [u8], tallies: &[SetupTally], chance: &mut ChaCha8Rng) -> f64 {
    for at in (1..outcomes.len()).rev() {
        outcomes.swap(at, chance.random_range(0..=at as u32) as usize);
    }
    let mut rest = &*outcomes;
    let mut sum = 0.0;
    for games in tallies.iter().map(SetupTally::games) {
        let (own, others) = rest.split_at(games as usize);
        sum += square(own.iter().map(|&points| u64::from(points)).sum(), games);
        rest = others;
    }
    sum
}
