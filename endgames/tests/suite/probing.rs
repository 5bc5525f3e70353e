//! Looking positions up: which are found, and that what is said of their moves agrees with what is said of them.

use backrank_endgames::{Endgame, EndgameTables, EndgameValue};
use backrank_rules::{Position, Rules, Side, Variant};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{pieces, rules};

fn variant(key: &str) -> Rules {
    Rules::new(&Variant::find(key).unwrap())
}

fn tables(rules: &Rules, endgames: &[&str]) -> EndgameTables {
    let endgames: Vec<Endgame> = endgames.iter().map(|text| Endgame::parse(text, rules).unwrap()).collect();
    EndgameTables::build(rules, &endgames, 1 << 30, |_| ()).unwrap()
}

fn probe(tables: &EndgameTables, rules: &Rules, fen: &str) -> Option<EndgameValue> {
    tables.probe(&Position::from_fen(rules, fen).unwrap_or_else(|error| panic!("{fen}: {error}")))
}

/// The value of a position with White and Black swapped and the board turned is the same.
#[test]
fn either_side_may_have_the_piece() {
    let rules = variant("pmrc");
    let tables = EndgameTables::three_men(&rules);
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut decided = 0;
    for letter in "PBMNQR".chars() {
        for _ in 0..2000 {
            let mut squares = [None; 81];
            for letter in ['K', letter, 'k'] {
                squares[random.random_range(0..81)] = Some(letter);
            }
            let placement = |squares: &[Option<char>]| {
                let ranks = squares.chunks(9).map(|rank| {
                    let runs = rank.chunk_by(|one, other| one.is_none() && other.is_none());
                    runs.map(|run| run[0].map_or_else(|| run.len().to_string(), |letter| letter.to_string()))
                        .collect()
                });
                ranks.collect::<Vec<String>>().join("/")
            };
            let swap = |letter: char| {
                if letter.is_ascii_uppercase() {
                    letter.to_ascii_lowercase()
                } else {
                    letter.to_ascii_uppercase()
                }
            };
            let turned: Vec<Option<char>> = squares.iter().rev().map(|square| square.map(swap)).collect();
            let side = if random.random() { "wb" } else { "bw" };
            let fens = [(&squares[..], &side[..1]), (&turned[..], &side[1..])]
                .map(|(squares, side)| format!("{} {side} - - 0 1", placement(squares)));
            if let [Ok(one), Ok(other)] = [0, 1].map(|of| Position::from_fen(&rules, &fens[of])) {
                let value = tables.probe(&one);
                assert_eq!(value, tables.probe(&other), "{one}");
                decided += usize::from(value.unwrap() != EndgameValue::Draw);
            }
        }
    }
    assert!(decided > 3000, "{decided} won or lost");
}

/// The value of a position is that of its best move, all along the line, and the end comes when it was said to.
#[test]
fn values_agree_with_those_of_moves() {
    let rules = variant("pmrc");
    let tables = EndgameTables::three_men(&rules);
    for fen in [
        "9/9/9/9/7k1/9/9/1P5K1/9 w - - 0 1",
        "9/9/9/9/7k1/9/9/1P5K1/9 b - - 0 1",
        "9/9/9/9/9/9/9/2k6/K5M2 w - - 0 1",
        "9/7K1/9/9/9/3r5/9/9/4k4 w - - 0 1",
    ] {
        let mut position = Position::from_fen(&rules, fen).unwrap();
        let line = tables.line(&position);
        let plies = tables.probe(&position).unwrap().plies().map_or(0, usize::from);
        assert_eq!(line.len(), plies, "{fen}");
        for played in line {
            let moves = tables.probe_moves(&position).unwrap();
            assert_eq!(Some(moves[0].1), tables.probe(&position), "{position}");
            assert!(moves.iter().is_sorted_by_key(|(_, value)| -value.preference()), "{position}");
            position.play(played);
        }
        assert_eq!(plies == 0, position.outcome().is_none(), "{position}");
    }
}

