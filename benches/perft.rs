//! How fast legal moves are counted and generated. `cargo bench --bench perft`.
//!
//! `benches/against-fairy-stockfish.sh` measures the same against another engine.

use std::hint::black_box;

use backrank_enumerate::Space;
use backrank_rules::{Position, Rules, Variant};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// A game, a setup, and perft 4 and 5 from it without the Bishop Adjustment.
const STARTS: [(&str, &str, u64, u64); 4] = [
    ("modern", "RNBMKQBNR", 433_729, 13_403_293),
    ("chess8400", "NQRKMBNRB", 435_304, 13_428_176),
    ("chess960", "RNBQKBNR", 197_281, 4_865_609),
    ("capablanca84000", "RNABQKBCNR", 805_128, 28_741_319),
];

fn perft(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft 5");
    group.sample_size(10);
    for (key, rank, _, nodes) in STARTS {
        let variant = Variant::find(key).expect("a variant");
        let space = Space::new(&variant).expect("a space");
        let rules = Rules::new(&variant).without_adjustment();
        let setup = space.read(rank).expect("a setup");
        let position = Position::new(&rules, &setup).expect("a position");
        assert_eq!(position.perft(5), nodes, "{key}");
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(key, |b| b.iter(|| black_box(&position).perft(5)));
    }
    group.finish();
}

/// What a search does: generates the moves of a position and plays each, with its key.
fn generate_and_play(c: &mut Criterion) {
    let mut group = c.benchmark_group("moves generated and played");
    for (key, rank, nodes, _) in STARTS {
        let variant = Variant::find(key).expect("a variant");
        let space = Space::new(&variant).expect("a space");
        let rules = Rules::new(&variant).without_adjustment();
        let setup = space.read(rank).expect("a setup");
        let position = Position::new(&rules, &setup).expect("a position");
        assert_eq!(played(&position, 4), nodes, "{key}");
        group.throughput(Throughput::Elements(played(&position, 3)));
        group.bench_function(key, |b| b.iter(|| played(black_box(&position), 3)));
    }
    group.finish();
}

/// The positions after so many plies, each of them made.
fn played(position: &Position<'_>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    position
        .legal_moves()
        .into_iter()
        .map(|played_move| played(&position.after(played_move), depth - 1))
        .sum()
}

criterion_group!(benches, perft, generate_and_play);
criterion_main!(benches);
