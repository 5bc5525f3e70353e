//! Whether setups differ at all.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::Serialize;

use super::{ScoreSpread, SetupOptions, Tally};

/// How much more setups' scores spread than chance would have it.
///
/// The statistic is Σ n·(s − m)² / v over setups with n games and score s, with the mean m and the variance v of all
/// games: about the number of setups less one where setups do not differ. Results are dealt to setups anew to see how
/// often chance reaches it: exact whatever the number of games (Fisher, "The Design of Experiments", 1935).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Dispersion {
    /// The statistic.
    pub statistic: f64,
    /// Its mean if setups do not differ: the number of setups less one.
    pub expected: f64,
    /// How often results were dealt anew.
    pub permutations: u32,
    /// The chance of a statistic so large if setups do not differ; none where no setup has two games.
    pub p_value: Option<f64>,
    /// The standard deviation of setups' true scores, by moments; 0 where there is no sign of any.
    pub deviation: f64,
}

/// As many dealt results as take a few seconds.
const WORK: u64 = 400_000_000;

impl Dispersion {
    pub(crate) fn of(tallies: &[Tally], spread: ScoreSpread, options: SetupOptions) -> Self {
        let games: Vec<u64> = tallies.iter().map(Tally::games).collect();
        let all: u64 = games.iter().sum();
        let scores = tallies.iter().map(Tally::half_points);
        // The mean and the variance are the same however results are dealt.
        let seen = squares(scores, &games);
        let mean = 2.0 * spread.mean;
        let statistic = |squares: f64| {
            let centred = squares - all as f64 * mean * mean;
            if spread.variance > 0.0 { 0.25 * centred / spread.variance } else { 0.0 }
        };
        let permutations = u64::from(options.permutations).min(WORK / all.max(1)).max(99) as u32;
        let testable = games.iter().any(|&games| games > 1) && tallies.len() > 1 && spread.variance > 0.0;
        let p_value = testable.then(|| {
            let outcomes = outcomes(tallies);
            let reached = (0..permutations)
                .into_par_iter()
                .map_init(
                    || outcomes.clone(),
                    |dealt, permutation| {
                        let mut chance = ChaCha8Rng::seed_from_u64(options.seed);
                        chance.set_stream(u64::from(permutation));
                        dealt.copy_from_slice(&outcomes);
                        squares(deal(dealt, &games, &mut chance), &games) >= seen * (1.0 - 1e-12)
                    },
                )
                .filter(|&reached| reached)
                .count();
            (reached + 1) as f64 / f64::from(permutations + 1)
        });
        let expected = tallies.len() as f64 - 1.0;
        let statistic = statistic(seen);
        let sum_of_squares: f64 = games.iter().map(|&games| (games * games) as f64).sum();
        let spare = all as f64 - sum_of_squares / all as f64;
        let between = spread.variance * (statistic - expected) / spare.max(1e-9);
        let deviation = if testable { between.max(0.0).sqrt() } else { 0.0 };
        Self { statistic, expected, permutations, p_value, deviation }
    }
}

/// The sum over setups of their half points squared, by their games.
fn squares(half_points: impl Iterator<Item = u64>, games: &[u64]) -> f64 {
    half_points.zip(games).map(|(points, &games)| (points * points) as f64 / games as f64).sum()
}

/// The half points of every game, setup by setup.
fn outcomes(tallies: &[Tally]) -> Vec<u8> {
    let of = |tally: &Tally| {
        let [won, drawn, lost] = tally.results.map(|number| number as usize);
        [vec![2; won], vec![1; drawn], vec![0; lost]].concat()
    };
    tallies.iter().flat_map(of).collect()
}

/// Shuffles results and gives each setup as many as it has games.
fn deal(dealt: &mut [u8], games: &[u64], chance: &mut ChaCha8Rng) -> impl Iterator<Item = u64> {
    for at in (1..dealt.len()).rev() {
        dealt.swap(at, chance.random_range(0..=at as u32) as usize);
    }
    let mut rest = &*dealt;
    let mut sums = Vec::with_capacity(games.len());
    for &games in games {
        let (own, others) = rest.split_at(games as usize);
        sums.push(own.iter().map(|&points| u64::from(points)).sum());
        rest = others;
    }
    sums.into_iter()
}
