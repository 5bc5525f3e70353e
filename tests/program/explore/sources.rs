//! What a page is made of, and what cannot be made into one.

use std::path::Path;

use super::page;
use crate::common::{backrank, refusal};
use assert_cmd::assert::OutputAssertExt;

#[test]
fn a_page_is_one_file_that_needs_no_other() {
    let html = std::fs::read_to_string(page()).unwrap();
    assert!(html.len() < 8_000_000, "{} bytes", html.len());
    let code = html.replace("http://www.w3.org/2000/svg", "");
    for forbidden in
        ["http:", "https:", " src=", "<link rel=\"stylesheet", "@import", "url(", "fetch(", "XMLHttpRequest"]
    {
        assert!(!code.contains(forbidden), "{forbidden}");
    }
    assert!(html.contains("default-src 'none'"), "a browser is told to load nothing");
}

#[test]
fn the_page_of_a_large_space_lists_the_setups_that_were_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let [page, study] = ["page.html", "study"].map(path);
    let play = ["play", "double960", "--setups", "random:3", "--nodes", "10", "--quiet", "-o", &study];
    backrank(&play).assert().success();
    backrank(&["explore", &study, "--quiet", "-o", &page]).assert().success().stderr("");
    let Some(set_up) = super::replay::node("start.mjs", &[&page, "1"]) else { return };
    let games = std::fs::read_to_string(Path::new(&study).join("games.csv")).unwrap();
    let starts: Vec<&str> = games.lines().skip(1).map(|row| row.split(',').nth(4).unwrap()).collect();
    let shown: Vec<&str> = set_up.lines().map(|line| line.split('\t').next().unwrap()).collect();
    assert_eq!(shown, starts);
}

#[test]
fn wrong_sources_are_refused_and_no_page_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let [page, atlas, study, other] = ["page.html", "atlas", "study", "other"].map(path);
    let explore = |sources: &[&str]| refusal(&[&["explore"], sources, &["-o", &page]].concat());
    let write = |text: &str| {
        std::fs::create_dir_all(&atlas).unwrap();
        std::fs::write(Path::new(&atlas).join("atlas.csv"), text).unwrap();
    };
    for (directory, key) in [(&study, "crc"), (&other, "chess960")] {
        backrank(&["play", key, "--setups", "0..2", "--nodes", "10", "-o", directory, "--quiet"])
            .assert()
            .success();
    }

    assert!(explore(&["no-such-game"]).contains("no such file or game: no-such-game. A source is "));
    // Also without the name of a page, which is explorer.html.
    assert!(refusal(&["explore", "/nonexistent"]).contains("no such file or game: /nonexistent"));
    assert!(explore(&[folder.path().to_str().unwrap()]).contains("it has no study.toml and no atlas.csv"));
    assert!(explore(&["chess", "crc"]).contains("give only one game"));
    assert!(explore(&["double960"]).contains("921,600 setups"));

    write("setup,score_cp\n0,12\n");
    assert!(
        explore(&[&study, &atlas]).contains("atlas.csv, line 1: an atlas must have a column `white_rank`")
    );
    write("setup,white_rank,score_cp\n0,BBKNNQRR,12\n");
    let another_games = explore(&[&study, &atlas]);
    assert!(
        another_games.contains("atlas.csv, line 2") && another_games.contains("BBKNNQRR"),
        "{another_games}"
    );
    write("setup,white_rank,score_cp\n0,BBNNQRKR,12\n1,BBNN\n");
    assert!(explore(&[&study, &atlas]).contains("atlas.csv, line 3"));
    write("setup,white_rank,score_cp\n0,BBNNQRKR,12\n");
    assert!(explore(&[&atlas]).contains("cannot tell which game "));
    std::fs::write(Path::new(&atlas).join("atlas.toml"), "[variant]\nkey = 7\n").unwrap();
    assert!(explore(&[&atlas]).contains("atlas.toml"));

    let games = explore(&[&study, &other]);
    assert!(games.contains("crc") && games.contains("chess960"), "{games}");
    let torn = Path::new(&study).join("games.csv");
    let text = std::fs::read_to_string(&torn).unwrap();
    std::fs::write(&torn, text.replacen("\n1,", "\nx,", 1)).unwrap();
    assert!(explore(&[&study]).contains("games.csv, line 3"));
    assert!(!Path::new(&page).exists(), "nothing is written");
}
