//! How fast piece values are found. `cargo bench --bench values`.
//!
//! A million quiet positions fitted with 200 replicates of the cluster bootstrap, games replayed by the rules on one thread,
//! and a network of imbalances fitted and planned. Games are made up, for speed does not depend on who played them; each has as many materials as a played one.

use std::hint::black_box;
use std::sync::LazyLock;

use backrank_analysis::fit::Clustering;
use backrank_analysis::games::{Difference, MAX_COLUMNS, Material, Replay, ReplayedGame, Replayer, Sampling};
use backrank_analysis::planner::Planner;
use backrank_analysis::simulate::{Simulation, TrueValue, Truth};
use backrank_analysis::values::{Imbalances, RegressionOptions, Sample, Unit};
use backrank_enumerate::Space;
use backrank_rules::{GameResult, Rules, Side, Variant};
use backrank_selfplay::study::{Ending, GameRecord};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

static RULES: LazyLock<Rules> = LazyLock::new(|| Rules::new(&Variant::find("pmrc").expect("a variant")));

/// Quiet positions of a game, and materials among them.
const POSITIONS: u32 = 40;
const MATERIALS: usize = 10;

/// A game whose material wanders as pieces are exchanged and lost, and whose result follows where it ends.
fn game(number: u64, chance: &mut ChaCha8Rng) -> ReplayedGame {
    let worth = [0.35, 3.1, 2.8, 1.7, 1.15, 1.0, 0.15];
    let mut difference: Difference = [0; MAX_COLUMNS];
    let mut samples = Vec::new();
    for _ in 0..MATERIALS {
        // Pawns and light pieces come and go more often than a queen.
        let column = [0, 0, 0, 0, 1, 2, 3, 4, 4, 5, 5, 6][chance.random_range(0..12_usize)];
        let most = [4, 1, 1, 2, 2, 2, 1][column];
        difference[column] = (difference[column] + if chance.random() { 1 } else { -1 }).clamp(-most, most);
        match samples.iter_mut().find(|(other, _)| *other == difference) {
            Some((_, times)) => *times += POSITIONS / MATERIALS as u32,
            None => samples.push((difference, POSITIONS / MATERIALS as u32)),
        }
    }
    let eta: f64 = 0.1 + worth.iter().zip(difference).map(|(beta, x)| beta * f64::from(x)).sum::<f64>();
    let lot: f64 = chance.random();
    let logistic = |t: f64| 1.0 / (1.0 + (-t).exp());
    let result = if lot < logistic(eta - 0.6) {
        GameResult::Win(Side::White)
    } else if lot > 1.0 - logistic(-eta - 0.6) {
        GameResult::Win(Side::Black)
    } else {
        GameResult::Draw
    };
    ReplayedGame {
        study: 0,
        game: number,
        setup: 0,
        white_rank: String::new(),
        black_rank: String::new(),
        odds: String::new(),
        result,
        termination: Ending::Adjudication,
        plies: 80,
        at_ply: None,
        rating_difference: None,
        replayed: Replay { samples, ..Replay::default() },
    }
}

fn fit(c: &mut Criterion) {
    let mut sample = Sample::new(&Material::of(&RULES), Clustering::Game);
    let mut chance = ChaCha8Rng::seed_from_u64(1);
    for number in 0..1_000_000 / u64::from(POSITIONS) {
        sample.add(&game(number, &mut chance));
    }
    assert_eq!(sample.positions(), 1_000_000);
    let options = RegressionOptions { replicates: 200, ..RegressionOptions::default() };
    let mut group = c.benchmark_group("a million positions fitted");
    group.sample_size(10);
    group.throughput(Throughput::Elements(sample.positions()));
    group.bench_function("200 replicates", |b| b.iter(|| black_box(sample.values(options, &|_| ()))));
    group.finish();
}

/// Games of a few hundred plies in all.
fn records() -> Vec<GameRecord> {
    let material = Material::of(&RULES);
    let values = material.columns().iter().map(|column| TrueValue { piece: column.to_string(), pawns: 1.0 });
    let truth =
        Truth { values: values.collect(), pawn_elo: 60.0, white_elo: 20.0, draws: 0.3, setup_elo: 0.0 };
    let sampling = Sampling::default();
    let simulation = Simulation::new(&RULES, &material, &truth, None, sampling, 1).expect("it is a truth");
    let space = Space::new(RULES.variant()).expect("a space");
    (0..200)
        .map(|number| {
            let id = u128::from(number * 75);
            let setup = space.unrank(id).expect("a setup");
            simulation.game(number, id, &setup).expect("a game that is quiet long enough")
        })
        .collect()
}

fn replay(c: &mut Criterion) {
    let records = records();
    let material = Material::of(&RULES);
    let mut replayer = Replayer::new(&RULES, &material, Sampling::default());
    let plies: u64 = records.iter().map(|record| u64::from(record.plies)).sum();
    let mut group = c.benchmark_group("games replayed and sampled, one thread");
    group.throughput(Throughput::Elements(plies));
    group.bench_function("plies", |b| {
        b.iter(|| records.iter().for_each(|record| drop(black_box(replayer.replay(record).expect("legal")))));
    });
    group.finish();
}

/// A slice of a study's time, planned: 32 imbalances fitted, and the next chosen among all.
fn plan(c: &mut Criterion) {
    let material = Material::of(&RULES);
    let planner = Planner::new(&RULES, &material);
    let unit = Unit::usual(RULES.variant());
    let mut known = Imbalances::new(&material);
    let mut plan = planner.plan(&known, unit);
    let chosen: Vec<usize> = (0..32).map(|_| plan.next(40).expect("a candidate")).collect();
    for (number, candidate) in chosen.into_iter().enumerate() {
        let number = number as u64;
        known.add_pairs(
            &planner.candidates()[candidate],
            [[4, 2, 5 + number % 4], [2, 6, 3], [5, 2 + number % 3, 9]],
        );
    }
    let mut group = c.benchmark_group("imbalances");
    group.bench_function("values of 32", |b| b.iter(|| black_box(known.values(unit))));
    group.bench_function("a slice planned", |b| b.iter(|| black_box(planner.plan(&known, unit).next(40))));
    group.finish();
}

criterion_group!(benches, fit, replay, plan);
criterion_main!(benches);
