//! What values are given, and where there are none.

use backrank_analysis::fit::{Clustering, Model};
use backrank_analysis::games::{Column, Difference, MAX_COLUMNS, Material, Replay, ReplayedGame};
use backrank_analysis::stats::{Estimate, Interval};
use backrank_analysis::values::{
    ImbalancePiece, ImbalanceValues, Imbalances, Interactions, PairCounts, PairValue, RegressionOptions,
    RegressionValues, Sample, Unit, ValueBesideOthers,
};
use backrank_rules::{GameResult, Letter, Rules, Side, Variant};
use backrank_selfplay::study::Odds;
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
        game: number,
        setup: u128::from(number / 2),
        white_rank: format!("RANK{}", number / 2),
        black_rank: String::new(),
        odds: String::new(),
        result: RESULTS[outcome],
        termination: backrank_selfplay::study::Ending::Adjudication,
        plies: 40,
        at_ply: None,
        rating_difference: None,
        replayed: Replay { samples, ..Replay::default() },
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
    sample.values(
        RegressionOptions { model, replicates: 100, seed: 1, ..RegressionOptions::default() },
        &|_| (),
    )
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
            game(number, vec![(difference(&[(0, pawns), (1, knights)]), 3)], outcome)
        })
        .collect()
}

#[test]
fn a_piece_that_never_differs_has_no_value() {
    let found = values(&ordinary(1500), Model::Ordered);
    let queen = found.pieces.iter().find(|piece| piece.piece == Column::Piece(Letter::Q)).unwrap();
    assert_eq!((queen.games, queen.pawns), (0, None));
    assert_eq!(queen.note.as_deref(), Some("the sides never differ in it"));
    let knight = found.pieces.iter().find(|piece| piece.piece == Column::Piece(Letter::N)).unwrap();
    assert!(knight.pawns.unwrap().interval.contains(3.0), "{knight:?}");
    assert!(knight.bootstrap.unwrap().contains(3.0), "{knight:?}");
}

#[test]
fn without_replicates_the_interval_is_that_of_the_delta_method() {
    let mut sample = Sample::new(&chess(), Clustering::Game);
    ordinary(1500).iter().for_each(|game| sample.add(game));
    let with = |replicates| {
        sample.values(RegressionOptions { replicates, seed: 1, ..RegressionOptions::default() }, &|_| ())
    };
    let (none, few) = (with(0), with(20));
    let knight = none.pieces[1].pawns.unwrap();
    assert!(knight.interval.is_finite() && none.pieces[1].bootstrap.is_none());
    assert_eq!(none.rows()[1].pawns, Some(knight));
    assert!(!few.pieces[1].bootstrap.unwrap().is_finite());
    // The pawn is the unit, however few replicates there are.
    assert_eq!(few.rows()[0].pawns.unwrap().interval, Interval { low: 1.0, high: 1.0 });
}

