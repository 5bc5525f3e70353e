//! What values are given, and where there are none.

use backrank_analysis::{
    Clustering, Column, Difference, Interval, MAX_COLUMNS, Material, Model, OddsMatches, RegressionOptions,
    RegressionValues, Replayed, ReplayedGame, Sample,
};
use backrank_rules::{GameResult, Rules, Side, Variant};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const RESULTS: [GameResult; 3] =
    [GameResult::Win(Side::Black), GameResult::Draw, GameResult::Win(Side::White)];

fn chess() -> Material {
    Material::of(&Rules::new(&Variant::find("chess").unwrap()))
}

/// A game of which just the material of its positions and its outcome matter.
fn game(number: u64, samples: Vec<(Difference, u32)>, outcome: usize) -> ReplayedGame {
    ReplayedGame {
        study: 0,
        setup: u128::from(number / 2),
        white_rank: format!("RANK{}", number / 2),
        black_rank: String::new(),
        odds: String::new(),
        swapped: false,
        result: RESULTS[outcome],
        termination: backrank_selfplay::Ending::Adjudication,
        plies: 40,
        identity: u128::from(number),
        source: None,
        replayed: Replayed { samples, ..Replayed::default() },
    }
}

fn difference(columns: &[(usize, i8)]) -> Difference {
    let mut difference = [0; MAX_COLUMNS];
    columns.iter().for_each(|&(column, number)| difference[column] = number);
    difference
}

fn values(games: &[ReplayedGame], model: Model) -> RegressionValues {
    let mut sample = Sample::new(&chess(), Clustering::Game);
    games.iter().for_each(|game| sample.add(game));
    sample.values(RegressionOptions { model, replicates: 100, seed: 1 }, &|_| ())
}

/// Games whose outcome goes with one column, and in which another never differs.
fn ordinary(games: u64) -> Vec<ReplayedGame> {
    let mut chance = ChaCha8Rng::seed_from_u64(5);
    (0..games)
        .map(|number| {
            let pawns: i8 = chance.random_range(-2..=2);
            let knights: i8 = chance.random_range(-1..=1);
            let eta = 0.4 * f64::from(pawns) + 1.2 * f64::from(knights);
            let lot: f64 = chance.random();
            let win = 1.0 / (1.0 + (0.6 - eta).exp());
            let loss = 1.0 / (1.0 + (0.6 + eta).exp());
            let outcome = if lot < win {
                2
            } else if lot < win + loss {
                0
            } else {
                1
            };
            game(number, vec![(difference(&[(0, pawns), (2, knights)]), 3)], outcome)
        })
        .collect()
}

#[test]
fn a_piece_that_never_differs_has_no_value() {
    let found = values(&ordinary(1500), Model::Ordered);
    let queen = found.pieces.iter().find(|piece| piece.piece == Column::Piece(b'Q')).unwrap();
    assert_eq!((queen.games, queen.pawns), (0, None));
    assert_eq!(queen.note.as_deref(), Some("the sides never differ in it"));
    let knight = found.pieces.iter().find(|piece| piece.piece == Column::Piece(b'N')).unwrap();
    assert!(knight.pawns.unwrap().interval.contains(3.0), "{knight:?}");
    assert!(knight.bootstrap.unwrap().contains(3.0), "{knight:?}");
}

#[test]
fn without_replicates_the_interval_is_that_of_the_delta_method() {
    let mut sample = Sample::new(&chess(), Clustering::Game);
    ordinary(1500).iter().for_each(|game| sample.add(game));
    let with =
        |replicates| sample.values(RegressionOptions { model: Model::Ordered, replicates, seed: 1 }, &|_| ());
    let (none, few) = (with(0), with(20));
    let knight = none.pieces[2].pawns.unwrap();
    assert!(knight.interval.is_finite() && none.pieces[2].bootstrap.is_none());
    assert_eq!(none.rows()[2].pawns, Some(knight));
    assert!(!few.pieces[2].bootstrap.unwrap().is_finite());
    // The pawn is the unit, however few replicates there are.
    assert_eq!(few.rows()[0].pawns.unwrap().interval, Interval { low: 1.0, high: 1.0 });
}

#[test]
fn pieces_that_differ_together_only_are_not_told_apart() {
    let mut games = ordinary(600);
    for game in &mut games {
        let knights = game.replayed.samples[0].0[2];
        game.replayed.samples[0].0[4] = 2 * knights;
    }
    let found = values(&games, Model::Ordered);
    let notes: Vec<_> = found.pieces.iter().filter_map(|piece| piece.note.as_deref()).collect();
    assert!(notes.contains(&"the sides differ in it only together with other pieces"), "{notes:?}");
    assert!(found.pieces[0].elo.is_some());
}

#[test]
fn separation_is_found_and_the_others_keep_their_values() {
    let without = values(&ordinary(1500), Model::Ordered);
    let mut games = ordinary(1500);
    for number in 0..60 {
        // Whoever is a queen ahead wins.
        let white = number % 2 == 0;
        let queen = difference(&[(3, if white { 1 } else { -1 }), (0, (number % 3) as i8 - 1)]);
        games.push(game(5000 + number, vec![(queen, 2)], if white { 2 } else { 0 }));
    }
    let found = values(&games, Model::Ordered);
    let queen = &found.pieces[3];
    assert!(queen.note.as_deref().unwrap().starts_with("separated"), "{queen:?}");
    assert_eq!(queen.log_odds.unwrap().value, f64::INFINITY);
    assert!(!queen.log_odds.unwrap().interval.is_finite() && queen.pawns.is_none());
    let knight = |found: &RegressionValues| found.pieces[2].log_odds.unwrap();
    assert!((knight(&found).value - knight(&without).value).abs() < 0.02);
}