#[test]
fn rights_that_are_left_are_not_in_the_tables() {
    let chess = variant("chess");
    let tables_of_chess = EndgameTables::three_men(&chess);
    assert_eq!(probe(&tables_of_chess, &chess, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), None);
    assert!(probe(&tables_of_chess, &chess, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1").is_some());
    let mmcc = variant("mmcc");
    let tables_of_mmcc = EndgameTables::three_men(&mmcc);
    assert_eq!(probe(&tables_of_mmcc, &mmcc, "5k5/11/11/11/11/11/11/2E2K5 w - - 0 1 C"), None);
    assert!(probe(&tables_of_mmcc, &mmcc, "5k5/11/11/11/11/11/11/2E2K5 w - - 0 1 -").is_some());
}

#[test]
fn counters_do_not_matter() {
    let rules = variant("chess");
    let tables = EndgameTables::three_men(&rules);
    let fresh = probe(&tables, &rules, "8/8/8/4k3/8/8/8/KQ6 w - - 0 1");
    assert_eq!(fresh, probe(&tables, &rules, "8/8/8/4k3/8/8/8/KQ6 w - - 99 80"));
}

#[test]
fn other_pieces_are_not_in_the_tables() {
    let rules = variant("chess");
    let tables = tables(&rules, &["KQvK"]);
    assert!(probe(&tables, &rules, "8/8/8/4k3/8/8/8/KQ6 w - - 0 1").is_some());
    assert!(probe(&tables, &rules, "8/8/8/4k3/8/8/8/K7 w - - 0 1").is_some());
    for fen in
        ["8/8/8/4k3/8/8/8/KR6 w - - 0 1", "8/8/8/4k3/8/8/8/KQQ5 w - - 0 1", "8/8/8/4k2p/8/8/8/KQ6 w - - 0 1"]
    {
        assert_eq!(probe(&tables, &rules, fen), None, "{fen}");
    }
    assert!(tables.get(&Endgame::parse("KRvK", &rules).unwrap()).is_none());
}

/// Tables are never asked about another game, be the pieces called the same.
#[test]
fn tables_of_another_game_are_not_probed() {
    let chess = variant("chess");
    let tables = EndgameTables::three_men(&chess);
    let fen = "8/8/8/4k3/8/8/8/KQ6 w - - 0 1";
    assert!(probe(&tables, &chess, fen).is_some());
    // The same moves and endings: castling and the numbers of setups do not matter.
    assert!(probe(&tables, &variant("chess960"), fen).is_some());
    assert!(probe(&tables, &variant("chess").clone(), fen).is_some());
    let others = [
        ("Q=R R=R B=B N=N", "", "another queen"),
        ("Q=Q R=R B=B N=N A=A", "", "one piece more"),
        ("Q=Q R=R B=B N=N", "[endings]\nbare_king = true", "another ending"),
        ("Q=Q R=R B=B N=N", "[pawn]\npromotes_to = \"R\"", "other promotions"),
        ("Q=Q R=R B=B N=N", "[pawn]\ndouble_step = false", "no double step"),
        ("Q=Q R=R B=B N=N", "[pawn]\nmoves = \"berolina\"\ndouble_step = false", "other pawns"),
    ];
    let same = rules(8, 8, &pieces("Q=Q R=R B=B N=N"), "[pawn]\npromotes_to = \"QRBN\"");
    assert!(probe(&tables, &same, fen).is_some());
    for (army, more, what) in others {
        assert_eq!(probe(&tables, &rules(8, 8, &pieces(army), more), fen), None, "{what}");
    }
    let wide = rules(9, 8, &pieces("Q=Q R=R B=B N=N"), "[pawn]\npromotes_to = \"QRBN\"");
    assert_eq!(probe(&tables, &wide, "9/9/9/4k4/9/9/9/KQ7 w - - 0 1"), None);
}

/// What the rules call insufficient material is a draw in every position.
#[test]
fn insufficient_material_never_wins() {
    let mut found = Vec::new();
    for key in ["chess", "pmrc", "mmcc"] {
        let rules = variant(key);
        let tables = EndgameTables::three_men(&rules);
        for endgame in Endgame::all_of_three(&rules) {
            let table = tables.get(&endgame).unwrap();
            let wins: u64 =
                Side::BOTH.map(|side| table.count(side)).iter().map(|count| count.won + count.lost).sum();
            let letter = endgame.to_string().as_bytes()[1] as char;
            let [files, ranks] = [rules.board().files(), rules.board().ranks()];
            let empty = vec![files.to_string(); ranks - 3].join("/");
            let fen = format!("k{}/{empty}/{letter}{}/K{} w - - 0 1", files - 1, files - 1, files - 1);
            let fen = format!("{fen} -").replacen(&format!("k{}", files - 1), &format!("{}k", files - 1), 1);
            let position = Position::from_fen(&rules, &fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            if position.is_insufficient_material() {
                assert_eq!(wins, 0, "{key}: {endgame}");
                found.push(format!("{key} {endgame}"));
            }
        }
    }
    assert_eq!(found, ["chess KBvK", "chess KNvK", "pmrc KBvK", "pmrc KNvK"]);
}
