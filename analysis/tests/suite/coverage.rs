//! How often 95 % intervals cover what is true in simulated studies, method by method.
//!
//! The suite makes 60 studies for each method; the ignored test makes 300, or as many as the variable `BACKRANK_COVERAGE` says, and
//! prints a table: `cargo test --release --workspace -- --ignored --nocapture coverage_of_300`. Networks of imbalances take little time, and
//! `coverage_of_imbalances` makes 3,000 studies of each.

use std::collections::BTreeMap;

use crate::network;
use backrank_analysis::fit::{Clustering, Model};
use backrank_analysis::games::{Column, Material, ReplayedGame, Replayer, Sampling};
use backrank_analysis::setups::{SetupGames, SetupName, SetupOptions};
use backrank_analysis::simulate::{Simulation, TrueValue, Truth};
use backrank_analysis::stats::{Interval, elo};
use backrank_analysis::values::{RegressionOptions, Sample};
use backrank_enumerate::Space;
use backrank_rules::{Letter, Rules, Variant};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use statrs::distribution::{Binomial, DiscreteCDF};

/// By method, how many intervals covered the truth and how many there were.
pub type Coverage = BTreeMap<&'static str, [u64; 2]>;

pub fn count(counts: &mut Coverage, method: &'static str, interval: Interval, truth: f64) {
    let [covered, all] = counts.entry(method).or_default();
    *covered += u64::from(interval.contains(truth));
    *all += 1;
}

fn truth(draws: f64, setup_elo: f64) -> Truth {
    let values = [("P", 1.0), ("N", 3.0), ("B", 3.3), ("R", 5.0), ("M", 8.0), ("Q", 9.0), ("B+B", 0.5)];
    let value = |(piece, pawns): (&str, f64)| TrueValue { piece: piece.to_string(), pawns };
    Truth { values: values.map(value).to_vec(), pawn_elo: 60.0, white_elo: 25.0, draws, setup_elo }
}

/// A game of chess with ministers, ready to be simulated.
struct SimulatedVariant {
    rules: Rules,
    material: Material,
    space: Space,
}

impl SimulatedVariant {
    fn new() -> Self {
        let variant = Variant::find("pmrc").unwrap();
        let rules = Rules::new(&variant);
        let material = Material::of(&rules);
        Self { space: Space::new(&variant).unwrap(), material, rules }
    }

    /// Games of a study, each setup with so many of them.
    fn games(&self, truth: &Truth, setups: u64, of_each: u64, seed: u64) -> Vec<ReplayedGame> {
        let sampling = Sampling::default();
        let simulation = Simulation::new(&self.rules, &self.material, truth, None, sampling, seed).unwrap();
        let mut replayer = Replayer::new(&self.rules, &self.material, sampling);
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        let mut games = Vec::new();
        for setup in 0..setups {
            let id = chance.random_range(0..self.space.len());
            for game in 0..of_each {
                let record =
                    simulation.game(setup * of_each + game, id, &self.space.unrank(id).unwrap()).unwrap();
                let replayed = replayer.replay(&record).unwrap();
                games.extend(ReplayedGame::new(0, &record, replayed));
            }
        }
        games
    }
}

/// White's expected score under the model, at so many log-odds and with so many draws between equals.
fn score(eta: f64, draws: f64) -> f64 {
    score_of(eta, ((1.0 + draws) / (1.0 - draws)).ln())
}

/// What log-odds are worth in Elo where cut-points are `2 · half` apart.
pub fn elo_of(eta: f64, half: f64) -> f64 {
    elo(score_of(eta, half))
}

fn score_of(eta: f64, half: f64) -> f64 {
    let logistic = |t: f64| 1.0 / (1.0 + (-t).exp());
    0.5 * (logistic(eta - half) + logistic(eta + half))
}

/// The log-odds that are worth so much Elo between equals.
fn log_odds(value: f64, draws: f64) -> f64 {
    let (mut low, mut high) = (0.0, 100.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if elo(score(middle, draws)) < value { low = middle } else { high = middle }
    }
    low
}

