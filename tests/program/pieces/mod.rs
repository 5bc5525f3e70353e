//! Pieces that were measured: `pieces` and its page; and armies: `armies`.

use std::collections::BTreeSet;
use std::process::Command;

use assert_cmd::assert::OutputAssertExt;
use backrank_rules::Betza;
use serde_json::Value;

use crate::common::{backrank, lacks, refusal, stdout};
use crate::explore::webdriver::Browser;

#[test]
fn the_page_predicts_what_the_program_predicts() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("pieces.html");
    let page = page.to_str().unwrap();
    backrank(&["pieces", "-o", page]).assert().success();
    if lacks("node", "nodejs") {
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/pieces/page.mjs");
    let output = Command::new("node").args([script, page]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (mut predicted, mut written) = (0, 0);
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        if let Some(text) = line["text"].as_str() {
            let betza: Betza = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            let rays: BTreeSet<String> = betza
                .rays()
                .iter()
                .map(|ray| format!("[{},{},{},{},{}]", ray.dx, ray.dy, ray.range, ray.moves, ray.captures))
                .collect();
            let of_page: BTreeSet<String> =
                line["rays"].as_array().unwrap().iter().map(Value::to_string).collect();
            assert_eq!(of_page, rays, "{text}");
            written += 1;
        } else {
            let [page, program] = ["page", "program"].map(|of| line[of].as_f64().unwrap());
            assert!((page / program - 1.0).abs() < 1e-9, "{line}");
            predicted += 1;
        }
    }
    assert!(predicted > 10 && written == 5 * (7 * 3 + 3 * 3 + 15 * 3), "{predicted} {written}");
}

#[test]
fn everybody_can_reach_and_read_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("pieces.html");
    backrank(&["pieces", "-o", page.to_str().unwrap()]).assert().success();
    // Colours do not depend on the size of the window.
    for (size, colours) in [([1280, 900], "light"), ([390, 844], "dark")] {
        let Some(browser) = Browser::start(size) else { return };
        browser.load(&page, "");
        browser.in_colours(colours);
        browser.check_access(&format!("{size:?}, {colours}"));
        browser.close();
    }
}

/// What comes with the program is what the records say.
#[test]
fn the_pieces_are_those_of_the_data() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pieces.csv");
    let written = file.to_str().unwrap();
    for game in ["chess960", "later", "capablanca-random", "pmrc"] {
        backrank(&["pieces", &format!("data/pieces-2026/{game}.csv"), "--csv", written]).assert().success();
        let shipped = std::fs::read_to_string(format!("analysis/src/pieces/{game}.csv")).unwrap();
        assert!(
            std::fs::read_to_string(&file).unwrap() == shipped,
            "backrank pieces data/pieces-2026/{game}.csv --csv analysis/src/pieces/{game}.csv renews it"
        );
    }
    for (arguments, says) in [
        (&["/nonexistent"][..], "cannot read /nonexistent"),
        (&["Cargo.toml"], "Cargo.toml: line 1 is not the heading piece,letter,betza"),
        (&["docs"], "docs has no results of pieces, such as the pairs.csv that backrank value writes"),
        (&["--unit", "R=5"], "--unit is that of a knight"),
    ] {
        let error = refusal(&[&["pieces"], arguments].concat());
        assert!(error.contains(says), "{arguments:?}: {error}");
    }
}

/// A directory has the results of several games, of which those with most pieces are what the others are compared with.
#[test]
fn pieces_of_several_games_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let shipped = std::fs::read_to_string("data/pieces-2026/chess960.csv").unwrap();
    let of = |betza: &str| {
        shipped.lines().filter(|line| line.contains(&format!(",X,{betza},"))).collect::<Vec<_>>()
    };
    let heading = shipped.lines().next().unwrap();
    let write = |name: &str, lines: &[&str]| {
        let text = [&[heading], lines].concat().join("\n") + "\n";
        std::fs::write(folder.path().join(name), text).unwrap();
    };
    write("on-8x8.csv", &[of("WA"), of("W"), of("R4")].concat());
    let elsewhere: Vec<String> =
        [of("WA"), of("W")].concat().iter().map(|line| line.replace(",chess960,", ",chess,")).collect();
    write("a.csv", &elsewhere.iter().map(String::as_str).collect::<Vec<_>>());
    write("other.csv", &[]);
    std::fs::write(folder.path().join("pieces.csv"), "betza,group\nWA,leapers\n").unwrap();
    let at = folder.path().to_str().unwrap();
    let found: Value = serde_json::from_str(&stdout(&["pieces", at, "--json"])).unwrap();
    assert_eq!(found["games"], serde_json::json!(["chess960", "chess"]));
    let in_games = found["in_games"].as_array().unwrap();
    assert_eq!(
        (in_games.len(), &in_games[0]["betza"], &in_games[1]["betza"]),
        (2, &"WA".into(), &"W".into())
    );
    // The games and the other pieces' values are the same.
    assert_eq!(in_games[0]["values"][0], in_games[0]["values"][1]);
    assert_eq!((&in_games[0]["times"][0], &in_games[0]["times"][1]["value"]), (&Value::Null, &1.0.into()));
    let printed = stdout(&["pieces", at]);
    assert!(printed.contains("how many times as much they are worth as in chess960"), "{printed}");
    assert!(printed.contains("times in chess "), "{printed}");
    // The pieces of a single game are not compared.
    let single = stdout(&["pieces", "data/pieces-2026/chess960.csv"]);
    assert!(!single.contains("how many times as much"));
}

