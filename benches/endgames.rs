//! How fast endgame tables are made and looked up. `cargo bench --bench endgames`.

use std::hint::black_box;

use backrank_endgames::{Endgame, EndgameTables};
use backrank_rules::{Position, Rules, Variant};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn rules(key: &str) -> Rules {
    Rules::new(&Variant::find(key).expect("a variant"))
}

/// What an engine does before it plays.
fn at_hand(c: &mut Criterion) {
    type Make = fn(&Rules) -> EndgameTables;
    let makes: [(&str, Make); 2] =
        [("all tables of three men", EndgameTables::three_men), ("tables for play", EndgameTables::for_play)];
    for (name, make) in makes {
        let mut group = c.benchmark_group(name);
        group.sample_size(10);
        for key in ["chess", "pmrc", "mmcc"] {
            let rules = rules(key);
            group.bench_function(key, |b| b.iter(|| make(black_box(&rules))));
        }
        group.finish();
    }
}

/// Four men without pawns on 81 squares, with all that captures lead to.
fn four_men(c: &mut Criterion) {
    let mut group = c.benchmark_group("a table of four men");
    group.sample_size(10);
    let rules = rules("pmrc");
    for text in ["KBNvK", "KMvKR"] {
        let endgame = Endgame::parse(text, &rules).expect("an endgame");
        let make =
            || EndgameTables::build(&rules, std::slice::from_ref(black_box(&endgame)), 400 << 20, |_| ());
        group.bench_function(format!("pmrc {text}"), |b| b.iter(|| make().expect("less than 400 MiB")));
    }
    group.finish();
}

/// What a search does in a position with few men, and in one with many.
fn probe(c: &mut Criterion) {
    let rules = rules("pmrc");
    let tables = EndgameTables::for_play(&rules);
    let mut group = c.benchmark_group("probe");
    group.throughput(Throughput::Elements(1));
    for (name, fen, is_there) in [
        ("three men", "9/9/9/9/9/9/9/2k6/K5M2 w - - 0 1", true),
        ("three men, sides swapped", "9/9/9/9/9/9/9/2K6/k5m2 b - - 0 1", true),
        ("two pieces against a bare king", "9/9/9/9/9/9/9/2k6/K3B3N w - - 0 1", true),
        ("two pieces against a bare king to move", "9/9/9/9/4k4/9/9/9/K3B3N b - - 0 1", true),
        ("four men", "9/9/9/9/9/9/9/2k5r/K5M2 w - - 0 1", false),
    ] {
        let position = Position::from_fen(&rules, fen).expect("a position");
        assert_eq!(tables.probe(&position).is_some(), is_there, "{name}");
        group.bench_function(name, |b| b.iter(|| tables.probe(black_box(&position))));
    }
    group.finish();
}

criterion_group!(benches, at_hand, four_men, probe);
criterion_main!(benches);
