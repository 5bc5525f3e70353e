//! Directories and files that somebody else has made: what is in them is read, and believed only as far as that does no harm.
#![cfg(unix)]

mod engines;
mod links;
mod memory;
mod numbers;
mod plans;
mod terminal;

use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::common::{MINI, PATIENCE, lacks, misbehaving_engine as engine};

/// A folder with the file of a game in it, and a place for states.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mini.toml"), MINI).unwrap();
    folder
}

/// What a command did.
#[derive(Debug)]
struct Ran {
    /// None if a signal ended it.
    code: Option<i32>,
    stdout: String,
    stderr: String,
    /// The most memory that it had, in mebibytes; 0 where that is not known.
    mebibytes: u64,
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_backrank"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command.env("XDG_STATE_HOME", folder.join("states"));
    command
}

/// Runs a command that must end.
fn run(folder: &Path, arguments: &[&str]) -> Ran {
    finish(command(folder, arguments), arguments)
}

fn finish(mut command: Command, what: &[&str]) -> Ran {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let read = |mut from: Box<dyn Read + Send>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = from.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let stdout = read(Box::new(child.stdout.take().unwrap()));
    let stderr = read(Box::new(child.stderr.take().unwrap()));
    let begin = Instant::now();
    let mut mebibytes = 0;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        mebibytes = mebibytes.max(memory_of(&child));
        if begin.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{what:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    assert!(status.signal().is_none_or(|signal| signal != 6), "{what:?} was aborted");
    let (stdout, stderr) = (stdout.join().unwrap(), stderr.join().unwrap());
    Ran { code: status.code(), stdout, stderr, mebibytes }
}

/// The most memory that a process has had, in mebibytes.
fn memory_of(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|peak| peak.split_whitespace().next()?.parse().ok())
        .map_or(0, |kibibytes: u64| kibibytes >> 10)
}

fn succeed(folder: &Path, arguments: &[&str]) -> Ran {
    let ran = run(folder, arguments);
    assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
    ran
}

/// What a command says that refuses its input.
fn refusal(folder: &Path, arguments: &[&str]) -> String {
    let ran = run(folder, arguments);
    assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
    ran.stderr
}

/// Changes a file: the text in place of another that it must have.
fn change(file: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{} has no {from}", file.display());
    std::fs::write(file, text.replacen(from, to, 1)).unwrap();
}

/// A study of two rounds that is planned in four tasks, in the directory `big`.
fn plan(folder: &Path) -> PathBuf {
    let study = [
        "study",
        "mini.toml",
        "--games",
        "80",
        "--rounds",
        "2",
        "--nodes",
        "20",
        "--tasks",
        "4",
        "-o",
        "big",
    ];
    succeed(folder, &study);
    folder.join("big")
}

/// Everything below a directory with its contents, to see that nothing changes.
fn everything(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        match path.is_dir() && !path.is_symlink() {
            true => found.extend(everything(&path)),
            false => found.push((path.clone(), std::fs::read(&path).unwrap_or_default())),
        }
        found.push((path, Vec::new()));
    }
    found
}

fn text(path: &impl AsRef<OsStr>) -> &str {
    path.as_ref().to_str().unwrap()
}
