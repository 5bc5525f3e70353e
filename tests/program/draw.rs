//! Setups drawn from a phrase, or at random without repetition, and the sheet of them.

use std::path::Path;
use std::process::Command;

use assert_cmd::assert::OutputAssertExt;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::common::{backrank, has, lacks, refusal, stdout, stdout_beside_notes};
use crate::explore::webdriver::Browser;

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(arguments)).unwrap()
}

/// The table of test vectors in the book: game, phrase, i, hash, id and setup.
fn vectors() -> Vec<Vec<String>> {
    let page = include_str!("../../docs/src/looking-up.md");
    let rows = page.lines().filter(|line| line.starts_with("| `") && line.split('|').count() == 9);
    let cell = |cell: &str| cell.trim().trim_matches('`').to_string();
    rows.map(|row| row.split('|').skip(1).map(cell).collect()).collect()
}

#[test]
fn the_books_vectors_are_drawn() {
    let vectors = vectors();
    assert!(vectors.len() > 8, "{vectors:?}");
    for row in &vectors {
        let [game, among, phrase, at, hash, id, setup] = &row[..7] else { panic!("{row:?}") };
        let drawn = json(&["draw", game, "--phrase", phrase, "-n", "5", "--json"]);
        assert_eq!(drawn["among"].to_string(), among.replace(',', ""));
        let text = format!("{phrase}#{at}");
        let of_text = |drawn: &&Value| drawn["text"] == text.as_str();
        match drawn["setups"].as_array().unwrap().iter().find(of_text) {
            Some(found) => {
                assert_eq!(
                    (&found["sha256"], &found["white"]),
                    (&hash.as_str().into(), &setup.as_str().into())
                );
                assert_eq!(found["id"].to_string(), *id);
            }
            None => assert_eq!(setup, "skipped", "{row:?}"),
        }
    }
}

/// The rule, by long division on the hash's digits.
#[test]
fn a_draw_is_what_the_rule_says() {
    for (game, narrowing) in [("pmrc", &["--where", "opposite_colours=B,B"][..]), ("double960", &[])] {
        let arguments = [&["draw", game, "--phrase", " Łódź ", "-n", "30", "--json"], narrowing].concat();
        let drawn = json(&arguments);
        let among = drawn["among"].as_u64().unwrap();
        assert_eq!(stdout(&[&["count", game], narrowing].concat()).trim(), among.to_string());
        for found in drawn["setups"].as_array().unwrap() {
            let hash = Sha256::digest(found["text"].as_str().unwrap());
            let id = hash.iter().fold(0, |rest, &byte| (rest * 256 + u64::from(byte)) % among);
            assert_eq!(found["id"], id);
            let shown = json(&[&["show", game, &id.to_string(), "--json"], narrowing].concat());
            assert_eq!((&shown["white"], &shown["fen"]), (&found["white"], &found["fen"]));
        }
    }
}

#[test]
fn every_setup_is_drawn_once_and_no_more() {
    let ways = [
        &["draw", "chess18", "--phrase", "all", "-n"][..],
        &["random", "chess18", "--distinct", "--seed", "1", "-n"],
    ];
    for way in ways {
        let drawn = stdout_beside_notes(&[way, &["18"]].concat());
        let mut rows: Vec<&str> = drawn.lines().skip(1).collect();
        rows.sort_by_key(|row| row.split(',').next().unwrap().parse::<u64>().unwrap());
        let listed = stdout(&["list", "chess18"]);
        assert_eq!(rows, listed.lines().skip(1).collect::<Vec<_>>());
        let says = refusal(&[way, &["19"]].concat());
        assert_eq!(says, "error: 19 distinct setups cannot be drawn: there are 18\n");
    }
    // Without repetition they are those with repetition, each the first time.
    let ids = |arguments: &[&str]| -> Vec<u64> {
        let drawn = json(&[&["random", "chess18", "--seed", "7", "--json"], arguments].concat());
        drawn["setups"].as_array().unwrap().iter().map(|setup| setup["id"].as_u64().unwrap()).collect()
    };
    let mut first: Vec<u64> = Vec::new();
    ids(&["-n", "40"]).into_iter().for_each(|id| {
        if !first.contains(&id) {
            first.push(id);
        }
    });
    assert_eq!(ids(&["-n", "10", "--distinct"]), first[..10]);
}

