//! How the tests run the program.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use assert_cmd::assert::OutputAssertExt;

/// A game whose games are soon over.
pub const MINI: &str = include_str!("../games/mini.toml");

/// Longer than anything takes on a machine that is busy with other things; only a failing test waits for it.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// The program with some arguments.
pub fn backrank(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_backrank"));
    command.args(arguments);
    command
}

/// What a command prints that succeeds without a note on stderr.
pub fn stdout(arguments: &[&str]) -> String {
    let output = backrank(arguments).assert().success().stderr("").get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

/// What a command prints that succeeds, whatever it notes on stderr.
pub fn stdout_beside_notes(arguments: &[&str]) -> String {
    String::from_utf8(backrank(arguments).assert().success().get_output().stdout.clone()).unwrap()
}

/// What a command says that refuses its input. It must print nothing else.
pub fn refusal(arguments: &[&str]) -> String {
    let output = backrank(arguments).assert().code(2).stdout("").get_output().stderr.clone();
    String::from_utf8(output).unwrap()
}

/// The names of all commands, as the help lists them.
pub fn commands() -> Vec<String> {
    let help = stdout(&["--help"]);
    let listed = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next()).filter(|&name| name != "help");
    names.map(String::from).collect()
}

/// Runs `backrank study` with a time, and again with more of it until there is what is waited for: a machine that is busy with other
/// things may finish no game in a second.
pub fn study_until(is_there: impl Fn() -> bool, study: impl Fn(&str) -> Output) -> Output {
    for time in ["1s", "4s", "16s", "64s"] {
        let output = study(time);
        let says = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() || says.contains("no game was finished within "), "{says}");
        if is_there() {
            return output;
        }
    }
    panic!("no game is finished")
}

/// The engine that misbehaves, with its manner: Cargo builds examples beside the tests.
pub fn misbehaving_engine(manner: &str) -> String {
    let tests = std::env::current_exe().unwrap();
    let program = tests.parent().and_then(Path::parent).unwrap().join("examples/misbehaving-engine");
    assert!(
        program.exists(),
        "cargo test builds examples, cargo test --test program does not: cargo build --release --examples"
    );
    format!("{} {manner}", program.display())
}

/// Whether a program is on the path, or where Debian has its games, in which engines are looked for as well.
pub fn has(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let games = std::path::PathBuf::from("/usr/games");
    std::env::split_paths(&path).chain([games]).any(|folder| folder.join(program).is_file())
}

/// Whether a program that a test needs is missing, which is in this package of Debian. Then the test is skipped: see [`skip`].
pub fn lacks(program: &str, package: &str) -> bool {
    let is_missing = !has(program);
    if is_missing {
        skip(&format!("there is no `{program}`; on Debian `apt install {package}`"));
    }
    is_missing
}

/// Says that the test that runs is skipped, or what is left of it, and why. The gate sets `BACKRANK_GATE` and has all that tests
/// need: there, the test fails.
pub fn skip(why: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_string();
    assert!(std::env::var_os("BACKRANK_GATE").is_none(), "{test} cannot be skipped in the gate: {why}");
    // Not `eprintln!`, whose text a test that passes keeps to itself.
    std::io::stderr().write_all(format!("skipped: {test}: {why}\n").as_bytes()).unwrap();
}
