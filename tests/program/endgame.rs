//! The command `endgame`.

use std::process::Command;

use assert_cmd::assert::OutputAssertExt;
use insta::assert_snapshot;
use serde_json::{Value, json};

fn backrank(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_backrank"));
    command.arg("endgame").args(arguments);
    command
}

fn stdout(arguments: &[&str]) -> String {
    String::from_utf8(backrank(arguments).assert().success().get_output().stdout.clone()).unwrap()
}

fn refusal(arguments: &[&str]) -> String {
    let assert = backrank(arguments).assert().code(2);
    let output = assert.get_output();
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[arguments, &["--json"]].concat())).unwrap()
}

#[test]
fn one_endgame() {
    assert_snapshot!(stdout(&["pmrc", "KMvK"]));
    // A king that is bare has lost.
    assert_snapshot!(stdout(&["mmcc", "KPvK"]));
}

#[test]
fn the_hardest_positions() {
    assert_snapshot!(stdout(&["chess", "KvKQ", "--longest"]));
    assert_eq!(stdout(&["chess", "KRvK", "--longest=5"]).matches("\n\n8  ").count(), 5);
}

#[test]
fn every_piece_against_the_bare_king() {
    assert_snapshot!(stdout(&["pmrc", "--all"]));
    let all = json(&["chess", "--all"]);
    let pieces: Vec<&str> =
        all.as_array().unwrap().iter().map(|one| one["pieces"].as_str().unwrap()).collect();
    assert_eq!(pieces, ["KPvK", "KBvK", "KNvK", "KQvK", "KRvK"]);
}

#[test]
fn the_value_of_every_move() {
    assert_snapshot!(stdout(&["pmrc", "KMvK", "--probe", "8K/9/9/9/9/9/9/9/k3M4 w - - 0 1"]));
    // After a capture there are fewer pieces than were named; the game is over.
    assert_snapshot!(stdout(&["chess", "KQvK", "--probe", "8/8/8/8/8/8/1K6/3k4 b - - 0 1"]));
    let probed = json(&["chess", "KRvK", "--probe", "k7/8/1K6/8/8/8/8/7R w - - 0 1"]);
    assert_eq!(probed["value"], "win");
    assert_eq!(probed["moves"], 1);
    assert_eq!(probed["legal"][0], json!({"uci": "h1h8", "notation": "Rh8#", "value": "win", "moves": 1}));
    assert_eq!(probed["legal"].as_array().unwrap().len(), 14 + 6);
}

#[test]
fn pieces_on_their_own() {
    assert_snapshot!(stdout(&["pmrc", "--lone"]));
    let lone = json(&["mmcc", "--lone"]);
    assert!(lone.as_array().unwrap().iter().all(|piece| piece["checkmates"] == 0), "{lone}");
    let alone: Vec<(String, u64, Option<u64>)> = json(&["capablanca84000", "--lone"])
        .as_array()
        .unwrap()
        .iter()
        .map(|piece| {
            (
                piece["piece"].as_str().unwrap().to_string(),
                piece["checkmates"].as_u64().unwrap(),
                piece["longest_mate_alone_moves"].as_u64(),
            )
        })
        .collect();
    let expected =
        [("A", 4, Some(1)), ("B", 0, None), ("C", 0, None), ("N", 0, None), ("Q", 0, None), ("R", 0, None)];
    assert_eq!(alone, expected.map(|(piece, mates, longest)| (piece.to_string(), mates, longest)));
}

#[test]
fn counts_as_json() {
    assert_eq!(
        json(&["chess", "KQvK"]),
        json!({
            "pieces": "KQvK",
            "white_to_move": {"won": 144_508, "drawn": 0, "lost": 0},
            "black_to_move": {"won": 200_896, "drawn": 23_048, "lost": 0},
            "longest_win_moves": 10,
        })
    );
    // White's, even where White only loses.
    assert_eq!(
        json(&["chess", "KvKQ"]),
        json!({
            "pieces": "KvKQ",
            "white_to_move": {"won": 0, "drawn": 23_048, "lost": 200_896},
            "black_to_move": {"won": 0, "drawn": 0, "lost": 144_508},
            "longest_win_moves": null,
        })
    );
    let longest = json(&["chess", "KQvK", "--longest=2"]);
    assert_eq!(longest["longest"].as_array().unwrap().len(), 1, "the eight are alike by symmetry");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let [one, two] = ["1", "2"].map(|threads| stdout(&["pmrc", "--all", "--threads", threads]));
    assert_eq!(one, two);
}

#[test]
fn wrong_input_is_refused() {
    for (arguments, error) in [
        (
            &["chess", "KMvK"][..],
            "error: `KMvK`: `M` is not a piece of the game; pieces are P, B, K, N, Q and R\n",
        ),
        (
            &["chess", "KQK"],
            "error: `KQK`: 0 of `v`; one divides White's pieces from Black's, as in `KQvK`\n",
        ),
        (&["chess", "KQvKK"], "error: `KQvKK`: Black has 2 kings; a side has one\n"),
        (
            &["chess", "KQRvKR", "--memory", "100"],
            "error: KQRvKR and the endgames that it leads to take 671 MiB of memory; 100 MiB are allowed; --memory allows more\n",
        ),
        (
            &["chess99", "KQvK"],
            "error: chess99 is counted and listed only: its file says `count_only = true`\n",
        ),
        (
            &["chess", "KQvK", "--probe", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"],
            "error: the position does not have the pieces of KQvK, or of an endgame that it leads to by captures and promotions\n",
        ),
        (
            &["chess", "KRvK", "--probe", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"],
            "error: the position has rights to castle, to adjust or to a first move; endgame tables have no such positions: write - instead\n",
        ),
    ] {
        let said = refusal(arguments);
        assert!(said.starts_with(error), "{arguments:?}: {said}");
    }
    for arguments in [
        &["chess"][..],
        &["chess", "KQvK", "--all"],
        &["chess", "--all", "--lone"],
        &["chess", "--lone", "--longest"],
    ] {
        refusal(arguments);
    }
}