fn regression(table: &SimulatedVariant, studies: u64) -> Coverage {
    let one = |seed: u64| {
        let mut counts = Coverage::new();
        regression_of(table, &mut counts, seed, Model::Ordered, Clustering::Game);
        regression_of(table, &mut counts, seed, Model::Decided, Clustering::Game);
        regression_of(table, &mut counts, seed, Model::Ordered, Clustering::Setup);
        counts
    };
    (0..studies).into_par_iter().map(one).reduce(Coverage::new, merged)
}

fn regression_of(
    table: &SimulatedVariant,
    counts: &mut Coverage,
    seed: u64,
    model: Model,
    clustering: Clustering,
) {
    let names = match (model, clustering) {
        (Model::Ordered, Clustering::Game) => {
            ["ordered, pawns, delta", "ordered, pawns, bootstrap", "ordered, Elo", "ordered, White's side"]
        }
        (Model::Decided, _) => {
            ["decided, pawns, delta", "decided, pawns, bootstrap", "decided, Elo", "decided, White's side"]
        }
        (_, Clustering::Setup) => ["by setup, pawns, delta", "by setup, pawns, bootstrap", "", ""],
    };
    // Setups that differ make the games of a setup correlated, which does not change ratios.
    let (draws, setup_elo, setups, of_each) = match (model, clustering) {
        (Model::Decided, _) => (0.0, 0.0, 2000, 1),
        (_, Clustering::Setup) => (0.3, 120.0, 300, 8),
        _ => (0.3, 0.0, 2000, 1),
    };
    let truth = truth(draws, setup_elo);
    let mut sample = Sample::new(&table.material, clustering);
    table.games(&truth, setups, of_each, seed).iter().for_each(|game| sample.add(game));
    let options = RegressionOptions { model, replicates: 200, seed, ..RegressionOptions::default() };
    let found = sample.values(options, &|_| ());
    assert_eq!(found.nothing, None);
    let unit = log_odds(60.0, draws);
    for piece in &found.pieces {
        let true_value =
            truth.values.iter().find(|value| value.piece == piece.piece.to_string()).unwrap().pawns;
        if piece.piece != Column::Piece(Letter::PAWN) {
            count(counts, names[0], piece.pawns.unwrap().interval, true_value);
            count(counts, names[1], piece.bootstrap.unwrap(), true_value);
        }
        if !names[2].is_empty() {
            let true_elo = elo(score(true_value * unit, draws));
            count(counts, names[2], piece.elo.unwrap().interval, true_elo);
        }
    }
    if !names[3].is_empty() {
        count(counts, names[3], found.white.unwrap().interval, 25.0);
    }
}

/// Setups of `pmrc` with true scores that a feature moves, and games from each.
fn setups(table: &SimulatedVariant, studies: u64) -> Coverage {
    let variant = table.rules.variant();
    let one = |seed: u64| {
        let mut counts = Coverage::new();
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        for differ in [false, true] {
            let mut games = SetupGames::default();
            let mut truths = Vec::new();
            for _ in 0..250 {
                let id = chance.random_range(0..table.space.len());
                let setup = table.space.unrank(id).unwrap();
                let corners = [setup.white.as_bytes()[0], setup.white.as_bytes()[8]];
                let corners = corners.iter().filter(|&&letter| letter == b'B').count() as f64;
                let mut own = || if differ { chance.random_range(-0.1..0.1) } else { 0.0 };
                let expected = 0.53 + own() + if differ { 0.03 * corners } else { 0.0 };
                let draws = 0.3;
                let mut results = [0; 3];
                for _ in 0..12 {
                    let drawn: f64 = chance.random();
                    // Points are shared out so that the expected score is exact.
                    let won = expected - 0.5 * draws;
                    results[if drawn < won {
                        0
                    } else if drawn < won + draws {
                        1
                    } else {
                        2
                    }] += 1;
                }
                let rank = setup.white.to_string();
                let name = SetupName { id, white: rank.clone(), black: rank };
                if truths.iter().any(|(other, _)| *other == id) {
                    continue;
                }
                truths.push((id, expected));
                games.add_results(&name, results);
            }
            let options = SetupOptions { permutations: 199, seed };
            let found = games.statistics(variant, options).unwrap();
            if !differ {
                let [covered, all] = counts.entry("setups, test of no difference").or_default();
                *covered += u64::from(found.dispersion.unwrap().p_value > 0.05);
                *all += 1;
                continue;
            }
            for setup in &found.setups {
                let true_score = truths.iter().find(|(id, _)| *id == setup.name.id).unwrap().1;
                count(&mut counts, "setups, Wilson", setup.score.interval, true_score);
                count(&mut counts, "setups, empirical Bayes", setup.shrunk.unwrap().interval, true_score);
            }
            for effect in found.features.effects.iter().filter(|effect| effect.effect.is_some()) {
                let expected = if effect.feature.starts_with("bishops in a corner") { 0.03 } else { 0.0 };
                count(&mut counts, "setups, features", effect.effect.unwrap().interval, expected);
            }
        }
        counts
    };
    (0..studies).into_par_iter().map(one).reduce(Coverage::new, merged)
}

