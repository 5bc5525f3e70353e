//! Studies as a person runs them: begun, interrupted, continued, and played by engines that misbehave.

mod checks;
mod compressed;
mod endings;
mod engines;
mod games;
mod odds;
mod openings;
mod progress;
mod recorded;
mod scores;
mod shards;
mod sprt;
mod survival;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use assert_cmd::assert::OutputAssertExt;
use tempfile::TempDir;

use crate::common::{lacks, misbehaving_engine as engine, skip};

fn play(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_backrank"));
    // What engines were named is not to be remembered for the person who runs the tests.
    command.arg("play").args(arguments).env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// Plays to the end and gives the bytes of games.csv.
fn games(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let folder = folder.to_str().unwrap();
    play(&[arguments, &["-o", folder]].concat()).assert().success();
    std::fs::read(Path::new(folder).join("games.csv")).unwrap()
}

fn refusal(arguments: &[&str]) -> String {
    let output = play(arguments).assert().code(2).stdout("").get_output().stderr.clone();
    String::from_utf8(output).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The column of each row.
fn column(games: &[u8], name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(games);
    let index = reader.headers().unwrap().iter().position(|column| column == name).unwrap();
    reader.records().map(|row| row.unwrap()[index].to_string()).collect()
}

const STUDY: [&str; 8] = ["pmrc", "--setups", "random:12", "--seed", "7", "--nodes", "60", "--pairs"];

fn twice() -> (TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let paths = (folder.path().join("one"), folder.path().join("other"));
    (folder, paths.0, paths.1)
}
