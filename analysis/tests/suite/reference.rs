//! Our numbers beside those of scikit-learn and statsmodels on the same positions; `tests/reference/reference.py` made
//! them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use backrank_analysis::{
    Clustering, Difference, MAX_COLUMNS, Material, Model, RegressionOptions, RegressionValues, Replayed,
    ReplayedGame, Sample,
};
use backrank_rules::{GameResult, Rules, Side, Variant};
use serde_json::Value;

const RESULTS: [GameResult; 3] =
    [GameResult::Win(Side::Black), GameResult::Draw, GameResult::Win(Side::White)];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/reference")
}

fn reference() -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder().join("reference.json")).unwrap()).unwrap()
}

/// The games of positions.csv; of each only the first material where that is asked for.
fn games(only_first: bool) -> Vec<ReplayedGame> {
    let mut reader = csv::Reader::from_path(folder().join("positions.csv")).unwrap();
    let mut games: BTreeMap<u64, ReplayedGame> = BTreeMap::new();
    for row in reader.records() {
        let row = row.unwrap();
        let number = |column: usize| row[column].parse::<f64>().unwrap();
        let (white, black) = row[1].split_once('/').unwrap();
        let game = games.entry(number(0) as u64).or_insert_with(|| ReplayedGame {
            study: 0,
            setup: 0,
            white_rank: white.to_string(),
            black_rank: black.to_string(),
            odds: String::new(),
            swapped: false,
            result: RESULTS[number(2) as usize],
            termination: backrank_selfplay::Ending::Adjudication,
            plies: 0,
            identity: 0,
            source: None,
            replayed: Replayed::default(),
        });
        let mut difference: Difference = [0; MAX_COLUMNS];
        (4..row.len()).for_each(|column| difference[column - 4] = number(column) as i8);
        if !only_first || game.replayed.samples.is_empty() {
            // A share of the game's positions, in millionths.
            game.replayed.samples.push((difference, (1e6 * number(3)).round() as u32));
        }
    }
    games.into_values().collect()
}

fn values(games: &[ReplayedGame], model: Model, clustering: Clustering) -> RegressionValues {
    let material = Material::of(&Rules::new(&Variant::find("pmrc").unwrap()));
    let mut sample = Sample::new(&material, clustering);
    games.iter().for_each(|game| sample.add(game));
    sample.values(RegressionOptions { model, replicates: 0, seed: 0 }, &|_| ())
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// Three digits after the first that is not zero.
fn agree(ours: f64, theirs: f64, what: &str) {
    assert!((ours - theirs).abs() <= 5e-4 * theirs.abs().max(0.1), "{what}: {ours} and {theirs}");
}

#[test]
fn coefficients_and_clustered_errors_agree_with_reference() {
    let (reference, games) = (reference(), games(false));
    for (model, name) in [(Model::Ordered, "ordered"), (Model::Decided, "decided")] {
        let theirs = &reference[name];
        for (clustering, errors) in
            [(Clustering::Game, "errors_by_game"), (Clustering::Setup, "errors_by_setup")]
        {
            let ours = values(&games, model, clustering);
            let expected = numbers(&theirs["coefficients"]).into_iter().zip(numbers(&theirs[errors]));
            assert_eq!(expected.len(), ours.pieces.len());
            for (piece, (coefficient, error)) in ours.pieces.iter().zip(expected) {
                let log_odds = piece.log_odds.unwrap();
                let what = format!("{name}, {errors}, {}", piece.piece);
                agree(log_odds.value, coefficient, &what);
                let ours = (log_odds.interval.high - log_odds.interval.low) / 2.0 / 1.959_963_984_540_054;
                agree(ours, error, &what);
            }
        }
    }
}

#[test]
fn ordered_logit_agrees_with_reference_of_statsmodels() {
    let theirs = &reference()["ordered_first"];
    let ours = values(&games(true), Model::Ordered, Clustering::Game);
    let columns: Vec<&str> =
        theirs["columns"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    for (column, coefficient) in columns.into_iter().zip(numbers(&theirs["coefficients"])) {
        let piece = ours.pieces.iter().find(|piece| piece.piece.to_string() == column).unwrap();
        agree(piece.log_odds.unwrap().value, coefficient, column);
    }
}
