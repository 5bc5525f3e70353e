//! Experiments in tasks, as the workers of a cluster play them: interrupted, killed, two at a time, on a full disk; and gathered
//! with the same bytes as on one machine.

mod plans;
mod schedulers;
mod trouble;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::assert::OutputAssertExt;
use tempfile::TempDir;

use crate::common::{MINI, PATIENCE, lacks, skip};

const PROGRAM: &str = env!("CARGO_BIN_EXE_backrank");

/// An experiment of two rounds.
const STUDY: [&str; 8] = ["study", "mini.toml", "--games", "240", "--rounds", "2", "--nodes", "20"];

/// A folder with the file of a game in it.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mini.toml"), MINI).unwrap();
    folder
}

fn backrank(folder: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

fn succeed(folder: &TempDir, arguments: &[&str]) -> String {
    text(&backrank(folder, arguments).assert().success().get_output().stdout)
}

/// The error of a command that ends with this exit code.
fn fail(folder: &TempDir, code: i32, arguments: &[&str]) -> String {
    text(&backrank(folder, arguments).assert().code(code).get_output().stderr)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Plans the experiment in tasks, in the directory `big`.
fn plan(folder: &TempDir, tasks: &str) {
    succeed(folder, &[&STUDY[..], &["-o", "big", "--tasks", tasks]].concat());
}

/// The games of the same experiment, played by one process in the directory `one`.
fn on_one_machine(folder: &TempDir) -> BTreeMap<PathBuf, Vec<u8>> {
    succeed(folder, &[&STUDY[..], &["-o", "one", "--threads", "2"]].concat());
    games(&folder.path().join("one"))
}

/// Every games.csv below a directory except those of tasks.
fn games(study: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let below = ["odds", "fixed"].map(|name| std::fs::read_dir(study.join(name)));
    let below = below.into_iter().flatten().flatten().map(|entry| entry.unwrap().path());
    for path in std::iter::once(study.to_path_buf()).chain(below) {
        if let Ok(bytes) = std::fs::read(path.join("games.csv")) {
            found.insert(path.strip_prefix(study).unwrap().to_path_buf(), bytes);
        }
    }
    found
}

fn rows(games: &BTreeMap<PathBuf, Vec<u8>>) -> usize {
    games.values().map(|bytes| bytes.iter().filter(|&&byte| byte == b'\n').count() - 1).sum()
}

/// Plays and gathers the tasks of both rounds.
fn play_all(folder: &TempDir) {
    for _ in 0..2 {
        succeed(folder, &["work", "big", "--heartbeat", "100ms"]);
        succeed(folder, &["gather", "big", "--heartbeat", "100ms"]);
    }
}

fn assert_same(one: &BTreeMap<PathBuf, Vec<u8>>, other: &BTreeMap<PathBuf, Vec<u8>>) {
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (path, bytes) in one {
        assert!(other[path] == *bytes, "{} differs", path.display());
    }
}

/// A worker that has recorded a game of a task, and will take long to finish it.
fn slow_worker(folder: &TempDir, more: &[&str]) -> Child {
    let arguments = [&["work", "slow", "--task", "1", "--threads", "1"], more].concat();
    once_recorded(folder, backrank(folder, &arguments))
}

/// Starts a command that plays the slow experiment, and waits until it has recorded a game.
fn once_recorded(folder: &TempDir, mut command: Command) -> Child {
    let before = recorded(folder);
    let mut worker = command.stderr(Stdio::piped()).spawn().unwrap();
    let begin = Instant::now();
    while recorded(folder) <= before && worker.try_wait().unwrap().is_none() {
        assert!(begin.elapsed() < PATIENCE, "no game is recorded");
        std::thread::sleep(Duration::from_millis(5));
    }
    worker
}

/// Plans an experiment whose only task takes long.
fn plan_slow(folder: &TempDir) {
    let study = ["study", "mini.toml", "--games", "400", "--rounds", "1", "--nodes", "3000", "-o", "slow"];
    succeed(folder, &[&study[..], &["--tasks", "1"]].concat());
}

/// The number of games from all setups that a worker of the slow experiment has recorded.
fn recorded(folder: &TempDir) -> usize {
    let Ok(entries) = std::fs::read_dir(folder.path().join("slow/tasks")) else { return 0 };
    let files = entries.map(|entry| entry.unwrap().path().join("games.csv"));
    let lines =
        |file| std::fs::read(file).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count());
    // The first line is the heading.
    files.map(lines).max().unwrap_or(0).saturating_sub(1)
}

/// The directories in which workers play, or have played.
fn attempts(folder: &TempDir, study: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.path().join(study).join("tasks")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "playing")).collect()
}

fn output(child: Child) -> Output {
    child.wait_with_output().unwrap()
}

#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let kill = Command::new("sh").args(["-c", &format!("kill -{name} {}", child.id())]).status().unwrap();
    assert!(kill.success());
}