#[test]
fn theories_are_held_against_the_pieces() {
    let said = stdout(&["pieces", "data/pieces-2026/chess960.csv", "--theories"]);
    let off = |measure: &str| {
        let line = said.lines().find(|line| line.starts_with(measure)).unwrap();
        let numbers: Vec<&str> = line.split_whitespace().collect();
        numbers[numbers.len() - 2].parse::<f64>().unwrap()
    };
    let crowded = off("mobility, 30 % of the board occupied");
    assert!(off("the model of all terms") < crowded && crowded < off("mobility on an empty board"), "{said}");
    assert!(crowded < off("safe checks on an empty board"), "{said}");
    let mating = said.lines().find(|line| line.contains("mate a bare king")).unwrap();
    let able: usize = mating.split(' ').next().unwrap().parse().unwrap();
    assert!((40..60).contains(&able), "{mating}");
}

#[test]
fn an_army_that_is_much_weaker_loses() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string("rules/variants/cwda-fide-rookies.toml").unwrap();
    // The rookies' pieces become wazirs.
    let weak = text.replace("betza = \"R4\"", "betza = \"W\"").replace("betza = \"RN\"", "betza = \"W\"");
    let weak = weak.replace("betza = \"HFD\"", "betza = \"W\"").replace("betza = \"WD\"", "betza = \"W\"");
    assert_ne!(weak, text);
    let game = folder.path().join("weak.toml");
    std::fs::write(&game, weak).unwrap();
    let at = folder.path().join("armies");
    let line = [
        "armies",
        game.to_str().unwrap(),
        "--games",
        "8",
        "--nodes",
        "200",
        "--json",
        "--quiet",
        "-o",
        at.to_str().unwrap(),
    ];
    let found: Value = serde_json::from_str(&stdout(&line)).unwrap();
    let pairs: Vec<u64> = found["matches"][0]["pairs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pairs| pairs.as_u64().unwrap())
        .collect();
    let points: u64 = pairs.iter().zip(0..).map(|(pairs, points)| pairs * points).sum();
    assert!(points >= 14, "{points} of 16: {pairs:?}");
}

#[test]
fn armies_play_each_other_and_are_rated() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("armies");
    let at = at.to_str().unwrap();
    let games = ["cwda-fide-rookies", "cwda-nutters-rookies", "cwda-fide-nutters"];
    let run = |number: &str| -> Value {
        let more = ["--games", number, "--nodes", "5", "-o", at, "--json", "--quiet"];
        serde_json::from_str(&stdout(&[&["armies"], &games[..], &more].concat())).unwrap()
    };
    let found = run("8");
    // Nothing is left to play.
    assert_eq!(found, run("8"));
    let matches = found["matches"].as_array().unwrap();
    assert_eq!(matches.len(), 3);
    assert_eq!(matches[0]["armies"], serde_json::json!(["RNBQKBNR", "SYUCKUYS"]));
    for (found, game) in matches.iter().zip(games) {
        let pairs: Vec<u64> =
            found["pairs"].as_array().unwrap().iter().map(|pairs| pairs.as_u64().unwrap()).collect();
        assert_eq!(pairs.iter().sum::<u64>(), 4);
        // The points of White's army, which it has in both games: the sides differ in which has the first move.
        let text = std::fs::read_to_string(format!("{at}/{game}/games.csv")).unwrap();
        let mut rows = csv::Reader::from_reader(text.as_bytes());
        let headings = rows.headers().unwrap().clone();
        let column = |name: &str| headings.iter().position(|heading| heading == name).unwrap();
        let [fen, result] = ["fen", "result"].map(column);
        let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
        let begins = |row: &csv::StringRecord| row[fen].split(' ').nth(1) == Some("w");
        assert_eq!(rows.iter().filter(|row| begins(row)).count(), 4);
        let points = rows.iter().map(|row| match &row[result] {
            "1/2-1/2" => 1,
            result => 2 * u64::from(result == "1-0"),
        });
        let by_pairs = pairs.iter().zip(0..).map(|(pairs, points)| pairs * points).sum::<u64>();
        assert_eq!(points.sum::<u64>(), by_pairs, "{game}");
    }
    // What another engine has finished is shown.
    let study = format!("{at}/{}/study.toml", games[0]);
    let text = std::fs::read_to_string(&study).unwrap();
    let key = "fingerprint = \"";
    let played_by = &text[text.find(key).unwrap() + key.len()..];
    let played_by = &played_by[..played_by.find('"').unwrap()];
    std::fs::write(&study, text.replace(played_by, "another")).unwrap();
    assert_eq!(found, run("8"));
    std::fs::write(&study, &text).unwrap();
    let other = refusal(&["armies", games[0], "--games", "10", "--nodes", "5", "-o", at]);
    assert!(other.contains("plan"), "{other}");
    let same = refusal(&["armies", "chess960", "-o", at]);
    assert!(same.contains("in chess960 both sides start with the same army"), "{same}");
}
