//! The workbench for a game of one's own: `new` begins one, `check` says what is wrong with it and what it is like.

use std::path::Path;

use assert_cmd::assert::OutputAssertExt;
use serde_json::Value;

use crate::common::{backrank, refusal, stdout, stdout_beside_notes};
use crate::explore::webdriver::Browser;

/// What a command says on stderr that succeeds in a folder.
fn notes(folder: &Path, arguments: &[&str]) -> String {
    let output = backrank(arguments).current_dir(folder).assert().success().get_output().stderr.clone();
    String::from_utf8(output).unwrap()
}

/// The refusal of a command in a folder.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output =
        backrank(arguments).current_dir(folder).assert().code(2).stdout("").get_output().stderr.clone();
    String::from_utf8(output).unwrap()
}

#[test]
fn a_new_game_works_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let notes = notes(
        folder.path(),
        &["new", "my.toml", "--like", "capablanca-random", "--add", "C=camel:C", "--swap", "A=L:BmW"],
    );
    for said in [
        "C is another piece; the camel has the letter M",
        "the board has 11 files",
        "left out, because it does not fit the army: { differs_from",
    ] {
        assert!(notes.contains(said), "{said}: {notes}");
    }
    let text = std::fs::read_to_string(at("my.toml")).unwrap();
    assert!(text.starts_with("#:schema ./variant.schema.json\n"), "{text}");
    assert_eq!(std::fs::read_to_string(at("variant.schema.json")).unwrap(), stdout(&["schema"]));
    // The same moves as where the file was written from, an added file in the middle, castling moved along.
    assert!(text.contains("first_rank = \"RNLBQMKBCNR\"") && text.contains("king = \"j\""), "{text}");
    assert_eq!(stdout(&["count", &at("my.toml")]), "74368\n");
    assert!(stdout(&["moves", "M", "--on", &at("my.toml")]).starts_with("camel of My: C"), "the camel leaps");
}

#[test]
fn a_game_can_be_drawn_at_random() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let text = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    for (name, seed) in [("one.toml", "7"), ("two.toml", "8")] {
        notes(folder.path(), &["new", name, "--random", seed]);
        assert!(
            text(name).contains(&format!("# A game drawn at random from the seed {seed}.")),
            "{}",
            text(name)
        );
        assert!(
            text(name).contains("[setup]") && !stdout_beside_notes(&["count", &path(name)]).starts_with('0')
        );
    }
    notes(folder.path(), &["new", "again.toml", "--random", "7"]);
    assert_eq!(text("again.toml").replace("Again", "One"), text("one.toml"));
    assert_ne!(text("two.toml").replace("Two", "One"), text("one.toml"));
    assert!(
        refused(folder.path(), &["new", "a.toml", "--random", "7", "--like", "pmrc"])
            .contains("cannot be used")
    );
}

#[test]
fn every_game_can_be_begun_from() {
    let folder = tempfile::tempdir().unwrap();
    let keys: Vec<String> = serde_json::from_str::<Vec<Value>>(&stdout(&["variants", "--json"]))
        .unwrap()
        .into_iter()
        .map(|variant| variant["key"].as_str().unwrap().to_string())
        .collect();
    for key in keys {
        let file = format!("{key}-mine.toml");
        notes(folder.path(), &["new", &file, "--like", &key]);
        let count = |name: &str| {
            let output = backrank(&["count", name]).current_dir(folder.path()).assert().success();
            String::from_utf8(output.get_output().stdout.clone()).unwrap()
        };
        assert_eq!(count(&file), count(&key), "{key}");
    }
}

#[test]
fn a_wrong_change_is_refused_and_nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    notes(folder.path(), &["new", "my.toml"]);
    for (arguments, says) in [
        (&["new", "my.toml"][..], "my.toml is there already and is not overwritten"),
        (&["new", "my.txt"], "ends in `.toml`"),
        (&["new", "a.toml", "--swap", "Z=waffle"], "chess960 has no piece Z; it has BKNQR"),
        (&["new", "a.toml", "--swap", "waffle"], "which piece does it replace?"),
        (&["new", "a.toml", "--swap", "N=B:WA"], "B is another piece"),
        (&["new", "a.toml", "--swap", "K=hopper:gQ"], "royal piece that hops"),
        (&["new", "a.toml", "--add", "9amazon"], "17 files"),
        (&["new", "a.toml", "--like", "pmc", "--add", "camel"], "are listed one by one"),
    ] {
        let error = refused(folder.path(), arguments);
        assert!(error.contains(says), "{arguments:?}: {error}");
        assert!(!folder.path().join("a.toml").exists(), "{arguments:?}");
    }
}