#[test]
fn lists_as_json() {
    let listed = json(&["list", "chess18", "--range", "3..6", "--json"]);
    assert_eq!((&listed["variant"], &listed["numbering"]), (&"chess18".into(), &"lex".into()));
    let rows: Vec<String> = listed["setups"].as_array().unwrap().iter().map(Value::to_string).collect();
    assert_eq!(rows.join("\n") + "\n", stdout(&["list", "chess18", "--range", "3..6", "--format", "jsonl"]));
    assert_eq!(json(&["list", "chess18", "--range", "3..3", "--json"])["setups"], Value::Array(Vec::new()));
    assert_eq!(json(&["random", "chess960", "--seed", "5", "--json"])["seed"], 5);
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let says = refusal(&["draw", "chess960", "--phrase", ""]);
    assert!(says.contains("a value is required for '--phrase <TEXT>'"), "{says}");
    let says = refusal(&["draw", "double960", "--phrase", "a", "-n", "1001", "--sheet", "never.html"]);
    assert_eq!(says, "error: a sheet has at most 1,000 setups, and these are 1,001\n");
    refusal(&["draw", "chess960", "--phrase", "a", "--where", "between=Q:R,R", "--where", "fixed=QQQQQQQQ"]);
}

/// A browser makes a PDF of as many pages as the sheet says, on A4 and on letter paper.
#[test]
fn a_sheet_is_printed_without_a_torn_diagram() {
    let folder = tempfile::tempdir().unwrap();
    let sheet = folder.path().join("sheet.html");
    let names = ["chromium-browser", "google-chrome", "chromium"];
    for (game, per_page, pages) in [("chess960", "6", 4), ("pmrc", "12", 2), ("capablanca-random", "6", 4)] {
        let phrase = "City <Open> & \"friends\", round 3, ".repeat(4);
        let path = sheet.to_str().unwrap();
        let arguments =
            ["draw", game, "--phrase", &phrase, "-n", "20", "--sheet", path, "--per-page", per_page];
        backrank(&arguments).assert().success();
        let html = std::fs::read_to_string(&sheet).unwrap();
        assert_eq!(html.matches("<figure>").count(), 20);
        assert!(html.contains("City &lt;Open&gt; &amp; &quot;friends&quot;") && !html.contains("<script"));
        let Some(chromium) = names.into_iter().find(|name| has(name)) else {
            lacks("chromium", "chromium");
            continue;
        };
        for paper in ["A4", "letter"] {
            // No text and no board is cut off by the place that it has.
            let probe = "<script>onload = () => { const cut = [...document.querySelectorAll('figure, header')]\
                .filter((e) => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1).length;\
                document.title = `cut ${cut}`; };</script>";
            let printed = format!("<style>@page {{ size: {paper}; }}</style>{probe}");
            std::fs::write(&sheet, html.replace("</head>", &format!("{printed}</head>"))).unwrap();
            assert!(
                dom(chromium, folder.path(), &sheet).contains("<title>cut 0</title>"),
                "{game} {per_page}"
            );
            let pdf = folder.path().join("sheet.pdf");
            let printing = format!("--print-to-pdf={}", pdf.display());
            browse(chromium, folder.path(), &sheet, &["--no-pdf-header-footer", &printing]);
            let bytes = std::fs::read(&pdf).unwrap();
            let text = String::from_utf8_lossy(&bytes);
            let found = text.matches("/Type /Page\n").count() + text.matches("/Type /Page ").count();
            assert_eq!(found, pages, "{game} {paper}");
        }
    }
}

