//! The p-value of each setup's score under the hypothesis that setups do not differ.

use std::collections::HashMap;

use statrs::distribution::{ContinuousCDF, Normal};

use super::tally::SetupTally;

/// Up to this many games of a setup the exact distribution of their sum is used. Beyond, the normal approximation is
/// accurate to many digits.
pub(super) const EXACT: u64 = 400;

/// For each setup, the probability of a score at least as far from the mean if each of its games is won, drawn or lost
/// with the frequencies of all games.
pub(super) fn p_values(tallies: &[SetupTally], results: [u64; 3]) -> Vec<f64> {
    let games: u64 = results.iter().sum();
    let [won, drawn, lost] = results.map(|number| number as f64 / games as f64);
    let mean = 2.0 * won + drawn;
    let deviation = (4.0 * won + drawn - mean * mean).max(0.0).sqrt();
    let mut sums: HashMap<u64, Vec<f64>> = HashMap::new();
    let mut one = |tally: &SetupTally| {
        let games = tally.games();
        let far = (tally.half_points() as f64 - mean * games as f64).abs();
        if games > EXACT {
            let standard = Normal::standard();
            return 2.0 * standard.sf(far / (deviation * (games as f64).sqrt()));
        }
        let chances = sums.entry(games).or_insert_with(|| sum_of_games(games, [lost, drawn, won]));
        let tail = chances
            .iter()
            .enumerate()
            .filter(|(points, _)| (*points as f64 - mean * games as f64).abs() >= far - 1e-9);
        tail.map(|(_, chance)| chance).sum::<f64>().min(1.0)
    };
    tallies.iter().map(&mut one).collect()
}

/// The probabilities of 0, 1, 2 … half points in `games` games, from those in one game.
pub(super) fn sum_of_games(games: u64, one: [f64; 3]) -> Vec<f64> {
    (0..games).fold(vec![1.0], |chances, _| {
        let mut next = vec![0.0; chances.len() + 2];
        for (points, chance) in chances.iter().enumerate() {
            one.iter().enumerate().for_each(|(more, share)| next[points + more] += chance * share);
        }
        next
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_games_are_worked_out_by_hand() {
        let tally = |results| SetupTally { results };
        // Half won, half lost: two wins come with a quarter, and so do two losses.
        let p = p_values(&[tally([2, 0, 0]), tally([1, 0, 1]), tally([0, 0, 2])], [3, 0, 3]);
        assert!((p[0] - 0.5).abs() < 1e-12 && (p[1] - 1.0).abs() < 1e-12 && (p[2] - 0.5).abs() < 1e-12);
    }

    #[test]
    fn the_normal_takes_over_without_a_step() {
        let near = |games: u64| {
            let won = games / 2 + games / 20;
            p_values(&[SetupTally { results: [won, 0, games - won] }], [500, 0, 500])[0]
        };
        assert!((near(400) - near(402)).abs() < 0.01, "{} {}", near(400), near(402));
    }
}
