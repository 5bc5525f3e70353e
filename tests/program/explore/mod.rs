//! The explorer: what it is made of, whether its own code replays games as ours does, and how a browser shows it.

mod browser;
mod layout;
mod playing;
mod replay;
mod sources;
pub mod webdriver;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use assert_cmd::assert::OutputAssertExt;
use backrank_enumerate::Space;
use backrank_rules::Variant;
use tempfile::TempDir;

use crate::common::backrank;

/// The published games, one from each of the 15,120 setups.
const STUDY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/pmrc-2026/all");

/// The page of the published games and of a made-up atlas, made once for all tests.
fn page() -> &'static Path {
    static PAGE: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, page) = PAGE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let atlas = folder.path().join("atlas.csv");
        std::fs::write(&atlas, made_up_atlas()).unwrap();
        let page = folder.path().join("explorer.html");
        let [atlas, output] = [&atlas, &page].map(|path| path.to_str().unwrap());
        backrank(&["explore", STUDY, atlas, "-o", output]).assert().success().stdout(format!("{output}\n"));
        (folder, page)
    });
    page
}

/// The page of an atlas of Chess324, in which both sides' pieces are placed apart.
fn page_of_chess324() -> &'static Path {
    static PAGE: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, page) = PAGE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let [atlas, page] = ["atlas", "explorer.html"].map(|name| folder.path().join(name));
        let (atlas, output) = (atlas.to_str().unwrap(), page.to_str().unwrap());
        backrank(&["atlas", "chess324", "--nodes", "100", "-o", atlas]).assert().success();
        backrank(&["explore", atlas, "-o", output]).assert().success();
        (folder, page)
    });
    page
}

/// The page of a game without studies, in a folder.
fn page_of(game: &str, folder: &Path) -> PathBuf {
    let page = folder.join(format!("{game}.html"));
    backrank(&["explore", game, "-o", page.to_str().unwrap()]).assert().success();
    page
}

/// The page of a few games with scores.
fn page_with_scores() -> &'static Path {
    static PAGE: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, page) = PAGE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let [study, page] = ["study", "explorer.html"].map(|name| folder.path().join(name));
        let (study, output) = (study.to_str().unwrap(), page.to_str().unwrap());
        let play =
            ["play", "pmrc", "--setups", "6944..6947", "--nodes", "200", "--scores", "--quiet", "-o", study];
        backrank(&play).assert().success();
        backrank(&["explore", study, "-o", output]).assert().success();
        (folder, page)
    });
    page
}

/// Scores and complexities of every setup that follow from its id: that of setup 6944 is the greatest, and its best move
/// alone is a knight's.
fn made_up_atlas() -> String {
    let variant = Variant::find("pmrc").unwrap();
    let space = Space::new(&variant).unwrap();
    let mut text = String::from("setup,white_rank,score_cp,expected_score,complexity,asymmetry,best_move\n");
    for (id, setup) in space.iter().enumerate() {
        let score = if id == 6944 { 200 } else { id * 7919 % 97 };
        let (expected, complexity) = (0.5 + score as f64 / 1000.0, (id * 31 % 1709) as f64 / 100.0);
        let best_move = if id == 6944 { "h1g3" } else { "e2e4" };
        writeln!(text, "{id},{},{score},{expected},{complexity},0.5,{best_move}", setup.white).unwrap();
    }
    text
}
