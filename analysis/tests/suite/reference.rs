//! Our numbers beside those of scikit-learn and statsmodels on the same positions and pairs; `tests/reference/reference.py`
//! and `tests/reference/imbalances.py` made them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use backrank_analysis::fit::{Clustering, Model};
use backrank_analysis::games::{Difference, MAX_COLUMNS, Material, Replay, ReplayedGame};
use backrank_analysis::stats::elo;
use backrank_analysis::values::{Imbalances, PairCounts, RegressionOptions, RegressionValues, Sample};
use backrank_rules::{GameResult, Rules, Side, Variant};
use serde_json::Value;

const RESULTS: [GameResult; 3] =
    [GameResult::Win(Side::Black), GameResult::Draw, GameResult::Win(Side::White)];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/reference")
}

fn reference(file: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder().join(file)).unwrap()).unwrap()
}

/// The games of positions.csv; of each only the first material where that is asked for.
fn games(only_first: bool) -> Vec<ReplayedGame> {
    let mut reader = csv::Reader::from_path(folder().join("positions.csv")).unwrap();
    let names: Vec<String> = pmrc().columns().iter().map(ToString::to_string).collect();
    let index = |heading: &str| names.iter().position(|name| name == heading).unwrap();
    let indices: Vec<usize> = reader.headers().unwrap().iter().skip(4).map(index).collect();
    let mut games: BTreeMap<u64, ReplayedGame> = BTreeMap::new();
    for row in reader.records() {
        let row = row.unwrap();
        let number = |column: usize| row[column].parse::<f64>().unwrap();
        let (white, black) = row[1].split_once('/').unwrap();
        let game = games.entry(number(0) as u64).or_insert_with(|| ReplayedGame {
            study: 0,
            game: 0,
            setup: 0,
            white_rank: white.to_string(),
            black_rank: black.to_string(),
            odds: String::new(),
            result: RESULTS[number(2) as usize],
            termination: backrank_selfplay::study::Ending::Adjudication,
            plies: 0,
            at_ply: None,
            rating_difference: None,
            replayed: Replay::default(),
        });
        let mut difference: Difference = [0; MAX_COLUMNS];
        (4..row.len()).for_each(|column| difference[indices[column - 4]] = number(column) as i8);
        if !only_first || game.replayed.samples.is_empty() {
            // A share of the game's positions, in millionths.
            game.replayed.samples.push((difference, (1e6 * number(3)).round() as u32));
        }
    }
    games.into_values().collect()
}

fn pmrc() -> Material {
    Material::of(&Rules::new(&Variant::find("pmrc").unwrap()))
}

fn values(games: &[ReplayedGame], model: Model, clustering: Clustering) -> RegressionValues {
    let mut sample = Sample::new(&pmrc(), clustering);
    games.iter().for_each(|game| sample.add(game));
    sample.values(RegressionOptions { model, replicates: 0, ..RegressionOptions::default() }, &|_| ())
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

fn names(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

/// Three digits after the first that is not zero.
fn agree(ours: f64, theirs: f64, what: &str) {
    assert!((ours - theirs).abs() <= 5e-4 * theirs.abs().max(0.1), "{what}: {ours} and {theirs}");
}

#[test]
fn coefficients_and_clustered_errors_agree_with_reference() {
    let (reference, games) = (reference("reference.json"), games(false));
    for (model, name) in [(Model::Ordered, "ordered"), (Model::Decided, "decided")] {
        let theirs = &reference[name];
        for (clustering, errors) in
            [(Clustering::Game, "errors_by_game"), (Clustering::Setup, "errors_by_setup")]
        {
            let ours = values(&games, model, clustering);
            let expected = numbers(&theirs["coefficients"]).into_iter().zip(numbers(&theirs[errors]));
            assert_eq!(expected.len(), ours.pieces.len());
            for (name, (coefficient, error)) in names(&reference["columns"]).into_iter().zip(expected) {
                let piece = ours.pieces.iter().find(|piece| piece.piece.to_string() == name).unwrap();
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
    let reference = reference("reference.json");
    let theirs = &reference["ordered_first"];
    let ours = values(&games(true), Model::Ordered, Clustering::Game);
    for (column, coefficient) in names(&theirs["columns"]).into_iter().zip(numbers(&theirs["coefficients"])) {
        let piece = ours.pieces.iter().find(|piece| piece.piece.to_string() == column).unwrap();
        agree(piece.log_odds.unwrap().value, coefficient, column);
    }
}

#[test]
fn the_network_agrees_with_an_independent_fit() {
    let mut pairs: BTreeMap<String, PairCounts> = BTreeMap::new();
    for row in csv::Reader::from_path(folder().join("imbalances.csv")).unwrap().records() {
        let row = row.unwrap();
        let number = |column: usize| row[column].parse::<u64>().unwrap();
        pairs.entry(row[0].to_string()).or_default()[number(1) as usize][number(2) as usize] = number(3);
    }
    let mut games = Imbalances::new(&pmrc());
    pairs.iter().for_each(|(odds, pairs)| games.add_pairs(&odds.parse().unwrap(), *pairs));
    let ours = games.values("R=5".parse().unwrap());
    let reference = reference("imbalances.json");
    let theirs = &reference["mixed"];
    let half = theirs["half"].as_f64().unwrap();
    let in_elo = |eta: f64| {
        let logistic = |t: f64| 1.0 / (1.0 + (-t).exp());
        elo(0.5 * (logistic(eta - half) + logistic(eta + half)))
    };
    for (index, name) in names(&reference["kinds"]).into_iter().enumerate() {
        let piece = ours.pieces.iter().find(|piece| piece.piece.to_string() == name).unwrap();
        let value = piece.value.unwrap();
        agree(value.value, numbers(&theirs["values"])[index], name);
        let interval = numbers(&theirs["intervals"][index]);
        // An end is a value and two and a half errors: each of them to three digits.
        assert!((value.interval.low - interval[0]).abs() < 0.005, "{name}: {value:?}, {interval:?}");
        assert!((value.interval.high - interval[1]).abs() < 0.005, "{name}: {value:?}, {interval:?}");
        agree(piece.elo.unwrap().value, in_elo(numbers(&theirs["coefficients"])[index]), name);
    }
    agree(ours.white.unwrap().value, in_elo(theirs["white"].as_f64().unwrap()), "White");
    let deviation = (ours.deviation.unwrap(), in_elo(theirs["deviation"].as_f64().unwrap()));
    // The likelihood is flat where it is largest.
    assert!((deviation.0 - deviation.1).abs() < 0.2, "{deviation:?}");
    let (test, theirs) = (ours.additive.unwrap(), &reference["additive"]);
    agree(test.chi_square, theirs["chi_square"].as_f64().unwrap(), "chi square");
    agree(test.p_value, theirs["p_value"].as_f64().unwrap(), "p");
}
