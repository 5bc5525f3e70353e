//! Quick games of a game.

use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use backrank_analysis::checkup::QuickGames;
use backrank_enumerate::Space;
use backrank_rules::{Rules, Variant};
use backrank_selfplay::play::Run;
use backrank_selfplay::study::{SetupChoice, Study, StudySpec, StudyStarts};
use indicatif::{ProgressBar, ProgressStyle};

use crate::terminal::failure::Failure;
use crate::terminal::notes::show_bars;

/// Plays games from setups drawn at random, each once by the engine against itself, and keeps none of them.
pub fn play(
    variant: &Variant,
    rules: &Rules,
    space: &Space,
    games: u64,
    nodes: u64,
    threads: usize,
) -> Result<QuickGames, Failure> {
    let numbering = space.default_numbering().name();
    let mut spec = StudySpec::new(variant, SetupChoice::Random(games).into(), numbering, games);
    spec.limits.nodes = Some(nodes);
    let study = Study::new(spec)?;
    let run = Run {
        study: &study,
        rules,
        starts: &StudyStarts::of(&study, rules)?,
        tables: &OnceLock::new(),
        threads,
        timeout: Duration::from_secs(60),
        stop: &AtomicBool::new(false),
    };
    let bar = if show_bars() { ProgressBar::new(games) } else { ProgressBar::hidden() };
    let bar = bar.with_style(
        ProgressStyle::with_template("quick games {bar:40} {pos} of {len}").expect("a valid template"),
    );
    let mut quick = QuickGames::of_nodes(nodes);
    let played = run.play(0..games, |played| {
        quick.add(&played.record, rules)?;
        bar.inc(1);
        Ok::<_, String>(ControlFlow::Continue(()))
    });
    bar.finish_and_clear();
    played.map_err(|error| Failure::Other(error.to_string()))?;
    Ok(quick)
}