pub fn merged(mut one: Coverage, other: Coverage) -> Coverage {
    for (method, [covered, all]) in other {
        let counts = one.entry(method).or_default();
        counts[0] += covered;
        counts[1] += all;
    }
    one
}

/// How many of a method's intervals are independent of each other.
///
/// Wilson's intervals of different setups come from different games. All others share
/// something within a study: the coefficient of the pawn, the games of a fit, or the prior that empirical Bayes estimates.
/// Such intervals of one study tend to be right or wrong together, and count as one.
fn independent(method: &str, studies: u64, all: u64) -> u64 {
    match method {
        "setups, Wilson" => all,
        "all pieces there, R=5"
        | "without four pawns, R=5"
        | "new pieces, the first, N=3.25"
        | "new pieces, the second and further ones, N=3.25"
        | "new pieces, a kind on neither side, N=3.25" => studies / 3,
        _ => studies,
    }
}

/// How far a method's own coverage may lie from 95 % before chance comes in. Wilson's interval covers 95 % only on the
/// average over scores: for as few games as a setup has, it is off by up to a hundredth (Brown, Cai and DasGupta, "Interval
/// Estimation for a Binomial Proportion", 2001), which tens of thousands of intervals show.
fn tolerance(method: &str) -> f64 {
    if method == "setups, Wilson" { 0.01 } else { 0.0 }
}

/// The shares between which 99.9 % of methods lie that cover 95 % of the time, give or take a tolerance: the quantiles of
/// the binomial distribution of so many independent intervals.
fn band(independent: u64, tolerance: f64) -> [f64; 2] {
    [(0.95 - tolerance, 0.0005), (0.95 + tolerance, 0.9995)].map(|(coverage, quantile)| {
        let covered = Binomial::new(coverage, independent).unwrap();
        covered.inverse_cdf(quantile) as f64 / independent as f64
    })
}

fn studies_or(usual: u64) -> u64 {
    std::env::var("BACKRANK_COVERAGE").map_or(usual, |studies| studies.parse().unwrap())
}

fn check(studies: u64) {
    let table = SimulatedVariant::new();
    let mut counts = regression(&table, studies);
    counts = merged(counts, network::coverage(studies));
    counts = merged(counts, setups(&table, studies));
    println!("{studies} studies\n");
    let mut wrong = Vec::new();
    for (method, [covered, all]) in counts {
        let share = covered as f64 / all as f64;
        let [low, high] = band(independent(method, studies, all), tolerance(method));
        let [share_text, low_text, high_text] =
            [share, low, high].map(|share| format!("{:5.1} %", 100.0 * share));
        println!("{method:<35} {share_text} of {all:>6}, band {low_text} to {high_text}");
        if !(low..=high).contains(&share) {
            wrong.push(method);
        }
    }
    assert!(wrong.is_empty(), "outside their bands: {wrong:?}");
}

#[test]
fn coverage_of_60_studies() {
    check(60);
}

#[test]
#[ignore = "takes some minutes; .ci/run runs it, and it prints the figures of METHODS.md"]
fn coverage_of_300_studies() {
    check(studies_or(300));
}

#[test]
#[ignore = "takes some minutes, and prints the figures of METHODS.md"]
fn coverage_of_imbalances() {
    let studies = studies_or(3000);
    println!("{studies} studies\n");
    for (method, [covered, all]) in network::of_worlds(studies) {
        let percent = 100.0 * covered as f64 / all as f64;
        println!("| {method} | {percent:.1} % | {all} |");
        assert!((92.0..=98.0).contains(&percent), "{method}: {percent:.1} %");
    }
}