#[test]
fn all_faults_are_said_at_once_with_their_places() {
    let folder = tempfile::tempdir().unwrap();
    let faults = [
        ("files = 8", "files = 8\nfilez = 3", "unknown key `filez`; did you mean `files`?"),
        ("betza = \"N\"", "betza = \"X!\"", "Betza `X!`"),
        ("betza = \"B\"", "beta = \"B\"", "did you mean `betza`?"),
        ("promotes_to = \"QRBN\"", "promotes_to = \"QZ\"", "`Z` is not a piece of [pieces]"),
        ("{ between", "{ betwen", "unknown constraint `betwen`"),
        ("king = \"c\"", "king = \"z\"", "`z` is not a file of this board"),
        ("\"O-O\"", "\"0-0\"", "castling is written as"),
        ("symmetry = \"mirror\"", "symmetry = \"mirrored\"", "is not a symmetry"),
    ];
    let mut text = std::fs::read_to_string("rules/variants/chess960.toml").unwrap();
    for (right, wrong, _) in faults {
        assert!(text.contains(right), "{right}");
        text = text.replacen(right, wrong, 1);
    }
    let file = folder.path().join("bad.toml");
    std::fs::write(&file, &text).unwrap();
    let said = refusal(&["check", file.to_str().unwrap()]);
    for (_, _, says) in faults {
        assert!(said.contains(says), "{says}: {said}");
    }
    assert!(said.contains("error: 8 faults"), "{said}");
    // In the order of their places, each with the line.
    let places: Vec<usize> = said
        .lines()
        .filter_map(|line| line.split_once("bad.toml:")?.1.split(':').next()?.parse().ok())
        .collect();
    assert!(places.len() == 8 && places.is_sorted(), "{places:?}");

    // What is no TOML does not hide what is wrong elsewhere, and nothing seems to be missing because of it.
    let torn = text.replacen("ranks = 8", "ranks = ", 1);
    std::fs::write(&file, torn).unwrap();
    let said = refusal(&["check", file.to_str().unwrap()]);
    assert!(said.contains("unknown constraint `betwen`") && said.contains("bad.toml:12:"), "{said}");
    assert!(!said.contains("missing"), "{said}");
}

#[test]
fn a_game_without_a_fault_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    notes(folder.path(), &["new", "my.toml", "--swap", "N=waffle"]);
    let check = backrank(&["check", "my.toml", "--games", "6", "--nodes", "50", "--json"])
        .current_dir(folder.path())
        .assert()
        .success();
    let found: Value = serde_json::from_slice(&check.get_output().stdout).unwrap();
    assert_eq!((&found["setups"], &found["brute_force"]), (&960.into(), &"960".into()));
    let piece = |letter: &str| {
        let pieces = found["pieces"].as_array().unwrap();
        pieces.iter().find(|piece| piece["letter"] == letter).unwrap().clone()
    };
    assert_eq!(piece("N")["name"], "waffle");
    assert_eq!(piece("N")["mating"], "never");
    assert_eq!(piece("R")["mating"]["forced"]["moves"], 16);
    assert_eq!((&piece("B")["colour_bound"], &piece("K")["mating"]), (&true.into(), &"king".into()));
    let results = found["games"]["results"].as_array().unwrap();
    assert_eq!(results.iter().map(|number| number.as_u64().unwrap()).sum::<u64>(), 6);
    assert_eq!(found["games"]["traded"]["P"]["at_the_start"], 96);
    let page = std::fs::read_to_string(folder.path().join("check-my.html")).unwrap();
    assert!(page.contains("waffle") && page.matches("<svg ").count() >= 6);
    if let Some(browser) = Browser::start([390, 844]) {
        for colours in ["light", "dark"] {
            browser.load(&folder.path().join("check-my.html"), "");
            browser.in_colours(colours);
            browser.check_access(colours);
        }
        browser.close();
    }

    // A game that is only counted is not played.
    let counted = backrank(&["check", "xiangqi"]).current_dir(folder.path()).assert().success();
    let counted = String::from_utf8(counted.get_output().stdout.clone()).unwrap();
    assert!(counted.contains("not known: the game is only counted"), "{counted}");
}