#[test]
fn everybody_can_read_a_sheet() {
    let folder = tempfile::tempdir().unwrap();
    let sheet = folder.path().join("sheet.html");
    let arguments = ["draw", "pmrc", "--phrase", "Open", "-n", "7", "--sheet", sheet.to_str().unwrap()];
    backrank(&arguments).assert().success();
    let Some(browser) = Browser::start([1280, 900]) else { return };
    browser.load(&sheet, "");
    browser.check_access("a sheet");
    browser.close();
}

fn dom(chromium: &str, profile: &Path, page: &Path) -> String {
    browse(chromium, profile, page, &["--virtual-time-budget=3000", "--dump-dom"])
}

fn browse(chromium: &str, profile: &Path, page: &Path, options: &[&str]) -> String {
    let output = Command::new(chromium)
        .args(["--headless", "--no-sandbox", "--disable-gpu"])
        .arg(format!("--user-data-dir={}", profile.join("profile").display()))
        .args(options)
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// An atlas says in words what its numbers support, and a round's setup is drawn among those that it says something of: here as in the
/// explorer.
#[test]
fn setups_are_drawn_among_those_of_which_an_atlas_says_something() {
    let atlas = concat!(env!("CARGO_MANIFEST_DIR"), "/data/atlas/chess960-stockfish");
    let draw = |more: &[&str]| {
        let arguments = ["draw", "chess960", "--phrase", "a", "-n", "12", "--atlas", atlas, "--json"];
        json(&[&arguments[..], more].concat())
    };
    let fairer = draw(&["--words", "fairer than most"]);
    let among = |drawn: &Value| drawn["among"].as_u64().unwrap();
    assert!((12..960).contains(&among(&fairer)), "{fairer}");
    let both = draw(&["--words", "fairer than most", "--words", "bishops on both colours"]);
    assert_eq!(among(&both), among(&fairer), "all setups of Chess960 have bishops on both colours");
    let narrowed = draw(&["--words", "fairer than most", "--where", "opposite_colours=B,B"]);
    assert_eq!(among(&narrowed), among(&fairer));
    for found in fairer["setups"].as_array().unwrap() {
        let hash = Sha256::digest(found["text"].as_str().unwrap());
        let id = hash.iter().fold(0, |rest, &byte| (rest * 256 + u64::from(byte)) % among(&fairer));
        assert_eq!(found["id"], id);
    }
    let refused =
        |more: &[&str]| refusal(&[&["draw", "chess960", "--phrase", "a", "--atlas", atlas], more].concat());
    let unknown = refused(&["--words", "boring"]);
    assert!(
        unknown.contains("the atlas says \"boring\" of no setup; it says \"")
            && unknown.contains("fairer than most"),
        "{unknown}"
    );
    assert!(
        refused(&["--words", "fairer than most", "-n", "900"])
            .contains("900 distinct setups cannot be drawn")
    );
    let other = concat!(env!("CARGO_MANIFEST_DIR"), "/data/atlas/pmrc");
    let wrong = refusal(&["draw", "chess960", "--phrase", "a", "--atlas", other, "--words", "sharp"]);
    assert!(wrong.contains("is no atlas of chess960"), "{wrong}");

    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("explorer.html");
    backrank(&["explore", atlas, "-o", page.to_str().unwrap()]).assert().success();
    let Some(browser) = Browser::start([1300, 900]) else { return };
    browser.open(&page, "518&tab=find");
    browser.choose("#conditions select[aria-label='in words']", "fairer than most");
    browser.enter("#draw-phrase", "a");
    browser.enter("#draw-number", "12");
    browser.click("#draw-form button");
    browser.until("document.querySelectorAll('#drawn li').length === 12");
    let rows = fairer["setups"].as_array().unwrap().iter();
    let expected: Vec<String> =
        rows.map(|found| format!("{} #{}", found["white"].as_str().unwrap(), found["id"])).collect();
    assert_eq!(browser.all("#drawn li"), expected);
    browser.close();
}