#[test]
fn a_pawn_that_cannot_be_told_from_nothing_bounds_no_ratio() {
    let mut games = ordinary(300);
    let mut chance = ChaCha8Rng::seed_from_u64(9);
    for game in &mut games {
        game.replayed.samples[0].0[0] = chance.random_range(-1..=1);
    }
    let found = values(&games, Model::Ordered);
    let knight = found.pieces[2].pawns.unwrap();
    assert_eq!(format!("{}", knight.interval), "−∞ to ∞");
    assert!(!found.pieces[2].bootstrap.unwrap().is_finite());
    assert!(found.pieces[2].elo.unwrap().interval.is_finite());
}

#[test]
fn nothing_to_go_by_is_said() {
    let none = values(&[], Model::Ordered);
    assert_eq!(none.nothing.as_deref(), Some("there are no quiet positions"));
    let white_always: Vec<ReplayedGame> =
        (0..20).map(|number| game(number, vec![(difference(&[(0, 1)]), 1)], 2)).collect();
    assert_eq!(values(&white_always, Model::Ordered).nothing.as_deref(), Some("not all results occur"));
    let one = values(&[game(0, vec![(difference(&[(0, 1)]), 1)], 2)], Model::Decided);
    assert!(one.nothing.is_some());
}

#[test]
fn without_draws_the_ordered_model_is_the_plain_one() {
    let decided: Vec<ReplayedGame> =
        ordinary(900).into_iter().filter(|game| game.result != GameResult::Draw).collect();
    let [ordered, plain] = [Model::Ordered, Model::Decided].map(|model| values(&decided, model));
    assert_eq!(ordered.model, Model::Decided);
    assert_eq!(ordered.pieces[2].log_odds, plain.pieces[2].log_odds);
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let games = ordinary(400);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| format!("{:?}", values(&games, Model::Ordered)))
    };
    assert_eq!(with(1), with(3));
}

/// A match of pairs, from the half points of the side that has the first.
fn odds(matches: &[(&str, [u64; 5])]) -> backrank_analysis::OddsValues {
    let mut gathered = OddsMatches::default();
    matches.iter().for_each(|(odds, pairs)| gathered.add_pairs(&odds.parse().unwrap(), *pairs));
    gathered.values()
}

#[test]
fn odds_are_in_pawns_where_there_is_a_match_at_a_pawn() {
    let pawn = ("P:-", [30, 50, 120, 60, 50]);
    let knight = ("N:-", [5, 10, 60, 60, 175]);
    let found = odds(&[pawn, knight]);
    let [knight_found, pawn_found] = [&found.matches[0], &found.matches[1]];
    assert_eq!((knight_found.first.as_str(), pawn_found.first.as_str()), ("N", "P"));
    let ratio = knight_found.pawns.unwrap();
    assert!((ratio.value - knight_found.elo.value / pawn_found.elo.value).abs() < 1e-12);
    assert!(ratio.interval.contains(ratio.value));
    assert_eq!(pawn_found.pawns.unwrap().value, 1.0);
    // With as many matches as pieces the sum of worth is each match.
    let piece = found.pieces.iter().find(|piece| piece.piece == Column::Piece(b'N')).unwrap();
    assert!((piece.elo.unwrap().value - knight_found.elo.value).abs() < 1e-9);
    assert_eq!(found.additive, None);
    assert_eq!(odds(&[knight]).matches[0].pawns, None);
}

#[test]
fn a_game_without_the_other_of_its_pair_is_left_out_and_the_next_pairs_stay_together() {
    let mut gathered = OddsMatches::default();
    // Of the second pair the first game is missing, of the fourth the second; the side that has the knight wins one pair
    // of the others both times, and loses the other.
    for (number, swapped, outcome) in [
        (0, false, 0),
        (0, true, 2),
        (1, true, 2),
        (2, false, 2),
        (2, true, 0),
        (3, false, 2),
        (4, false, 0),
        (4, true, 2),
    ] {
        let odds = if swapped { "-:N" } else { "N:-" }.to_string();
        gathered.add(&ReplayedGame { setup: 7, odds, swapped, ..game(number, Vec::new(), outcome) });
    }
    let found = gathered.values();
    assert_eq!((found.matches[0].pairs, found.unpaired), ([1, 0, 0, 0, 2], 2));
}

#[test]
fn a_clean_sweep_has_no_upper_bound() {
    let found = odds(&[("Q:-", [0, 0, 0, 0, 40]), ("P:-", [30, 50, 120, 60, 50])]);
    let queen = found.matches.iter().find(|found| found.first == "Q").unwrap();
    assert_eq!(queen.elo.value, f64::INFINITY);
    assert!(queen.elo.interval.low > 300.0 && queen.elo.interval.high == f64::INFINITY);
    assert!(!queen.pawns.unwrap().interval.is_finite());
    let piece = found.pieces.iter().find(|piece| piece.piece == Column::Piece(b'Q')).unwrap();
    assert!(piece.elo.is_none() && piece.note.is_some());
}

#[test]
fn pieces_that_no_chain_joins_to_nothing_have_no_value_of_their_own() {
    let found = odds(&[("P:-", [30, 50, 120, 60, 50]), ("M:Q", [60, 50, 120, 40, 40])]);
    for letter in [b'M', b'Q'] {
        let piece = found.pieces.iter().find(|piece| piece.piece == Column::Piece(letter)).unwrap();
        assert!(piece.elo.is_none() && piece.note.as_deref().unwrap().contains("no chain"), "{piece:?}");
    }
    assert!(found.matches[0].pawns.unwrap().value < 0.0, "the minister is worth less than the queen");
}