#[test]
fn pieces_that_differ_together_only_are_not_told_apart() {
    let mut games = ordinary(600);
    for game in &mut games {
        let knights = game.replayed.samples[0].0[1];
        game.replayed.samples[0].0[3] = 2 * knights;
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
        let queen = difference(&[(4, if white { 1 } else { -1 }), (0, (number % 3) as i8 - 1)]);
        games.push(game(5000 + number, vec![(queen, 2)], if white { 2 } else { 0 }));
    }
    let found = values(&games, Model::Ordered);
    let queen = &found.pieces[4];
    assert!(queen.note.as_deref().unwrap().starts_with("separated"), "{queen:?}");
    assert_eq!(queen.log_odds.unwrap().value, f64::INFINITY);
    assert!(!queen.log_odds.unwrap().interval.is_finite() && queen.pawns.is_none());
    let knight = |found: &RegressionValues| found.pieces[1].log_odds.unwrap();
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
    let knight = found.pieces[1].pawns.unwrap();
    assert_eq!(format!("{}", knight.interval), "−∞ to ∞");
    assert!(!found.pieces[1].bootstrap.unwrap().is_finite());
    assert!(found.pieces[1].elo.unwrap().interval.is_finite());
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
    assert_eq!(ordered.pieces[1].log_odds, plain.pieces[1].log_odds);
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

/// Imbalances, each with its pairs by the outcomes of the side that has the first: as White, then as Black.
fn imbalances(matches: &[(&str, PairCounts)], unit: &str) -> ImbalanceValues {
    let mut gathered = Imbalances::new(&chess());
    matches.iter().for_each(|(odds, pairs)| gathered.add_pairs(&odds.parse().unwrap(), *pairs));
    gathered.values(unit.parse().unwrap())
}

fn piece(found: &ImbalanceValues, letter: Letter) -> &ImbalancePiece {
    found.pieces.iter().find(|piece| piece.piece == Column::Piece(letter)).unwrap()
}

const PAWN: (&str, PairCounts) = ("P:-", [[30, 10, 20], [20, 60, 30], [30, 40, 60]]);
const KNIGHT: (&str, PairCounts) = ("N:-", [[5, 5, 10], [5, 20, 40], [10, 40, 175]]);

#[test]
fn two_matches_are_what_each_says_of_its_own() {
    let found = imbalances(&[PAWN, KNIGHT], "P=1");
    let [pawn, knight] = [Letter::P, Letter::N].map(|letter| piece(&found, letter));
    assert_eq!(pawn.value, Some(Estimate::exact(1.0)));
    assert_eq!(found.additive, None);
    let value = knight.value.unwrap();
    assert!(value.interval.contains(value.value) && value.value > 2.0, "{value:?}");
    // With as many matches as pieces the values are the matches: score and all.
    for piece in [pawn, knight] {
        let odds = format!("{}:-", piece.piece);
        let found = found.imbalances.iter().find(|found| found.odds == odds).unwrap();
        assert!((found.expected.unwrap() - piece.elo.unwrap().value).abs() < 1.0);
        assert!((found.elo.value - piece.elo.unwrap().value).abs() < 12.0, "{found:?}");
    }
}

#[test]
fn a_unit_scales_values_and_nothing_else() {
    let [pawns, knights] = ["P=1", "N=3"].map(|unit| imbalances(&[PAWN, KNIGHT], unit));
    assert_eq!(piece(&knights, Letter::N).value, Some(Estimate::exact(3.0)));
    let [one, other] = [&pawns, &knights].map(|found| piece(found, Letter::N));
    assert_eq!((one.pawns, one.elo), (other.pawns, other.elo));
    assert_eq!(one.value, one.pawns);
    let ratio =
        piece(&pawns, Letter::N).value.unwrap().value * piece(&knights, Letter::P).value.unwrap().value;
    assert!((ratio - 3.0).abs() < 1e-9);
}

#[test]
fn which_side_is_named_first_does_not_matter() {
    let turned: PairCounts = [[60, 30, 20], [40, 60, 10], [30, 20, 30]];
    let [one, other] = [PAWN, ("-:P", turned)].map(|pawn| imbalances(&[pawn, KNIGHT], "N=3"));
    assert_eq!(one.pieces, other.pieces);
    assert_eq!(other.imbalances[1].odds.to_string(), "P:-");
}

#[test]
fn a_game_without_the_other_of_its_pair_is_left_out_and_the_next_pairs_stay_together() {
    let mut gathered = Imbalances::new(&chess());
    // Of the second pair the first game is missing, of the fourth the second; the side that has the knight wins one pair
    // of the others both times, and loses the other.
    for (number, outcome) in [(0, 0), (1, 2), (3, 2), (4, 2), (5, 0), (6, 2), (8, 0), (9, 2)] {
        let odds = if number % 2 == 1 { "-:N" } else { "N:-" }.to_string();
        gathered.add(&ReplayedGame { odds, ..game(number, Vec::new(), outcome) });
    }
    let found = gathered.values(Unit::PAWNS);
    assert_eq!((found.imbalances[0].pairs, found.unpaired), ([1, 0, 0, 0, 2], 2));
}

#[test]
fn sweeps_and_near_sweeps_count_where_others_bound_them() {
    let queen = ("Q:-", [[0, 0, 0], [0, 0, 0], [0, 0, 40]]);
    let near = ("Q:-", [[0, 0, 0], [0, 0, 1], [0, 0, 39]]);
    let knights = ("Q:2N", [[10, 5, 10], [5, 20, 20], [10, 20, 40]]);
    // Alone, a sweep says only that a queen is worth more than anything that loses a game.
    let alone = imbalances(&[PAWN, KNIGHT, queen], "P=1");
    let found = piece(&alone, Letter::Q);
    assert_eq!(found.elo.unwrap().value, f64::INFINITY);
    assert!(found.note.as_deref().unwrap().contains("every game was won"), "{found:?}");
    assert_eq!(piece(&alone, Letter::N).value, piece(&imbalances(&[PAWN, KNIGHT], "P=1"), Letter::N).value);
    // Beside a match that bounds it, it raises the value: it is not left out.
    let without = piece(&imbalances(&[PAWN, KNIGHT, knights], "P=1"), Letter::Q).elo.unwrap().value;
    for sweep in [queen, near] {
        let with = imbalances(&[PAWN, KNIGHT, knights, sweep], "P=1");
        let value = piece(&with, Letter::Q).elo.unwrap().value;
        assert!(value.is_finite() && value > without + 1.0, "{value} and {without}");
        assert_eq!(with.additive.unwrap().freedom, 1);
    }
}

#[test]
fn pieces_that_no_chain_joins_to_others_have_no_value_of_their_own() {
    let found = imbalances(&[PAWN, ("Q:R", [[10, 10, 20], [10, 40, 30], [20, 30, 60]])], "P=1");
    for letter in [Letter::R, Letter::Q] {
        let piece = piece(&found, letter);
        assert!(piece.elo.is_none() && piece.note.as_deref().unwrap().contains("no chain"), "{piece:?}");
    }
    assert!(found.imbalances.iter().all(|found| found.expected.is_some()));
}

#[test]
fn values_that_do_not_add_up_are_said_not_to() {
    let times = |pairs: PairCounts, by: u64| pairs.map(|row| row.map(|count| by * count));
    // A knight is worth much more than a pawn, two of each are worth the same.
    let even = [[20, 10, 20], [10, 40, 10], [20, 10, 20]];
    let all = [PAWN, KNIGHT, ("2N:2P", times(even, 3)), ("R:N+2P", even), ("R:N+P", even), ("R:2N", even)];
    let found = imbalances(&all.map(|(odds, pairs)| (odds, times(pairs, 3))), "R=5");
    let additive = found.additive.unwrap();
    assert!(additive.p_value < 0.001 && additive.freedom == 3, "{additive:?}");
    assert!(found.deviation.unwrap() > 15.0);
    assert!(
        found.statements()[0]
            .starts_with("Values add up only so far: imbalances are off the sums of their pieces by about "),
        "{:?}",
        found.statements()
    );
}

/// The pairs that a model with draws expects of an advantage, without an advantage of the first move.
fn expected_pairs(eta: f64) -> PairCounts {
    let expit = |x: f64| 1.0 / (1.0 + (-x).exp());
    let [lost, won] = [expit(-eta - 0.5), expit(eta - 0.5)];
    let each = [lost, 1.0 - lost - won, won];
    each.map(|white| each.map(|black| (1e6 * white * black).round() as u64))
}

#[test]
fn the_odds_of_a_piece_are_those_of_its_own_match_whatever_the_others_say() {
    let matches = [
        ("P:-", 0.3),
        ("2P:-", 0.6),
        ("N:3P", 0.0),
        ("N:2P", 0.3),
        ("R:N+2P", 0.0),
        ("N:-", 1.2),
        ("R:-", 1.5),
    ];
    let found = imbalances(&matches.map(|(odds, eta)| (odds, expected_pairs(eta))), "R=5");
    for (letter, odds) in [(Letter::P, "P:-"), (Letter::N, "N:-"), (Letter::R, "R:-")] {
        let alone = found.alone.iter().find(|alone| alone.piece == Column::Piece(letter)).unwrap();
        let own = found.imbalances.iter().find(|found| found.odds == odds).unwrap().elo.value;
        assert!((alone.elo.value - own).abs() < 3.0, "{alone:?}, {own}");
    }
    let knight = piece(&found, Letter::N).elo.unwrap().value;
    let alone = found.alone.iter().find(|alone| alone.piece == Column::Piece(Letter::N)).unwrap().elo;
    assert!(alone.interval.low > knight + 10.0, "{alone:?}, {knight}");
    let said = found.statements();
    let odds =
        said.iter().find(|said| said.starts_with("Giving odds of a single piece costs, in Elo: N ")).unwrap();
    assert!(odds.contains(&format!("N {:.0} (", alone.value)) && odds.contains("; by the table"), "{odds}");
    // Without such matches there is nothing to say.
    assert!(
        imbalances(&[("R:N+2P", expected_pairs(0.0)), PAWN], "P=1")
            .statements()
            .iter()
            .all(|said| !said.starts_with("Giving"))
    );
}

#[test]
fn a_pair_is_told_from_its_pieces() {
    let (pawn, rook, bishop, pair) = (0.3, 1.5, 1.0, 0.2);
    // A side that lacks a bishop lacks the pair, too, where bishops start on both colours.
    let matches = [
        ("P:-", pawn, 0.0),
        ("R:4P", rook - 4.0 * pawn, 0.0),
        ("B:3P", bishop - 3.0 * pawn, 1.0),
        ("2B:R+P", 2.0 * bishop - rook - pawn, 1.0),
        ("R:B+P", rook - bishop - pawn, -1.0),
    ];
    let group = |on_both: f64| {
        let mut gathered = Imbalances::new(&chess());
        for (odds, eta, pairs) in matches {
            gathered.add_pairs(&odds.parse().unwrap(), expected_pairs(eta + on_both * pairs * pair));
        }
        gathered
    };
    let [both, one] = [1.0, 0.0].map(group);
    let unit: Unit = "R=5".parse().unwrap();
    for groups in [&[(true, &both), (false, &one)][..], &[(true, &both)]] {
        let found = PairValue::of(groups, Letter::B, unit).unwrap();
        assert!((found.value.value - 5.0 * pair / rook).abs() < 0.01, "{found:?}");
        assert!((found.single.value - 5.0 * bishop / rook).abs() < 0.01, "{found:?}");
        assert!(found.value.interval.contains(5.0 * pair / rook));
    }
    assert_eq!(PairValue::of(&[(false, &one)], Letter::B, unit), None);
    // One bishop alone does not tell its value from that of the pair.
    let mut single = Imbalances::new(&chess());
    for (odds, eta, pairs) in [matches[0], matches[1], matches[2]] {
        single.add_pairs(&odds.parse().unwrap(), expected_pairs(eta + pairs * pair));
    }
    assert_eq!(PairValue::of(&[(true, &single)], Letter::B, unit), None);
}

#[test]
fn a_piece_beside_a_queen_is_told_from_one_in_its_place() {
    let (pawn, knight, rook, queen) = (0.3, 0.9, 1.5, 2.8);
    // The knight takes the part of the piece: it is worth less where the queen is there, too.
    let less = 0.25;
    let matches = [
        ("P:-", pawn),
        ("R:4P", rook - 4.0 * pawn),
        ("Q:R+4P", queen - rook - 4.0 * pawn),
        ("N:3P", knight - less - 3.0 * pawn),
        ("N+P:R", knight - less + pawn - rook),
        ("N+R:Q", knight + rook - queen),
        ("2N+2P:Q", 2.0 * knight + 2.0 * pawn - queen),
    ];
    let gathered = |matches: &[(&str, f64)]| {
        let mut gathered = Imbalances::new(&chess());
        for &(odds, eta) in matches {
            gathered.add_pairs(&odds.parse().unwrap(), expected_pairs(eta));
        }
        gathered
    };
    let unit: Unit = "R=5".parse().unwrap();
    let variant = Variant::find("chess").unwrap();
    let other = variant.piece(Letter::Q).unwrap();
    let found = gathered(&matches).beside_kind(Letter::N, other, unit).unwrap();
    let [beside, in_place] = [knight - less, knight].map(|eta| 5.0 * eta / rook);
    assert!((found.beside.value - beside).abs() < 0.01, "{found:?}");
    assert!((found.in_place.value - in_place).abs() < 0.01, "{found:?}");
    assert!(found.more_elo.interval.high < 0.0, "{found:?}");
    // Nothing says what it is worth without the queen.
    assert_eq!(gathered(&matches[..5]).beside_kind(Letter::N, other, unit), None);
}

#[test]
fn a_new_piece_is_worth_less_the_more_there_are_and_more_where_no_queen_is() {
    let of_kinds =
        [(Letter::P, 0.3), (Letter::N, 0.9), (Letter::B, 0.95), (Letter::R, 1.5), (Letter::Q, 2.8)];
    // A waffle, what each further one is worth more, and what each is worth more for an opposing queen.
    let (waffle, further, opposing) = (0.9, -0.1, -0.3);
    let advantage = |odds: &Odds| -> f64 {
        let [first, second] = odds.lacking();
        let count =
            |side: &[Letter], kind: Letter| side.iter().filter(|&&letter| letter == kind).count() as f64;
        // What a side is worth that lacks `own`, and has what the other is said to lack of waffles.
        let side = |own: &[Letter], other: &[Letter]| -> f64 {
            let number = count(other, Letter::W);
            let kinds = of_kinds.map(|(kind, eta)| -eta * count(own, kind)).iter().sum::<f64>();
            let queens = 1.0 - count(other, Letter::Q);
            kinds + waffle * number + further * number * (number - 1.0) / 2.0 + opposing * number * queens
        };
        side(&second, &first) - side(&first, &second)
    };
    let variant = Variant::find("chess").unwrap().with_piece(Letter::W, "waffle", "WA").unwrap();
    let mut games = Imbalances::new(&Material::of(&Rules::new(&variant)));
    let matches = "P:- 2P:- N:3P B:N B:3P R:N+2P R:B+2P 2R:Q Q:R+4P Q:2N+3P Q:2B+3P 2N:R+P 2B:R+P R:4P N=W:- N=W+P:- 2N=2W:- \
                   2N=2W+P:- 2N=2W:P B=W:- 2B=2W:- 2B=2W:P 2B=2W+2N=2W:P 2B=2W+2N=2W:- 2B=2W+2N=2W+P:- N=W+Q:Q 2N=2W+Q:Q 2N=2W+P+Q:Q \
                   2B=2W+Q:P+Q B=W+Q:Q B=W+2N:2N 2B=2W+2N:2N N=W+2B:2B  Q=W:R";
    for odds in matches.split_whitespace().filter_map(|text| text.parse::<Odds>().ok()) {
        let eta = advantage(&odds);
        games.add_pairs(&odds, expected_pairs(eta));
    }
    let unit: Unit = "N=3.25".parse().unwrap();
    let found = games.values_by_others(&[Letter::W], unit).unwrap().remove(0);
    assert_ne!(found.interactions, Interactions::None, "{found:?}");
    let names = |value: &ValueBesideOthers| format!("{} {}", value.number, value.on_neither);
    let shown: Vec<String> = found.values.iter().map(names).collect();
    assert_eq!(shown, ["1 -", "2 -", "3 -", "4 -", "1 2B", "1 2N", "1 Q"]);
    let eta = |index: usize, expected: f64| {
        let value = found.values[index].value;
        let expected = 3.25 * expected / 0.9;
        // Interactions are shrunk.
        assert!((value.value - expected).abs() < 0.1, "{expected}: {found:?}");
    };
    eta(0, waffle + opposing);
    eta(1, waffle + opposing + further);
    eta(3, waffle + opposing + 3.0 * further);
    eta(6, waffle);
    let [fourth, without_queens] = [3, 6].map(|index: usize| found.values[index].more_elo);
    assert!(fourth.interval.high < 0.0 && without_queens.interval.low > 0.0, "{found:?}");
    // As much in one direction as in the other.
    assert!((fourth.value + without_queens.value).abs() < 0.25 * without_queens.value, "{found:?}");
    // Without games of it there is nothing to say.
    assert!(Imbalances::new(&chess()).values_by_others(&[Letter::W], unit).is_err());
}

#[test]
fn nothing_but_draws_is_nothing_to_go_by() {
    let found = imbalances(&[("N:P", [[0, 0, 0], [0, 50, 0], [0, 0, 0]])], "R=5");
    assert!(found.nothing.is_some() && found.pieces.iter().all(|piece| piece.value.is_none()));
    assert_eq!(found.imbalances[0].elo.value, 0.0);
}
