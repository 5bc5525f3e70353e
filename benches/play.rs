//! How fast studies are played, and what a game takes beside the search. `cargo bench --bench play`.
//!
//! `benches/against-peers.sh` measures the same against other programs.

use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use backrank_rules::{Rules, Variant};
use backrank_selfplay::play::{Recorder, Run};
use backrank_selfplay::player::PlayerSpec;
use backrank_selfplay::study::{MoveLimits, SetupChoice, Study, StudyDirectory, StudySpec, StudyStarts};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// What games take.
#[derive(Clone, Copy, Default)]
struct Taken {
    whole: Duration,
    /// In the players' searches alone.
    search: Duration,
}

/// A study of setups drawn at random, with 1,000 nodes for each move.
fn study(variant: &Variant, games: u64) -> Study {
    let player = PlayerSpec { hash: 1, ..PlayerSpec::default() };
    let starts = SetupChoice::Random(games).into();
    let spec = StudySpec {
        seed: 1,
        limits: MoveLimits { nodes: Some(1000), ..MoveLimits::default() },
        white: player.clone(),
        black: player,
        ..StudySpec::new(variant, starts, "lex", games)
    };
    Study::new(spec).expect("a study")
}

/// Plays so many games into a directory, as `backrank play` does.
fn play(variant: &Variant, games: u64, threads: usize) -> Taken {
    let rules = Rules::new(variant);
    let study = study(variant, games);
    let starts = StudyStarts::of(&study, &rules).expect("setups");
    let stop = AtomicBool::new(false);
    let timeout = Duration::from_secs(1);
    let tables = &OnceLock::new();
    let run = Run { study: &study, rules: &rules, starts: &starts, tables, threads, timeout, stop: &stop };
    let folder = tempfile::tempdir().expect("a folder");
    let start = Instant::now();
    let directory = StudyDirectory::create(folder.path(), &study).expect("a study");
    let mut recorder = Recorder::resume(directory, &run).expect("an empty study");
    run.play(0..games, |played| recorder.add(&played)).expect("all games are played");
    let search = recorder.work().iter().map(|work| work.time).sum();
    Taken { whole: start.elapsed(), search }
}

fn speed(c: &mut Criterion) {
    const GAMES: u64 = 20;
    let chess960 = Variant::find("chess960").expect("a variant");
    let mut group = c.benchmark_group("chess960 at 1,000 nodes a move");
    group.sample_size(10).measurement_time(Duration::from_secs(15));
    group.throughput(Throughput::Elements(GAMES));
    for threads in [1, 2] {
        let name = format!("{GAMES} games, threads: {threads}");
        group.bench_function(name, |b| b.iter(|| play(&chess960, GAMES, threads).whole));
    }
    group.finish();
}

/// One thread: with more, what one waits for the processor would count as the other's search.
fn overhead(c: &mut Criterion) {
    let chess960 = Variant::find("chess960").expect("a variant");
    let mut group = c.benchmark_group("a game of chess960, beside the search");
    group.sample_size(10).measurement_time(Duration::from_secs(20));
    let mut sum = Taken::default();
    group.bench_function("opening, rules, recording", |b| {
        b.iter_custom(|games| {
            let taken = play(&chess960, games, 1);
            sum.whole += taken.whole;
            sum.search += taken.search;
            taken.whole.saturating_sub(taken.search)
        });
    });
    group.finish();
    let share = 100.0 * (1.0 - sum.search.as_secs_f64() / sum.whole.as_secs_f64());
    println!("beside the search: {share:.1} % of the time of all games");
}

criterion_group!(benches, speed, overhead);
criterion_main!(benches);
