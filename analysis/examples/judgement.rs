//! How well do our ways of judging setups agree with an engine that is far stronger? A measure that does not depend on beating
//! anyone.
//!
//!     cargo run --release -p backrank-analysis --example judgement -- runs/atlas
//!     cargo run --release -p backrank-analysis --example judgement -- data/atlas/chess960 --games runs/games
//!
//! For each way of judging it prints the nodes that a setup takes and the correlation with White's scores in a table with the
//! columns `rank` (White's first rank) and `pawns`: by default `data/external/chess960-sf17.csv`, which `--table` replaces. Each
//! study after `--games` is another way of judging: White's score in its games.

use std::collections::HashMap;
use std::error::Error;
use std::path::{Path, PathBuf};

use backrank_analysis::games::{Sampling, Studies};
use backrank_analysis::setups::{SetupGames, SetupOptions};
use backrank_analysis::stats::correlation;
use backrank_selfplay::atlas::{AtlasDirectory, AtlasRow};
use backrank_selfplay::store::StoreError;
use serde::Deserialize;

/// A setup and its score in pawns, for White.
#[derive(Deserialize)]
struct Judged {
    rank: String,
    pawns: f64,
}

/// What the command line asks for.
struct Arguments {
    table: PathBuf,
    atlases: Vec<PathBuf>,
    studies: Vec<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = arguments();
    let mut table = csv::Reader::from_path(&arguments.table)?;
    let judged = table.deserialize().map(|row| row.map(|Judged { rank, pawns }| (rank, pawns)));
    let judged: HashMap<String, f64> = judged.collect::<Result<_, _>>()?;
    println!("{:<44} {:>7} {:>9}  r, 95 %", "way of judging", "setups", "nodes");
    for path in &arguments.atlases {
        let atlas = AtlasDirectory::read(path)?;
        let rows: Vec<AtlasRow> =
            AtlasDirectory::read_rows(path, &atlas)?.collect::<Result<_, StoreError>>()?;
        println!("{}", path.display());
        print_atlas(atlas.nodes, &rows, &judged);
    }
    for path in &arguments.studies {
        print_games(path, &judged)?;
    }
    Ok(())
}

fn arguments() -> Arguments {
    let table = PathBuf::from("data/external/chess960-sf17.csv");
    let mut found = Arguments { table, atlases: Vec::new(), studies: Vec::new() };
    let (mut arguments, mut are_games) = (std::env::args_os().skip(1), false);
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--table") => found.table = arguments.next().map_or_else(Default::default, PathBuf::from),
            Some("--games") => are_games = true,
            _ if are_games => found.studies.push(argument.into()),
            _ => found.atlases.push(argument.into()),
        }
    }
    found
}

/// Prints what the searches of an atlas give, each alone and together.
fn print_atlas(nodes: u64, rows: &[AtlasRow], judged: &HashMap<String, f64>) {
    let plain: HashMap<&str, f64> =
        rows.iter().map(|row| (row.white_rank.as_str(), row.score_cp.into())).collect();
    let score = |row: &AtlasRow| Some(f64::from(row.score_cp));
    let reflected = |row: &AtlasRow| {
        let reflection: String = row.white_rank.chars().rev().collect();
        Some(0.5 * (f64::from(row.score_cp) + plain.get(reflection.as_str())?))
    };
    let tell = |name: String, nodes: u64, of: &dyn Fn(&AtlasRow) -> Option<f64>| {
        let pairs: Vec<(f64, f64)> =
            rows.iter().filter_map(|row| Some((of(row)?, *judged.get(&row.white_rank)?))).collect();
        print_way(&name, nodes, &pairs);
    };
    tell("a quarter of the nodes".to_string(), nodes / 4, &|row| row.quarter_cp.map(f64::from));
    tell("search".to_string(), nodes, &score);
    tell("mean of the setup and its reflection".to_string(), 2 * nodes, &reflected);
    for moves in 2..=4 {
        tell(format!("mean of the {moves} best moves"), nodes, &|row| {
            mean(
                row.best_moves.split(' ').take(moves).filter_map(|best| best.split_once('/')?.1.parse().ok()),
            )
        });
    }
    let along = |row: &AtlasRow, plies: usize| {
        mean(row.line_scores.split(' ').take(plies).filter_map(|score| score.parse().ok()))
    };
    for plies in [2, 5, 10, 20] {
        let nodes = nodes + nodes / 10 * (plies as u64 - 1);
        tell(format!("mean of the line's first {plies} positions"), nodes, &|row| along(row, plies));
    }
    let line: HashMap<&str, f64> =
        rows.iter().filter_map(|row| Some((row.white_rank.as_str(), along(row, 10)?))).collect();
    tell("mean of 10 positions, and of the reflection".to_string(), 2 * (nodes + nodes / 10 * 9), &|row| {
        let reflection: String = row.white_rank.chars().rev().collect();
        Some(0.5 * (along(row, 10)? + line.get(reflection.as_str())?))
    });
}

/// Prints what games give: White's score from each setup, as it is and drawn towards the mean.
fn print_games(path: &Path, judged: &HashMap<String, f64>) -> Result<(), Box<dyn Error>> {
    let studies = Studies::open(&[path.to_path_buf()])?;
    let mut games = SetupGames::default();
    let read = studies.read(Sampling::default(), &mut |_| (), &mut |game| games.add(&game))?;
    let options = SetupOptions { permutations: 99, ..SetupOptions::default() };
    let found = games.statistics(studies.rules.variant(), options).ok_or("no game starts from a setup")?;
    let nodes =
        studies.studies[0].1.limits.nodes.unwrap_or(0) * read.plies / found.setups.len().max(1) as u64;
    println!("{}", path.display());
    let pairs =
        found.setups.iter().filter_map(|setup| Some((setup.score.value, *judged.get(&setup.name.white)?)));
    let each = read.different as f64 / found.setups.len() as f64;
    print_way(&format!("score in {each:.0} games"), nodes, &pairs.collect::<Vec<_>>());
    Ok(())
}

fn print_way(name: &str, nodes: u64, pairs: &[(f64, f64)]) {
    let found =
        correlation(pairs).map_or("none".to_string(), |r| format!("{:.3}, {:.3}", r.value, r.interval));
    println!("  {name:<42} {:>7} {nodes:>9}  {found}", pairs.len());
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let numbers: Vec<f64> = numbers.collect();
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}
