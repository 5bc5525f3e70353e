//! How fast setups are counted, numbered and listed. `cargo bench --bench enumerate`.

use std::hint::black_box;
use std::process::Command;
use std::time::Duration;

use backrank_enumerate::{BruteForce, Space};
use backrank_rules::Variant;
use criterion::{Criterion, criterion_group, criterion_main};

fn space(name: &str) -> Space {
    Space::new(&Variant::find(name).expect("a variant")).expect("a space")
}

fn numbering(c: &mut Criterion) {
    for key in ["pmrc", "chess960"] {
        let space = space(key);
        let all = space.len();
        c.bench_function(&format!("{key}: the whole space unranked, one thread"), |b| {
            b.iter(|| {
                space.iter().for_each(|setup| {
                    black_box(setup);
                });
            });
        });
        // Ids far apart one after the other, as lookups come.
        let mut id = 0;
        let mut next = move || {
            id = (id + 7919) % all;
            id
        };
        c.bench_function(&format!("{key}: one unrank"), |b| b.iter(|| space.unrank(black_box(next()))));
        let setups: Vec<_> = space.iter().collect();
        c.bench_function(&format!("{key}: one rank"), |b| {
            b.iter(|| space.rank(black_box(&setups[next() as usize])));
        });
        let text = setups[next() as usize].white.to_string();
        c.bench_function(&format!("{key}: an id there and back, from text"), |b| {
            b.iter(|| {
                let setup = space.read(black_box(&text)).expect("a setup");
                space.unrank(space.rank(&setup).expect("in the space")).expect("an id").white.to_string()
            });
        });
    }
}

fn spaces(c: &mut Criterion) {
    for key in ["pmrc", "capablanca-random"] {
        let variant = Variant::find(key).expect("a variant");
        c.bench_function(&format!("{key}: a space from its variant"), |b| {
            b.iter(|| Space::new(black_box(&variant)));
        });
    }
}

fn whole(c: &mut Criterion) {
    let mut group = c.benchmark_group("whole");
    group.sample_size(10).measurement_time(Duration::from_secs(15));
    let variant = Variant::find(concat!(env!("CARGO_MANIFEST_DIR"), "/benches/twelve.toml"));
    let variant = variant.expect("a variant");
    let twelve = BruteForce::new(&variant, &[]).expect("a space");
    assert_eq!(twelve.arrangements(), 29_937_600);
    assert_eq!(twelve.count(&|_| ()), Space::new(&variant).expect("a space").len());
    group.bench_function("brute force of 29,937,600 arrangements, all cores", |b| {
        b.iter(|| twelve.count(&|_| ()));
    });
    let folder = tempfile::tempdir().expect("a folder for the list");
    group.bench_function("list transcendental, 8,294,400 rows of CSV to a file", |b| {
        b.iter(|| {
            let status = Command::new(env!("CARGO_BIN_EXE_backrank"))
                .args(["list", "transcendental", "-o"])
                .arg(folder.path().join("list.csv"))
                .status();
            assert!(status.expect("the binary runs").success());
        });
    });
    group.finish();
}

criterion_group!(benches, numbering, spaces, whole);
criterion_main!(benches);
